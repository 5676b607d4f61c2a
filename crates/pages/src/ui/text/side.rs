//! The two sides of a game: the word for the colour, the CSS class, the radius of a dot.

use crate::ui::text::{Language, t};
use leptos::prelude::{document, use_context};
use tochki_protocol::{Palette, Settings};
use tochki_rules::{GameKind, Seat};

/// The word for a side's colour in a game: black and white stones or discs, else pens of red and blue.
pub(crate) fn colour(language: Language, game: GameKind, seat: Seat) -> &'static str {
    match (is_black_and_white(game), seat) {
        (false, Seat::First) => t!(language, colours.red),
        (false, Seat::Second) => t!(language, colours.blue),
        (true, Seat::First) => t!(language, colours.black),
        (true, Seat::Second) => t!(language, colours.white),
    }
}

/// Returns whether the sides of a game are black and white for this visitor.
pub(crate) fn is_black_and_white(game: GameKind) -> bool {
    has_stones(game) && !uses_pens()
}

/// Returns whether a game is played with stones or discs.
pub(crate) const fn has_stones(game: GameKind) -> bool {
    matches!(game, GameKind::Gomoku | GameKind::Reversi)
}

/// The CSS class of what shows a game: that of black and white for stones and discs (`public/stones.css`).
pub(crate) const fn stones_class(game: GameKind) -> &'static str {
    if has_stones(game) { "stones" } else { "" }
}

/// Returns whether the visitor has chosen the colours of the pens in all games. In a browser the setting is an attribute of the
/// document, so that a change applies at once.
fn uses_pens() -> bool {
    // Pages are WebAssembly in browsers alone.
    if cfg!(target_family = "wasm") {
        let html = document().document_element();
        html.is_some_and(|html| html.get_attribute("data-palette").as_deref() == Some("pens"))
    } else {
        use_context::<Settings>().unwrap_or_default().palette == Palette::Pens
    }
}

/// Returns whether the sides have scores that are compared.
pub(crate) const fn has_score(game: GameKind) -> bool {
    !matches!(game, GameKind::Gomoku)
}

/// The word for the points of a side, or for the aim of a game without points.
pub(crate) fn points(language: Language, game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => t!(language, side_points.dots),
        GameKind::Boxes => t!(language, side_points.boxes),
        GameKind::Gomoku => t!(language, side_points.gomoku),
        GameKind::Reversi => t!(language, side_points.reversi),
    }
}

/// The CSS class of a side.
pub(crate) const fn class(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "red",
        Seat::Second => "blue",
    }
}

/// The radius of a side's dot in SVG units. The blue dot is smaller because it has a thick outline around a light core.
pub(crate) const fn dot_radius(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "3.4",
        Seat::Second => "2.6",
    }
}
