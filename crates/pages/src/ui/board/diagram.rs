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

    /// The position with the mark of its last move, fitted into a frame of a larger drawing: left, top, width and height.
    pub(crate) fn fitted(self, shown: DiagramPosition<'_>, frame: [i32; 4]) -> String {
        let position = shown.position;
        let picture = position.picture(shown.plies, shown.initials);
        let marks = picture.markup() + &position.closed_places() + &picture.last;
        let ([edge, width, height], drawn) = self.drawing(position, &marks);
        let [left, top, right, down] = frame;
        format!(
            r#"<svg x="{left}" y="{top}" width="{right}" height="{down}" viewBox="{edge} {edge} {width} {height}">{drawn}</svg>"#
        )
    }

    fn svg(self, position: &dyn BoardPosition, marks: &str) -> String {
        let ([edge, width, height], drawn) = self.drawing(position, marks);
        format!(
            r#"<svg class="diagram" viewBox="{edge} {edge} {width} {height}" width="{}" height="{}" aria-hidden="true">{drawn}</svg>"#,
            width * scale(width),
            height * scale(width)
        )
    }

    /// Draws paper and marks. Also returns the edge of the part that is shown, the same on the left and above, its width and its height.
    fn drawing(self, position: &dyn BoardPosition, marks: &str) -> ([i32; 3], String) {
        let size = position.geometry().size();
        let (width, height) = size.inner();
        // Beside a corner there is a margin.
        let edge = match self {
            Self::Middle | Self::Whole => -HALF,
            Self::Corner => -SQUARE,
        };
        let (right, down) = (width - HALF, height - HALF);
        let mut drawing = match self {
            Self::Whole => position.paper(),
            Self::Middle | Self::Corner => cut(right, down),
        };
        if self == Self::Corner {
            // Writing into a string cannot fail.
            let _ = write!(
                drawing,
                r#"<path class="paper-edge" d="M-{HALF} {down}V-{HALF}H{right}"/>"#
            );
        }
        ([edge, right - edge, down - edge], drawing + marks)
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
