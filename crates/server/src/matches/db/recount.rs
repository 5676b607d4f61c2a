//! Recounts the ratings of a game from its stored matches, where an earlier release has cut gains.
//!
//! Until then gains over new players were cut, and what was cut is marked (`rating_history.capped`). While instances are upgraded
//! one after the other, the release before may still cut, so that each start looks for marks. A recount removes them, in one
//! transaction: it is done once, whatever crashes.
//!
//! A match that was annulled counts for nothing: its history and its correction are level. What is stored of each match agrees
//! with the recount: the ratings at its start, the history, and the last event, which says both changes. It is the one exception
//! to the rule that a stored event is never changed. A packed match is unpacked for that, and packed again.

use super::{StoredEvent, packing};
use crate::Error;
use crate::db::Db;
use crate::db::rows::parse_stored_game;
use crate::error::WithSubject as _;
use futures::TryStreamExt as _;
use sqlx::PgConnection;
use std::collections::HashMap;
use tochki_play::{Event, Millis, Rating, RatingChange, rate};
use tochki_protocol::{MatchId, limits};
use tochki_rules::{GameKind, Seat};

/// Recounts each game with a gain that was cut. Two instances that start at once wait for each other.
pub async fn recount_capped(db: &Db) -> Result<(), Error> {
    let cut =
        sqlx::query_scalar!(r#"select exists (select from rating_history where capped) as "cut!""#)
            .fetch_one(db)
            .await?;
    if !cut {
        return Ok(());
    }
    let mut tx = crate::db::begin(db).await?;
    // It takes longer than a statement of a request.
    for limit in [
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
    ] {
        sqlx::query_scalar!(r#"select set_config($1, '0', true) as "set!""#, limit)
            .fetch_one(&mut *tx)
            .await?;
    }
    packing::lock(&mut tx).await?;
    // Nobody rates, corrects or starts a match meanwhile.
    sqlx::query!(
        "lock table matches, rating_history, rating_corrections, ratings in share row exclusive mode"
    )
    .execute(&mut *tx)
    .await?;
    let games = sqlx::query_scalar!("select distinct game from rating_history where capped")
        .fetch_all(&mut *tx)
        .await?;
    for game in games {
        let changed = recount(&mut tx, &game).await?;
        tracing::info!(%game, changed, "ratings were recounted by the formula alone");
    }
    tx.commit().await?;
    Ok(())
}

/// A match, as far as ratings are concerned.
struct RatedMatch {
    id: i64,
    players: [i64; 2],
    winner: Option<Seat>,
    /// When it ended; a running one comes last.
    finished_at: Option<i64>,
    /// The ratings at its start, as stored.
    at_start: [f64; 2],
    /// Whether it has changed ratings.
    rated: bool,
    annulled: bool,
    /// The stored changes of both ratings.
    stored: [Option<(f64, f64)>; 2],
}

/// An annulled match's correction of a rating.
struct Correction {
    match_id: i64,
    player: i64,
    at: i64,
}

/// The changes of ratings by the recount, a row for each player of a match.
#[derive(Default)]
struct Changes {
    match_ids: Vec<i64>,
    players: Vec<i64>,
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Changes {
    fn push(&mut self, match_id: i64, player: i64, before: f64, after: f64) {
        self.match_ids.push(match_id);
        self.players.push(player);
        self.before.push(before);
        self.after.push(after);
    }
}

/// The rating of each player after the matches so far, and how many of them counted.
#[derive(Default)]
struct Ratings(HashMap<i64, (Rating, i32)>);

impl Ratings {
    fn of(&self, player: i64) -> Rating {
        self.0.get(&player).map_or(Rating::START, |state| state.0)
    }

    fn count(&mut self, player: i64, rating: Rating) {
        let state = self.0.entry(player).or_insert((Rating::START, 0));
        *state = (rating, state.1 + 1);
    }
}

/// Recounts one game. Returns how many changes of ratings are now others.
async fn recount(tx: &mut PgConnection, game: &str) -> Result<usize, Error> {
    let kind = parse_stored_game(game)?;
    let mut corrections = corrections(tx, game).await?.into_iter().peekable();
    let (mut ratings, mut history, mut corrected) =
        (Ratings::default(), Changes::default(), Changes::default());
    let (mut starts, mut ends) = (Changes::default(), HashMap::new());
    for played in matches(&mut *tx, game).await? {
        while let Some(one) =
            corrections.next_if(|one| played.finished_at.is_none_or(|end| one.at < end))
        {
            let level = ratings.of(one.player).0;
            corrected.push(one.match_id, one.player, level, level);
        }
        let before = played.players.map(|player| ratings.of(player));
        if before.map(|rating| rating.0.to_bits()) != played.at_start.map(f64::to_bits) {
            starts.push(played.id, 0, before[0].0, before[1].0);
        }
        if !played.rated {
            continue;
        }
        let mut changes = rate(before, played.winner);
        for (seat, change) in Seat::BOTH.into_iter().zip(&mut changes) {
            let player = played.players[seat.index()];
            if played.annulled {
                change.after = change.before;
            } else {
                ratings.count(player, change.after);
            }
            let new = (change.before.0, change.after.0);
            if played.stored[seat.index()].is_some_and(|stored| stored != new) {
                history.push(played.id, player, new.0, new.1);
                // Of an annulled match the event says what the formula gave.
                ends.insert(played.id, rate(before, played.winner));
            }
        }
    }
    for one in corrections {
        let level = ratings.of(one.player).0;
        corrected.push(one.match_id, one.player, level, level);
    }
    store(tx, kind, &ratings, &history, &corrected, &starts).await?;
    store_ends(tx, &ends).await?;
    Ok(history.match_ids.len())
}

async fn matches(tx: &mut PgConnection, game: &str) -> Result<Vec<RatedMatch>, Error> {
    let rows = sqlx::query!(
        r#"/* reads all */
           select m.id, m.seat1, m.seat2, m.winner, ms(m.finished_at) as finished_at, m.rating1, m.rating2,
               one.before as "before1?", one.after as "after1?", two.before as "before2?", two.after as "after2?",
               exists (select from annulments a where a.match_id = m.id) as "annulled!"
           from matches m
           left join rating_history one on one.match_id = m.id and one.player_id = m.seat1
           left join rating_history two on two.match_id = m.id and two.player_id = m.seat2
           where m.game = $1 and not m.correspondence order by m.finished_at nulls last, m.id"#,
        game
    )
    .fetch_all(tx)
    .await?;
    let read = |row: i16| Seat::try_from(u8::try_from(row).unwrap_or_default()).ok();
    Ok(rows
        .into_iter()
        .map(|row| RatedMatch {
            id: row.id,
            players: [row.seat1, row.seat2],
            winner: row.winner.and_then(read),
            finished_at: row.finished_at,
            at_start: [row.rating1, row.rating2],
            rated: row.after1.is_some() || row.after2.is_some(),
            annulled: row.annulled,
            stored: [row.before1.zip(row.after1), row.before2.zip(row.after2)],
        })
        .collect())
}

async fn corrections(tx: &mut PgConnection, game: &str) -> Result<Vec<Correction>, Error> {
    Ok(sqlx::query_as!(
        Correction,
        r#"/* reads all */
           select match_id, player_id as player, ms(at) as "at!" from rating_corrections
           where game = $1 order by at, match_id"#,
        game
    )
    .fetch_all(tx)
    .await?)
}

async fn store(
    tx: &mut PgConnection,
    game: GameKind,
    ratings: &Ratings,
    history: &Changes,
    corrected: &Changes,
    starts: &Changes,
) -> Result<(), Error> {
    sqlx::query!(
        "update rating_history h set before = c.before, after = c.after
         from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[]) as c (match_id, player_id, before, after)
         where h.match_id = c.match_id and h.player_id = c.player_id",
        &history.match_ids,
        &history.players,
        &history.before,
        &history.after
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update rating_history set capped = false where game = $1 and capped",
        game.id()
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update rating_corrections r set before = c.before, after = c.after
         from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[]) as c (match_id, player_id, before, after)
         where r.match_id = c.match_id and r.player_id = c.player_id",
        &corrected.match_ids,
        &corrected.players,
        &corrected.before,
        &corrected.after
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update matches m set rating1 = c.before, rating2 = c.after
         from unnest($1::bigint[], $2::float8[], $3::float8[]) as c (match_id, before, after)
         where m.id = c.match_id",
        &starts.match_ids,
        &starts.before,
        &starts.after
    )
    .execute(&mut *tx)
    .await?;
    let (players, states): (Vec<i64>, Vec<(Rating, i32)>) = ratings.0.iter().unzip();
    let (values, games): (Vec<f64>, Vec<i32>) = states
        .iter()
        .map(|(rating, games)| (rating.0, *games))
        .unzip();
    // Who has no match that counts is where everybody begins.
    sqlx::query!(
        "/* reads all */ update ratings r set rating = coalesce(c.rating, $5), games = coalesce(c.games, 0)
         from ratings all_of
         left join unnest($2::bigint[], $3::float8[], $4::int[]) as c (player_id, rating, games)
             on c.player_id = all_of.player_id
         where all_of.game = $1 and r.player_id = all_of.player_id and r.game = $1
             and (r.rating, r.games) is distinct from (coalesce(c.rating, $5), coalesce(c.games, 0))",
        game.id(),
        &players,
        &values,
        &games,
        Rating::START.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Writes the changes into the last events of these matches.
async fn store_ends(
    tx: &mut PgConnection,
    ends: &HashMap<i64, [RatingChange; 2]>,
) -> Result<(), Error> {
    let ids: Vec<i64> = ends.keys().copied().collect();
    for ids in ids.chunks(limits::VERIFY_BATCH_LEN as usize) {
        let unpacked = packing::unpack_matches(tx, ids).await?;
        let (mut match_ids, mut versions, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        {
            let mut rows = sqlx::query!(
                "select match_id, version, kind, body from match_events where match_id = any($1) and kind = 'finished'",
                ids
            )
            .fetch(&mut *tx);
            while let Some(row) = rows.try_next().await? {
                let (id, version) = (MatchId(row.match_id), row.version.cast_unsigned());
                let stored = StoredEvent {
                    grace: Millis::ZERO,
                    version,
                    kind: row.kind,
                    body: row.body,
                };
                // A broken record stays as it is.
                let Ok(Event::Finished { mut result }) = stored.read(id) else {
                    continue;
                };
                let Some(new) = ends.get(&row.match_id) else {
                    continue;
                };
                result.ratings = result.ratings.map(|old| {
                    Seat::BOTH.map(|seat| RatingChange {
                        provisional: old[seat.index()].provisional,
                        ..new[seat.index()]
                    })
                });
                let event = Event::Finished { result };
                let rewritten = StoredEvent::of(version, &event).with_subject(id)?;
                match_ids.push(row.match_id);
                versions.push(row.version);
                bodies.push(rewritten.body);
            }
        }
        sqlx::query!(
            "update match_events e set body = c.body
             from unnest($1::bigint[], $2::int[], $3::text[]) as c (match_id, version, body)
             where e.match_id = c.match_id and e.version = c.version",
            &match_ids,
            &versions,
            &bodies
        )
        .execute(&mut *tx)
        .await?;
        packing::pack_matches(tx, &unpacked.done).await?;
    }
    Ok(())
}
