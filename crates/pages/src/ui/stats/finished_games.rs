//! Games that a player has finished.

use crate::ui::games;
use crate::ui::text::names::display_name;
use crate::ui::text::side;
use crate::ui::text::time::Date;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use tochki_play::MatchResult;
use tochki_protocol::{HistoryEntry, HistoryPage, PlayerOutcome};
use tochki_rules::GameKind;

/// The games of a page, latest first.
#[component]
pub(crate) fn FinishedGames(
    past: HistoryPage,
    /// The player whose games they are.
    name: String,
) -> impl IntoView {
    let rows = past.games.into_iter().map(|game| {
        let name = name.clone();
        view! { <Row game name /> }
    });
    view! { <ol class="past-games">{rows.collect_view()}</ol> }
}

#[component]
fn Row(game: HistoryEntry, name: String) -> impl IntoView {
    let language = language();
    let other = display_name(language, &game.opponent.name);
    let result = MatchResult {
        winner: match game.outcome {
            PlayerOutcome::Won => Some(game.seat),
            PlayerOutcome::Drawn => None,
            PlayerOutcome::Lost => Some(game.seat.other()),
        },
        reason: game.reason,
        ratings: None,
        by: None,
    };
    let named = |seat| {
        if seat == game.seat {
            name.clone()
        } else {
            other.clone()
        }
    };
    let reason = words::reason(language, &result, named);
    let change = game.rating.map(|change| {
        let said = t!(
            language,
            past.rating,
            after = words::marked_rating(change.after.0, change.provisional),
            change = words::rating_change(change)
        );
        view! { <span class="number change">{said}</span> }
    });
    let annulled = game.annulled.then(|| {
        view! { <span class="change" title=t!(language, annulled.about)>{t!(language, annulled.badge)}</span> }
    });
    let replay = t!(language, past.replay_of, name = &other);
    // Only Dots has SGF records.
    let sgf = (game.game == GameKind::Dots).then(|| {
        let label = t!(language, past.sgf_of, name = &other);
        view! {
            <a href=format!("/match/{}/sgf", game.id) download aria-label=label>
                "SGF"
            </a>
        }
    });
    view! {
        <li class=side::stones_class(game.game)>
            <span class="outcome" data-outcome=game.outcome.as_str()>{outcome(language, game.outcome)}</span>
            <span class="opponent">
                <span class=format!("side {}", side::class(game.seat.other()))>
                    <PlayerName name=game.opponent.name guest=game.opponent.guest bot=game.opponent.bot />
                </span>
                {(!game.opponent.guest)
                    .then(|| {
                        view! {
                            " "
                            <span class="rating">
                                <Rating rating=game.opponent.rating provisional=game.opponent.provisional />
                            </span>
                        }
                    })}
            </span>
            {change}
            {annulled}
            <span class="played">
                {games::title(language, game.game)} " · " {words::after_score(game.game, game.score, reason)} " · "
                <Date at=game.finished_at />
            </span>
            <span class="to">
                <a href=format!("/match/{}/replay", game.id) aria-label=replay>
                    {t!(language, past.replay)}
                </a>
                {sgf}
            </span>
        </li>
    }
}

/// An outcome in a word.
pub(crate) fn outcome(language: Language, outcome: PlayerOutcome) -> &'static str {
    match outcome {
        PlayerOutcome::Won => t!(language, past.won),
        PlayerOutcome::Drawn => t!(language, past.drawn),
        PlayerOutcome::Lost => t!(language, past.lost),
    }
}
