//! Diagrams for the rules: a part of a board with a few marks, as SVG markup.

use crate::ui::board::board_position::{BoardPosition, Initials};
use crate::ui::board::geometry::SQUARE;
use crate::ui::widgets::markup_list::render;
use std::fmt::Write;
use tochki_play::Ply;

/// The distance from the first line to the edge of the board, or of the part that is shown.
const HALF: i32 = SQUARE / 2;

/// Returns the scale in CSS pixels per unit, the same for all diagrams but those of a few boxes.
const fn scale(width: i32) -> i32 {
    if width < 5 * SQUARE { 6 } else { 3 }
}

/// The part of the board that a diagram shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagramCrop {
    /// A part of the middle.
    Middle,
    /// The upper left corner.
    Corner,
    /// The whole board.
    Whole,
}

/// A position with the moves that led to it.
#[derive(Clone, Copy)]
pub(crate) struct DiagramPosition<'a> {
    pub(crate) position: &'a dyn BoardPosition,
    pub(crate) plies: &'a [Ply],
    pub(crate) initials: Initials,
}

impl DiagramCrop {
    /// The position.
    pub(crate) fn before(self, shown: DiagramPosition<'_>) -> String {
        let picture = shown.position.picture(shown.plies, shown.initials);
        self.svg(shown.position, &picture.markup())
    }

    /// The position, and over it the preview of a move.
    pub(crate) fn with_preview(self, shown: DiagramPosition<'_>, preview: &str) -> String {
        let picture = shown.position.picture(shown.plies, shown.initials);
        self.svg(shown.position, &(picture.markup() + preview))
    }

    /// The position after its last move, with animated changes.
    pub(crate) fn after(self, shown: DiagramPosition<'_>) -> String {
        let picture = shown.position.picture(shown.plies, shown.initials);
        let fresh = |marks: String| marks.replace("class=\"", "class=\"fresh ");
        let (others, last) = picture
            .marks
            .split_at(picture.marks.len().saturating_sub(1));
        let marks = fresh(render(&picture.areas))
            + &shown.position.closed_places()
            + &render(others)
            + &fresh(render(last))
            + &picture.last;
        self.svg(shown.position, &marks)
    }

    fn svg(self, position: &dyn BoardPosition, marks: &str) -> String {
        let size = position.geometry().size();
        let (width, height) = size.inner();
        // Beside a corner there is a margin.
        let edge = match self {
            Self::Middle | Self::Whole => -HALF,
            Self::Corner => -SQUARE,
        };
        let (right, down) = (width - HALF, height - HALF);
        let (width, height) = (right - edge, down - edge);
        let mut drawing = format!(
            r#"<svg class="diagram" viewBox="{edge} {edge} {width} {height}" width="{}" height="{}" aria-hidden="true">"#,
            width * scale(width),
            height * scale(width)
        );
        if self == Self::Whole {
            drawing.push_str(&position.paper());
        } else {
            drawing.push_str(&cut(right, down));
        }
        if self == Self::Corner {
            // Writing into a string cannot fail.
            let _ = write!(
                drawing,
                r#"<path class="paper-edge" d="M-{HALF} {down}V-{HALF}H{right}"/>"#
            );
        }
        drawing + marks + "</svg>"
    }
}

/// Paper whose lines run on to the edge of the diagram.
fn cut(right: i32, down: i32) -> String {
    let mut paper = format!(
        r#"<path class="paper" d="M-{HALF}-{HALF}H{right}V{down}H-{HALF}Z"/><path class="grid" d=""#
    );
    // Writing into a string cannot fail.
    for x in (0..right).step_by(SQUARE as usize) {
        let _ = write!(paper, "M{x} -{HALF}V{down}");
    }
    for y in (0..down).step_by(SQUARE as usize) {
        let _ = write!(paper, "M-{HALF} {y}H{right}");
    }
    paper + r#""/>"#
}
