-- Rated matches that count for nothing any more, and since when somebody is where they are.

-- A match is annulled once: its key says so. Its events stay as they are.
create table annulments (
    match_id bigint primary key references matches (id) on delete cascade,
    at       timestamptz not null default now()
);

-- What an annulment did to ratings: the players get back what the match gave or took. `rating_history` stays as it was, so
-- the rating over time is both together.
create table rating_corrections (
    match_id  bigint not null references annulments (match_id) on delete cascade,
    player_id bigint not null references players (id) on delete cascade,
    game      text not null,
    before    double precision not null,
    after     double precision not null,
    at        timestamptz not null default now(),
    -- The player has seen the notice.
    read_at   timestamptz,
    primary key (match_id, player_id)
);

create index rating_corrections_of_player on rating_corrections (player_id, game, at) include (after);

-- An annulled match is neither won, drawn nor lost, so it is found only without an outcome.
create or replace function results_that_fit(player bigint, of_game text, of_outcome smallint, opponent text) returns setof results
    language sql stable
    begin atomic
        select r.* from results r
        where r.player_id = player
            and (of_game is null or r.game = of_game)
            and (of_outcome is null or r.outcome = of_outcome
                and not exists (select from annulments a where a.match_id = r.match_id))
            and (opponent is null or r.opponent_id in (
                select met.opponent_id
                from (select distinct opponent_id from results where player_id = player) met,
                    -- One by one, however many they are: else all players there are might be read.
                    lateral (select from players o
                        where o.id = met.opponent_id and strpos(o.name_key, opponent) > 0 offset 0) named));
    end;

-- The results of a player in a game, counted again from those that count.
create function counted_again(player bigint, in_game text) returns setof tallies
    language sql stable
    begin atomic
        with counting as (
            select r.seat, r.outcome, r.finished_at, r.match_id,
                row_number() over (order by r.finished_at, r.match_id)
                    - row_number() over (partition by r.outcome order by r.finished_at, r.match_id) as island
            from results r
            where r.player_id = player and r.game = in_game
                and not exists (select from annulments a where a.match_id = r.match_id)
        ), runs as (
            select outcome, count(*) as length,
                row_number() over (order by max(finished_at) desc, max(match_id) desc) as back
            from counting group by outcome, island
        )
        select player, in_game,
            count(*) filter (where seat = 1 and outcome = 1)::int,
            count(*) filter (where seat = 1 and outcome = 0)::int,
            count(*) filter (where seat = 1 and outcome = -1)::int,
            count(*) filter (where seat = 2 and outcome = 1)::int,
            count(*) filter (where seat = 2 and outcome = 0)::int,
            count(*) filter (where seat = 2 and outcome = -1)::int,
            (select outcome from runs where back = 1),
            (select length from runs where back = 1)::int,
            coalesce((select max(length) from runs where outcome = 1), 0)::int
        from counting having count(*) > 0;
    end;

-- Since when a player is at a place.
alter table presence add column since timestamptz not null default now();
