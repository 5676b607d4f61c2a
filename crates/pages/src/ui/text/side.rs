//! The two sides of a game: the word for the colour, the CSS class, the radius of a dot.

use crate::ui::text::{Language, t};
use tochki_rules::{GameKind, Seat};

/// The word for a side's colour.
pub(crate) fn colour(language: Language, seat: Seat) -> &'static str {
    match seat {
        Seat::First => t!(language, colours.red),
        Seat::Second => t!(language, colours.blue),
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
