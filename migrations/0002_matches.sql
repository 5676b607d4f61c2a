-- Matches, what happened in them, and what they did to ratings.

create table matches (
    id          bigint generated always as identity primary key,
    game        text not null,
    setup       jsonb not null,
    clock       text not null,
    rated       boolean not null,
    seat1       bigint not null references players (id),
    seat2       bigint not null references players (id),
    -- Ratings at the start, for lists and for matches that count for nothing.
    rating1     double precision not null,
    rating2     double precision not null,
    version     integer not null default 0,
    score1      integer not null default 0,
    score2      integer not null default 0,
    -- How far it has come, in percent.
    progress    smallint not null default 0,
    -- The next moment at which something happens by itself; the sweeper looks for it.
    deadline_at timestamptz,
    started_at  timestamptz not null default now(),
    finished_at timestamptz,
    winner      smallint,
    reason      text,
    constraint matches_two_players check (seat1 <> seat2),
    constraint matches_result_is_whole check (
        (finished_at is null) = (reason is null) and (finished_at is null) = (winner is null)
    )
);

create index matches_running on matches (game, started_at) where finished_at is null;
create index matches_due on matches (deadline_at) where finished_at is null and deadline_at is not null;
create index matches_finished on matches (finished_at desc) where finished_at is not null;
create index matches_of_seat1 on matches (seat1, started_at desc);
create index matches_of_seat2 on matches (seat2, started_at desc);

-- The truth about a match. Its primary key decides the order: whoever loses the race for a version reads again.
create table match_events (
    match_id  bigint not null references matches (id) on delete cascade,
    version   integer not null,
    kind      text not null,
    body      text not null,
    -- Who moved, and the client's own name for the move.
    seat      smallint,
    client_id text,
    at        timestamptz not null default now(),
    primary key (match_id, version)
);

create unique index match_events_client_id on match_events (match_id, seat, client_id) where client_id is not null;

-- Nobody plays two running games at once: a row from the start of a match to its end.
create table playing (
    player_id bigint primary key references players (id),
    match_id  bigint not null references matches (id) on delete cascade
);

create index playing_in_match on playing (match_id);

-- A match is rated once, whatever crashes: its key says so.
create table rating_history (
    match_id  bigint not null references matches (id),
    player_id bigint not null references players (id),
    game      text not null,
    before    double precision not null,
    after     double precision not null,
    at        timestamptz not null default now(),
    constraint rating_history_once primary key (match_id, player_id)
);

create index rating_history_of_player on rating_history (player_id, game, at);
