//! The sheet of the palette of black and white stones. Only pages of games with stones link it, and only while that palette
//! is chosen, so that it costs nobody else anything.

use crate::ui::fingerprint::versioned_url;
use crate::ui::page::current_settings;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use tochki_protocol::Palette;
use tochki_rules::GameKind;

const SHEET: &str = include_str!("../../../../../public/stones.css");

/// The link to the sheet, for the page of a game.
#[component]
pub(crate) fn StonesStylesheet(game: GameKind) -> impl IntoView {
    let has_stones = matches!(game, GameKind::Gomoku | GameKind::Reversi);
    let chosen = current_settings().palette == Palette::Stones;
    (has_stones && chosen).then(|| {
        let sheet = versioned_url("/stones.css", SHEET);
        view! { <Stylesheet href=sheet /> }
    })
}
