//! Dots and Boxes on the pages.

mod board;
mod fields;
mod rules;

pub(crate) use fields::BoxesFields;
pub(crate) use rules::{describe_board, rules};

use crate::ui::board::MoveTarget;
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use tochki_rules::boxes::{Line, Orientation};
use tochki_rules::{GameKind, Seat};

/// A box taken by its fourth side.
pub(crate) const ICON: &str = r#"<path class="red-area" d="M8 8H32V32H8Z"/><path class="red-line" d="M8 8H32V32"/><path class="blue-line" d="M8 8V32H32"/><path class="dots" d="M8 8h0M32 8h0M8 32h0M32 32h0"/>"#;

/// Returns the place of a line.
pub(crate) fn target_of(line: Line) -> MoveTarget {
    let Line { orientation, x, y } = line;
    match orientation {
        Orientation::Horizontal => MoveTarget::Across(x, y),
        Orientation::Vertical => MoveTarget::Down(x, y),
    }
}

/// Returns the place of a line in words, by the dot where it begins.
pub(crate) fn target_name(language: Language, line: Line) -> String {
    let Line { orientation, x, y } = line;
    match orientation {
        Orientation::Horizontal => t!(language, boxes.across, x, y),
        Orientation::Vertical => t!(language, boxes.down, x, y),
    }
}

/// Describes a line that is drawn.
pub(crate) fn describe_move(language: Language, seat: Seat, line: Line) -> String {
    let side = side::colour(language, GameKind::Boxes, seat);
    let place = target_name(language, line);
    t!(language, boxes_rules.draws, side = side, place = place)
}
