//! Reversi on the pages.

mod board;
mod fields;
mod rules;

pub(crate) use fields::ReversiFields;
pub(crate) use rules::{describe_board, rules};

use tochki_rules::Point;

/// The four discs of the start.
pub(crate) const ICON: &str = r#"<path class="grid" d="M20 4V36M4 20H36"/><circle class="blue" cx="12" cy="12" r="4.6"/><circle class="red" cx="28" cy="12" r="6"/><circle class="red" cx="12" cy="28" r="6"/><circle class="blue" cx="28" cy="28" r="4.6"/>"#;

/// A square as it is written: the letter of its column, and the number of its row.
pub(crate) fn square(Point { x, y }: Point) -> String {
    format!("{}{}", column(x), row(y))
}

fn column(x: u8) -> String {
    char::from(b'a' + x).to_string()
}

fn row(y: u8) -> String {
    (y + 1).to_string()
}
