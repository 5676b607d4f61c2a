-- How a name looks, so that nobody can look like somebody else; when a guest was last here; attempts at passwords.

alter table players
    -- The skeleton of the name (Unicode UTS 39) in lower case, computed by the server. Null until it has been computed,
    -- and once the name is free again.
    add column name_look text,
    -- What is wrong with a name that is older than the rules: `clash` looks like an older one, `refused` would not be
    -- accepted today. Both stay, and operators see the mark.
    add column name_mark text,
    -- When the player was last here, to the hour.
    add column visited_at timestamptz not null default now(),
    add constraint players_name_mark check (name_mark in ('clash', 'refused'));

update players p set visited_at = greatest(p.created_at, coalesce((select max(s.seen_at) from sessions s where s.player_id = p.id), p.created_at));

create unique index players_look_unique on players (name_look) where name_mark is distinct from 'clash';

-- The rows whose look is still to be computed. It is empty but for the first start of a server with this rule.
create index players_without_look on players (id) where name_key is not null and name_look is null;

create index players_with_mark on players (id) where name_mark is not null;

-- Guests are deleted by their last visit.
create index guests_by_visit on players (visited_at) where guest and deleted_at is null;

-- Limited attempts: passwords by name and address, registrations by address. One row is one bucket that empties with time.
create table attempts (
    -- SHA-256 of the kind of the limit and of what is counted; neither names nor addresses are stored.
    key      bytea primary key,
    -- When all counted attempts are forgotten.
    empty_at timestamptz not null
);

create index attempts_by_time on attempts (empty_at);

-- Browsers in which a player has been signed in, by a cookie that lives longer than a session. Who guesses from elsewhere
-- cannot lock them out.
create table devices (
    -- SHA-256 of the token in the cookie.
    token_hash bytea not null,
    player_id  bigint not null references players (id) on delete cascade,
    agent      text not null,
    created_at timestamptz not null default now(),
    used_at    timestamptz not null default now(),
    primary key (token_hash, player_id)
);

create index devices_of_player on devices (player_id);
create index devices_by_use on devices (used_at);

-- Where a session was last used, in short: `203.0.113.*`.
alter table sessions add column address text not null default '';
