//! Recovery codes.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_protocol::{Code, PlayerId, RecoveryStatus};

/// Replaces the codes of a player.
pub async fn replace(db: &Db, player: PlayerId, hashes: &[Vec<u8>]) -> Result<(), Error> {
    let mut tx = crate::db::begin(db).await?;
    sqlx::query!(
        "update players set recovery_codes_at = now() where id = $1",
        player.0
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from recovery_codes where player_id = $1", player.0)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "insert into recovery_codes (player_id, code_hash) select $1, hash from unnest($2::bytea[]) as hash",
        player.0,
        hashes
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes the codes of a player. New ones are offered as if none had been made.
pub async fn delete_codes(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update players set recovery_codes_at = null where id = $1",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from recovery_codes where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Returns whether a player has this code.
pub async fn has(db: &Db, player: PlayerId, hash: &[u8]) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from recovery_codes where player_id = $1 and code_hash = $2) as "has!""#,
        player.0,
        hash
    )
    .fetch_one(db)
    .await?)
}

/// Uses up a code. Returns whether the player had it.
pub async fn use_up(tx: &mut Tx, player: PlayerId, hash: &[u8]) -> Result<bool, Error> {
    let used = sqlx::query!(
        "delete from recovery_codes where player_id = $1 and code_hash = $2",
        player.0,
        hash
    )
    .execute(&mut **tx)
    .await?;
    Ok(used.rows_affected() > 0)
}

/// Sets a new password, forgets all browsers and an address that waits for its link, and ends all sessions. Returns those that have
/// ended.
pub async fn reset_password(tx: &mut Tx, player: PlayerId, hash: &str) -> Result<Vec<i64>, Error> {
    sqlx::query!(
        "update players set password_hash = $2 where id = $1",
        player.0,
        hash
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from devices where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    crate::mail::db::forget_pending(tx, player).await?;
    Ok(sqlx::query_scalar!(
        "delete from sessions where player_id = $1 returning id",
        player.0
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// How many codes a player has left, and whether codes are to be offered: after the first rated match, until some are made.
pub async fn status(db: &Db, player: PlayerId) -> Result<RecoveryStatus, Error> {
    let row = sqlx::query!(
        r#"select (select count(*) from recovery_codes where player_id = $1)::int as "left!",
               recovery_codes_at is null and not guest
                   and exists (select from ratings where player_id = $1 and games > 0) as "offered!"
           from players where id = $1"#,
        player.0
    )
    .fetch_optional(db)
    .await?
    .ok_or(Code::SignedOut)?;
    Ok(RecoveryStatus {
        left: u32::try_from(row.left).unwrap_or_default(),
        offered: row.offered,
    })
}
