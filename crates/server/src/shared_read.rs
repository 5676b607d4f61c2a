//! Coalesced reads of the database.

use crate::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use tochki_protocol::Code;
use tokio::sync::Mutex;

/// Coalesces concurrent reads: each caller gets a read that started after its request. All callers that come during one read
/// share the next.
#[derive(Default)]
pub(crate) struct SharedRead {
    /// Number of requests so far.
    requested: AtomicU64,
    /// Held while reading.
    last: Mutex<LastRead>,
}

/// The last completed read.
#[derive(Default)]
struct LastRead {
    /// The last request that it answers.
    covers: u64,
    /// The error, if it failed. All requests that it answers fail with it, instead of each repeating the read.
    failed: Option<Code>,
}

impl SharedRead {
    /// Returns when a read that began after the call is complete.
    pub(crate) async fn run(
        &self,
        read: impl AsyncFnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mine = self.requested.fetch_add(1, Ordering::SeqCst) + 1;
        let mut last = self.last.lock().await;
        if last.covers >= mine {
            return match last.failed {
                Some(code) => Err(code.into()),
                None => Ok(()),
            };
        }
        let covers = self.requested.load(Ordering::SeqCst);
        let done = read().await;
        *last = LastRead {
            covers,
            failed: done.as_ref().err().map(Error::code),
        };
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use std::cell::Cell;

    #[tokio::test]
    async fn who_asks_during_a_read_shares_the_next_one() {
        let (shared, reads) = (SharedRead::default(), Cell::new(0));
        let ask = || {
            shared.run(async || {
                reads.set(reads.get() + 1);
                tokio::task::yield_now().await;
                Ok(())
            })
        };
        let mut first = Box::pin(ask());
        assert!(futures::poll!(&mut first).is_pending());
        let (others, first) = tokio::join!(join_all((0..10).map(|_| ask())), first);
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
        assert_eq!(reads.get(), 2);
        ask().await.unwrap();
        assert_eq!(
            reads.get(),
            3,
            "a read that is complete answers nobody who asks later"
        );
    }

    #[tokio::test]
    async fn a_read_that_fails_fails_for_all_who_wait_for_it() {
        let (shared, reads) = (SharedRead::default(), Cell::new(0));
        let ask = || {
            shared.run(async || {
                reads.set(reads.get() + 1);
                tokio::task::yield_now().await;
                Err(sqlx::Error::PoolTimedOut.into())
            })
        };
        let asked = join_all((0..10).map(|_| ask())).await;
        for refused in asked {
            assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        }
        assert!(reads.get() <= 2, "{}", reads.get());
    }

    #[tokio::test]
    async fn a_read_that_is_cancelled_is_made_by_the_next_one() {
        let shared = SharedRead::default();
        let mut cancelled = Box::pin(shared.run(std::future::pending::<Result<(), Error>>));
        assert!(futures::poll!(&mut cancelled).is_pending());
        let mut next = Box::pin(shared.run(async || Ok(())));
        assert!(futures::poll!(&mut next).is_pending());
        drop(cancelled);
        next.await.unwrap();
    }
}
