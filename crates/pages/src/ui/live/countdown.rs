//! A countdown in seconds.

use crate::ui::islands::effect::effect;
use crate::ui::view::{live, view};
use leptos::prelude::*;
use std::time::Duration;
use tochki_protocol::limits;

/// [`limits::LOW_TIME`] in seconds.
const LOW_SECONDS: u32 = limits::LOW_TIME.as_secs() as u32;

/// Returns the time of the browser's clock, in milliseconds since 1970. Only in a browser.
pub(crate) fn browser_now_ms() -> f64 {
    js_sys::Date::now()
}

/// Returns whether a time of the browser's clock is longer ago than `duration`. Only in a browser.
pub(crate) fn is_older(time_ms: f64, duration: Duration) -> bool {
    browser_now_ms() - time_ms > duration.as_secs_f64() * 1000.0
}

/// The seconds until a time on the browser's clock.
///
/// Screen readers read the seconds on demand; announcing every second would drown everything else.
#[component]
pub(crate) fn Countdown(
    /// The end of the countdown, in milliseconds since 1970; unknown before hydration.
    ends_at: Signal<Option<f64>>,
    /// The seconds left when the server renders it: a page without scripts shows nothing else.
    initial_seconds: u32,
) -> impl IntoView {
    let seconds_until =
        |ends_at: f64| ((ends_at - browser_now_ms()) / 1000.0).ceil().max(0.0) as u32;
    let known = ends_at.get_untracked().map(seconds_until);
    let left = RwSignal::new(known.unwrap_or(initial_seconds));
    effect(move || {
        let Some(ends_at) = ends_at.get() else { return };
        let update = move || left.set(seconds_until(ends_at));
        update();
        if let Ok(timer) = set_interval_with_handle(update, limits::COUNTDOWN_TICK_INTERVAL) {
            on_cleanup(move || timer.clear());
        }
    });
    view! {
        <span
            class="countdown"
            class:low=move || left.get() < LOW_SECONDS
            role="timer"
            aria-live="off"
            {..live()}
        >
            {move || left.get()}
        </span>
    }
}
