-- Whether a player has a page or a stream open anywhere. In an arena nobody is paired who has entered, has not said to be here
-- (`here_round` is 1), has not played, and is not.
create function is_anywhere(player bigint) returns boolean
    language sql stable
    begin atomic
        select exists (select from presence p where p.player_id = player and is_alive(p.beat_at, p.gone_at));
    end;

-- The tournament that a notification is about: its subject is `tournament:7`.
create function tournament_of(subject text) returns bigint
    language sql immutable
    return substring(subject from '^tournament:([0-9]{1,18})$')::bigint;
