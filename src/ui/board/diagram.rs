//! A small piece of a sheet with a few dots on it, to explain something by, as SVG markup.

use super::geometry::SQUARE;
use super::picture::{Picture, along};
use super::preview::Preview;
use crate::rules::dots::{Dots, Point};
use crate::rules::{Game, Seat};
use crate::ui::pieces::drawn;
use std::fmt::Write;

/// From the first line to the edge of the sheet, or to where the piece is cut out of it.
const HALF: i32 = SQUARE / 2;

/// How many CSS pixels a unit of the paper has: all pieces show the same paper.
const SCALE: i32 = 3;

/// What of the sheet is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Something from its middle.
    Middle,
    /// Its upper left corner.
    Corner,
}

impl Piece {
    /// The position, with its dots in the order in which they were placed.
    pub(crate) fn standing(self, dots: &Dots, placed: &[Point]) -> String {
        let picture = Picture::of(dots, placed.iter().copied());
        let marks = picture.markup();
        self.sheet(dots, &marks)
    }

    /// The position, and over it what a dot would do.
    pub(crate) fn trying(self, dots: &Dots, placed: &[Point], seat: Seat, point: Point) -> String {
        let picture = Picture::of(dots, placed.iter().copied());
        let preview = Preview::of(dots, seat, point);
        let marks = picture.markup() + preview.drawn();
        self.sheet(dots, &marks)
    }

    /// The position after its last dot, as it is seen coming.
    pub(crate) fn played(self, dots: &Dots, placed: &[Point]) -> String {
        let picture = Picture::of(dots, placed.iter().copied());
        let fresh = |marks: String| marks.replace("class=\"", "class=\"fresh ");
        let (others, last) = picture.dots.split_at(picture.dots.len().saturating_sub(1));
        let marks = fresh(drawn(&picture.areas))
            + &closed(dots)
            + &drawn(others)
            + &fresh(drawn(last))
            + &picture.ring();
        self.sheet(dots, &marks)
    }

    fn sheet(self, dots: &Dots, marks: &str) -> String {
        let setup = dots.setup();
        let (right, down) = (along(setup.width()) - HALF, along(setup.height()) - HALF);
        // Beside a corner there is a little of the desk.
        let edge = match self {
            Self::Middle => -HALF,
            Self::Corner => -SQUARE,
        };
        let (width, height) = (right - edge, down - edge);
        let mut sheet = format!(
            r#"<svg class="diagram" viewBox="{edge} {edge} {width} {height}" width="{}" height="{}" aria-hidden="true"><path class="paper" d="M-{HALF}-{HALF}H{right}V{down}H-{HALF}Z"/><path class="grid" d=""#,
            width * SCALE,
            height * SCALE
        );
        // Writing into a string cannot fail.
        for x in 0..setup.width() {
            let _ = write!(sheet, "M{} -{HALF}V{down}", along(x));
        }
        for y in 0..setup.height() {
            let _ = write!(sheet, "M-{HALF} {}H{right}", along(y));
        }
        sheet.push_str(r#""/>"#);
        if self == Self::Corner {
            let _ = write!(
                sheet,
                r#"<path class="brink" d="M-{HALF} {down}V-{HALF}H{right}"/>"#
            );
        }
        sheet + marks + "</svg>"
    }
}

/// Crosses on the empty points that a capture has closed.
fn closed(dots: &Dots) -> String {
    let points = dots.setup().points();
    let closed = points.filter(|point| {
        let spot = dots.at(*point);
        spot.dot.is_none() && spot.area.is_some()
    });
    let mut crosses = String::new();
    for point in closed {
        let (x, y) = (along(point.x), along(point.y));
        // Writing into a string cannot fail.
        let _ = write!(
            crosses,
            r#"<path class="closed" d="M{} {}l4 4m0-4l-4 4"/>"#,
            x - 2,
            y - 2
        );
    }
    crosses
}
