-- Reminders of turns follow the clock: a vacation uses no time up, and neither does a night in which the flag does not fall.
--
-- The clock of an event is the one that it has set: `runs_from` may be the end of a vacation. So the time of a turn is told by the event
-- that has begun it, and the end by the last event that has set the clock. Outages shift the deadline alone.

-- The time on the clock, up to the flag, at which the reminder is due. Null for `last`, which is before the deadline, and for those of
-- the release before.
alter table turn_reminders add column time_left interval;

-- The clock of the side to move as this event has set it. `time_left` is that to the flag or to the time by which a first move has to be
-- made, whichever is earlier; `grace` is by how much later than that the deadline is. Without a clock there is no row.
create function clock_of_event(event match_events, to_move smallint)
    returns table (runs_from timestamptz, time_left interval, grace interval)
    language sql stable
    begin atomic
        select c.runs_from, least(c.flag, c.move_by) - c.runs_from, coalesce(event.grace_ms, 0) * interval '1 ms'
        from (
            select at_ms((b.clock ->> 'at')::bigint) as runs_from, at_ms((b.body ->> 'move_by')::bigint) as move_by,
                at_ms((b.clock ->> 'at')::bigint + (b.clock -> 'left_ms' ->> (to_move - 1))::bigint) as flag
            from (select event.body::jsonb as body, event.body::jsonb -> 'clock' as clock) b
            where (b.clock ->> 'running')::smallint = to_move
        ) c;
    end;

-- Adds the reminders of the turn of a running match that are still to come.
create function add_reminders_of_turn(match matches) returns void
    language plpgsql
    as $$
    declare
        event match_events;
        runs_from timestamptz;
        turn_time interval;
        ends_at timestamptz;
    begin
        -- The clock now, and when it runs out.
        select e.* into event from match_events e
        where e.match_id = match.id and e.kind in ('moved', 'taken_back', 'vacation_changed', 'sealed', 'resumed')
        order by e.version desc limit 1;
        select c.runs_from, match.deadline_at - c.grace into runs_from, ends_at
        from clock_of_event(event, match.to_move) c;
        runs_from := coalesce(runs_from, event.at, match.started_at);
        if ends_at is null then
            -- Before the first event the grace is that of the match, a column of a later migration.
            ends_at := match.deadline_at - case when event.version is null
                then coalesce((to_jsonb(match) ->> 'first_grace_ms')::bigint, 0) else 0 end * interval '1 ms';
        end if;
        -- The time that there was when the turn began.
        if event.kind = 'vacation_changed' then
            select e.* into event from match_events e
            where e.match_id = match.id and e.kind in ('moved', 'taken_back', 'sealed', 'resumed')
            order by e.version desc limit 1;
        end if;
        if event.version is not null then
            select c.time_left into turn_time from clock_of_event(event, match.to_move) c;
        else
            -- It has run from the start of the match to the first vacation, if there is any.
            select e.* into event from match_events e
            where e.match_id = match.id and e.kind = 'vacation_changed'
            order by e.version limit 1;
            select c.time_left + (least(c.runs_from, event.at) - match.started_at) into turn_time
            from clock_of_event(event, match.to_move) c;
        end if;
        turn_time := coalesce(turn_time, ends_at - runs_from);
        insert into turn_reminders (match_id, deadline_at, mark, due_at, time_left)
        select match.id, match.deadline_at, m.mark, m.due_at, m.time_left
        from (values
            ('late', ends_at - turn_time / 5, turn_time / 5),
            ('last', match.deadline_at - interval '8 hours', null)
        ) as m (mark, due_at, time_left)
        where m.due_at > greatest(now(), runs_from)
        on conflict do nothing;
    end;
    $$;

create or replace function remind_of_turn() returns trigger
    language plpgsql
    as $$
    declare
        event match_events;
        has_moved boolean := false;
        ends_at timestamptz;
    begin
        -- An outage or a vacation moves a deadline, and nobody has moved: what was told of it is told.
        if tg_op = 'UPDATE' and old.to_move = new.to_move then
            if old.version <> new.version then
                select e.* into event from match_events e where e.match_id = new.id and e.version = new.version;
                has_moved := event.kind is distinct from 'vacation_changed';
                select new.deadline_at - c.grace into ends_at from clock_of_event(event, new.to_move) c;
            end if;
            if not has_moved then
                -- Of an earlier turn that had the same deadline.
                delete from turn_reminders where match_id = new.id and deadline_at = new.deadline_at;
                update turn_reminders set deadline_at = new.deadline_at,
                    due_at = case when old.version <> new.version and time_left is not null then ends_at - time_left
                        else due_at + (new.deadline_at - old.deadline_at) end
                where match_id = new.id and deadline_at = old.deadline_at;
                -- A vacation adds none: those of its turn that are not there were past.
                if found or old.version <> new.version then
                    return null;
                end if;
            end if;
        end if;
        if exists (
            select from mail_addresses
            where player_id = case new.to_move when 1 then new.seat1 else new.seat2 end and address is not null
        ) then
            perform add_reminders_of_turn(new);
        end if;
        return null;
    end;
    $$;

-- At the end of the transaction, when its events are there.
drop trigger turn_begun on matches;
drop trigger deadline_changed on matches;

create constraint trigger turn_begun after insert on matches deferrable initially deferred
    for each row when (new.correspondence and new.deadline_at is not null and new.to_move is not null)
    execute function remind_of_turn();

create constraint trigger deadline_changed after update of deadline_at on matches deferrable initially deferred
    for each row when (new.correspondence and new.finished_at is null and new.deadline_at is not null and new.to_move is not null
        and new.deadline_at is distinct from old.deadline_at)
    execute function remind_of_turn();
