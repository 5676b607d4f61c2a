//! Known browsers. Their cookie grants no access; it only gives a browser its own count of wrong passwords.

use crate::Error;
use crate::db::Db;
use tochki_protocol::{PlayerId, limits};

/// Returns whether this browser has been signed in to the account with this key of its name.
pub async fn is_known(db: &Db, digest: &[u8], key: &str) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from devices d join players p on p.id = d.player_id
               where d.token_hash = $1 and p.name_key = $2) as "known!""#,
        digest,
        key
    )
    .fetch_one(db)
    .await?)
}

/// Returns whether this token was given to any browser.
pub async fn exists(db: &Db, digest: &[u8]) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from devices where token_hash = $1) as "exists!""#,
        digest
    )
    .fetch_one(db)
    .await?)
}

/// Remembers that this browser has been signed in. Returns whether that was not known.
pub async fn remember(
    db: &Db,
    digest: &[u8],
    player: PlayerId,
    agent: &str,
) -> Result<bool, Error> {
    let is_new = sqlx::query_scalar!(
        r#"insert into devices (token_hash, player_id, agent) values ($1, $2, $3)
           on conflict (token_hash, player_id) do update set agent = $3, used_at = now()
           returning xmax = 0 as "is_new!""#,
        digest,
        player.0,
        agent
    )
    .fetch_one(db)
    .await?;
    Ok(is_new)
}

/// Deletes browsers that have not signed in for [`limits::DEVICE_LIFETIME`].
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from devices where used_at < now() - $1::interval",
        limits::DEVICE_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
