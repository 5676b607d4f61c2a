//! The leases of the instances that drive tournaments.

use super::StoredTournament;
use crate::Error;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_protocol::TournamentId;

/// Takes the tournaments that are to be driven and that no other instance holds, and renews the leases of this one. Returns all of
/// them.
pub async fn take(db: &Db, holder: &str, lasting: Duration) -> Result<Vec<TournamentId>, Error> {
    let ids = sqlx::query_scalar!(
        "update tournaments set holder = $1, held_until = now() + $2::interval
         where id in (
             select id from tournaments
             where state in ('open', 'running') and starts_at <= now() and format = 'arena'
                 and (holder is null or holder = $1 or held_until < now())
             order by id for no key update skip locked)
         returning id",
        holder,
        lasting as _
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(TournamentId).collect())
}

/// Locks a tournament that this instance holds, and that is to be driven.
pub async fn lock(
    tx: &mut Tx,
    id: TournamentId,
    holder: &str,
) -> Result<Option<StoredTournament>, Error> {
    let held = sqlx::query!(
        "select id from tournaments where id = $1 and holder = $2 and state in ('open', 'running') for no key update",
        id.0,
        holder
    )
    .fetch_optional(&mut **tx)
    .await?;
    match held {
        Some(_) => super::lock(tx, id).await,
        None => Ok(None),
    }
}

/// Ends all leases of this instance.
pub async fn release(db: &Db, holder: &str) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set holder = null, held_until = null where holder = $1",
        holder
    )
    .execute(db)
    .await?;
    Ok(())
}
