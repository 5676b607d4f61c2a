-- Who is established in a game. What a rating may gain over players who are not is bounded, so that fresh accounts that lose
-- on purpose lift nobody.

alter table ratings
    -- By enough rated matches against established players, or named by an operator. It stays.
    add column established boolean not null default false,
    -- What matches against players who are not established have given and taken in all.
    add column newcomer_sum double precision not null default 0;

alter table rating_history
    -- What the match added to that sum, which an annulment takes back.
    add column newcomer_change double precision not null default 0,
    -- Whether the opponent was established before the match.
    add column against_established boolean not null default false,
    -- Whether the gain was cut.
    add column capped boolean not null default false;

-- Who has played often before there was this rule.
update ratings r set established = true
where r.games >= 20 and r.listed and (
    select count(distinct o.opponent_id)
    from rating_history h join results o on o.match_id = h.match_id and o.player_id = h.player_id
    where h.player_id = r.player_id and h.game = r.game
        and not exists (select from annulments a where a.match_id = h.match_id)) >= 5;

-- So that the first ones of a game are counted quickly.
create index established_ratings on ratings (game, bot) where established and listed;

-- Whether a player is established in a game after the matches so far: rated ones against `opponents` different established
-- players, of which one at least was not lost; or, as long as fewer than `founders` are established, any `matches` of them
-- against `met` different players on `days` different days. An annulled match does not count.
create function is_established(player bigint, in_game text, opponents bigint, founders bigint, matches bigint, met bigint, days bigint)
    returns boolean language sql stable
    begin atomic
        with counting as (
            select r.opponent_id, r.outcome, h.against_established, (h.at at time zone 'UTC')::date as day
            from rating_history h join results r on r.match_id = h.match_id and r.player_id = h.player_id
            where h.player_id = player and h.game = in_game
                and not exists (select from annulments a where a.match_id = h.match_id)
        )
        select count(distinct opponent_id) filter (where against_established) >= opponents
                and coalesce(bool_or(outcome >= 0) filter (where against_established), false)
            or count(*) >= matches and count(distinct opponent_id) >= met and count(distinct day) >= days
                and (select count(*) < founders from (
                    select from ratings f
                    where f.game = in_game and f.established and f.listed
                        and f.bot = (select p.bot from players p where p.id = player)
                    limit founders) first)
        from counting;
    end;
