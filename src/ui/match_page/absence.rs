//! Absent players, and how long they have to come back.

use crate::ui::live::countdown::Countdown;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_protocol::limits;
use tochki_rules::Seat;

/// Shows each absent player with a countdown, to everybody but themselves.
#[component]
pub(crate) fn AbsenceNotice(controller: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let gone_at = Memo::new(move |_| controller.status.with(|status| status.gone_at));
    let news = move |seat: Seat| {
        let gone_at = gone_at.get()[seat.index()].filter(|_| controller.running())?;
        let name = controller.name(seat);
        let words = if me.is_some() {
            say!(language, away.you_win, name = name)
        } else {
            say!(language, away.they_lose, name = name)
        };
        let lost_at = gone_at + limits::in_millis(limits::ABSENCE_TIMEOUT);
        let ends_at = Signal::derive(move || controller.server_clock.to_browser_ms(lost_at));
        Some(view! {
            <p class="away">
                {words} " " <Countdown ends_at /> " " {say!(language, away.seconds)}
            </p>
        })
    };
    let others = Seat::BOTH.into_iter().filter(|seat| me != Some(*seat));
    view! {
        <div role="status" class="absences">
            {others.map(|seat| move || news(seat)).collect_view()}
        </div>
    }
}
