-- Quick games: players in a waiting room who play the first opponent that wants the same. A player has one at most. It ends with any
-- match of the player, and when the player has left the room.

create table quick_games (
    player_id  bigint primary key references players (id) on delete cascade,
    game       text not null,
    setup      jsonb not null,
    clock      text not null,
    rated      boolean not null,
    -- Of IPv6 the site. It goes with the row.
    address    text not null,
    since      timestamptz not null default clock_timestamp(),
    -- When the player last asked for it: for a while it stays without presence, until the page is loaded that shows it.
    asked_at   timestamptz not null default clock_timestamp()
);

create index quick_games_by_time on quick_games (game, since);

-- Whether the quick games of two players may become a match. A pair in which one has muted the other, or of which one has declined
-- or aborted a game with the other within `pause`, is left alone; so are people and bots, and players of one address.
create function may_quick_pair(one bigint, other bigint, pause interval) returns boolean
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
                and not exists (
                    select from matches m
                    where m.aborted_by is not null and m.finished_at > now() - pause
                        and (m.seat1 = one and m.seat2 = other or m.seat1 = other and m.seat2 = one)));
    end;

-- The part of an address that its owner does not choose: of IPv6 the site.
create function address_site(address text) returns text
    language sql immutable
    return case when address like '%:%' then host(network(set_masklen(address::inet, 48))) else address end;
