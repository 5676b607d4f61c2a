//! The server's clock, estimated in the browser, whose own clock may be wrong.

use crate::ui::live::countdown::browser_now_ms;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::limits;

/// The time when the server began to render the page. The server provides it as a context.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderedAt(pub Timestamp);

/// Returns the seconds from one time of the server to another, rounded up; 0 if that is past.
pub(crate) fn seconds_between(now: Timestamp, at: Timestamp) -> u32 {
    (at - now).0.max(0).cast_unsigned().div_ceil(1000) as u32
}

/// [`limits::STREAM_MAX_EVENT_DELAY`] in milliseconds.
const MAX_EVENT_DELAY_MS: f64 = limits::STREAM_MAX_EVENT_DELAY.as_millis() as f64;

/// The offset between the server's clock and the browser's. Unknown until the first synchronization.
#[derive(Clone, Copy)]
pub(crate) struct ServerClock {
    /// Server time minus browser time, in milliseconds.
    offset_ms: RwSignal<Option<f64>>,
    /// The round trip of the request that the offset was measured with; the shortest one is the most accurate.
    best_round_trip_ms: StoredValue<f64>,
}

impl ServerClock {
    pub(crate) fn new() -> Self {
        Self {
            offset_ms: RwSignal::new(None),
            best_round_trip_ms: StoredValue::new(f64::INFINITY),
        }
    }

    /// Synchronizes with a response: the server read its clock between `sent_ms`, on the browser's clock, and now; on
    /// average in the middle.
    pub(crate) fn sync(self, sent_ms: f64, server_time: Timestamp) {
        self.sync_between(sent_ms, browser_now_ms(), server_time);
    }

    /// Synchronizes with the load of this page, using the browser's navigation timing.
    pub(crate) fn sync_from_page_load(self, RenderedAt(server_time): RenderedAt) {
        if let Some(timing) = window().performance() {
            let timing = timing.timing();
            self.sync_between(timing.request_start(), timing.response_start(), server_time);
        }
    }

    /// Checks the offset with the time at which an event was sent: it must be past, but not by much. Otherwise a clock
    /// was set or the computer was suspended, and the offset is taken from the event.
    pub(crate) fn sync_from_event(self, sent: Timestamp) {
        let offset_ms = sent.0 as f64 - browser_now_ms();
        let delay_ms = self
            .offset_ms
            .get_untracked()
            .map(|known| known - offset_ms);
        if !delay_ms.is_some_and(|delay_ms| (0.0..MAX_EVENT_DELAY_MS).contains(&delay_ms)) {
            self.offset_ms.set(Some(offset_ms));
        }
    }

    fn sync_between(self, sent_ms: f64, received_ms: f64, server_time: Timestamp) {
        let round_trip_ms = received_ms - sent_ms;
        if round_trip_ms <= self.best_round_trip_ms.get_value() {
            self.best_round_trip_ms.set_value(round_trip_ms);
            self.offset_ms.set(Some(
                server_time.0 as f64 - f64::midpoint(sent_ms, received_ms),
            ));
        }
    }

    /// Returns the server's time now, once the offset is known.
    pub(crate) fn now(self) -> Option<Timestamp> {
        let offset_ms = self.offset_ms.get()?;
        Some(Timestamp((browser_now_ms() + offset_ms) as i64))
    }

    /// Returns the browser's time, in milliseconds since 1970, at a time of the server.
    pub(crate) fn to_browser_ms(self, at: Timestamp) -> Option<f64> {
        Some(at.0 as f64 - self.offset_ms.get()?)
    }
}
