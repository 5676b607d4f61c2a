-- How long a player may be away from a match now: against a house bot, which waits as long as the clock allows, its own time; else as
-- `time_left_away` says.
create function absence_left(of_match bigint, player bigint, one interval, all_together interval, from_house_bot interval)
    returns interval
    language sql stable
    begin atomic
        select case
            when exists (
                select from matches m join house_bots b on b.player_id in (m.seat1, m.seat2) and b.player_id <> player
                where m.id = of_match)
            then from_house_bot
            else time_left_away(of_match, player, one, all_together)
        end;
    end;

-- The best ratings of people who are not ranked yet, for a top list that fewer than ten are ranked in.
create index provisional_ratings on ratings (game, rating desc, player_id) include (games)
    where listed and not ranked and not bot and games > 0;
