-- Quick games with bounds of the opponent's rating. The release before knows none: its quick games are with anybody who suits the other.
alter table quick_games
    add column min_rating integer,
    add column max_rating integer;

-- The rating of a player as it is shown, in a game and pace; null for a guest, who has none.
create function shown_rating(player bigint, kind text) returns integer
    language sql stable
    return (
        select round(coalesce((select r.rating from ratings r where r.player_id = player and r.game = kind), 1600))::integer
        from players p where p.id = player and not p.guest);

-- Whether a rating is within bounds, of which each may be null. No rating is within no bounds.
create function is_rating_within(rating integer, lowest integer, highest integer) returns boolean
    language sql immutable
    return (lowest is null and highest is null)
        or coalesce(rating >= coalesce(lowest, rating) and rating <= coalesce(highest, rating), false);

-- As before, and each of the two is within the bounds of the other.
create or replace function may_quick_pair(one bigint, other bigint, pause interval) returns boolean
    language sql stable
    begin atomic
        select exists (
            select from quick_games a, quick_games b
            where a.player_id = one and b.player_id = other and one <> other
                and a.game = b.game and a.setup = b.setup and a.clock = b.clock and a.rated = b.rated
                and a.address <> b.address
                and is_rating_within(shown_rating(other, a.game), a.min_rating, a.max_rating)
                and is_rating_within(shown_rating(one, a.game), b.min_rating, b.max_rating)
                and not exists (select from playing y where y.player_id in (one, other))
                and (select count(distinct p.bot) from players p where p.id in (one, other)) = 1
                and not exists (
                    select from players p, players o
                    where p.guest and not takes_guests(o.settings)
                        and (p.id = one and o.id = other or p.id = other and o.id = one))
                and (not a.rated or may_be_rated(one, other) and not are_rated_out(one, other))
                and not exists (
                    select from mutes m
                    where m.player_id = one and m.muted_id = other or m.player_id = other and m.muted_id = one)
                and not exists (
                    select from challenges c
                    where c.closed_why = 'declined' and c.closed_at > now() - pause
                        and (c.from_id = one and c.to_id = other or c.from_id = other and c.to_id = one))
                -- A match is aborted within minutes of its start, by which the matches of a player are found.
                -- The player who waits, and the address of whom they would play.
                and not exists (
                    select from (values (one, other, b.address), (other, one, a.address)) as pair (player, opponent, site)
                    cross join lateral (
                        select m.seat2 as id from matches m
                        where m.seat1 = pair.player and m.started_at > now() - pause - interval '1 hour'
                            and m.aborted_by is not null and m.finished_at > now() - pause
                        union all
                        select m.seat1 from matches m
                        where m.seat2 = pair.player and m.started_at > now() - pause - interval '1 hour'
                            and m.aborted_by is not null and m.finished_at > now() - pause) past
                    where past.id = pair.opponent
                        or exists (
                            select from addresses d
                            where d.player_id = past.id and address_site(d.address) = pair.site)));
    end;
