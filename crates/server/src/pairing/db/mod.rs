//! The start of a match, from a challenge, a table or a rematch.

pub mod leaving;
pub mod pairs;
pub mod players;
pub mod table_counts;

use crate::db::Tx;
use crate::db::terms::{StoredTerms, rating_kind};
use crate::notifications::db::{Cause, insert_causes};
use crate::{Error, time_zones, vacations};
use tochki_play::{Millis, Rating, Terms, TournamentMatch};
#[cfg(doc)]
use tochki_protocol::limits;
use tochki_protocol::{Code, MatchId, NotificationKind, PlayerId};
use tochki_rules::RULES_VERSION;

/// Starts a match between two players. Before a live one their other open live challenges are closed with `busy`, their quick games end, they
/// leave their seats at open tables, and live tables they have opened are closed; one by correspondence closes nothing. A match with a guest, or of a person with a bot, is never rated, nor are
/// more than [`limits::RATED_MATCHES_PER_PAIR`] of two players on one day: the terms have to say so, because what was agreed is
/// what begins.
///
/// # Errors
/// `terms_changed` if the terms are rated and the match cannot be, `opponent_left` if an account was closed or deleted, or
/// `aborted_lately` if it would be rated, and one of them has to wait for that.
///
/// `on_vacation` if a player is on vacation.
///
/// `too_many_games` if a player has [`limits::CORRESPONDENCE_MATCHES`] by correspondence, and this is one more.
///
/// If a player is in a running live match already, and this is live, the constraint on `playing` is violated. The caller holds the locks of
/// [`super::db::players::lock_players`], so that starts with a common player are serialized.
pub async fn start_match(
    tx: &mut Tx,
    seats: [PlayerId; 2],
    terms: &Terms,
) -> Result<MatchId, Error> {
    start(tx, seats, terms, None).await
}

/// Starts a match of a tournament, which does everything as [`start_match`]. Nobody aborts it, so earlier aborts do not matter. How
/// often two may play a rated match is the tournament's rule, so the caller asks.
///
/// # Errors
/// Those of [`start_match`].
pub async fn start_tournament_match(
    tx: &mut Tx,
    seats: [PlayerId; 2],
    terms: &Terms,
    rules: TournamentMatch,
) -> Result<MatchId, Error> {
    start(tx, seats, terms, Some(rules)).await
}

async fn start(
    tx: &mut Tx,
    seats: [PlayerId; 2],
    terms: &Terms,
    tournament: Option<TournamentMatch>,
) -> Result<MatchId, Error> {
    let stored = StoredTerms::of(terms)?;
    if !are_open(tx, seats).await? {
        return Err(Code::OpponentLeft.into());
    }
    if vacations::db::is_any_on(tx, seats).await? {
        return Err(Code::OnVacation.into());
    }
    let rated = terms.rated;
    let is_free = tournament.is_none();
    if rated && is_free && !pairs::can_be_rated(tx, seats).await? {
        return Err(Code::TermsChanged.into());
    }
    if rated && is_free && pairs::has_aborted_recently(tx, seats).await? {
        return Err(Code::AbortCooldown.into());
    }
    let correspondence = terms.is_correspondence();
    if correspondence && players::any_has_too_many_games(tx, seats).await? {
        return Err(Code::TooManyGames.into());
    }
    let first_move = tournament.map_or(terms.pace().first_move_timeout(), |rules| rules.first_move);
    let deadline = terms
        .clock
        .initial()
        .map_or(first_move, |initial| initial.min(first_move));
    // Seat 1 moves first.
    let grace = if correspondence {
        time_zones::db::grace_after(tx, seats[0], deadline).await?
    } else {
        Millis::ZERO
    };
    let id = sqlx::query_scalar!(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, provisional1, provisional2,
             deadline_at, rules_version, correspondence, first_grace_ms, tournament_id, first_move_ms, offers_after)
         values ($1, $2, $3, $4, $5, $6,
             coalesce((select rating from ratings where player_id = $5 and game = $11), $9),
             coalesce((select rating from ratings where player_id = $6 and game = $11), $9),
             (select is_provisional(p.guest, r.ranked) from players p
              left join ratings r on r.player_id = p.id and r.game = $11 where p.id = $5),
             (select is_provisional(p.guest, r.ranked) from players p
              left join ratings r on r.player_id = p.id and r.game = $11 where p.id = $6),
             now() + $7::bigint * interval '1 millisecond', $8, $10, nullif($12::bigint, 0), $13, $14, $15)
         returning id",
        stored.game,
        stored.setup,
        stored.clock,
        rated,
        seats[0].0,
        seats[1].0,
        (deadline + grace).0,
        RULES_VERSION,
        Rating::START.0,
        correspondence,
        rating_kind(terms.setup.kind(), terms.pace()),
        grace.0,
        tournament.map(|rules| rules.id),
        tournament.map(|rules| rules.first_move.0),
        tournament.map(|rules| rules.offers_after.cast_signed())
    )
    .fetch_one(&mut **tx)
    .await?;
    if correspondence {
        let id = MatchId(id);
        // Nobody need be here.
        let turn = Some(NotificationKind::YourTurn);
        insert_causes(tx, &[Cause::of_match(seats[0], seats[1], id, turn)]).await?;
        return Ok(id);
    }
    begin_live(tx, MatchId(id), seats).await?;
    Ok(MatchId(id))
}

/// Makes a match the live one of its locked players, and ends all else that they wait for: other open live challenges are closed with
/// `busy`, quick games end, seats at open tables are left, and live tables they have opened are closed.
///
/// If a player is in a running live match already, the constraint on `playing` is violated.
pub async fn begin_live(tx: &mut Tx, id: MatchId, players: [PlayerId; 2]) -> Result<(), Error> {
    let ids = players.map(|player| player.0);
    sqlx::query!(
        "insert into playing (player_id, match_id) select unnest($1::bigint[]), $2",
        &ids,
        id.0
    )
    .execute(&mut **tx)
    .await?;
    // Who is not there is absent from now on, until they open the match.
    sqlx::query!(
        "insert into absences (match_id, player_id, since, awaited)
         select $2::bigint, player_id, now(), true from unnest($1::bigint[]) as p (player_id)
         where not exists (
             select from presence here
             where here.place = 'match:' || $2::bigint and here.player_id = p.player_id and is_alive(here.beat_at, here.gone_at))",
        &ids,
        id.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'busy'
         where closed_at is null and not correspondence and (from_id = any($1) or to_id = any($1))",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    leaving::leave_quick_games(tx, &ids).await?;
    leaving::leave_seats(tx, &ids).await?;
    leaving::close_live_of(tx, &ids).await
}

/// Returns whether neither account was closed or deleted. Both are locked, so that neither is meanwhile.
async fn are_open(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let open = sqlx::query_scalar!(
        r#"select count(*) = 2 as "open!" from players where id = any($1) and closed_at is null and deleted_at is null"#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(open)
}

/// The key of the advisory lock that the count of running matches takes; see [`table_counts::lock`].
const RUNNING_MATCHES_LOCK: i64 = 9;

/// Counts the running live matches. The next count waits until this transaction ends, so that a limit cannot be exceeded.
pub async fn count_running(tx: &mut Tx) -> Result<i64, Error> {
    sqlx::query!("select pg_advisory_xact_lock($1)", RUNNING_MATCHES_LOCK)
        .execute(&mut **tx)
        .await?;
    Ok(
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from matches where finished_at is null and not correspondence"#
        )
        .fetch_one(&mut **tx)
        .await?,
    )
}
