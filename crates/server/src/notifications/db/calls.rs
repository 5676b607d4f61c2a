//! Calls of players to an adjourned match that goes on live at the time that they have agreed on.
//!
//! The time is in the row of the sealed move, and whether both were called: so a call is made once, whatever instance finds it due, and a
//! match that waits costs nothing. A call is a turn with the detail [`LIVE`], under a subject of its own: who has a page of the match open,
//! which nobody may look at, is called all the same, as the time is short.

use crate::Error;
use crate::db::notification_row::LIVE;
use crate::db::{Db, Tx};
use tochki_protocol::{MatchId, NotificationKind, PlayerId, limits};

/// The subject of the calls to a match.
pub(super) fn subject(id: MatchId) -> String {
    format!("resume:{id}")
}

/// Inserts the calls that are due as causes, for both players of each match, unless it is too late. Those that another instance inserts
/// are left out.
pub(in crate::notifications) async fn insert_due(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "with due as materialized (
             select match_id from sealed_moves where live_from <= now() and not called
             order by live_from limit $1 for update skip locked
         ), called as (
             update sealed_moves s set called = true from due where s.match_id = due.match_id returning s.match_id, s.live_until
         )
         insert into notification_causes (player_id, subject, kind, match_id, other_id, detail)
         select side.player_id, 'resume:' || m.id, $2, m.id, side.other_id, $3
         from called c join matches m on m.id = c.match_id
         cross join lateral (values (m.seat1, m.seat2), (m.seat2, m.seat1)) as side (player_id, other_id)
         where c.live_until > now()",
        i64::from(limits::NOTIFICATION_BATCH_LEN),
        NotificationKind::YourTurn.as_str(),
        LIVE
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Inserts a call of one player as a cause: the other one is there, and waits.
pub(crate) async fn insert_of_one(
    tx: &mut Tx,
    id: MatchId,
    player: PlayerId,
    other: PlayerId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, detail) values ($1, $2, $3, $4, $5, $6)",
        player.0,
        subject(id),
        NotificationKind::YourTurn.as_str(),
        id.0,
        other.0,
        LIVE
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Ends the calls that were told to a match that goes on, or has ended.
pub(crate) async fn end(tx: &mut Tx, id: MatchId, players: [PlayerId; 2]) -> Result<(), Error> {
    let players = players.map(|player| player.0);
    sqlx::query!(
        "insert into notification_causes (player_id, subject, match_id) select player_id, $2, $3 from unnest($1::bigint[]) as p (player_id)",
        &players,
        subject(id),
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
