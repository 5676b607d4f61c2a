-- Adjourned matches: the moves that a player has sealed, which nobody else reads until the match is resumed. They are no events: every
-- stream, snapshot and record is made of those.

create table sealed_moves (
    match_id  bigint primary key references matches (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    -- One move, or all moves of a turn that goes on after the first.
    moves     text[] not null,
    sealed_at timestamptz not null default now(),
    -- Whether each player has come at the time that was agreed on.
    here1     boolean not null default false,
    here2     boolean not null default false
);

create index sealed_moves_of_player on sealed_moves (player_id);
