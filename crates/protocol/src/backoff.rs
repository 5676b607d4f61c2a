//! Exponential backoff, shared by pages and programs. It is a line of a page's code; the server has that of `backon`.

use std::time::Duration;

/// Returns the delay after a failed attempt, if so many in a row had failed before it: `min` after the first, and twice as long
/// each time, up to `max`.
pub fn backoff(failures: u32, min: Duration, max: Duration) -> Duration {
    min.saturating_mul(2_u32.saturating_pow(failures)).min(max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_as_long_up_to_the_limit() {
        let (min, max) = (Duration::from_millis(100), Duration::from_millis(350));
        let waits = [0, 1, 2, 3, 32, u32::MAX].map(|failures| backoff(failures, min, max));
        assert_eq!(
            waits.map(|wait| wait.as_millis()),
            [100, 200, 350, 350, 350, 350]
        );
    }
}
