//! Boards of points or squares in words, for those who do not see the small boards of the rules.

use crate::ui::text::side;
use crate::ui::text::{Language, say};
use tochki_rules::{Point, Seat};

/// What is in each place, row by row.
pub(crate) fn rows(
    language: Language,
    (width, height): (u8, u8),
    spot: impl Fn(Point) -> String,
) -> String {
    let rows = (0..height).map(|y| {
        let points: Vec<_> = (0..width).map(|x| spot(Point::new(x, y))).collect();
        say!(language, rules.row, row = y + 1, points = points.join(", "))
    });
    rows.collect::<Vec<_>>().join(" ")
}

/// Whose mark stands in a place, where nothing else is to be told.
pub(crate) fn owner(language: Language, seat: Option<Seat>) -> String {
    seat.map_or(say!(language, rules.free).to_owned(), |seat| {
        side::colour(language, seat).to_lowercase()
    })
}

/// A move to a place of such rows.
pub(crate) fn made(language: Language, seat: Seat, Point { x, y }: Point) -> String {
    let side = side::colour(language, seat);
    say!(
        language,
        rules.places,
        side = side,
        row = y + 1,
        place = x + 1
    )
}
