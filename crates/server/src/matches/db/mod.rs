//! Matches and their events.

pub mod appends;
mod causes;
pub mod conditional_moves;
pub mod games_on_turn;
pub mod notes;
pub mod packing;
pub(crate) mod packs;
pub mod ranking;
pub mod recount;
pub mod rematch_requests;
pub mod replayed_matches;
pub mod results;
pub mod sealed_moves;
pub mod status;
mod stored_event;
mod stored_events;
pub mod time_losses;
pub mod vacations;

pub use causes::{Causes, given_by};
pub use sealed_moves::SealedRun;
pub use stored_event::StoredEvent;
pub(crate) use stored_event::sender;
pub use stored_events::events_after;

use crate::db::rows::{cards, parse_stored, parse_stored_game, skip_unreadable};
use crate::db::terms::{StoredTerms, rating_kind};
use crate::db::{Db, Tx};
use crate::error::WithSubject as _;
use crate::{Error, pairing, tournaments};
use sqlx::PgExecutor;
use tochki_play::{
    Event, Match, Millis, Rating, RatingChange, Reason, Terms, Timestamp, TournamentMatch, rate,
};
use tochki_protocol::{
    ClientId, FinishedSummary, MatchId, MatchSummary, OwnMatch, PlayerCard, PlayerId, TournamentId,
    limits,
};
use tochki_rules::{GameKind, RULES_VERSION, Seat};

/// A match without its events.
pub struct StoredMatch {
    /// The start of the match.
    pub start: MatchStart,
    /// Seat 1 and seat 2, with their ratings at the start.
    pub players: [PlayerCard; 2],
}

/// The start of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchStart {
    /// The terms.
    pub terms: Terms,
    /// The rules of its tournament.
    pub tournament: Option<TournamentMatch>,
    /// The time of the start.
    pub at: Timestamp,
    /// By how much later the first turn ends than its clock says ([`Match::grace`]).
    pub grace: Millis,
}

impl MatchStart {
    /// Returns the match before its first event.
    pub fn game(self) -> Match {
        let mut game = Match::new(self.terms, self.at).in_tournament(self.tournament, self.at);
        game.extend_turn(self.grace);
        game
    }
}

/// The result of [`append`].
pub enum Appended {
    /// The events are committed. If the match was rated and has ended, the last one contains both ratings.
    Committed(Vec<(Event, StoredEvent)>),
    /// Another instance has written this version already. The caller reads its events and decides again.
    Conflict,
}

/// The match, if there is one.
pub async fn load(db: &Db, id: MatchId) -> Result<Option<StoredMatch>, Error> {
    let row = sqlx::query!(
        r#"select m.game, m.setup, m.clock, m.rated, ms(m.started_at) as "started_at!", m.first_grace_ms,
                  m.rating1, m.rating2, m.provisional1, m.provisional2, m.rules_version,
                  m.tournament_id, m.first_move_ms, m.offers_after,
                  coalesce((select t.berserk from tournaments t where t.id = m.tournament_id), false) as "berserk!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from matches m join players a on a.id = m.seat1 join players b on b.id = m.seat2
           where m.id = $1"#,
        id.0
    )
    .fetch_optional(db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    check_rules_version(id, row.rules_version)?;
    let stored = StoredTerms::new(row.game, row.setup, row.clock);
    Ok(Some(StoredMatch {
        start: MatchStart {
            terms: stored.read(row.rated)?,
            tournament: row
                .tournament_id
                .zip(row.first_move_ms)
                .map(|(id, first_move)| TournamentMatch {
                    id,
                    first_move: Millis(first_move),
                    offers_after: row.offers_after.unwrap_or_default().cast_unsigned(),
                    berserk: row.berserk,
                }),
            at: Timestamp(row.started_at),
            grace: Millis(row.first_grace_ms.unwrap_or_default()),
        },
        players: cards!(row),
    }))
}

/// Returns whether this program has the rules that a stored match was played under.
pub(crate) fn check_rules_version(id: MatchId, version: i16) -> Result<(), Error> {
    if version == RULES_VERSION {
        return Ok(());
    }
    let unknown = format!("played under version {version} of the rules, which is not known here");
    Err(Error::broken_record(id, unknown))
}

/// Appends events to a match whose version is `before`, and updates its summary, and both ratings if it has ended. This is
/// one transaction, so that an acknowledged move is committed and a match is rated once.
///
/// `after` is the match with the events applied, `causes` what its players may be told of them, `sealed` are the moves that a seal
/// among the events is of.
#[allow(clippy::too_many_arguments)]
pub async fn append(
    db: &Db,
    id: MatchId,
    players: [PlayerId; 2],
    before: u32,
    mut events: Vec<Event>,
    after: &Match,
    causes: &Causes,
    sealed: Option<&SealedRun>,
) -> Result<Appended, Error> {
    let mut tx = crate::db::begin(db).await?;
    sealed_moves::lock_for(&mut tx, &events, players).await?;
    let [score1, score2] = after.score().map(u32::cast_signed);
    let result = after.result();
    let loser = result
        .filter(|result| result.reason == Reason::Time && after.terms().is_correspondence())
        .and_then(|result| result.winner.map(Seat::other));
    let flag_at = match loser {
        Some(_) => time_losses::flag_at(&mut tx, id, before).await?,
        None => None,
    };
    // This locks the row. If the version has changed, another instance was first.
    let updated = sqlx::query!(
        "update matches set version = $3, score1 = $4, score2 = $5, progress = $6, deadline_at = at_ms($7),
             finished_at = case when $8::text is null then null else now() end, reason = $8, winner = $9, aborted_by = $10, to_move = $11
         where id = $1 and version = $2",
        id.0,
        before.cast_signed(),
        after.version().cast_signed(),
        score1,
        score2,
        i16::from(after.position().progress()),
        after.deadline().map(|deadline| deadline.0),
        result.map(|result| result.reason.as_str()),
        result
            .filter(|result| !result.is_aborted())
            .map(|result| i16::from(result.winner.map_or(0, Seat::number))),
        result
            .and_then(|result| result.by)
            .map(|seat| i16::from(seat.number())),
        after.awaited().map(|seat| i16::from(seat.number()))
    )
    .execute(&mut *tx)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(Appended::Conflict);
    }
    sealed_moves::note_events(&mut tx, id, &events, players, sealed, after).await?;
    if let Some(Event::Finished { result }) = events.last_mut() {
        sealed_moves::delete(&mut tx, id, players).await?;
        sqlx::query!("delete from playing where match_id = $1", id.0)
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from absences where match_id = $1", id.0)
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from time_away where match_id = $1", id.0)
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from conditional_moves where match_id = $1", id.0)
            .execute(&mut *tx)
            .await?;
        // An aborted match changes no rating and no tally, and nor does one that nobody has played.
        if result.is_played() {
            let game = after.terms().setup.kind();
            super::db::results::insert(&mut tx, id, game, players, result.winner).await?;
            let is_spared = match (loser, flag_at) {
                (Some(seat), Some(flag_at)) => {
                    let (player, is_rated) = (players[seat.index()], after.terms().rated);
                    time_losses::insert(&mut tx, id, player, flag_at, is_rated).await?
                }
                _ => false,
            };
            if after.terms().rated && !is_spared {
                let kind = rating_kind(game, after.terms().pace());
                result.ratings =
                    Some(update_ratings(&mut tx, id, &kind, players, result.winner).await?);
            }
        }
        // The table at which it had started, if it did at one.
        if let Some(seat) = result.by.filter(|_| result.is_aborted())
            && after.terms().is_correspondence()
        {
            pairing::db::leaving::reopen_seek(&mut tx, id, players[seat.index()]).await?;
        }
        if let Some(rules) = after.tournament() {
            let of_result = TournamentId(rules.id);
            tournaments::db::results::insert(&mut tx, of_result, id, after, result).await?;
        }
    }
    let mut committed = Vec::with_capacity(events.len());
    for (version, event) in (before + 1..).zip(events) {
        let stored = if version == after.version() {
            StoredEvent::last_of(after, &event).with_subject(id)?
        } else {
            StoredEvent::of(version, &event).with_subject(id)?
        };
        let (seat, client_id) = sender(&event);
        if let Some(seat) = seat {
            // Some programs play without opening a stream; each command restarts the timeout for their arrival.
            sqlx::query!(
                "update absences set since = now() + arrival_timeout() where match_id = $1 and player_id = $2 and awaited",
                id.0,
                players[seat.index()].0
            )
            .execute(&mut *tx)
            .await?;
        }
        sqlx::query!(
            "insert into match_events (match_id, version, kind, body, seat, client_id, grace_ms)
             values ($1, $2, $3, $4, $5, $6, nullif($7::bigint, 0))",
            id.0,
            version.cast_signed(),
            stored.kind,
            stored.body,
            seat.map(|seat| i16::from(seat.number())),
            client_id.map(ClientId::as_str),
            stored.grace.0
        )
        .execute(&mut *tx)
        .await?;
        committed.push((event, stored));
    }
    causes.insert(&mut tx).await?;
    if result.is_none() {
        let noted: Vec<&Event> = committed.iter().map(|(event, _)| event).collect();
        conditional_moves::note_events(&mut tx, id, &noted, players).await?;
    }
    tx.commit().await?;
    Ok(Appended::Committed(committed))
}

/// Updates the ratings of both players of this kind ([`rating_kind`]) and their history.
async fn update_ratings(
    tx: &mut Tx,
    id: MatchId,
    kind: &str,
    players: [PlayerId; 2],
    winner: Option<Seat>,
) -> Result<[RatingChange; 2], Error> {
    let ids = players.map(|player| player.0);
    sqlx::query!(
        "insert into ratings (player_id, game) select player_id, $2 from unnest($1::bigint[]) as p (player_id)
         order by player_id on conflict do nothing",
        &ids,
        kind
    )
    .execute(&mut **tx)
    .await?;
    // Locked in the order of ids, so that two matches that end at once and share players cannot deadlock.
    let rows = sqlx::query!(
        "select player_id, rating, games, ranked from ratings
         where player_id = any($1) and game = $2 order by player_id for update",
        &ids,
        kind
    )
    .fetch_all(&mut **tx)
    .await?;
    let row_of = |player: i64| rows.iter().find(|row| row.player_id == player);
    let [Some(first), Some(second)] = ids.map(row_of) else {
        return Err(Error::invariant("a rated player has no rating"));
    };
    let pair = [first, second];
    let mut changes = rate(pair.map(|row| Rating(row.rating)), winner);
    for (row, change) in pair.into_iter().zip(&changes) {
        sqlx::query!(
            "update ratings set rating = $3, games = games + 1 where player_id = $1 and game = $2",
            row.player_id,
            kind,
            change.after.0
        )
        .execute(&mut **tx)
        .await?;
        sqlx::query!(
            "insert into rating_history (match_id, player_id, game, before, after, same_address)
             values ($1, $2, $3, $4, $5, exists (
                 select from addresses a join addresses b on b.address = a.address
                 where a.player_id = $6 and b.player_id = $7))",
            id.0,
            row.player_id,
            kind,
            change.before.0,
            change.after.0,
            ids[0],
            ids[1]
        )
        .execute(&mut **tx)
        .await?;
    }
    // After both, because each is an opponent of the other one.
    for (row, change) in pair.into_iter().zip(&mut changes) {
        let player = PlayerId(row.player_id);
        let enough = row.games.cast_unsigned() + 1 >= limits::RANKED_MATCHES;
        let ranked =
            row.ranked || enough && super::db::ranking::rank_if_earned(tx, player, kind).await?;
        if !ranked {
            change.provisional = true;
            sqlx::query!(
                "update rating_history set provisional = true where match_id = $1 and player_id = $2",
                id.0,
                row.player_id
            )
            .execute(&mut **tx)
            .await?;
        }
    }
    Ok(changes)
}

/// The running matches whose deadline has passed longest ago, at most [`limits::OVERDUE_MATCHES_PER_SWEEP`].
pub async fn overdue(db: &Db) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        "select id from matches where finished_at is null and deadline_at <= now() and heartbeat_is_fresh()
         order by deadline_at, id limit $1",
        i64::from(limits::OVERDUE_MATCHES_PER_SWEEP)
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// A match that is running or has ended within [`LOBBY_HISTORY`](tochki_protocol::limits::LOBBY_HISTORY).
#[derive(PartialEq)]
pub struct RecentMatch {
    /// The match.
    pub summary: MatchSummary,
    /// Whether it has ended.
    pub finished: bool,
}

/// Running live matches of this game and those that ended within [`LOBBY_HISTORY`](tochki_protocol::limits::LOBBY_HISTORY), newest
/// first. Also the matches of other games whose players are at this place, so that their pages can go to the match.
///
/// The interval is a literal, because with a parameter Postgres expects a third of all matches and reads all players. A test
/// compares it with the limit.
pub async fn recent(tx: &mut Tx, game: GameKind, place: &str) -> Result<Vec<RecentMatch>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.rating1, m.rating2, m.provisional1, m.provisional2, m.score1, m.score2, m.progress, ms(m.started_at) as "started_at!",
                  m.finished_at is not null as "finished!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from matches m join players a on a.id = m.seat1 join players b on b.id = m.seat2
           where m.id in (
               select id from matches where game = $1 and finished_at is null and not correspondence
               union all
               select id from matches where game = $1 and finished_at > now() - interval '20 seconds' and not correspondence
               union all
               select p.match_id from playing p join presence here on here.player_id = p.player_id
               where here.place = $2 and is_alive(here.beat_at, here.gone_at))
           order by m.id desc"#,
        game.id(),
        place
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(skip_unreadable(rows.into_iter().map(|row| {
        Ok(RecentMatch {
            summary: MatchSummary {
                id: MatchId(row.id),
                game: parse_stored_game(&row.game)?,
                players: cards!(row),
                score: [row.score1.cast_unsigned(), row.score2.cast_unsigned()],
                progress: parse_stored(&row.progress.to_string(), row.progress.try_into().ok())?,
                started_at: Timestamp(row.started_at),
            },
            finished: row.finished,
        })
    })))
}

/// The last [`limits::JUST_FINISHED_LEN`] matches of this game that ended, latest first, without aborted ones.
///
/// Their number is a literal, because with a parameter Postgres expects a tenth of all matches and reads all players.
pub async fn just_finished(tx: &mut Tx, game: GameKind) -> Result<Vec<FinishedSummary>, Error> {
    const { assert!(limits::JUST_FINISHED_LEN == 5, "the number in the query") };
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.rating1, m.rating2, m.provisional1, m.provisional2, m.score1, m.score2, m.winner,
                  ms(m.finished_at) as "finished_at!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from (select * from matches where game = $1 and finished_at is not null and winner is not null
                 order by finished_at desc limit 5) m
           join players a on a.id = m.seat1 join players b on b.id = m.seat2
           order by m.finished_at desc, m.id desc"#,
        game.id()
    )
    .fetch_all(&mut **tx)
    .await?;
    let read = |winner: i16| Seat::try_from(u8::try_from(winner).ok()?).ok();
    let finished = rows.into_iter().map(|row| FinishedSummary {
        id: MatchId(row.id),
        players: cards!(row),
        score: [row.score1.cast_unsigned(), row.score2.cast_unsigned()],
        winner: row.winner.and_then(read),
        finished_at: Timestamp(row.finished_at),
    });
    Ok(finished.collect())
}

/// A running match of a player, live or by correspondence.
pub async fn any_running(
    db: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<MatchId>, Error> {
    let id = sqlx::query_scalar!(
        "select match_id as id from playing where player_id = $1
         union all
         (select id from matches where seat1 = $1 and finished_at is null and correspondence limit 1)
         union all
         (select id from matches where seat2 = $1 and finished_at is null and correspondence limit 1)
         limit 1",
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(id.flatten().map(MatchId))
}

/// The running live match of a player.
pub async fn running_match(
    db: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<OwnMatch>, Error> {
    let row = sqlx::query!(
        "select m.id, m.rated from playing join matches m on m.id = match_id where player_id = $1",
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| OwnMatch {
        match_id: MatchId(row.id),
        rated: row.rated,
    }))
}

/// A match for the front page: of the latest running ones that with the most events, else the one that ended last. A game that has
/// hardly begun, or that a player has left, is none to watch, and a game of two guests comes after all others.
pub async fn featured_match(db: &Db) -> Result<Option<MatchId>, Error> {
    let running = sqlx::query_scalar!(
        "select m.id from (select id, version, seat1, seat2 from matches where finished_at is null and not correspondence
             order by started_at desc limit $1) m
         join players one on one.id = seat1 join players two on two.id = seat2
         where version >= $2 and not exists (select from absences a where a.match_id = m.id and a.since < now())
         order by one.guest and two.guest, version desc, m.id desc limit 1",
        i64::from(limits::FEATURED_MATCH_CANDIDATES),
        limits::FEATURED_MATCH_MIN_EVENTS
    )
    .fetch_optional(db)
    .await?;
    let id = match running {
        Some(id) => Some(id),
        None => {
            sqlx::query_scalar!(
                "select id from matches where finished_at is not null and winner is not null
             order by finished_at desc limit 1"
            )
            .fetch_optional(db)
            .await?
        }
    };
    Ok(id.map(MatchId))
}

/// Presence of both players at this match.
pub async fn present(db: &Db, id: MatchId, players: [PlayerId; 2]) -> Result<[bool; 2], Error> {
    let place = crate::presence::place::Place::Match(id).to_string();
    let here = crate::presence::db::ids_at(db, &place).await?;
    Ok(players.map(|player| here.contains(&player)))
}
