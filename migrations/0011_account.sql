-- What a player sees of their own sessions, and the names of those who have gone.

alter table sessions
    -- What programs call it: the hash of its token stays where it is.
    add column id bigint generated always as identity,
    -- The browser it was opened with, in short: `Firefox, Linux`. Nothing where that is not known.
    add column agent text not null default '';

create unique index sessions_by_id on sessions (id);

-- A deleted player's name rests for 90 days, kept by its key, and is free again then.
create index players_by_resting_name on players (deleted_at) where deleted_at is not null and name_key is not null;

create index challenges_closed on challenges (closed_at) where closed_at is not null;
