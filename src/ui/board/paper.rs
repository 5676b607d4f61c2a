//! Squared paper: the grid as one pattern, the hatchings of captured areas, and the coordinates along the edges.

use super::geometry::SQUARE;
use std::fmt::Write;

/// Strokes that rise to the right for one side and fall for the other; the style sheet uses them where colours are to be
/// told apart by every eye. The short strokes are the corners that belong to the neighbouring tiles.
const HATCHINGS: &str = concat!(
    r#"<pattern id="hatch-red" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch red" d="M-1 1L1 -1M0 5L5 0M4 6L6 4"/></pattern>"#,
    r#"<pattern id="hatch-blue" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch blue" d="M-1 4L1 6M0 0L5 5M4 -1L6 1"/></pattern>"#,
);

/// A grid of so many columns and rows of lines, numbered from zero, as SVG markup.
pub(super) fn paper(columns: u8, rows: u8) -> String {
    let (width, height) = (i32::from(columns) * SQUARE, i32::from(rows) * SQUARE);
    let edge = -SQUARE / 2;
    let area = format!(r#"x="{edge}" y="{edge}" width="{width}" height="{height}""#);
    // A tile has its crossing in the middle, so that no line is cut at the edge of the paper.
    let mut paper = format!(
        r#"<defs><pattern id="grid" x="{edge}" y="{edge}" width="{SQUARE}" height="{SQUARE}" patternUnits="userSpaceOnUse"><path class="grid" d="M5 0V10M0 5H10"/></pattern>{HATCHINGS}</defs><rect class="paper" {area}/><rect fill="url(#grid)" {area}/>"#
    );
    for x in 0..columns {
        tick(&mut paper, x, i32::from(x) * SQUARE, -9);
    }
    for y in 0..rows {
        tick(&mut paper, y, -9, i32::from(y) * SQUARE);
    }
    paper
}

/// One number; a small screen shows every fifth.
fn tick(paper: &mut String, number: u8, x: i32, y: i32) {
    let five = if number.is_multiple_of(5) {
        " five"
    } else {
        ""
    };
    // Writing into a string cannot fail.
    let _ = write!(
        paper,
        r#"<text class="tick{five}" x="{x}" y="{y}">{number}</text>"#
    );
}
