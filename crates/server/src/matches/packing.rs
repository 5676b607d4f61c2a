//! Packing of finished matches: in the background where the settings say so, by one instance at a time, and by the operator's command,
//! which unpacks them, too.

use super::db::packing::{self, Batch, Place};
use crate::db::Db;
use crate::secrets::random_u64;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use tochki_protocol::{MatchId, limits};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// Starts the task that packs.
pub(crate) fn start(db: &Db, tasks: &Tasks) {
    // One name for the whole process, so that a task that is started again need not wait for its own lease.
    let packer = Packer {
        db: db.clone(),
        holder: format!("{:016x}", random_u64()),
    };
    let shutdown = tasks.shutdown();
    tasks.spawn("packing", move || packer.clone().run(shutdown.clone()));
}

#[derive(Clone)]
struct Packer {
    db: Db,
    holder: String,
}

impl Packer {
    async fn run(self, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::PACKING_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = interval.tick() => {
                    // What fails is tried again in the next round: no transaction leaves anything half done.
                    self.pack_due(&shutdown).await.log_failure("packing games");
                }
            }
        }
        let released = packing::release_lease(&self.db, &self.holder).await;
        released.log_failure("releasing the lease of packing");
    }

    /// Packs all matches that ended long enough ago, unless another instance does.
    async fn pack_due(&self, shutdown: &CancellationToken) -> Result<(), Error> {
        loop {
            let next = packing::pack_next(&self.db, &self.holder, limits::PACKING_LEASE).await?;
            let Some(batch) = next else { return Ok(()) };
            for (id, why) in &batch.left {
                tracing::warn!(%id, %why, "a match is not packed");
            }
            if !batch.has_more {
                return Ok(());
            }
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = tokio::time::sleep(limits::PACKING_PAUSE) => {}
            }
        }
    }
}

/// Packs all matches that ended [`limits::PACKING_DELAY`] ago, also those that were passed over before. `report` is told each match that
/// stays as it is, with the reason. Returns how many are packed now that were not before.
pub async fn pack_all(db: &Db, mut report: impl FnMut(MatchId, &str)) -> Result<usize, Error> {
    let (mut count, mut place) = (0, Place::start());
    loop {
        let (batch, reached) = packing::pack_behind(db, place).await?;
        count += counted(&batch, &mut report);
        if !batch.has_more {
            return Ok(count);
        }
        place = reached;
    }
}

/// Unpacks all matches, for the release before. `report` is told each match whose pack is damaged, with the reason; it stays as it is.
/// Returns how many are unpacked.
pub async fn unpack_all(db: &Db, mut report: impl FnMut(MatchId, &str)) -> Result<usize, Error> {
    packing::start_over(db).await?;
    let (mut count, mut last) = (0, MatchId(i64::MIN));
    loop {
        let (batch, reached) = packing::unpack_after(db, last).await?;
        count += counted(&batch, &mut report);
        if !batch.has_more {
            return Ok(count);
        }
        last = reached;
    }
}

fn counted(batch: &Batch, report: &mut impl FnMut(MatchId, &str)) -> usize {
    for (id, why) in &batch.left {
        report(*id, why);
    }
    batch.done.len()
}
