//! How long the side to move has, where the match itself limits it: first moves, and rated matches without a clock.

use crate::ui::live::countdown::Countdown;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, say};
use leptos::prelude::*;

/// Says how many seconds are left, beside the turn and never above the board, so that the board does not move when it goes.
#[component]
pub(crate) fn MoveLimit(controller: MatchController) -> impl IntoView {
    let language = language();
    let limit = Memo::new(move |_| {
        controller.game.with(|game| {
            let game = game.confirmed();
            Some((game.move_by()?, game.has_begun()))
        })
    });
    let ends_at = Signal::derive(move || controller.server_clock.to_browser_ms(limit.get()?.0));
    let text = move || {
        let (_, begun) = limit.get()?;
        let words = if begun {
            say!(language, limit.next)
        } else {
            say!(language, limit.first)
        };
        Some(view! {
            {words}
            " "
            <Countdown ends_at />
            " "
            {say!(language, away.seconds)}
        })
    };
    view! {
        <p role="status" class="limit">
            {text}
        </p>
    }
}
