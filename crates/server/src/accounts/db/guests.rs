//! Guests: players without a password, deleted [`limits::GUEST_LIFETIME`] after their last visit.

use crate::db::rows::account;
use crate::db::{Db, Tx};
use crate::names::db::NameRow;
use crate::{Error, matches, pairing};
use tochki_protocol::{Account, PlayerId, limits};

/// Inserts a guest. If the name is taken, a unique constraint is violated: guests and accounts share one namespace.
pub async fn insert(tx: &mut Tx, name: &NameRow<'_>) -> Result<Account, Error> {
    let id = sqlx::query_scalar!(
        "insert into players (name, name_key, name_skeleton, guest) values ($1, $2, $3, true) returning id",
        name.text,
        name.key,
        name.skeleton
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(account(id, name.text.to_owned(), true, false))
}

/// Turns a guest into an account, which is the same row. `None` if there is no such guest.
///
/// Agreements of others with the guest are over: challenges are closed and requests for a rematch taken back. Nobody at
/// a table is ready any more, because readiness is for an agreement that names the players.
pub async fn convert(
    tx: &mut Tx,
    guest: PlayerId,
    name: &NameRow<'_>,
    hash: &str,
) -> Result<Option<Account>, Error> {
    let updated = sqlx::query!(
        "update players set name = $2, name_key = $3, name_skeleton = $4, name_mark = null, password_hash = $5, guest = false
         where id = $1 and guest and deleted_at is null",
        guest.0,
        name.text,
        name.key,
        name.skeleton,
        hash
    )
    .execute(&mut **tx)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(None);
    }
    pairing::db::leaving::close_changed(tx, guest).await?;
    matches::db::status::withdraw_rematches(tx, guest).await?;
    Ok(Some(account(guest.0, name.text.to_owned(), false, false)))
}

/// Deletes guests who are not playing and were last here [`limits::GUEST_LIFETIME`] ago. Their matches stay for their opponents,
/// without their names.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    let mut tx = crate::db::begin(db).await?;
    // A player who is starting a match is locked, and is skipped until the next time.
    let old = sqlx::query_scalar!(
        "select id from players
         where guest and deleted_at is null and visited_at < now() - $2::interval
             and not exists (select from playing where player_id = players.id) and correspondence_count(players.id) = 0
         order by id limit $1 for update skip locked",
        limits::GUEST_DELETION_BATCH_LEN,
        limits::GUEST_LIFETIME as _
    )
    .fetch_all(&mut *tx)
    .await?;
    delete_idle(&mut tx, &old).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes those of these locked guests who play nothing. Their matches stay for their opponents, without their names.
///
/// Its statements see the matches that started before the lock was taken.
pub(crate) async fn delete_idle(tx: &mut Tx, guests: &[i64]) -> Result<(), Error> {
    sqlx::query!(
        "delete from players p
         where p.id = any($1) and not exists (select from matches where seat1 = p.id)
             and not exists (select from matches where seat2 = p.id)",
        guests
    )
    .execute(&mut **tx)
    .await?;
    let with_matches = sqlx::query_scalar!(
        "select id from players p
         where p.id = any($1) and not exists (select from playing where player_id = p.id) and correspondence_count(p.id) = 0",
        guests
    )
    .fetch_all(&mut **tx)
    .await?;
    super::management::delete_players(tx, &with_matches).await?;
    Ok(())
}
