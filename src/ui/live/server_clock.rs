//! The server's clock, estimated in the browser, whose own clock may be wrong.

use crate::ui::live::countdown::browser_now_ms;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::limits;

/// When the server began to render the page. The server provides it as a context.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderedAt(pub Timestamp);

/// [`limits::STREAM_MAX_EVENT_DELAY`] in milliseconds.
const MAX_EVENT_DELAY_MS: f64 = limits::STREAM_MAX_EVENT_DELAY.as_millis() as f64;

/// Times of both clocks are rounded down to whole milliseconds.
const RESOLUTION_MS: f64 = 1.0;

/// Bounds of the offset of the server's clock from the browser's: server time minus browser time, in milliseconds.
///
/// Every message bounds it: the server read its clock after the request was sent and before the answer came. Several
/// together bound it better than each alone, as in Marzullo's algorithm, where all sources agree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OffsetBounds {
    lower_ms: f64,
    upper_ms: f64,
}

impl OffsetBounds {
    const UNKNOWN: Self = Self {
        lower_ms: f64::NEG_INFINITY,
        upper_ms: f64::INFINITY,
    };

    /// From a server time that was read between two times of the browser's clock.
    fn of_response(sent_ms: f64, received_ms: f64, server_time: Timestamp) -> Self {
        Self {
            upper_ms: server_time.0 as f64 + RESOLUTION_MS - sent_ms,
            ..Self::of_event(received_ms, server_time)
        }
    }

    /// From a server time that was read some time before.
    fn of_event(received_ms: f64, server_time: Timestamp) -> Self {
        Self {
            lower_ms: server_time.0 as f64 - received_ms - RESOLUTION_MS,
            upper_ms: f64::INFINITY,
        }
    }

    /// The bounds by both. If they contradict each other, a clock was set, and only the newer ones count.
    fn narrowed_by(self, newer: Self) -> Self {
        let both = Self {
            lower_ms: self.lower_ms.max(newer.lower_ms),
            upper_ms: self.upper_ms.min(newer.upper_ms),
        };
        if both.lower_ms <= both.upper_ms {
            both
        } else {
            newer
        }
    }

    /// The estimate with the smallest possible error; nothing while there is no lower bound.
    fn estimate_ms(self) -> Option<f64> {
        if self.upper_ms.is_finite() {
            Some(f64::midpoint(self.lower_ms, self.upper_ms))
        } else {
            self.lower_ms.is_finite().then_some(self.lower_ms)
        }
    }

    /// How far the estimate may be wrong, in milliseconds.
    fn max_error_ms(self) -> f64 {
        (self.upper_ms - self.lower_ms) / 2.0
    }
}

/// The offset between the server's clock and the browser's. Unknown until the first synchronization.
#[derive(Clone, Copy)]
pub(crate) struct ServerClock {
    bounds: StoredValue<OffsetBounds>,
    /// The estimate from `bounds`: server time minus browser time, in milliseconds.
    offset_ms: RwSignal<Option<f64>>,
}

impl ServerClock {
    pub(crate) fn new() -> Self {
        Self {
            bounds: StoredValue::new(OffsetBounds::UNKNOWN),
            offset_ms: RwSignal::new(None),
        }
    }

    /// Synchronizes with a response: the server read its clock between `sent_ms`, on the browser's clock, and now.
    pub(crate) fn sync(self, sent_ms: f64, server_time: Timestamp) {
        self.narrow(OffsetBounds::of_response(
            sent_ms,
            browser_now_ms(),
            server_time,
        ));
    }

    /// Synchronizes with the load of this page, using the browser's navigation timing.
    pub(crate) fn sync_from_page_load(self, RenderedAt(server_time): RenderedAt) {
        if let Some(timing) = window().performance() {
            let timing = timing.timing();
            self.narrow(OffsetBounds::of_response(
                timing.request_start(),
                timing.response_start(),
                server_time,
            ));
        }
    }

    /// Synchronizes with the time at which an event was sent: it must be past, but not by much. Otherwise a clock was set
    /// or the computer was suspended, and the offset is taken from the event.
    pub(crate) fn sync_from_event(self, sent: Timestamp) {
        let event = OffsetBounds::of_event(browser_now_ms(), sent);
        let known = self.bounds.get_value().estimate_ms();
        if known.is_some_and(|known_ms| known_ms - event.lower_ms >= MAX_EVENT_DELAY_MS) {
            self.bounds.set_value(OffsetBounds::UNKNOWN);
        }
        self.narrow(event);
    }

    fn narrow(self, newer: OffsetBounds) {
        let bounds = self.bounds.get_value().narrowed_by(newer);
        self.bounds.set_value(bounds);
        self.offset_ms.maybe_update(|offset_ms| {
            let estimate_ms = bounds.estimate_ms();
            let changes = *offset_ms != estimate_ms;
            *offset_ms = estimate_ms;
            changes
        });
    }

    /// Whether the estimate may be wrong by more than people notice.
    pub(crate) fn is_inaccurate(self) -> bool {
        self.bounds.get_value().max_error_ms() > limits::MAX_CLOCK_ERROR.as_secs_f64() * 1000.0
    }

    /// The server's time now, once the offset is known.
    pub(crate) fn now(self) -> Option<Timestamp> {
        let offset_ms = self.offset_ms.get()?;
        Some(Timestamp((browser_now_ms() + offset_ms) as i64))
    }

    /// The browser's time, in milliseconds since 1970, at a time of the server.
    pub(crate) fn to_browser_ms(self, at: Timestamp) -> Option<f64> {
        Some(at.0 as f64 - self.offset_ms.get()?)
    }
}

#[cfg(test)]
mod tests {
    use super::OffsetBounds;
    use tochki_play::Timestamp;

    /// Browser and server agree, so the offset is 0.
    fn response(sent_ms: f64, server_time: i64, received_ms: f64) -> OffsetBounds {
        OffsetBounds::of_response(sent_ms, received_ms, Timestamp(server_time))
    }

    #[test]
    fn slow_responses_together_are_accurate() {
        // All of the first delay is on the way there, all of the second on the way back.
        let there = response(0.0, 900, 900.0);
        assert_eq!(there.estimate_ms(), Some(450.0));
        let back = response(2_000.0, 2_000, 2_900.0);
        let both = there.narrowed_by(back);
        assert_eq!(both.estimate_ms(), Some(0.0));
        assert_eq!((both.lower_ms, both.upper_ms), (-1.0, 1.0));
        assert_eq!(back.narrowed_by(there), both);
    }

    #[test]
    fn a_slower_response_never_makes_it_worse() {
        let fast = response(0.0, 10, 20.0);
        assert_eq!(fast.narrowed_by(response(100.0, 600, 3_100.0)), fast);
    }

    #[test]
    fn an_event_is_a_lower_bound() {
        let event = |received_ms, sent| OffsetBounds::of_event(received_ms, Timestamp(sent));
        assert_eq!(event(70.0, 50).estimate_ms(), Some(-21.0));
        let slow = response(0.0, 0, 400.0);
        let narrowed = slow.narrowed_by(event(1_010.0, 1_000));
        assert_eq!((narrowed.lower_ms, narrowed.upper_ms), (-11.0, 1.0));
        assert_eq!(slow.narrowed_by(event(1_900.0, 1_000)), slow);
    }

    #[test]
    fn after_a_clock_was_set_only_the_newer_counts() {
        let before = response(0.0, 10, 20.0);
        let after = response(60_000.0, 10, 60_020.0);
        assert_eq!(before.narrowed_by(after), after);
        assert_eq!(OffsetBounds::UNKNOWN.estimate_ms(), None);
        assert_eq!(OffsetBounds::UNKNOWN.narrowed_by(after), after);
    }
}
