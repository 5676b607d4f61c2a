-- Mass time-out: who loses several games by correspondence on time because they could not be here loses the first one rated.

-- The games that a player has lost on time by correspondence, in the order of the flags.
create table time_losses (
    match_id  bigint primary key references matches (id) on delete cascade,
    player_id bigint not null references players (id),
    flag_at   timestamptz not null,
    -- Whether the game is unrated because it was lost after another one and without a visit since.
    spared    boolean not null
);

create index time_losses_of_player on time_losses (player_id, flag_at);
