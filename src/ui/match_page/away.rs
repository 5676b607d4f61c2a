//! Who has left the table, and how long they have to come back.

use crate::ui::live::countdown::Countdown;
use crate::ui::match_page::MatchController;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_protocol::MatchStatus;
use tochki_rules::Seat;

/// Tells of each player who is away, to everybody but themselves.
#[component]
pub(crate) fn Away(follow: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let gone_at = Memo::new(move |_| follow.around.with(|around| around.gone_at));
    let news = move |seat: Seat| {
        let gone_at = gone_at.get()[seat.index()].filter(|_| follow.running())?;
        let name = follow.name(seat);
        let words = if me.is_some() {
            say!(language, away.you_win, name = name)
        } else {
            say!(language, away.they_lose, name = name)
        };
        let lost_at = gone_at + MatchStatus::PATIENCE;
        let until = Signal::derive(move || follow.time.here(lost_at));
        Some(view! {
            <p class="away">
                {words} " " <Countdown until /> " " {say!(language, away.seconds)}
            </p>
        })
    };
    let others = Seat::BOTH.into_iter().filter(|seat| me != Some(*seat));
    view! {
        <div role="status" class="aways">
            {others.map(|seat| move || news(seat)).collect_view()}
        </div>
    }
}
