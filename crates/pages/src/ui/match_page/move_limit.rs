//! The time of the side to move, where the match itself limits it: first moves, and rated matches without a clock.

use crate::ui::islands::effect::effect;
use crate::ui::live::countdown::{Countdown, browser_now_ms};
use crate::ui::live::server_clock::seconds_between;
use crate::ui::live::sound::Sound;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use std::time::Duration;
use tochki_protocol::limits::UNTIMED_MOVE_NOTICE;

/// [`UNTIMED_MOVE_NOTICE`] in minutes.
const NOTICE_MINUTES: u64 = UNTIMED_MOVE_NOTICE.as_secs() / 60;

/// Shows how many seconds are left, beside the turn and never above the board, so that the board does not move when it goes.
///
/// Where a clock runs it is the only one that is seen: the style sheet shows the limit of a first move when little is left of it.
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
    // Both players are told once when little is left for a move, also with the page in the background. The seconds are
    // there all the time, but nobody looks at them for ten minutes.
    let told = StoredValue::new(None);
    effect(move || {
        let (Some((at, true)), Some(ends_at), Some(me)) =
            (limit.get(), ends_at.get(), controller.me)
        else {
            return;
        };
        let wait = ends_at - browser_now_ms() - UNTIMED_MOVE_NOTICE.as_millis() as f64;
        if wait < 0.0 {
            return;
        }
        let tell = move || {
            let due = limit.get_untracked() == Some((at, true));
            if due && told.get_value() != Some(at) {
                told.set_value(Some(at));
                let mine = untrack(move || controller.to_move()) == Some(me);
                controller.notices.push(if mine {
                    Sound::LowTime.play();
                    t!(language, limit.yours, minutes = NOTICE_MINUTES)
                } else {
                    t!(language, limit.theirs, minutes = NOTICE_MINUTES)
                });
            }
        };
        set_timeout(tell, Duration::from_millis(wait as u64));
    });
    let text = move || {
        let (at, begun) = limit.get()?;
        let initial_seconds = seconds_between(controller.rendered_at, at);
        let words = if begun {
            t!(language, limit.next)
        } else {
            t!(language, limit.first)
        };
        Some(view! {
            {words}
            " "
            <Countdown ends_at initial_seconds />
            " "
            {t!(language, away.seconds)}
        })
    };
    view! {
        <p role="status" class="limit">
            {text}
        </p>
    }
}
