//! The leases of the instances that drive tournaments.

use super::stored_tournament::StoredTournament;
use crate::Error;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_protocol::TournamentId;

/// Takes the tournaments that are to be driven and that no other instance holds, and renews the leases of this one. Returns all that
/// it holds: also those whose rows somebody has locked at this moment.
pub async fn take(db: &Db, holder: &str, lasting: Duration) -> Result<Vec<TournamentId>, Error> {
    sqlx::query!(
        "update tournaments set holder = $1, held_until = now() + $2::interval
         where id in (
             select id from tournaments
             where state in ('open', 'running') and starts_at <= now() and format in ('arena', 'swiss', 'round_robin', 'knockout')
                 and (holder is null or holder = $1 or held_until < now())
             order by id for no key update skip locked)",
        holder,
        lasting as _
    )
    .execute(db)
    .await?;
    let ids = sqlx::query_scalar!(
        "select id from tournaments
         where state in ('open', 'running') and starts_at <= now() and format in ('arena', 'swiss', 'round_robin', 'knockout') and holder = $1 order by starts_at, id",
        holder
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(TournamentId).collect())
}

/// Locks a tournament that this instance holds, and that is to be driven. Its lease begins again.
pub async fn lock(
    tx: &mut Tx,
    id: TournamentId,
    holder: &str,
    lasting: Duration,
) -> Result<Option<StoredTournament>, Error> {
    let held = sqlx::query!(
        "update tournaments set held_until = now() + $3::interval where id = $1 and holder = $2 and state in ('open', 'running')",
        id.0,
        holder,
        lasting as _
    )
    .execute(&mut **tx)
    .await?;
    match held.rows_affected() {
        0 => Ok(None),
        _ => super::lock(tx, id).await,
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
