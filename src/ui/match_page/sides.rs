//! A player at the table: colour, name, rating, score.

use crate::ui::match_page::{ClockFace, MatchController};
use crate::ui::text::words;
use crate::ui::text::{language, say};
use crate::ui::widgets::name::Name;
use leptos::prelude::*;
use tochki_rules::Seat;

/// The card of one side.
#[component]
pub(crate) fn Side(
    follow: MatchController,
    seat: Seat,
    mine: bool,
    /// What is said aloud.
    aloud: RwSignal<String>,
) -> impl IntoView {
    let language = language();
    let card = follow
        .players
        .with_value(|players| players[seat.index()].clone());
    let to_move = move || follow.to_move() == Some(seat);
    let ended = move || {
        follow.mirror.with(|mirror| {
            let ratings = mirror.result()?.ratings?;
            Some(ratings[seat.index()])
        })
    };
    let rating = move || words::rating(ended().map_or(card.rating, |change| change.after.0));
    let change = move || ended().map(words::rating_change);
    view! {
        <section class=format!("card seat {}", words::side(seat)) class:to-move=to_move>
            <h2>
                <span class="colour">
                    <svg viewBox="-5 -5 10 10" width="18" height="18" aria-hidden="true">
                        <circle class=format!("dot {}", words::side(seat)) r=words::radius(seat) />
                    </svg>
                    <span class="hidden">{words::colour(language, seat)} ": "</span>
                </span>
                <Name name=card.name guest=card.guest />
            </h2>
            <p class="rating">
                <span class="hidden">{say!(language, waiting.rating)} " "</span>
                {rating}
                " " <span class="change">{change}</span>
                {mine.then(|| view! { " " <span class="you">{say!(language, waiting.you)}</span> })}
            </p>
            <ClockFace follow seat warn=mine.then_some(aloud) />
            <p class="points">
                <span class="hidden">{say!(language, table.score)} " "</span>
                {move || follow.score()[seat.index()]}
            </p>
        </section>
    }
}
