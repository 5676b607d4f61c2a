-- Ratings are those of the formula, always: nothing cuts a gain any more. A rating is shown without a question mark, and is in the
-- standings, after enough rated matches against enough different opponents. Ratings that were cut are recounted by the program
-- after this (`crates/server/src/db/recount.rs`).
--
-- What the release before needs stays until the one after this: `is_established`, `is_provisional(boolean, integer)`, and the
-- columns `established`, `newcomer_sum`, `newcomer_change`, `against_established` and `capped`.

-- Whether the conditions have been met. From then on it stays, unless an annulment takes it back.
alter table ratings add column ranked boolean not null default false;

-- Whether the two players of the match had been seen at one address within the last days, for the operators' list of rings.
alter table rating_history add column same_address boolean not null default false;

create function is_provisional(guest boolean, ranked boolean) returns boolean
    language sql immutable return not guest and not coalesce(ranked, false);

-- Who plays a game, so that a few of them are counted quickly.
create index rated_players on ratings (game, bot) where listed and games > 0;

-- What a player has done in a game to be ranked: rated matches, different opponents, and how many others there are to play with,
-- of whom no more are counted than `most`. An annulled match does not count.
create function rank_progress(player bigint, in_game text, most bigint, out matches bigint, out opponents bigint, out others bigint)
    language sql stable
    begin atomic
        select count(*), count(distinct r.opponent_id), (
            select count(*) from (
                select from ratings o
                where o.game = in_game and o.games > 0 and o.listed and o.player_id <> player
                    and o.bot = (select p.bot from players p where p.id = player)
                limit most) few)
        from rating_history h join results r on r.match_id = h.match_id and r.player_id = h.player_id
        where h.player_id = player and h.game = in_game
            and not exists (select from annulments a where a.match_id = h.match_id);
    end;

-- Whether that is enough: so many rated matches against so many different opponents, or against all there are.
create function earns_rank(player bigint, in_game text, enough_matches bigint, enough_opponents bigint) returns boolean
    language sql stable
    begin atomic
        select matches >= enough_matches and opponents >= least(enough_opponents, others)
        from rank_progress(player, in_game, enough_opponents);
    end;

-- The players of today.
with played as (
    select h.player_id, h.game, count(*) as matches, count(distinct o.opponent_id) as opponents
    from rating_history h join results o on o.match_id = h.match_id and o.player_id = h.player_id
    where not exists (select from annulments a where a.match_id = h.match_id)
    group by h.player_id, h.game
)
update ratings r set ranked = true from played p
where p.player_id = r.player_id and p.game = r.game and p.matches >= 5 and p.opponents >= least(3, (
    select count(*) from (
        select from ratings o
        where o.game = r.game and o.bot = r.bot and o.games > 0 and o.listed and o.player_id <> r.player_id
        limit 3) few));

create index ranked_ratings on ratings (game, bot, rating desc, player_id) include (games) where listed and ranked;

-- Finds the games whose ratings are to be recounted.
create index capped_changes on rating_history (game) where capped;

create or replace function card(player bigint, in_game text) returns jsonb
    language sql stable
    return (
        select jsonb_build_object('id', p.id, 'name', p.name, 'rating', coalesce(r.rating, 1600), 'guest', p.guest,
            'provisional', is_provisional(p.guest, r.ranked))
            || case when p.bot then jsonb_build_object('bot', true) else '{}' end
        from players p left join ratings r on r.player_id = p.id and r.game = in_game
        where p.id = player);
