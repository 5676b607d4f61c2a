-- Players who are more, or less, than an account.

alter table players
    -- A guest has no password and plays by the session alone; their matches are never rated.
    add column guest boolean not null default false,
    -- The player has deleted the account: what they played stays, their name does not.
    add column deleted_at timestamptz,
    -- An operator has closed the account.
    add column closed_at timestamptz,
    -- An operator lets them say nothing until then.
    add column muted_until timestamptz,
    alter column name_key drop not null,
    alter column password_hash drop not null;

-- Whether all time up to now was kept by a server. While it was not, nothing ends by itself: first the time is given back.
create function time_is_kept() returns boolean
    language sql stable
    return (select beat_at > now() - interval '5 seconds' from heartbeat);
