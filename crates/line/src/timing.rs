//! When a client is read more slowly, and when it counts as silent. Time is an argument.

use std::time::Duration;
use tochki_protocol::limits;
use tokio::time::Instant;

/// How fast a client is read: a burst of lines, and then one each period.
#[derive(Debug)]
pub(crate) struct Pace {
    /// When the lines that were read would have come at the slow pace.
    due: Instant,
}

impl Pace {
    pub(crate) fn new(now: Instant) -> Self {
        Self { due: now }
    }

    /// Counts a line, or as many bytes.
    pub(crate) fn count(&mut self, now: Instant) {
        self.due = self.due.max(now) + limits::LINES_PERIOD;
    }

    /// When the next line is read.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.due
            .checked_sub(limits::LINES_PERIOD * limits::LINES_BURST)
    }
}

/// The silence of a client.
#[derive(Debug)]
pub(crate) struct Silence {
    /// When it is asked for a sign of life, and how long it then has.
    times: [Duration; 2],
    /// When the last line came.
    heard_at: Instant,
    step: Step,
}

/// What has been done about the silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Listening,
    Asked,
    Silent,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Ask for a sign of life.
    Ping,
    /// The client is silent.
    Silent,
}

impl Silence {
    pub(crate) fn new(times: [Duration; 2], now: Instant) -> Self {
        Self {
            times,
            heard_at: now,
            step: Step::Listening,
        }
    }

    /// A line of any kind has come.
    pub(crate) fn heard(&mut self, now: Instant) {
        self.heard_at = now;
        self.step = Step::Listening;
    }

    /// Whether the client counts as silent.
    pub(crate) fn is_silent(&self) -> bool {
        self.step == Step::Silent
    }

    /// How long a client may be silent in all.
    pub(crate) fn limit(&self) -> Duration {
        self.times[0] + self.times[1]
    }

    /// When something is due; never again for a silent client.
    pub(crate) fn next(&self) -> Option<Instant> {
        match self.step {
            Step::Listening => Some(self.heard_at + self.times[0]),
            Step::Asked => Some(self.heard_at + self.limit()),
            Step::Silent => None,
        }
    }

    /// What is due now, once.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Due> {
        if self.next()? > now {
            return None;
        }
        let (step, due) = match self.step {
            Step::Listening => (Step::Asked, Due::Ping),
            Step::Asked | Step::Silent => (Step::Silent, Due::Silent),
        };
        self.step = step;
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [Duration; 2] = [limits::LINE_PING_AFTER, limits::LINE_PONG_TIMEOUT];

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_client_is_asked_after_5_seconds_and_silent_after_6_more() {
        let start = Instant::now();
        let mut silence = Silence::new(TIMES, start);
        assert_eq!(silence.due(start + s(4)), None);
        assert_eq!(silence.due(start + s(5)), Some(Due::Ping));
        assert_eq!(silence.due(start + s(5)), None, "once");
        assert_eq!(silence.due(start + s(10)), None);
        assert!(!silence.is_silent());
        assert_eq!(silence.next(), Some(start + s(11)));
        assert_eq!(silence.due(start + s(11)), Some(Due::Silent));
        assert_eq!((silence.due(start + s(60)), silence.next()), (None, None));
        assert!(silence.is_silent());
        silence.heard(start + s(61));
        assert!(!silence.is_silent());
        assert_eq!(silence.due(start + s(66)), Some(Due::Ping));
    }

    #[test]
    fn any_line_ends_the_silence() {
        let start = Instant::now();
        let mut silence = Silence::new(TIMES, start);
        assert_eq!(silence.due(start + s(5)), Some(Due::Ping));
        silence.heard(start + s(7));
        assert_eq!(silence.due(start + s(11)), None);
        assert_eq!(silence.next(), Some(start + s(12)));
    }

    #[test]
    fn after_a_burst_lines_are_read_one_each_period() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        let waits = |pace: &Pace, now: Instant| {
            pace.next()
                .map_or(Duration::ZERO, |at| at.saturating_duration_since(now))
        };
        for _ in 0..limits::LINES_BURST {
            assert_eq!(waits(&pace, start), Duration::ZERO);
            pace.count(start);
        }
        assert_eq!(waits(&pace, start), Duration::ZERO);
        pace.count(start);
        assert_eq!(waits(&pace, start), limits::LINES_PERIOD);
        let later = start + s(60);
        pace.count(later);
        assert_eq!(
            waits(&pace, later),
            Duration::ZERO,
            "a pause gives the burst back"
        );
    }
}
