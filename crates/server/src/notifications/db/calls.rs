//! Calls of players to an adjourned match that goes on live at the time that they have agreed on.
//!
//! A call is a turn with the detail [`LIVE`], under a subject of its own: whoever reads what there is to tell of the match before the
//! time has come is called all the same. So is who has a page of the match open, which nobody may look at, as the time is short.

use crate::Error;
use crate::db::Tx;
use crate::db::notification_row::LIVE;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, NotificationKind, PlayerId};

/// The subject of the calls to a match.
pub(super) fn subject(id: MatchId) -> String {
    format!("resume:{id}")
}

/// Inserts a call of both players as causes that are kept until this time, in the transaction that seals the move.
pub(crate) async fn insert(
    tx: &mut Tx,
    id: MatchId,
    players: [PlayerId; 2],
    from: Timestamp,
) -> Result<(), Error> {
    let [first, second] = players.map(|player| player.0);
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, detail, at, held_until)
         select side.player_id, $1, $2, $3, side.other_id, $4, greatest(at_ms($5), now()), at_ms($5)
         from (values ($6::bigint, $7::bigint), ($7, $6)) as side (player_id, other_id)",
        subject(id),
        NotificationKind::YourTurn.as_str(),
        id.0,
        LIVE,
        from.0,
        first,
        second
    )
    .execute(&mut **tx)
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

/// Ends the calls to a match that goes on, or has ended: those to come, and those that were told.
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
