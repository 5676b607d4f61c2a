//! Seconds that run down beside something that ends by itself.

use crate::ui::islands::effect::effect;
use leptos::prelude::*;
use std::time::Duration;

/// This computer's clock, in milliseconds since 1970. Only in a browser.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// The seconds until a time on this computer's clock.
///
/// A screen reader finds them when it comes there; if it read every second, it would say nothing else.
#[component]
pub(crate) fn Countdown(
    /// When it ends; unknown as long as the page is only HTML.
    until: Signal<Option<f64>>,
    /// What is left when the server renders it.
    #[prop(optional)]
    at_first: Option<u32>,
) -> impl IntoView {
    let left = RwSignal::new(at_first);
    effect(move || {
        let Some(until) = until.get() else { return };
        let look = move || left.set(Some(((until - now()) / 1000.0).ceil().max(0.0) as u32));
        look();
        if let Ok(timer) = set_interval_with_handle(look, Duration::from_millis(250)) {
            on_cleanup(move || timer.clear());
        }
    });
    view! {
        <span class="countdown" role="timer" aria-live="off">
            {move || left.get()}
        </span>
    }
}
