-- Tokens: programs sign in with them in place of the cookie.

create table tokens (
    id         bigint generated always as identity primary key,
    player_id  bigint not null references players (id) on delete cascade,
    -- SHA-256 of the token; the token itself is shown once and is nowhere.
    token_hash bytea not null,
    -- What the player calls it.
    name       text not null,
    -- `read`, `play`.
    scopes     text[] not null,
    created_at timestamptz not null default now(),
    -- Nothing for one that never ends by itself.
    expires_at timestamptz,
    -- The last use, to the minute; nothing before the first.
    used_at    timestamptz,
    constraint tokens_unique unique (token_hash)
);

create index tokens_of_player on tokens (player_id);
create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;

-- Tokens end with the password they were made with, and with the account, whatever changes these.
create function end_tokens() returns trigger language plpgsql as $$
begin
    delete from tokens where player_id = new.id;
    return null;
end $$;

create trigger tokens_of_password after update of password_hash on players
    for each row when (old.password_hash is distinct from new.password_hash) execute function end_tokens();

create trigger tokens_of_account after update of closed_at, deleted_at on players
    for each row when (new.closed_at is not null or new.deleted_at is not null) execute function end_tokens();
