-- What players agree to is what begins: readiness and requests for a rematch are for certain terms.

-- Whether two players have as many rated matches with each other today (UTC) as count
-- (`limits::RATED_MATCHES_PER_PAIR`).
create function are_rated_out(one bigint, other bigint) returns boolean
    language sql stable
    return (
        select count(*) >= 5 from matches
        where seat1 in (one, other) and seat2 in (one, other) and rated and reason is distinct from 'aborted'
            and started_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC');

-- Whether the match of a table would be rated, with the players who sit there now.
create function table_is_rated(of_table bigint, asked boolean) returns boolean
    language sql stable
    return asked and (
        select count(*) filter (where p.guest) = 0 and count(distinct p.bot) <= 1
            and (count(*) < 2 or not are_rated_out(min(p.id), max(p.id)))
        from seated s join players p on p.id = s.player_id where s.table_id = of_table);

-- A short hash of all that players agree to by being ready: the terms, whether the match is rated, and who plays under
-- which name.
create function table_agreement(of_table bigint) returns text
    language sql stable
    return (
        select left(md5(jsonb_build_array(t.game, t.setup, t.clock, table_is_rated(t.id, t.rated), (
            select jsonb_agg(jsonb_build_array(s.chair, p.id, p.name, p.guest, p.bot) order by s.chair)
            from seated s join players p on p.id = s.player_id where s.table_id = t.id))::text), 16)
        from open_tables t where t.id = of_table);

-- The agreement for which a player is ready. Under another one the player is not ready.
alter table seated add column agreed text;

-- A seat as it travels; nothing where it is free.
create function seat_json(of_table bigint, of_chair smallint, in_game text, agreement text) returns jsonb
    language sql stable
    return (
        select card(s.player_id, in_game) || jsonb_build_object('ready', s.ready and s.agreed is not distinct from agreement)
        from seated s where s.table_id = of_table and s.chair = of_chair);

create or replace view laid_tables as
    select t.id, t.link, t.game, t.closed_at,
        t.closed_at is null and t.seen_at > now() - interval '30 seconds'
            and (select count(*) from seated s where s.table_id = t.id) < 2 as listed,
        jsonb_build_object(
            'id', t.id, 'name', t.name, 'link', t.link, 'game', t.game, 'setup', t.setup, 'clock', t.clock,
            'rated', table_is_rated(t.id, t.rated), 'agreement', a.agreement,
            'creator', card(t.creator_id, t.game),
            'seats', jsonb_build_array(
                seat_json(t.id, 1::smallint, t.game, a.agreement), seat_json(t.id, 2::smallint, t.game, a.agreement)),
            'match', t.match_id, 'closed', t.closed_at is not null)
            || case when exists (
                select from seated s where s.table_id = t.id and s.ready and s.agreed is distinct from a.agreement)
                then jsonb_build_object('terms_changed', true) else '{}' end as laid,
        (select jsonb_build_object(
            'match', m.id, 'game', m.game, 'players', jsonb_build_array(card(m.seat1, m.game), card(m.seat2, m.game)))
            from matches m where m.id = t.match_id) as called
    from open_tables t cross join lateral (select table_agreement(t.id) as agreement) a;

drop function sitter;

-- Whether the rematch would be rated for which one player has asked.
alter table matches add column rematch_rated boolean;
