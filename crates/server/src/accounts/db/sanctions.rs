//! The addresses of players, and the sanctions that apply to new names from them.

use crate::Error;
use crate::db::{Db, Tx};
use sqlx::PgExecutor;
use std::time::Duration;
use tochki_protocol::PlayerId;
use tochki_protocol::limits;

/// A player was seen at an address.
pub async fn note(db: impl PgExecutor<'_>, player: PlayerId, address: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into addresses (player_id, address) values ($1, $2)
         on conflict (player_id, address) do update set seen_at = now()",
        player.0,
        address
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether a player of this address has an account that an operator closed of late.
pub async fn is_closed(db: &Db, address: &str, lasting: Duration) -> Result<bool, Error> {
    let closed = sqlx::query_scalar!(
        r#"select exists (
               select from addresses a join players p on p.id = a.player_id
               where a.address = $1 and p.closed_at is not null and p.sanction_of is null
                   and greatest(a.seen_at, p.sanctioned_at) > now() - $2::interval) as "closed!""#,
        address,
        lasting as _
    )
    .fetch_one(db)
    .await?;
    Ok(closed)
}

/// Mutes a new name as long as the one of this address that is muted longest.
pub async fn carry_over(
    tx: &mut Tx,
    player: PlayerId,
    address: &str,
    lasting: Duration,
) -> Result<(), Error> {
    sqlx::query!(
        "update players set muted_until = from_there.muted_until, sanctioned_at = now(), sanction_of = from_there.id
         from (select p.id, p.muted_until from addresses a join players p on p.id = a.player_id
               where a.address = $2 and p.id <> $1 and p.muted_until > now() and p.sanction_of is null
                   and greatest(a.seen_at, p.sanctioned_at) > now() - $3::interval
               order by p.muted_until desc, p.id limit 1) from_there
         where players.id = $1",
        player.0,
        address,
        lasting as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes addresses at which players were not seen for [`limits::ADDRESS_LIFETIME`].
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from addresses where seen_at < now() - $1::interval",
        limits::ADDRESS_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
