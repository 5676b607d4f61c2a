-- Reminders of tournaments: a while before the start, those who have entered and those who have asked for it are told.

-- Those who have asked. Who has entered is told in any case.
create table tournament_reminders (
    tournament_id bigint not null references tournaments (id) on delete cascade,
    player_id     bigint not null references players (id) on delete cascade,
    asked_at      timestamptz not null default now(),
    primary key (tournament_id, player_id)
);

create index tournament_reminders_of_player on tournament_reminders (player_id);

alter table tournaments
    -- When the players were told that it begins soon, so that nobody is told twice.
    add column reminded_at timestamptz,
    -- When the mails of that were written.
    add column mailed_at   timestamptz;

-- Notifications of it are about a tournament too: their subject is `tournament_soon:7`.
create or replace function tournament_of(subject text) returns bigint
    language sql immutable
    return substring(subject from '^tournament(?:_soon)?:([0-9]{1,18})$')::bigint;

-- When the start moves, the players are told anew.
create function reset_reminders() returns trigger
    language plpgsql
    as $$
    begin
        new.reminded_at := null;
        new.mailed_at := null;
        return new;
    end;
    $$;

create trigger tournament_moved before update of starts_at on tournaments
    for each row when (old.starts_at <> new.starts_at)
    execute function reset_reminders();

-- Takes back what was told: that is not so any more.
create function end_reminders() returns trigger
    language plpgsql
    as $$
    begin
        insert into notification_causes (player_id, subject)
        select p.player_id, 'tournament_soon:' || new.id
        from (
            select player_id from tournament_entrants where tournament_id = new.id
            union
            select player_id from tournament_reminders where tournament_id = new.id) p
        order by p.player_id;
        return null;
    end;
    $$;

create trigger tournament_reminders_over after update of starts_at, state on tournaments
    for each row when (
        old.reminded_at is not null
        and (old.starts_at <> new.starts_at or old.state <> new.state and new.state in ('finished', 'cancelled')))
    execute function end_reminders();
