//! Rate limit on the lines of a client, and detection of unresponsive clients. Time is an argument.

use std::time::Duration;
use tochki_protocol::limits;
use tokio::time::Instant;

/// Rate limit of the lines of a client: a burst, and then a line each period.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// The time at which the lines that were read would have come at the slow rate.
    due: Instant,
}

impl RateLimiter {
    pub(crate) fn new(now: Instant) -> Self {
        Self { due: now }
    }

    /// Counts a line.
    pub(crate) fn count(&mut self, now: Instant) {
        self.due = self.due.max(now) + limits::LINES_PERIOD;
    }

    /// Counts a part of a line.
    pub(crate) fn count_part(&mut self, now: Instant) {
        self.due = self.due.max(now) + limits::LINES_PERIOD / limits::LINE_PARTS_PER_LINE;
    }

    /// Returns the time at which the next line is read.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.due
            .checked_sub(limits::LINES_PERIOD * limits::LINES_BURST)
    }
}

/// The keep-alive of a client: an idle client is sent a ping, and is unresponsive if it does not answer.
#[derive(Debug)]
pub(crate) struct KeepAlive {
    ping_after: Duration,
    pong_timeout: Duration,
    /// The time of the last line.
    received_at: Instant,
    state: State,
}

/// The state since the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Pinged,
    Unresponsive,
}

/// The action that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Send a ping.
    Ping,
    /// The client has become unresponsive.
    Unresponsive,
}

impl KeepAlive {
    pub(crate) fn new(ping_after: Duration, pong_timeout: Duration, now: Instant) -> Self {
        Self {
            ping_after,
            pong_timeout,
            received_at: now,
            state: State::Waiting,
        }
    }

    /// Notes that a line of any kind has come.
    pub(crate) fn received(&mut self, now: Instant) {
        self.received_at = now;
        self.state = State::Waiting;
    }

    /// Notes that nothing is read before this time. The silence until then is the server's, and not the client's.
    pub(crate) fn paused_until(&mut self, time: Instant) {
        self.received_at = self.received_at.max(time);
    }

    pub(crate) fn is_unresponsive(&self) -> bool {
        self.state == State::Unresponsive
    }

    /// Returns the time after its last line from which a client is unresponsive.
    pub(crate) fn idle_timeout(&self) -> Duration {
        self.ping_after + self.pong_timeout
    }

    /// Returns the time of the next action; `None` for an unresponsive client.
    pub(crate) fn next(&self) -> Option<Instant> {
        match self.state {
            State::Waiting => Some(self.received_at + self.ping_after),
            State::Pinged => Some(self.received_at + self.idle_timeout()),
            State::Unresponsive => None,
        }
    }

    /// Returns the action that is due now, once.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Due> {
        if self.next()? > now {
            return None;
        }
        let (state, due) = match self.state {
            State::Waiting => (State::Pinged, Due::Ping),
            State::Pinged | State::Unresponsive => (State::Unresponsive, Due::Unresponsive),
        };
        self.state = state;
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn keep_alive(now: Instant) -> KeepAlive {
        KeepAlive::new(limits::LINE_PING_AFTER, limits::LINE_PONG_TIMEOUT, now)
    }

    #[test]
    fn a_client_is_pinged_after_5_seconds_and_unresponsive_after_6_more() {
        let start = Instant::now();
        let mut client = keep_alive(start);
        assert_eq!(client.due(start + s(4)), None);
        assert_eq!(client.due(start + s(5)), Some(Due::Ping));
        assert_eq!(client.due(start + s(5)), None, "once");
        assert_eq!(client.due(start + s(10)), None);
        assert!(!client.is_unresponsive());
        assert_eq!(client.next(), Some(start + s(11)));
        assert_eq!(client.due(start + s(11)), Some(Due::Unresponsive));
        assert_eq!((client.due(start + s(60)), client.next()), (None, None));
        assert!(client.is_unresponsive());
        client.received(start + s(61));
        assert!(!client.is_unresponsive());
        assert_eq!(client.due(start + s(66)), Some(Due::Ping));
    }

    #[test]
    fn any_line_restarts_the_keep_alive() {
        let start = Instant::now();
        let mut client = keep_alive(start);
        assert_eq!(client.due(start + s(5)), Some(Due::Ping));
        client.received(start + s(7));
        assert_eq!(client.due(start + s(11)), None);
        assert_eq!(client.next(), Some(start + s(12)));
    }

    #[test]
    fn the_pace_of_the_server_is_no_silence_of_the_client() {
        let start = Instant::now();
        let (mut client, mut rate_limiter) = (keep_alive(start), RateLimiter::new(start));
        // A burst of many lines, which is read for 20 s, and then an answer to none of the pings meanwhile.
        let lines = limits::LINES_BURST + 400;
        let mut now = start;
        for _ in 0..lines {
            rate_limiter.count(now);
            client.received(now);
            let next = rate_limiter.next().expect("a time").max(now);
            client.paused_until(next);
            assert!(client.next().is_some_and(|due| due > next), "at {now:?}");
            now = next;
        }
        assert_eq!(now - start, limits::LINES_PERIOD * 400);
    }

    #[test]
    fn the_rest_of_a_line_that_is_too_long_is_read_at_once_and_an_endless_one_is_not() {
        let start = Instant::now();
        let reads = |bytes: usize| {
            let mut rate_limiter = RateLimiter::new(start);
            for _ in 0..bytes / limits::LINE_MAX_BYTES {
                rate_limiter.count_part(start);
            }
            rate_limiter
                .next()
                .map_or(Duration::ZERO, |at| at.saturating_duration_since(start))
        };
        assert_eq!(reads(70_000), Duration::ZERO);
        assert!(reads(limits::LINE_DROPPED_MAX_BYTES) > s(10));
    }

    #[test]
    fn after_a_burst_lines_are_read_one_each_period() {
        let start = Instant::now();
        let mut rate_limiter = RateLimiter::new(start);
        let waits = |rate_limiter: &RateLimiter, now: Instant| {
            rate_limiter
                .next()
                .map_or(Duration::ZERO, |at| at.saturating_duration_since(now))
        };
        for _ in 0..limits::LINES_BURST {
            assert_eq!(waits(&rate_limiter, start), Duration::ZERO);
            rate_limiter.count(start);
        }
        assert_eq!(waits(&rate_limiter, start), Duration::ZERO);
        rate_limiter.count(start);
        assert_eq!(waits(&rate_limiter, start), limits::LINES_PERIOD);
        let later = start + s(60);
        rate_limiter.count(later);
        assert_eq!(
            waits(&rate_limiter, later),
            Duration::ZERO,
            "a pause gives the burst back"
        );
    }
}
