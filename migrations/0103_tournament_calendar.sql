-- Tournaments in calendars of other programs: each change of what a calendar shows is a revision (RFC 5545).
alter table tournaments
    -- The number of times that the start has moved, or that the tournament was cancelled.
    add column sequence    integer not null default 0,
    -- The last change of what a calendar shows.
    add column calendar_at timestamptz not null default now();

create index tournaments_cancelled on tournaments (finished_at desc, id desc) where state = 'cancelled';

create function revise_calendar() returns trigger
    language plpgsql
    as $$
    begin
        new.calendar_at := now();
        if new.starts_at <> old.starts_at or new.state = 'cancelled' and old.state <> 'cancelled' then
            new.sequence := old.sequence + 1;
        end if;
        return new;
    end;
    $$;

create trigger tournament_revised before update of name, description, starts_at, ends_at, state on tournaments
    for each row when (
        (old.name, old.description, old.starts_at, old.ends_at, old.state)
            is distinct from (new.name, new.description, new.starts_at, new.ends_at, new.state))
    execute function revise_calendar();
