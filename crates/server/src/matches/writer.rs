//! Group commit for matches: a task that batches the appends that have come during the last commit, and writes them with one
//! statement and one commit.
//!
//! Each append is still conditional on the version of its match. A match that another instance has changed, or whose row is
//! locked, is left out, and so are all if the statement fails: then each command continues in a transaction of its own
//! ([`crate::db::matches::append`]), where it waits, conflicts or fails alone. That also holds if the commit was done and its
//! answer was lost: the transaction finds another version.

use crate::LogFailure as _;
use crate::db::Db;
use crate::db::appends::{Append, AppendConnection};
use crate::metrics;
use crate::supervision::Tasks;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;
use tochki_protocol::{MatchId, limits};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Handle to the task.
pub(super) struct Writer(mpsc::UnboundedSender<Job>);

struct Job {
    append: Append,
    done: oneshot::Sender<()>,
}

impl Writer {
    /// Starts the task.
    pub(super) fn start(db: &Db, tasks: &Tasks) -> Self {
        // One job a match at most, because its commands come one after the other.
        let (jobs, inbox) = mpsc::unbounded_channel();
        let inbox = Arc::new(tokio::sync::Mutex::new(inbox));
        tasks.spawn("match writer", {
            let (db, shutdown) = (db.clone(), tasks.shutdown());
            move || run(db.clone(), inbox.clone(), shutdown.clone())
        });
        Self(jobs)
    }

    /// Appends, and returns after the commit. False if nothing is known to be written: then the caller has to do it.
    pub(super) async fn append(&self, append: Append) -> bool {
        let (done, written) = oneshot::channel();
        self.0.send(Job { append, done }).is_ok() && written.await.is_ok()
    }
}

async fn run(
    db: Db,
    inbox: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Job>>>,
    shutdown: CancellationToken,
) {
    // Free, because one task runs at a time.
    let mut inbox = inbox.lock().await;
    let mut connection = None;
    let mut failed_at: Option<Instant> = None;
    let mut jobs = Vec::new();
    loop {
        tokio::select! {
            () = shutdown.cancelled() => {
                // The commands that still come write for themselves.
                inbox.close();
                while inbox.recv().await.is_some() {}
                return;
            }
            _ = inbox.recv_many(&mut jobs, limits::MATCH_WRITER_BATCH_LEN) => {}
        }
        let may_connect =
            failed_at.is_none_or(|at| at.elapsed() > limits::MATCH_WRITER_RETRY_DELAY);
        if connection.is_none() && may_connect {
            let opened = AppendConnection::open(&db).await;
            connection = opened.log_failure("connecting the writer of matches");
            failed_at = connection.is_none().then(Instant::now);
        }
        let appended = match &mut connection {
            Some(open) => append(open, &jobs).await,
            None => Some(HashSet::new()),
        };
        if appended.is_none() {
            connection = None;
        }
        let appended = appended.unwrap_or_default();
        for Job { append, done } in jobs.drain(..) {
            if appended.contains(&append.id) {
                // The command may have panicked meanwhile.
                let _ = done.send(());
            }
        }
    }
}

/// Appends all of it. `None` if that has failed; then the connection is not used again.
async fn append(connection: &mut AppendConnection, jobs: &[Job]) -> Option<HashSet<MatchId>> {
    let appends: Vec<&Append> = jobs.iter().map(|job| &job.append).collect();
    let appending = connection.append(&appends);
    // The database gives up before, unless it is no longer reached.
    let appending = tokio::time::timeout(limits::STATEMENT_TIMEOUT, appending);
    let Ok(appended) = appending.await else {
        tracing::error!(matches = jobs.len(), "appending to matches took too long");
        return None;
    };
    let appended = appended.log_failure("appending to matches")?;
    metrics::batch_appended();
    Some(appended)
}
