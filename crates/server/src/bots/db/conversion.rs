//! Bot accounts.

use crate::Error;
use crate::db::Tx;
use tochki_protocol::PlayerId;

/// Makes an account one of a bot. Returns whether the account is a bot's now: it must be no guest's and no operator's,
/// and have played no match. Its open challenges and seats end, because they were a person's.
///
/// The caller has locked the player, so that no match starts meanwhile.
pub(crate) async fn convert(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let converted = sqlx::query!(
        "update players p set bot = true
         where id = $1 and not guest and deleted_at is null and closed_at is null
             and (bot or not exists (select from matches where seat1 = p.id)
                 and not exists (select from matches where seat2 = p.id)
                 and not exists (select from operators where player_id = p.id))",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    if converted.rows_affected() == 0 {
        return Ok(false);
    }
    crate::pairing::db::leaving::leave_waiting_rooms(tx, player).await?;
    Ok(true)
}
