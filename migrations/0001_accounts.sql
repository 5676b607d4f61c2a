-- Players, their sessions and their ratings.

-- A time as programs see it: milliseconds since 1970 (UTC).
create function ms(timestamptz) returns bigint
    language sql stable return floor(extract(epoch from $1) * 1000)::bigint;

-- And back.
create function at_ms(bigint) returns timestamptz
    language sql stable return to_timestamp($1 / 1000.0);

create table players (
    id            bigint generated always as identity primary key,
    name          text not null,
    -- The NFKC lower-case form: two names that read alike are one name.
    name_key      text not null,
    password_hash text not null,
    created_at    timestamptz not null default now(),
    constraint players_name_unique unique (name_key)
);

create table sessions (
    -- SHA-256 of the token in the cookie; the token itself is nowhere but there.
    token_hash bytea primary key,
    player_id  bigint not null references players (id) on delete cascade,
    created_at timestamptz not null default now(),
    seen_at    timestamptz not null default now(),
    expires_at timestamptz not null
);

create index sessions_of_player on sessions (player_id);
create index sessions_by_expiry on sessions (expires_at);

create table ratings (
    player_id bigint not null references players (id) on delete cascade,
    game      text not null,
    rating    double precision not null default 1600,
    -- Rated games that went into it.
    games     integer not null default 0,
    primary key (player_id, game)
);
