//! The server's clock as this computer sees it. A visitor's clock may be wrong; what runs down here must not be.

use crate::ui::live::countdown::now;
use leptos::prelude::*;
use tochki_play::Timestamp;

/// When the server began to render the page. It provides it as a context.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderedAt(pub Timestamp);

/// How late news may be before it says more about the clocks than about the line, in milliseconds.
const LATE: f64 = 5_000.0;

/// How far the server's clock is ahead of this computer's. Unknown until the server has been asked.
#[derive(Clone, Copy)]
pub(crate) struct ServerTime {
    /// In milliseconds.
    ahead: RwSignal<Option<f64>>,
    /// How long the question took from which that is known; the quicker, the truer.
    took: StoredValue<f64>,
}

impl ServerTime {
    pub(crate) fn new() -> Self {
        Self {
            ahead: RwSignal::new(None),
            took: StoredValue::new(f64::INFINITY),
        }
    }

    /// Takes in that the server's clock showed `told` somewhere between `asked`, on this computer's clock, and now: most
    /// likely in the middle.
    pub(crate) fn learn(self, asked: f64, told: Timestamp) {
        self.learn_between(asked, now(), told);
    }

    /// Takes in when the server began to render this page. Only in a browser, which has noted how long that took.
    pub(crate) fn learn_from_page(self, RenderedAt(told): RenderedAt) {
        if let Some(noted) = window().performance() {
            let noted = noted.timing();
            self.learn_between(noted.request_start(), noted.response_start(), told);
        }
    }

    /// Takes in news that were sent at this time, which therefore is past, but not for long. If it is not so, one of the
    /// clocks has been set, or has slept.
    pub(crate) fn heard(self, sent: Timestamp) {
        let ahead = sent.0 as f64 - now();
        let late = self.ahead.get_untracked().map(|known| known - ahead);
        if !late.is_some_and(|late| (0.0..LATE).contains(&late)) {
            self.ahead.set(Some(ahead));
        }
    }

    fn learn_between(self, asked: f64, answered: f64, told: Timestamp) {
        let took = answered - asked;
        if took <= self.took.get_value() {
            self.took.set_value(took);
            self.ahead
                .set(Some(told.0 as f64 - f64::midpoint(asked, answered)));
        }
    }

    /// What the server's clock shows now, as far as that is known.
    pub(crate) fn now(self) -> Option<Timestamp> {
        let ahead = self.ahead.get()?;
        Some(Timestamp((now() + ahead) as i64))
    }

    /// When this computer's clock shows what the server's shows at `at`.
    pub(crate) fn here(self, at: Timestamp) -> Option<f64> {
        Some(at.0 as f64 - self.ahead.get()?)
    }
}
