-- A challenge by correspondence whose terms have changed (a guest has made an account, or two have no rated games left) ends by itself: both
-- are told, but not of a challenger whom the player has muted meanwhile.
create or replace function tell_of_challenge() returns trigger
    language plpgsql
    as $$
    declare
        is_changed boolean := coalesce(new.closed_why = 'terms_changed', false)
            and not exists (select from mutes m where m.player_id = new.to_id and m.muted_id = new.from_id);
    begin
        insert into notification_causes (player_id, subject, kind, other_id, detail)
        values (new.to_id, 'challenger:' || new.from_id, case when new.closed_at is null or is_changed then 'challenge' end, new.from_id,
            case when is_changed then new.closed_why end);
        if new.closed_why in ('declined', 'expired', 'terms_changed') then
            insert into notification_causes (player_id, subject, kind, other_id, detail)
            values (new.from_id, 'challenged:' || new.to_id, 'challenge', new.to_id, new.closed_why);
        end if;
        return null;
    end;
    $$;
