//! Exponential backoff between attempts, cancelled by the shutdown.

use std::time::Duration;
use tochki_protocol::{backoff, limits};
use tokio_util::sync::CancellationToken;

/// Exponential backoff.
#[derive(Debug)]
pub(crate) struct Backoff {
    /// Failed attempts since the last success.
    failures: u32,
    max: Duration,
}

impl Backoff {
    /// Waits at most `max`, and a tenth of a second at first.
    pub(crate) const fn new(max: Duration) -> Self {
        Self { failures: 0, max }
    }

    /// Begins with the shortest wait again.
    pub(crate) const fn reset(&mut self) {
        self.failures = 0;
    }

    /// Waits. False at the shutdown.
    pub(crate) async fn wait(&mut self, shutdown: &CancellationToken) -> bool {
        let delay = self.next_delay();
        tokio::select! {
            () = shutdown.cancelled() => false,
            () = tokio::time::sleep(delay) => true,
        }
    }

    fn next_delay(&mut self) -> Duration {
        let delay = backoff(self.failures, limits::SERVER_MIN_BACKOFF, self.max);
        self.failures += 1;
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_as_long_up_to_the_limit() {
        let mut backoff = Backoff::new(Duration::from_millis(350));
        let delays = [(); 4].map(|()| backoff.next_delay().as_millis());
        assert_eq!(delays, [100, 200, 350, 350]);
        backoff.reset();
        assert_eq!(backoff.next_delay().as_millis(), 100);
    }

    #[tokio::test]
    async fn the_shutdown_ends_a_wait() {
        let shutdown = CancellationToken::new();
        let mut backoff = Backoff::new(Duration::from_hours(1));
        // An hour.
        backoff.failures = 20;
        let wait = backoff.wait(&shutdown);
        shutdown.cancel();
        assert!(!wait.await);
    }
}
