-- Games against the computer that players keep in their history. They are played in the browser, which is believed about
-- everything but the rules, so they count for nothing.
create table computer_games (
    id          bigint generated always as identity primary key,
    player_id   bigint not null references players (id) on delete cascade,
    -- What the browser calls the game: sent again, it is the same game.
    key         text not null,
    game        text not null,
    setup       jsonb not null,
    level       smallint not null,
    -- The player's seat.
    seat        smallint not null,
    -- In their text form, separated by blanks.
    moves       text not null,
    -- Winner and reason, as an event has them.
    result      jsonb not null,
    score1      integer not null,
    score2      integer not null,
    started_at  timestamptz not null,
    finished_at timestamptz not null,
    unique (player_id, key)
);

create index computer_games_of_player on computer_games (player_id, finished_at desc, id desc);
