//! Supervision of background tasks. A task that panics is restarted, counted, and named by `/healthz` until it runs.

use crate::backoff::Backoff;
use crate::metrics;
use futures::FutureExt as _;
use std::collections::BTreeMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::limits;
use tokio_util::sync::CancellationToken;

/// The background tasks.
#[derive(Clone, Default)]
pub struct Tasks {
    /// By their names. Held for a lookup, never across an await.
    all: Arc<Mutex<BTreeMap<Arc<str>, TaskState>>>,
    shutdown: CancellationToken,
}

/// State of a task, for `/healthz`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskState {
    /// Whether it runs. Between a panic and the new start it does not.
    pub running: bool,
    /// Number of restarts.
    pub restarts: u64,
}

impl Tasks {
    /// No tasks yet; those to come end with `shutdown`.
    pub fn new(shutdown: CancellationToken) -> Self {
        Self {
            all: Arc::default(),
            shutdown,
        }
    }

    /// The token that ends the tasks.
    pub fn shutdown(&self) -> CancellationToken {
        self.shutdown.clone()
    }

    /// Runs a task until the shutdown. Whenever it ends before, it begins again.
    pub fn spawn<F>(&self, name: impl Into<Arc<str>>, begin: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (tasks, name) = (self.clone(), name.into());
        metrics::task_started(&name);
        tasks.update(&name, |state| state.running = true);
        tokio::spawn(async move {
            let mut backoff = Backoff::new(limits::TASK_MAX_BACKOFF);
            loop {
                let begun = Instant::now();
                // What it was changing is behind locks that remember a panic, or in the database.
                let run = AssertUnwindSafe(async { begin().await }).catch_unwind();
                let panicked = run.await.is_err();
                if tasks.shutdown.is_cancelled() {
                    return;
                }
                tasks.update(&name, |state| {
                    state.running = false;
                    state.restarts += 1;
                });
                metrics::task_restarted(&name);
                tracing::error!(task = %name, panicked, "a background task has ended; it is started again");
                if begun.elapsed() > limits::TASK_BACKOFF_RESET_TIME {
                    backoff.reset();
                }
                if !backoff.wait(&tasks.shutdown).await {
                    return;
                }
                tasks.update(&name, |state| state.running = true);
            }
        });
    }

    /// All tasks by their names.
    pub fn states(&self) -> Vec<(Arc<str>, TaskState)> {
        let all = self.all.lock().expect("no panic while the lock is held");
        all.iter()
            .map(|(name, state)| (name.clone(), *state))
            .collect()
    }

    fn update(&self, name: &Arc<str>, change: impl FnOnce(&mut TaskState)) {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        change(all.entry(name.clone()).or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[tokio::test]
    async fn a_task_that_panics_begins_again() {
        let shutdown = CancellationToken::new();
        let tasks = Tasks::new(shutdown.clone());
        let begun = Arc::new(AtomicU64::new(0));
        let (counter, ended) = (begun.clone(), shutdown.clone());
        tasks.spawn("test", move || {
            let (counter, ended) = (counter.clone(), ended.clone());
            async move {
                assert!(
                    counter.fetch_add(1, Ordering::SeqCst) >= 3,
                    "as a test wants it"
                );
                ended.cancelled().await;
            }
        });
        while begun.load(Ordering::SeqCst) < 4 {
            tokio::task::yield_now().await;
        }
        let [(name, state)] = &tasks.states()[..] else {
            panic!("one task")
        };
        assert_eq!((&**name, state.restarts), ("test", 3));
        assert!(state.running);
        shutdown.cancel();
    }
}
