//! The panel of a player beside the board: colour, name, rating, clock, score.

use crate::ui::match_page::{ClockView, MatchController};
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::{live, view};
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use tochki_rules::Seat;

/// The panel of one side.
#[component]
pub(crate) fn PlayerPanel(
    controller: MatchController,
    seat: Seat,
    mine: bool,
    /// The text for screen readers.
    announcement: RwSignal<String>,
) -> impl IntoView {
    let language = language();
    let card = controller
        .players
        .with_value(|players| players[seat.index()].clone());
    let accounts = controller.has_accounts();
    let game = controller
        .game
        .with_untracked(|game| game.confirmed().terms().setup.kind());
    // A guest has no rating.
    let rated = accounts && !card.guest;
    let to_move = move || controller.to_move() == Some(seat);
    let ended = move || {
        controller.game.with(|game| {
            let ratings = game.result()?.ratings?;
            Some(ratings[seat.index()])
        })
    };
    let label = rated.then(|| format!("{} ", t!(language, waiting.rating)));
    let rating = move || {
        let (rating, provisional) = ended().map_or((card.rating, card.provisional), |change| {
            (change.after.0, change.provisional)
        });
        rated.then(|| view! { <Rating rating provisional /> })
    };
    let change = move || ended().map(words::rating_change);
    view! {
        <section {..live()} class=format!("card seat {}", side::class(seat)) class:to-move=to_move>
            <h2>
                <span class="colour">
                    <svg viewBox="-5 -5 10 10" width="18" height="18" aria-hidden="true">
                        <circle class=format!("dot {}", side::class(seat)) r=side::dot_radius(seat) />
                    </svg>
                    <span class="hidden">{side::colour(language, game, seat)} ": "</span>
                </span>
                <PlayerName name=card.name guest=card.guest bot=card.bot linked=accounts />
            </h2>
            <p class="rating">
                <span class="hidden">{label}</span>
                {rating}
                " " <span class="change">{change}</span>
                {mine.then(|| view! { " " <span class="you">{t!(language, waiting.you)}</span> })}
            </p>
            <ClockView controller seat warn=mine.then_some(announcement) />
            <p class="points">
                <span class="aim">{side::points(language, game)} " "</span>
                {side::has_score(game).then_some(move || controller.score()[seat.index()])}
            </p>
        </section>
    }
}
