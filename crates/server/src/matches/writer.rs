//! Group commit for matches: a task that batches the appends that have come during the last commit, and writes them with one
//! statement and one commit.
//!
//! Each append is still conditional on the version of its match. A match that another instance has changed, or whose row is
//! locked, is left out, and its command is told so.
//!
//! A database that is too slow must not get more to do because of that. So a batch that fails is tried once more as a whole,
//! after a moment and on a new connection, and then all of its commands fail together, with those that wait behind them. If
//! the commit was done and its answer was lost, the second attempt finds other versions, and nothing is written twice. Only a
//! failure of one row ([`Error::is_of_one_row`]) splits the batch into halves, until the match at fault is alone.

use crate::backoff::Backoff;
use crate::db::Db;
use crate::matches::db::appends::{Append, AppendConnection, BatchAppend};
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _, metrics};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tochki_protocol::{Code, MatchId, limits};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Handle to the task.
pub(super) struct Writer(mpsc::UnboundedSender<Job>);

struct Job {
    append: Append,
    done: oneshot::Sender<Result<BatchAppend, Error>>,
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

    /// Appends, and returns after the commit. `None` if the task has ended: then the caller has to append.
    ///
    /// # Errors
    /// `unavailable` when the database fails; whether the events are committed is then unknown.
    pub(super) async fn append(&self, append: Append) -> Option<Result<BatchAppend, Error>> {
        let (done, written) = oneshot::channel();
        self.0.send(Job { append, done }).ok()?;
        written.await.ok()
    }
}

impl Job {
    fn answer(self, result: Result<BatchAppend, Error>) {
        // The command may have panicked meanwhile.
        let _ = self.done.send(result);
    }
}

async fn run(
    db: Db,
    inbox: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Job>>>,
    shutdown: CancellationToken,
) {
    // Free, because one task runs at a time.
    let mut inbox = inbox.lock().await;
    let mut batches = BatchWriter {
        db,
        connection: None,
        shutdown: shutdown.clone(),
    };
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
        if let Err(code) = batches.write(std::mem::take(&mut jobs)).await {
            // They have waited as long, for the same database.
            while let Ok(job) = inbox.try_recv() {
                job.answer(Err(code.into()));
            }
        }
    }
}

/// Writes batches, one after the other.
struct BatchWriter {
    db: Db,
    connection: Option<AppendConnection>,
    shutdown: CancellationToken,
}

impl BatchWriter {
    /// Writes a batch, and answers all of its jobs. The error is that of the database, if no job can be done at the moment.
    async fn write(&mut self, batch: Vec<Job>) -> Result<(), Code> {
        let begun = Instant::now();
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            match self.append_or_retry(&part).await {
                Ok(results) => {
                    for job in part {
                        let result = results.get(&job.append.id);
                        job.answer(Ok(result.copied().unwrap_or(BatchAppend::Conflict)));
                    }
                }
                Err(error) if error.is_of_one_row() => {
                    if part.len() == 1 || begun.elapsed() > limits::BATCH_SPLIT_TIME {
                        fail(part, error, Code::Unavailable);
                    } else {
                        parts.push(part.split_off(part.len() / 2));
                        parts.push(part);
                    }
                }
                Err(error) => {
                    let code = error.code();
                    parts.push(part);
                    fail(parts.into_iter().flatten(), error, code);
                    return Err(code);
                }
            }
        }
        Ok(())
    }

    /// Appends to all of these matches, at the second attempt if the first fails because of the database.
    async fn append_or_retry(
        &mut self,
        jobs: &[Job],
    ) -> Result<HashMap<MatchId, BatchAppend>, Error> {
        self.connect().await?;
        let failed = match self.append(jobs).await {
            Err(error) if !error.is_of_one_row() => error,
            done => return done,
        };
        let mut backoff = Backoff::new(limits::WRITER_MAX_BACKOFF);
        if !backoff.wait(&self.shutdown).await {
            return Err(failed);
        }
        Err::<(), _>(failed).log_failure("appending to matches, which is tried again");
        self.connect().await?;
        self.append(jobs).await
    }

    /// Connects, unless there is a connection. Tries for as long as a request waits for a connection of the pool.
    async fn connect(&mut self) -> Result<(), Error> {
        let begun = Instant::now();
        let mut backoff = Backoff::new(limits::WRITER_MAX_BACKOFF);
        while self.connection.is_none() {
            match AppendConnection::open(&self.db).await {
                Ok(open) => self.connection = Some(open),
                Err(error) => {
                    let is_over = begun.elapsed() > limits::DB_CONNECT_TIMEOUT;
                    if is_over || !backoff.wait(&self.shutdown).await {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends to all of these matches. After a failure of the database the connection is not used again.
    async fn append(&mut self, jobs: &[Job]) -> Result<HashMap<MatchId, BatchAppend>, Error> {
        let Some(mut connection) = self.connection.take() else {
            return Err(Code::Unavailable.into());
        };
        let appends: Vec<&Append> = jobs.iter().map(|job| &job.append).collect();
        // The database gives up before, unless it is no longer reached.
        let appending = timeout(limits::STATEMENT_TIMEOUT, connection.append(&appends));
        let appended = appending.await.map_err(|_| crate::db::unanswered())?;
        if appended.as_ref().err().is_none_or(Error::is_of_one_row) {
            self.connection = Some(connection);
        }
        let appended = appended?;
        metrics::batch_appended();
        Ok(appended)
    }
}

/// Answers all of these jobs with a failure. The first one reports the error, which is logged once.
fn fail(jobs: impl IntoIterator<Item = Job>, error: Error, code: Code) {
    let mut jobs = jobs.into_iter();
    if let Some(first) = jobs.next() {
        first.answer(Err(error));
    }
    for job in jobs {
        job.answer(Err(code.into()));
    }
}
