//! How long the side to move has, where the match itself limits it: first moves, and rated matches without a clock.

use crate::ui::islands::effect::effect;
use crate::ui::live::countdown::Countdown;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use std::time::Duration;
use tochki_protocol::limits;

/// Says how many seconds are left: for a first move all the time, otherwise in the last two minutes.
#[component]
pub(crate) fn MoveLimit(controller: MatchController) -> impl IntoView {
    let language = language();
    let move_by = Memo::new(move |_| controller.game.with(|game| game.confirmed().move_by()));
    let ends_at = Signal::derive(move || controller.server_clock.to_browser_ms(move_by.get()?));
    let begun = Memo::new(move |_| controller.has_begun());
    let near = RwSignal::new(false);
    effect(move || {
        near.set(false);
        let (Some(move_by), Some(now)) = (move_by.get(), controller.server_clock.now()) else {
            return;
        };
        let notice = limits::in_millis(limits::UNTIMED_MOVE_NOTICE);
        let wait = u64::try_from((move_by - notice - now).0).unwrap_or_default();
        if let Ok(timer) =
            set_timeout_with_handle(move || near.set(true), Duration::from_millis(wait))
        {
            on_cleanup(move || timer.clear());
        }
    });
    let text = move || {
        move_by.get()?;
        let words = if begun.get() {
            say!(language, limit.next)
        } else {
            say!(language, limit.first)
        };
        (!begun.get() || near.get()).then(|| {
            view! {
                {words}
                " "
                <Countdown ends_at />
                " "
                {say!(language, away.seconds)}
            }
        })
    };
    // Beside the turn and never above the board, so that the board does not move when it goes.
    view! { <p role="status" class="limit">{text}</p> }
}
