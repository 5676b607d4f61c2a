-- Bots: accounts that an engine may play for. They say so, for good.

alter table players add column bot boolean not null default false;

-- Whether it is the rating of a bot, so that the standings of people and of bots are each read from one index.
alter table ratings add column bot boolean not null default false;

create or replace function note_whom_to_list() returns trigger language plpgsql as $$
begin
    update ratings set listed = new.deleted_at is null and new.closed_at is null, bot = new.bot where player_id = new.id;
    return null;
end $$;

drop trigger whom_to_list on players;
create trigger whom_to_list after update of deleted_at, closed_at, bot on players
    for each row execute function note_whom_to_list();

create or replace function ask_whether_to_list() returns trigger language plpgsql as $$
begin
    select deleted_at is null and closed_at is null, bot into new.listed, new.bot from players where id = new.player_id;
    return new;
end $$;

drop index standings;
create index standings on ratings (game, bot, rating desc, player_id) include (games) where listed and games >= 5;

create or replace function card(player bigint, in_game text) returns jsonb
    language sql stable
    return (
        select jsonb_build_object('id', p.id, 'name', p.name, 'rating', coalesce(r.rating, 1600), 'guest', p.guest,
            'provisional', is_provisional(p.guest, r.games))
            || case when p.bot then jsonb_build_object('bot', true) else '{}' end
        from players p left join ratings r on r.player_id = p.id and r.game = in_game
        where p.id = player);

-- Whether a match of these two can be rated: guests have no ratings, and bots have theirs among themselves.
create function may_be_rated(one bigint, other bigint) returns boolean
    language sql stable
    return (select count(*) filter (where guest) = 0 and count(distinct bot) <= 1 from players where id in (one, other));

create or replace view laid_tables as
    select t.id, t.link, t.game, t.closed_at,
        t.closed_at is null and t.seen_at > now() - interval '30 seconds'
            and (select count(*) from seated s where s.table_id = t.id) < 2 as listed,
        jsonb_build_object(
            'id', t.id, 'name', t.name, 'link', t.link, 'game', t.game, 'setup', t.setup, 'clock', t.clock,
            'rated', t.rated and (
                select count(*) filter (where p.guest) = 0 and count(distinct p.bot) <= 1
                from seated s join players p on p.id = s.player_id where s.table_id = t.id),
            'creator', card(t.creator_id, t.game),
            'seats', jsonb_build_array(sitter(t.id, 1::smallint, t.game), sitter(t.id, 2::smallint, t.game)),
            'match', t.match_id, 'closed', t.closed_at is not null) as laid,
        (select jsonb_build_object(
            'match', m.id, 'game', m.game, 'players', jsonb_build_array(card(m.seat1, m.game), card(m.seat2, m.game)))
            from matches m where m.id = t.match_id) as called
    from open_tables t;
