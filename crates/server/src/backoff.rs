//! Exponential backoff between attempts, with the delays of `backon`, cancelled by the shutdown.
//!
//! Its `Retryable` calls one function again, and knows neither the shutdown nor what has happened since the last failure: most
//! loops here wait for either.

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use std::time::Duration;
use tochki_protocol::limits;
use tokio_util::sync::CancellationToken;

/// Exponential backoff.
#[derive(Debug)]
pub(crate) struct Backoff {
    builder: ExponentialBuilder,
    /// The delays that are left since the last success. They have no end.
    delays: ExponentialBackoff,
}

impl Backoff {
    /// Waits at most `max`, and a tenth of a second at first.
    pub(crate) fn new(max: Duration) -> Self {
        let builder = ExponentialBuilder::new()
            .with_min_delay(limits::SERVER_MIN_BACKOFF)
            .with_max_delay(max)
            .without_max_times();
        Self {
            delays: builder.build(),
            builder,
        }
    }

    /// Begins with the shortest wait again.
    pub(crate) fn reset(&mut self) {
        self.delays = self.builder.build();
    }

    /// Waits. False at the shutdown.
    pub(crate) async fn wait(&mut self, shutdown: &CancellationToken) -> bool {
        let delay = self.delays.next().unwrap_or_default();
        tokio::select! {
            () = shutdown.cancelled() => false,
            () = tokio::time::sleep(delay) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_as_long_up_to_the_limit() {
        let mut backoff = Backoff::new(Duration::from_millis(350));
        let mut next = || backoff.delays.next().map(|delay| delay.as_millis());
        assert_eq!([(); 4].map(|()| next()), [100, 200, 350, 350].map(Some));
        backoff.reset();
        assert_eq!(
            backoff.delays.next(),
            Some(limits::SERVER_MIN_BACKOFF),
            "the shortest again"
        );
    }

    #[tokio::test]
    async fn the_shutdown_ends_a_wait() {
        let shutdown = CancellationToken::new();
        let mut backoff = Backoff::new(Duration::from_hours(1));
        let long = backoff.delays.find(|delay| *delay > Duration::from_mins(1));
        assert!(long.is_some());
        let wait = backoff.wait(&shutdown);
        shutdown.cancel();
        assert!(!wait.await);
    }
}
