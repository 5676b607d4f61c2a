-- All challenges of one player to another have one notification, which a later one takes the place of: else who challenges and cancels all
-- day would fill a phone. Who has challenged is told of an answer that is no game, as the challenge waits for days.
create or replace function tell_of_challenge() returns trigger
    language plpgsql
    as $$
    begin
        insert into notification_causes (player_id, subject, kind, other_id)
        values (new.to_id, 'challenger:' || new.from_id, case when new.closed_at is null then 'challenge' end, new.from_id);
        if new.closed_why in ('declined', 'expired') then
            insert into notification_causes (player_id, subject, kind, other_id, detail)
            values (new.from_id, 'challenged:' || new.to_id, 'challenge', new.to_id, new.closed_why);
        end if;
        return null;
    end;
    $$;

-- The end of an open challenge finds its notification.
update notification_causes set subject = 'challenger:' || other_id where subject like 'challenge:%' and other_id is not null;
update notifications n set subject = 'challenger:' || n.other_id
where n.kind = 'challenge' and n.subject like 'challenge:%' and n.other_id is not null
    and not exists (
        select from notifications later
        where later.player_id = n.player_id and later.kind = 'challenge' and later.subject like 'challenge:%'
            and later.other_id = n.other_id and later.id > n.id);
