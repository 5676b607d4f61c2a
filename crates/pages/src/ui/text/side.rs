//! The two sides of a game: the word for the colour, the CSS class, the radius of a dot.

use crate::ui::text::{Language, t};
use tochki_rules::Seat;

/// The word for a side's colour.
pub(crate) fn colour(language: Language, seat: Seat) -> &'static str {
    match seat {
        Seat::First => t!(language, colours.red),
        Seat::Second => t!(language, colours.blue),
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
