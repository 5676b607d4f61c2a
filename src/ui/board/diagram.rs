//! A small piece of a sheet with a few marks on it, to explain something by, as SVG markup.

use crate::ui::board::face::{Face, Initials};
use crate::ui::board::geometry::SQUARE;
use crate::ui::widgets::markup_list::render;
use std::fmt::Write;
use tochki_play::Ply;

/// From the first line to the edge of the sheet, or to where the piece is cut out of it.
const HALF: i32 = SQUARE / 2;

/// How many CSS pixels a unit of the paper has: all pieces show the same paper. Only a board of a few boxes is larger.
const fn scale(width: i32) -> i32 {
    if width < 5 * SQUARE { 6 } else { 3 }
}

/// What of the sheet is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Something from its middle.
    Middle,
    /// Its upper left corner.
    Corner,
    /// The whole board, with its own lines.
    Whole,
}

/// A position with the moves that led to it.
#[derive(Clone, Copy)]
pub(crate) struct Standing<'a> {
    pub(crate) face: &'a dyn Face,
    pub(crate) plies: &'a [Ply],
    pub(crate) initials: Initials,
}

impl Piece {
    /// The position.
    pub(crate) fn standing(self, standing: Standing<'_>) -> String {
        let picture = standing.face.picture(standing.plies, standing.initials);
        self.sheet(standing.face, &picture.markup())
    }

    /// The position, and over it what a move would do.
    pub(crate) fn trying(self, standing: Standing<'_>, preview: &str) -> String {
        let picture = standing.face.picture(standing.plies, standing.initials);
        self.sheet(standing.face, &(picture.markup() + preview))
    }

    /// The position after its last move, as it is seen coming.
    pub(crate) fn played(self, standing: Standing<'_>) -> String {
        let picture = standing.face.picture(standing.plies, standing.initials);
        let fresh = |marks: String| marks.replace("class=\"", "class=\"fresh ");
        let (others, last) = picture
            .marks
            .split_at(picture.marks.len().saturating_sub(1));
        let marks = fresh(render(&picture.areas))
            + &standing.face.closed()
            + &render(others)
            + &fresh(render(last))
            + &picture.last;
        self.sheet(standing.face, &marks)
    }

    fn sheet(self, face: &dyn Face, marks: &str) -> String {
        let sheet = face.geometry().sheet();
        let (width, height) = sheet.inner();
        // Beside a corner there is a little of the desk.
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
            drawing.push_str(&face.paper());
        } else {
            drawing.push_str(&cut(right, down));
        }
        if self == Self::Corner {
            // Writing into a string cannot fail.
            let _ = write!(
                drawing,
                r#"<path class="brink" d="M-{HALF} {down}V-{HALF}H{right}"/>"#
            );
        }
        drawing + marks + "</svg>"
    }
}

/// Paper whose lines go on beyond what is seen of it.
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
