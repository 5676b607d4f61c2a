-- Puzzles, the first tries of players at them, and the ratings of both.

create table puzzles (
    id       bigint generated always as identity primary key,
    -- As `tochki-puzzles` writes it.
    notation text not null,
    game     text not null,
    theme    text not null,
    rating   double precision not null,
    -- First tries that have moved the rating.
    tries    integer not null default 0,
    -- The match it was found in; none for those that come with the arena.
    match_id bigint references matches (id) on delete set null,
    found_at timestamptz not null default now()
);

-- A notation may be longer than an index entry.
create unique index puzzles_once on puzzles (md5(notation));
create index puzzles_by_rating on puzzles (game, rating, id);
create index puzzles_of_match on puzzles (match_id) where match_id is not null;

-- A player's first try at a puzzle: the only one that counts.
create table puzzle_tries (
    player_id bigint not null references players (id) on delete cascade,
    puzzle_id bigint not null references puzzles (id) on delete cascade,
    solved    boolean not null,
    -- The player's rating in puzzles.
    before    double precision not null,
    after     double precision not null,
    tried_at  timestamptz not null default now(),
    primary key (player_id, puzzle_id)
);

create index puzzle_tries_of_puzzle on puzzle_tries (puzzle_id);

create table puzzle_ratings (
    player_id bigint primary key references players (id) on delete cascade,
    rating    double precision not null,
    tries     integer not null default 0,
    solved    integer not null default 0
);

-- Up to which match `tochki puzzles find` has looked.
create table puzzle_search (
    only_one boolean primary key default true check (only_one),
    match_id bigint not null
);
