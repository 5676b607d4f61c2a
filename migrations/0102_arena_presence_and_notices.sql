-- In an arena nobody is paired who has entered, and then was never seen: `here_round` is 1 for who has said to be here.
create function is_seen_entrant(player bigint, here_round integer, sheet jsonb) returns boolean
    language sql stable
    begin atomic
        select here_round > 0 or sheet is not null or exists (
            select from presence p where p.player_id = player and is_alive(p.beat_at, p.gone_at));
    end;

-- The tournament that a notification is about: its subject is `tournament:7`.
create function tournament_of(subject text) returns bigint
    language sql immutable
    return substring(subject from '^tournament:([0-9]{1,18})$')::bigint;
