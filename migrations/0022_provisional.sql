-- Ratings of few games: shown with a question mark, and in no standings.

-- Whether a rating is of fewer than five rated games. A guest has no rating, so it is neither.
create function is_provisional(guest boolean, games integer) returns boolean
    language sql immutable return not guest and coalesce(games, 0) < 5;

-- Whether the ratings at the start were provisional.
alter table matches
    add column provisional1 boolean not null default false,
    add column provisional2 boolean not null default false;

-- Whether the rating after the match was.
alter table rating_history add column provisional boolean not null default false;

with counted as (
    select match_id, player_id, row_number() over (partition by player_id, game order by at, match_id) as number
    from rating_history
)
update rating_history h set provisional = true from counted c
where c.match_id = h.match_id and c.player_id = h.player_id and c.number < 5;

-- A player had few games when a match started if the fifth one had not ended.
with counted as (
    select player_id, game, at, row_number() over (partition by player_id, game order by at, match_id) as number
    from rating_history
), ranked as (
    select player_id, game, at from counted where number = 5
), started as (
    select m.id,
        not one.guest and (r1.at is null or m.started_at < r1.at) as provisional1,
        not two.guest and (r2.at is null or m.started_at < r2.at) as provisional2
    from matches m join players one on one.id = m.seat1 join players two on two.id = m.seat2
    left join ranked r1 on r1.player_id = m.seat1 and r1.game = m.game
    left join ranked r2 on r2.player_id = m.seat2 and r2.game = m.game
)
update matches m set provisional1 = s.provisional1, provisional2 = s.provisional2
from started s where s.id = m.id and (s.provisional1 or s.provisional2);

-- The standings hold who has five rated games.
drop index standings;
create index standings on ratings (game, rating desc, player_id) include (games) where listed and games >= 5;

-- A player as everybody sees them.
create or replace function card(player bigint, in_game text) returns jsonb
    language sql stable
    return (
        select jsonb_build_object('id', p.id, 'name', p.name, 'rating', coalesce(r.rating, 1600), 'guest', p.guest,
            'provisional', is_provisional(p.guest, r.games))
        from players p left join ratings r on r.player_id = p.id and r.game = in_game
        where p.id = player);
