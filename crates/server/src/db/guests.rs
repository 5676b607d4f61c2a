//! Guests: players without a password, for thirty days.

use super::Db;
use crate::Error;
use tochki_protocol::PlayerId;
use tochki_protocol::limits;

/// Adds a guest. A taken name is refused by the constraint: guests and accounts have one name space.
pub async fn insert(db: &Db, name: &str, key: &str) -> Result<PlayerId, Error> {
    let id = sqlx::query_scalar!(
        "insert into players (name, name_key, guest) values ($1, $2, true) returning id",
        name,
        key
    )
    .fetch_one(db)
    .await?;
    Ok(PlayerId(id))
}

/// Turns a guest into an account, which is the same row. Says whether there was such a guest.
pub async fn convert(
    db: &Db,
    guest: PlayerId,
    name: &str,
    key: &str,
    hash: &str,
) -> Result<bool, Error> {
    let kept = sqlx::query!(
        "update players set name = $2, name_key = $3, password_hash = $4, guest = false
         where id = $1 and guest and deleted_at is null",
        guest.0,
        name,
        key,
        hash
    )
    .execute(db)
    .await?;
    Ok(kept.rows_affected() > 0)
}

/// How many guests are removed at once.
const BATCH: i64 = 500;

/// Removes guests who were made thirty days ago and play no match just now. What they have played stays, for the others
/// who have played it, under no name.
pub async fn remove_old(db: &Db) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    // Whoever is about to begin a match holds this lock, and is left alone until the next time.
    let old = sqlx::query_scalar!(
        "select id from players
         where guest and deleted_at is null and created_at < now() - $2::interval
             and not exists (select from playing where player_id = players.id)
         order by id limit $1 for update skip locked",
        BATCH,
        limits::GUEST_LIFETIME as _
    )
    .fetch_all(&mut *tx)
    .await?;
    // A statement of its own, which sees the matches that have begun up to the lock.
    sqlx::query!(
        "delete from players p
         where p.id = any($1) and not exists (select from matches where seat1 = p.id)
             and not exists (select from matches where seat2 = p.id)",
        &old
    )
    .execute(&mut *tx)
    .await?;
    let nameless = sqlx::query_scalar!(
        "select id from players p
         where p.id = any($1) and not exists (select from playing where player_id = p.id)",
        &old
    )
    .fetch_all(&mut *tx)
    .await?;
    super::account_management::delete(&mut tx, &nameless).await?;
    tx.commit().await?;
    Ok(())
}
