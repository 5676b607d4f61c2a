-- Conditional moves: the lines by which a player answers moves that the opponent has not made yet. Only who holds the lock of the
-- match changes a row, so that the statement that appends moves never waits for one.

create table conditional_moves (
    match_id  bigint not null references matches (id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    -- The number of moves that had been made when the lines were.
    root      integer not null,
    lines     jsonb not null,
    -- The time at which the player's next step is looked for; null while the opponent thinks.
    due_at    timestamptz,
    -- The changes of the lines in a minute, and since when they are counted.
    changes       integer not null default 1,
    changes_since timestamptz not null default now(),
    primary key (match_id, player_id)
);

-- The time after which a move is answered, 2 to 20 seconds, so that the opponent does not see that the answer was made before.
create function answer_delay() returns interval language sql volatile as $$
    select (2 + 18 * random()) * interval '1 second'
$$;

create index conditional_moves_due on conditional_moves (due_at) where due_at is not null;
create index conditional_moves_of_player on conditional_moves (player_id);
