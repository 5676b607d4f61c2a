//! Absent players, and how long they have to come back.

use crate::ui::live::countdown::Countdown;
use crate::ui::live::server_clock::seconds_between;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::Seat;

/// Shows each absent player with a countdown, to everybody but themselves.
#[component]
pub(crate) fn AbsenceNotice(controller: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let lost_at = Memo::new(move |_| controller.status.with(|status| status.lost_at));
    let news = move |seat: Seat| {
        let lost_at = lost_at.get()[seat.index()].filter(|_| controller.running())?;
        let name = controller.name(seat);
        let words = if !controller.has_begun() {
            t!(language, away.aborts, name = name)
        } else if me.is_some() {
            t!(language, away.you_win, name = name)
        } else {
            t!(language, away.they_lose, name = name)
        };
        let ends_at = Signal::derive(move || controller.server_clock.to_browser_ms(lost_at));
        let initial_seconds = seconds_between(controller.rendered_at, lost_at);
        Some(view! {
            <p class="away">
                {words} " " <Countdown ends_at initial_seconds /> " " {t!(language, away.seconds)}
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
