//! The sheet of black and white stones. Among the pages of matches only those of games with stones link it; it is a part of the
//! sheet of all other pages.

use crate::ui::fingerprint::versioned_url;
use crate::ui::text::side;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use tochki_rules::GameKind;

const SHEET: &str = include_str!("../../../../../public/stones.css");

/// The link to the sheet, for the page of a game.
#[component]
pub(crate) fn StonesStylesheet(game: GameKind) -> impl IntoView {
    let has_stones = side::has_stones(game);
    has_stones.then(|| {
        let sheet = versioned_url("/stones.css", SHEET);
        view! { <Stylesheet href=sheet /> }
    })
}
