//! Reversi on the pages.

mod face;
mod fields;
mod rules;

pub(crate) use fields::ReversiFields;
pub(crate) use rules::{described, rules};

use crate::ui::text::{Language, say};
use tochki_rules::Point;

/// The four discs of the start.
pub(crate) const SIGN: &str = r#"<path class="grid" d="M20 4V36M4 20H36"/><circle class="blue" cx="12" cy="12" r="4.6"/><circle class="red" cx="28" cy="12" r="6"/><circle class="red" cx="12" cy="28" r="6"/><circle class="blue" cx="28" cy="28" r="4.6"/>"#;

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

/// Of what a side has more now, one disc is new and the others have been turned.
pub(crate) fn gain(language: Language, own: u32) -> Option<String> {
    let turned = own.checked_sub(1)?;
    Some(say!(language, reversi.turns, count = turned))
}
