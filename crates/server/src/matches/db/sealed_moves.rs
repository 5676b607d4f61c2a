//! Sealed moves, and what an adjournment changes of a match beside its events.

use crate::Error;
use crate::db::{Db, Tx};
use crate::notifications::db::calls;
use crate::{pairing, vacations};
use tochki_play::{Event, LIVE_RESUME_LEAD, LIVE_RESUME_WINDOW, Match};
use tochki_protocol::{Code, MatchId, PlayerId};
use tochki_rules::Seat;

/// The moves that a player seals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRun {
    /// The player.
    pub player: PlayerId,
    /// The moves in their canonical text form.
    pub moves: Vec<String>,
}

/// The sealed moves of a match, if there are any.
pub async fn read(db: &Db, id: MatchId) -> Result<Option<SealedRun>, Error> {
    let row = sqlx::query!(
        "select player_id, moves from sealed_moves where match_id = $1",
        id.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| SealedRun {
        player: PlayerId(row.player_id),
        moves: row.moves,
    }))
}

/// Notes that a player has come at the time that was agreed on, and calls the other one unless they have come. Returns whether each player
/// has.
pub async fn arrive(
    db: &Db,
    id: MatchId,
    seat: Seat,
    players: [PlayerId; 2],
) -> Result<[bool; 2], Error> {
    let mut tx = crate::db::begin(db).await?;
    let row = sqlx::query!(
        "select here1, here2 from sealed_moves where match_id = $1 for update",
        id.0
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else {
        return Ok([false; 2]);
    };
    let mut here = [row.here1, row.here2];
    if !here[seat.index()] {
        here[seat.index()] = true;
        sqlx::query!(
            "update sealed_moves set here1 = $2, here2 = $3 where match_id = $1",
            id.0,
            here[0],
            here[1]
        )
        .execute(&mut *tx)
        .await?;
        let other = seat.other().index();
        if !here[other] {
            calls::insert_of_one(&mut tx, id, players[other], players[seat.index()]).await?;
        }
    }
    tx.commit().await?;
    Ok(here)
}

/// Returns whether these events begin or end an adjournment, so that a transaction of its own has to append them.
pub fn are_in(events: &[Event]) -> bool {
    events.iter().any(|event| {
        matches!(
            event,
            Event::Adjourned { .. } | Event::Sealed { .. } | Event::Resumed { .. }
        )
    })
}

/// Locks the players of a match that is adjourned or goes on with these events, as everything does that starts a match.
///
/// # Errors
/// `too_many_games` if one of them has as many by correspondence as a player may have, to which an adjourned match belongs;
/// `already_playing` if the match goes on live and one of them plays another one meanwhile; `on_vacation` if it goes on by
/// correspondence, and the vacation of the player who has sealed has begun or ended since the decision.
pub async fn lock_for(tx: &mut Tx, events: &[Event], players: [PlayerId; 2]) -> Result<(), Error> {
    for event in events {
        match event {
            Event::Adjourned { .. } => {
                pairing::db::players::lock_players(tx, players).await?;
                if pairing::db::players::any_has_too_many_games(tx, players).await? {
                    return Err(Code::TooManyGames.into());
                }
            }
            Event::Resumed { .. } => {
                pairing::db::players::lock_players(tx, players).await?;
                if is_live_resumption(event) {
                    if pairing::db::players::anyone_playing(tx, players).await? {
                        return Err(Code::AlreadyPlaying.into());
                    }
                } else if !holds_vacation(tx, events, players).await? {
                    return Err(Code::OnVacation.into());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether these events, by which a match is resumed, hold the clock of the locked player who has sealed if they are on
/// vacation, and only then.
async fn holds_vacation(
    tx: &mut Tx,
    events: &[Event],
    players: [PlayerId; 2],
) -> Result<bool, Error> {
    let sealer = events.iter().find_map(|event| match event {
        Event::Moved { seat, .. } => Some(*seat),
        _ => None,
    });
    let is_over = matches!(events.last(), Some(Event::Finished { .. }));
    let Some(sealer) = sealer.filter(|_| !is_over) else {
        return Ok(true);
    };
    let is_held = events
        .iter()
        .any(|event| matches!(event, Event::VacationChanged { .. }));
    let until = vacations::db::until(&mut **tx, players[sealer.index()]).await?;
    Ok(is_held == until.is_some())
}

/// Writes what the events of an adjournment change beside the events themselves. The transaction has locked the match.
///
/// An adjourned match is nobody's live one, and unrated. `run` are the moves that are sealed.
pub async fn note_events(
    tx: &mut Tx,
    id: MatchId,
    events: &[Event],
    players: [PlayerId; 2],
    run: Option<&SealedRun>,
    after: &Match,
) -> Result<(), Error> {
    for event in events {
        match event {
            Event::Adjourned { .. } => {
                sqlx::query!(
                    "with played as (delete from playing where match_id = $1),
                         away as (delete from absences where match_id = $1),
                         counted as (delete from time_away where match_id = $1)
                     update matches set rated = false, correspondence = true where id = $1",
                    id.0
                )
                .execute(&mut **tx)
                .await?;
            }
            Event::Sealed { .. } => {
                let run = run.ok_or_else(|| Error::invariant("a seal without its moves"))?;
                let resume_at = after
                    .adjournment()
                    .and_then(|adjourned| adjourned.resume_at);
                let live_from = resume_at.map(|at| at - LIVE_RESUME_LEAD);
                sqlx::query!(
                    "insert into sealed_moves (match_id, player_id, moves, live_from, live_until)
                     values ($1, $2, $3, at_ms($4), at_ms($5))",
                    id.0,
                    run.player.0,
                    &run.moves,
                    live_from.map(|from| from.0),
                    resume_at.map(|at| (at + LIVE_RESUME_WINDOW).0)
                )
                .execute(&mut **tx)
                .await?;
            }
            Event::Resumed { .. } => {
                delete(tx, id, players).await?;
                // A sealed move may have ended the match.
                if is_live_resumption(event) && after.result().is_none() {
                    sqlx::query!(
                        "update matches set correspondence = false where id = $1",
                        id.0
                    )
                    .execute(&mut **tx)
                    .await?;
                    pairing::db::begin_live(tx, id, players).await?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Deletes the sealed moves of a match that is resumed or ends, with the calls to it.
pub async fn delete(tx: &mut Tx, id: MatchId, players: [PlayerId; 2]) -> Result<(), Error> {
    let is_called = sqlx::query_scalar!(
        "delete from sealed_moves where match_id = $1 returning called",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    if is_called == Some(true) {
        calls::end(tx, id, players).await?;
    }
    Ok(())
}

const fn is_live_resumption(event: &Event) -> bool {
    matches!(
        event,
        Event::Resumed {
            time_control: None,
            ..
        }
    )
}
