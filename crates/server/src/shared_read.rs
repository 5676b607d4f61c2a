//! Coalesced reads of the database.

use crate::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
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

/// A value of the database that may be a little old: it is read once for all who ask for it within some time, however many
/// they are.
pub(crate) struct CachedRead<T> {
    max_age: Duration,
    reading: SharedRead,
    /// The last value and when it was read. Held for a lookup, never across an await.
    last: std::sync::Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> CachedRead<T> {
    /// Nothing is read yet.
    pub(crate) fn new(max_age: Duration) -> Self {
        Self {
            max_age,
            reading: SharedRead::default(),
            last: std::sync::Mutex::default(),
        }
    }

    /// The value, which `read` reads unless it is known.
    pub(crate) async fn get(
        &self,
        read: impl AsyncFnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(value) = self.fresh() {
            return Ok(value);
        }
        let mut own = None;
        let reading = self.reading.run(async || {
            // Somebody has read it while this one waited.
            if self.fresh().is_none() {
                let value = read().await?;
                own = Some(value.clone());
                *self.last() = Some((Instant::now(), value));
            }
            Ok(())
        });
        reading.await?;
        let last = || self.last().as_ref().map(|(_, value)| value.clone());
        own.or_else(last)
            .ok_or_else(|| Error::invariant("a read has left no value"))
    }

    fn fresh(&self) -> Option<T> {
        let last = self.last();
        let (at, value) = last.as_ref()?;
        (at.elapsed() < self.max_age).then(|| value.clone())
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<(Instant, T)>> {
        self.last.lock().expect("no panic while the lock is held")
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
    async fn a_cached_value_is_read_once_for_all_until_it_is_old() {
        // Whoever asks while an old value is read shares the next read.
        for (max_age, then) in [(Duration::from_hours(1), 1..=1), (Duration::ZERO, 2..=3)] {
            let (cached, reads) = (CachedRead::new(max_age), Cell::new(0));
            let ask = || {
                cached.get(async || {
                    reads.set(reads.get() + 1);
                    tokio::task::yield_now().await;
                    Ok(reads.get())
                })
            };
            assert_eq!(ask().await.unwrap(), 1);
            for read in join_all((0..50).map(|_| ask())).await {
                assert!(then.contains(&read.unwrap()));
            }
            assert_eq!(reads.get(), *then.end());
        }
    }

    #[tokio::test]
    async fn a_failed_read_is_not_cached_and_not_repeated_by_each() {
        let (cached, reads) = (CachedRead::new(Duration::from_secs(2)), Cell::new(0));
        let ask = || {
            cached.get(async || {
                reads.set(reads.get() + 1);
                tokio::task::yield_now().await;
                Err::<(), _>(sqlx::Error::PoolTimedOut.into())
            })
        };
        for refused in join_all((0..50).map(|_| ask())).await {
            assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        }
        assert!(reads.get() <= 2, "{}", reads.get());
        cached.get(async || Ok(())).await.unwrap();
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
