-- A challenge by correspondence waits for days, and its player need not be here: they are told of it. Once it is closed, however that
-- was, nothing is to be done about it.
create function tell_of_challenge() returns trigger
    language plpgsql
    as $$
    begin
        insert into notification_causes (player_id, subject, kind, other_id)
        values (new.to_id, 'challenge:' || new.id, case when new.closed_at is null then 'challenge' end, new.from_id);
        return null;
    end;
    $$;

create trigger challenge_made after insert on challenges
    for each row when (new.correspondence and new.closed_at is null)
    execute function tell_of_challenge();

create trigger challenge_closed after update of closed_at on challenges
    for each row when (new.correspondence and old.closed_at is null and new.closed_at is not null)
    execute function tell_of_challenge();
