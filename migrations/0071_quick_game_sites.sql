-- Games with bots of one address, of which only a few may run at once.
create index challenges_accepted_by_address on challenges (address) where closed_why = 'accepted';

-- The pause after an aborted quick game is one of addresses: with the next guest of the same address (of IPv6: site) there is none
-- either. As before, a pair in which one has muted the other, or of which one has declined a game with the other within `pause`, is
-- left alone; so are people and bots, and players of one address.
create or replace function may_quick_pair(one bigint, other bigint, pause interval) returns boolean
    language sql stable
    begin atomic
        select exists (
            select from quick_games a, quick_games b
            where a.player_id = one and b.player_id = other and one <> other
                and a.game = b.game and a.setup = b.setup and a.clock = b.clock and a.rated = b.rated
                and a.address <> b.address
                and not exists (select from playing y where y.player_id in (one, other))
                and (select count(distinct p.bot) from players p where p.id in (one, other)) = 1
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
