//! Links to all games: a row of names, or a list with summaries.

use crate::ui::games::{icon, summary, title};
use crate::ui::text::{language, side};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::GameKind;

/// The address of a game's waiting room, or of its rules.
type Address = fn(GameKind) -> String;

/// The names of all games in a row.
#[component]
pub(crate) fn GameRow(
    /// The label of the row.
    label: &'static str,
    /// The game that this page is about.
    here: GameKind,
    to: Address,
) -> impl IntoView {
    let language = language();
    let links = GameKind::ALL.iter().map(|&game| {
        view! {
            <li>
                <a href=to(game) aria-current=(game == here).then_some("page")>
                    <GameIcon game />
                    {title(language, game)}
                </a>
            </li>
        }
    });
    view! {
        <nav class="game-row" aria-label=label>
            <ul>{links.collect_view()}</ul>
        </nav>
    }
}

/// The list of all games, each with its sign and its summary.
#[component]
pub(crate) fn GameCards(to: Address) -> impl IntoView {
    let language = language();
    let cards = GameKind::ALL.iter().map(|&game| {
        view! {
            <li class="card">
                <GameIcon game />
                <div>
                    <a class="whole-link" href=to(game)>
                        {title(language, game)}
                    </a>
                    <p>{summary(language, game)}</p>
                </div>
            </li>
        }
    });
    view! { <ul class="game-cards">{cards.collect_view()}</ul> }
}

/// A small drawing of a game. It says no more than the name beside it.
#[component]
fn GameIcon(game: GameKind) -> impl IntoView {
    view! {
        <svg class=format!("sign {}", side::stones_class(game)) viewBox="0 0 40 40" width="40" height="40" aria-hidden="true" inner_html=icon(game)></svg>
    }
}
