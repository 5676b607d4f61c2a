-- What people say to each other, whom they do not want to hear, what they report, and what an operator did about it.

create table messages (
    id        bigint generated always as identity primary key,
    -- `lobby`, `match:17` for the players of a match, `watch:17` for those who watch it. Whoever writes into a place holds
    -- its lock until the commit, so that in each place a later message has a greater number.
    place     text not null,
    player_id bigint not null references players (id) on delete cascade,
    text      text not null,
    -- When it was written, not when its transaction began to wait for that.
    at        timestamptz not null default clock_timestamp()
);

-- The last messages of a place, and what is new in one.
create index messages_of_place on messages (place, id);
-- How much a player has said of late.
create index messages_of_player on messages (player_id, at);
-- What has been there for long enough.
create index messages_of_lobby_by_time on messages (at) where place = 'lobby';

create table mutes (
    player_id bigint not null references players (id) on delete cascade,
    muted_id  bigint not null references players (id) on delete cascade,
    primary key (player_id, muted_id),
    constraint mutes_two_players check (player_id <> muted_id)
);

create index mutes_of on mutes (muted_id);

create table reports (
    id          bigint generated always as identity primary key,
    -- It says enough without the message and those concerned, who may be gone.
    message_id  bigint references messages (id) on delete set null,
    reporter_id bigint references players (id) on delete set null,
    reported_id bigint references players (id) on delete set null,
    place       text not null,
    text        text not null,
    said_at     timestamptz not null,
    reason      text not null,
    at          timestamptz not null default now(),
    -- An operator has seen to it.
    closed_at   timestamptz,
    constraint reports_once unique (message_id, reporter_id)
);

create index reports_open on reports (id) where closed_at is null;
create index reports_of_reported on reports (reported_id);
create index reports_of_reporter on reports (reporter_id);

-- What operators did. Only ever added to; the names are those of the time.
create table audit (
    id          bigint generated always as identity primary key,
    operator_id bigint references players (id) on delete set null,
    operator    text not null,
    act         text not null,
    player_id   bigint references players (id) on delete set null,
    player      text,
    report_id   bigint,
    why         text not null,
    at          timestamptz not null default now()
);

create index audit_of_player on audit (player_id);

create index audit_by_operator on audit (operator_id);

-- An operator looks for players by how their names begin.
create index players_by_name on players (name_key text_pattern_ops);
