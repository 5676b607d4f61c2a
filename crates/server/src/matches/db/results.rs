//! Results of finished matches for each player, and the counters of results.

use crate::Error;
use crate::db::rows::{card, parse_stored_game, skip_unreadable};
use crate::db::terms::rating_kind;
use crate::db::{Db, Tx};
use tochki_play::{Pace, Rating, RatingChange, Reason, Timestamp};
use tochki_protocol::{
    GameStats, HeadToHead, HistoryEntry, HistoryFilter, MatchId, PaceRating, PlayerId,
    PlayerOutcome, RatingPoint, ResultCounts, Streak, UntilRanked, limits,
};
use tochki_rules::{GameKind, Seat};

/// Inserts the result of a match for both players. Called in the transaction that ends the match.
pub(crate) async fn insert(
    tx: &mut Tx,
    id: MatchId,
    game: GameKind,
    players: [PlayerId; 2],
    winner: Option<Seat>,
) -> Result<(), Error> {
    let ids = players.map(|player| player.0);
    let outcomes = Seat::BOTH.map(|seat| PlayerOutcome::of(winner, seat).number());
    sqlx::query!(
        "insert into results (match_id, player_id, opponent_id, game, seat, outcome)
         select $1, player_id, opponent_id, $2, seat, outcome
         from unnest($3::bigint[], $4::bigint[], $5::smallint[], array[1::smallint, 2::smallint])
             as side (player_id, opponent_id, outcome, seat)",
        id.0,
        game.id(),
        &ids,
        &[ids[1], ids[0]],
        &outcomes
    )
    .execute(&mut **tx)
    .await?;
    // Locked in the order of ids, so that two matches that end at once and share players cannot deadlock.
    sqlx::query!(
        "insert into tallies as t (player_id, game, won1, drawn1, lost1, won2, drawn2, lost2, run_of, run, best_run)
         select player_id, $1,
             (seat = 1 and outcome = 1)::int, (seat = 1 and outcome = 0)::int, (seat = 1 and outcome = -1)::int,
             (seat = 2 and outcome = 1)::int, (seat = 2 and outcome = 0)::int, (seat = 2 and outcome = -1)::int,
             outcome, 1, (outcome = 1)::int
         from unnest($2::bigint[], $3::smallint[], array[1, 2]) as side (player_id, outcome, seat)
         order by player_id
         on conflict (player_id, game) do update set
             won1 = t.won1 + excluded.won1, drawn1 = t.drawn1 + excluded.drawn1, lost1 = t.lost1 + excluded.lost1,
             won2 = t.won2 + excluded.won2, drawn2 = t.drawn2 + excluded.drawn2, lost2 = t.lost2 + excluded.lost2,
             run = case when t.run_of = excluded.run_of then t.run + 1 else 1 end,
             run_of = excluded.run_of,
             best_run = case when excluded.run_of < 1 then t.best_run
                 else greatest(t.best_run, case when t.run_of = 1 then t.run + 1 else 1 end) end",
        game.id(),
        &ids,
        &outcomes
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The statistics of a player for each game they have played. Without a rated match the rating is the initial one.
pub async fn stats(db: &Db, player: PlayerId) -> Result<Vec<GameStats>, Error> {
    let rows = sqlx::query!(
        r#"select t.game as "game!", t.won1 as "won1!", t.drawn1 as "drawn1!", t.lost1 as "lost1!", t.won2 as "won2!",
                  t.drawn2 as "drawn2!", t.lost2 as "lost2!", t.run_of as "run_of!", t.run as "run!",
                  t.best_run as "best_run!", r.rating as "rating?", coalesce(r.games, 0) as "rated!",
                  coalesce(r.ranked, false) as "ranked!", u.matches, u.opponents, u.others,
                  c.rating as "slow_rating?", c.games as "slow_games?", c.ranked as "slow_ranked?"
           from tallies t left join ratings r on r.player_id = t.player_id and r.game = t.game
           left join ratings c on c.player_id = t.player_id and c.game = rating_kind(t.game, true) and c.games > 0
           left join lateral (select * from rank_progress(t.player_id, t.game, $2) where not coalesce(r.ranked, false)) u on true
           where t.player_id = $1"#,
        player.0,
        i64::from(limits::RANKED_OPPONENTS)
    )
    .fetch_all(db)
    .await?;
    let records = rows.into_iter().map(|row| {
        Ok(GameStats {
            game: parse_stored_game(&row.game)?,
            rating: Some(row.rating.unwrap_or(Rating::START.0)),
            rated: row.rated.cast_unsigned(),
            until_ranked: (!row.ranked).then(|| {
                let [matches, opponents, others] = [row.matches, row.opponents, row.others]
                    .map(|number| u32::try_from(number.unwrap_or_default()).unwrap_or(u32::MAX));
                UntilRanked::after(matches, opponents, others)
            }),
            seats: [
                counts(row.won1, row.drawn1, row.lost1),
                counts(row.won2, row.drawn2, row.lost2),
            ],
            streak: Some(Streak {
                outcome: PlayerOutcome::from_number(row.run_of),
                length: row.run.cast_unsigned(),
            }),
            best_streak: row.best_run.cast_unsigned(),
            correspondence: row.slow_rating.map(|rating| PaceRating {
                rating,
                rated: row.slow_games.unwrap_or_default().cast_unsigned(),
                provisional: row.slow_ranked != Some(true),
            }),
        })
    });
    Ok(skip_unreadable(records))
}

const fn counts(won: i32, drawn: i32, lost: i32) -> ResultCounts {
    ResultCounts {
        won: won.cast_unsigned(),
        drawn: drawn.cast_unsigned(),
        lost: lost.cast_unsigned(),
    }
}

/// The rating of a player over time, at most about `limit` points: after each match; if these are too many, after the last
/// match of each day; if these are too many, every n-th of them, counted from the last.
pub async fn rating_history(
    db: &Db,
    player: PlayerId,
    game: GameKind,
    pace: Pace,
    limit: u32,
) -> Result<Vec<RatingPoint>, Error> {
    let rows = sqlx::query!(
        r#"with changes as (
               select at, after from rating_history where player_id = $1 and game = $2
               union all
               select at, after from rating_corrections where player_id = $1 and game = $2
           ), rated as (
               select at, after, count(*) over () as count, lead(at) over (order by at) as next from changes
           ), told as (
               select at, after, row_number() over (order by at desc) - 1 as back, count(*) over () as count
               from rated
               where count <= $3 or next is null or (at at time zone 'UTC')::date < (next at time zone 'UTC')::date
           )
           select ms(at) as "at!", after as "after!" from told
           where back % ((count + $3 - 1) / $3) = 0 order by back desc"#,
        player.0,
        rating_kind(game, pace),
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    let point = |at, rating| RatingPoint {
        at: Timestamp(at),
        rating,
    };
    Ok(rows
        .into_iter()
        .map(|row| point(row.at, row.after))
        .collect())
}

/// The results of `player` against `other`, by game.
pub async fn between(db: &Db, player: PlayerId, other: PlayerId) -> Result<Vec<HeadToHead>, Error> {
    let rows = sqlx::query!(
        r#"select game, count(*) filter (where outcome = 1) as "won!", count(*) filter (where outcome = 0) as "drawn!",
                  count(*) filter (where outcome = -1) as "lost!"
           from results r where player_id = $1 and opponent_id = $2
               and not exists (select from annulments a where a.match_id = r.match_id)
           group by game"#,
        player.0,
        other.0
    )
    .fetch_all(db)
    .await?;
    let between = rows.into_iter().map(|row| {
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(HeadToHead {
            game: parse_stored_game(&row.game)?,
            tally: ResultCounts {
                won: count(row.won),
                drawn: count(row.drawn),
                lost: count(row.lost),
            },
        })
    });
    Ok(skip_unreadable(between))
}

/// The number of finished matches of a player that match the filter. `opponent` is a part of the key of a name.
pub async fn count(db: &Db, player: PlayerId, filter: &HistoryFilter) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from filter_results($1, $2, $3, $4)"#,
        player.0,
        filter.game.map(GameKind::id),
        filter.outcome.map(PlayerOutcome::number),
        filter.opponent
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A page of finished matches of a player that match the filter, latest first.
///
/// Skipped rows are read only in the index, so the cost of a late page is linear in the player's number of matches.
pub async fn page(
    db: &Db,
    player: PlayerId,
    filter: &HistoryFilter,
    skip: i64,
    limit: u32,
) -> Result<Vec<HistoryEntry>, Error> {
    let rows = sqlx::query!(
        r#"select m.id as "id!", m.game as "game!", r.seat as "seat!", r.outcome as "outcome!", m.reason,
                  m.score1 as "score1!", m.score2 as "score2!", ms(r.finished_at) as "finished_at!",
                  case r.seat when 1 then m.rating2 else m.rating1 end as "their_rating!",
                  case r.seat when 1 then m.provisional2 else m.provisional1 end as "their_provisional!",
                  o.id as "opponent!", o.name as "name!", o.guest as "guest!", o.bot as "bot!", h.before as "before?", h.after as "after?", h.provisional as "provisional?",
                  exists (select from annulments a where a.match_id = m.id) as "annulled!"
           from (select match_id, finished_at from filter_results($1, $2, $3, $4)
                 order by finished_at desc, match_id desc offset $5 limit $6) page
           join results r on r.match_id = page.match_id and r.player_id = $1
           join matches m on m.id = page.match_id
           join players o on o.id = r.opponent_id
           left join rating_history h on h.match_id = page.match_id and h.player_id = $1
           order by page.finished_at desc, page.match_id desc"#,
        player.0,
        filter.game.map(GameKind::id),
        filter.outcome.map(PlayerOutcome::number),
        filter.opponent,
        skip,
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    let games = rows.into_iter().map(|row| {
        let change = row.before.zip(row.after).filter(|_| !row.annulled);
        Ok(HistoryEntry {
            id: MatchId(row.id),
            game: row.game.parse().map_err(|_| unreadable(row.id))?,
            seat: seat(row.seat),
            opponent: card(
                row.opponent,
                row.name,
                row.their_rating,
                row.guest,
                row.their_provisional,
                row.bot,
            ),
            outcome: PlayerOutcome::from_number(row.outcome),
            reason: reason(row.reason).ok_or_else(|| unreadable(row.id))?,
            score: [row.score1.cast_unsigned(), row.score2.cast_unsigned()],
            rating: change.map(|(before, after)| RatingChange {
                before: Rating(before),
                after: Rating(after),
                provisional: row.provisional == Some(true),
            }),
            annulled: row.annulled,
            finished_at: Timestamp(row.finished_at),
        })
    });
    games.collect()
}

/// The matches of a player that match the filter and ended before `after`, latest first.
pub async fn ids_before(
    db: &Db,
    player: PlayerId,
    filter: &HistoryFilter,
    after: Option<MatchId>,
    limit: u32,
) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"select match_id as "match_id!" from filter_results($1, $2, $3, $4) fit
           where $5::bigint is null or (finished_at, match_id) < (
               select r.finished_at, r.match_id from results r where r.match_id = $5 and r.player_id = $1)
           order by finished_at desc, match_id desc limit $6"#,
        player.0,
        filter.game.map(GameKind::id),
        filter.outcome.map(PlayerOutcome::number),
        filter.opponent,
        after.map(|id| id.0),
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

const fn seat(number: i16) -> Seat {
    if number == 1 {
        Seat::First
    } else {
        Seat::Second
    }
}

/// Why a match ended.
fn reason(name: Option<String>) -> Option<Reason> {
    serde_json::from_value(name?.into()).ok()
}

/// Stored results were written by this server, so an unreadable one is a bug.
fn unreadable(id: i64) -> Error {
    Error::invariant("a stored result cannot be read").with_subject(MatchId(id))
}
