//! A player at the table: colour, name, rating, score.

use super::Follow;
use crate::rules::Seat;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;

/// The card of one side.
#[component]
pub(crate) fn Side(follow: Follow, seat: Seat, mine: bool) -> impl IntoView {
    let language = language();
    let card = follow
        .players
        .with_value(|players| players[seat.index()].clone());
    let to_move = move || follow.mirror.with(|mirror| mirror.to_move() == Some(seat));
    let score = Memo::new(move |_| follow.mirror.with(|mirror| mirror.score()[seat.index()]));
    let change = Memo::new(move |_| {
        follow.mirror.with(|mirror| {
            mirror
                .result()?
                .ratings
                .map(|ratings| ratings[seat.index()])
        })
    });
    let rating = move || match change.get() {
        Some(change) => words::rating(change.after.0),
        None => words::rating(card.rating),
    };
    view! {
        <section class=format!("card seat {}", words::side(seat)) class:to-move=to_move>
            <h2>
                <span class="colour">
                    <svg viewBox="-5 -5 10 10" width="18" height="18" aria-hidden="true">
                        <circle class=format!("dot {}", words::side(seat)) r=words::radius(seat) />
                    </svg>
                    <span class="hidden">{words::colour(language, seat)} ": "</span>
                </span>
                <span class="name">{card.name}</span>
            </h2>
            <p class="rating">
                <span class="hidden">{say!(language, waiting.rating)} " "</span>
                {rating}
                {move || change.get().map(|change| view! { " " <RatingChange change /> })}
                {mine.then(|| view! { " " <span class="you">{say!(language, waiting.you)}</span> })}
            </p>
            <p class="points">
                <span class="hidden">{say!(language, table.score)} " "</span>
                {move || score.get()}
            </p>
        </section>
    }
    .into_any()
}

#[component]
fn RatingChange(change: crate::play::RatingChange) -> impl IntoView {
    let difference = words::rating_change(change);
    let class = if difference.starts_with('−') {
        "down"
    } else {
        "up"
    };
    view! { <span class=format!("change {class}")>{difference}</span> }
}
