-- Challenges, and who is where.

create table challenges (
    id         bigint generated always as identity primary key,
    from_id    bigint not null references players (id) on delete cascade,
    to_id      bigint not null references players (id) on delete cascade,
    game       text not null,
    setup      jsonb not null,
    clock      text not null,
    rated      boolean not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    closed_at  timestamptz,
    closed_why text,
    constraint challenges_two_players check (from_id <> to_id),
    constraint challenges_end_is_whole check ((closed_at is null) = (closed_why is null))
);

-- One outgoing challenge at a time.
create unique index challenges_one_open on challenges (from_id) where closed_at is null;
create index challenges_open_to on challenges (to_id) where closed_at is null;
create index challenges_by_closing on challenges (game, closed_at);

-- Which player has a stream open where, as each instance says it every few seconds.
create table presence (
    player_id bigint not null references players (id) on delete cascade,
    -- `lobby:dots` or `match:17`.
    place     text not null,
    -- The instance that holds the stream, or `page` for a page that reloads itself with scripts off.
    instance  text not null,
    beat_at   timestamptz not null default now(),
    -- The last stream here has ended; a new one soon makes it as if nothing happened.
    gone_at   timestamptz,
    primary key (place, player_id, instance)
);

create index presence_by_beat on presence (beat_at);

-- Whether such a row still stands for somebody: a beat is good for ten seconds, and a stream that has ended counts for a
-- moment longer, so that a reload makes no noise.
create function is_alive(beat_at timestamptz, gone_at timestamptz) returns boolean
    language sql stable
    return beat_at > now() - interval '10 seconds'
        and (gone_at is null or gone_at > now() - interval '700 milliseconds');
