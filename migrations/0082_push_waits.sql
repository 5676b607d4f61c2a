-- Push services that ask to wait are not asked again before, whatever happens meanwhile.

-- Until when nothing is sent to the subscription; null if it may be.
alter table push_subscriptions add column wait_until timestamptz;

-- Whether it is the turn of a player in a running match: what is told of a turn is told no more once it is over.
create function is_on_turn(match_id bigint, player_id bigint) returns boolean
    language sql stable
    begin atomic
        select exists (
            select from matches m
            where m.id = is_on_turn.match_id and m.finished_at is null
                and is_on_turn.player_id = case m.to_move when 1 then m.seat1 when 2 then m.seat2 end);
    end;
