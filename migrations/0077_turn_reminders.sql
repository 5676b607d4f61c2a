-- Reminders of turns by mail: a row for each time at which a player with a confirmed address is told that their time is running out.
--
-- Each deadline has two: `late`, when four fifths of the time from its setting have passed, and `last`, eight hours before it. The
-- statement that appends moves only inserts them, so that it never waits for the sweeper, which marks them as told. Those of a
-- deadline that is no longer that of its match tell nobody, and are deleted once it has passed.
create table turn_reminders (
    -- Without a reference: a row is looked at only beside its match.
    match_id    bigint not null,
    deadline_at timestamptz not null,
    mark        text not null,
    due_at      timestamptz not null,
    told_at     timestamptz,
    primary key (match_id, deadline_at, mark)
);

create index turn_reminders_due on turn_reminders (due_at) where told_at is null;
create index turn_reminders_by_deadline on turn_reminders (deadline_at);

-- Adds the reminders of a deadline that are still to come. `began` is when it was set.
create function add_turn_reminders(match_id bigint, deadline_at timestamptz, began timestamptz) returns void
    language sql
    begin atomic
        insert into turn_reminders (match_id, deadline_at, mark, due_at)
        select add_turn_reminders.match_id, add_turn_reminders.deadline_at, m.mark, m.due_at
        from (values
            ('late', add_turn_reminders.deadline_at - (add_turn_reminders.deadline_at - began) / 5),
            ('last', add_turn_reminders.deadline_at - interval '8 hours')
        ) as m (mark, due_at)
        where m.due_at > now()
        on conflict do nothing;
    end;

create function remind_of_turn() returns trigger
    language plpgsql
    as $$
    begin
        -- An outage moves a deadline, and nobody has moved: what was told of it is told.
        if tg_op = 'UPDATE' and old.version = new.version and old.to_move = new.to_move then
            update turn_reminders set deadline_at = new.deadline_at, due_at = due_at + (new.deadline_at - old.deadline_at)
            where match_id = new.id and deadline_at = old.deadline_at;
            if found then
                return null;
            end if;
        end if;
        if exists (
            select from mail_addresses
            where player_id = case new.to_move when 1 then new.seat1 else new.seat2 end and address is not null
        ) then
            perform add_turn_reminders(new.id, new.deadline_at, now());
        end if;
        return null;
    end;
    $$;

create trigger turn_begun after insert on matches
    for each row when (new.correspondence and new.deadline_at is not null and new.to_move is not null)
    execute function remind_of_turn();

create trigger deadline_changed after update of deadline_at on matches
    for each row when (new.correspondence and new.finished_at is null and new.deadline_at is not null and new.to_move is not null
        and new.deadline_at is distinct from old.deadline_at)
    execute function remind_of_turn();
