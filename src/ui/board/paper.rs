//! Squared paper: the grid as one pattern, and the coordinates along its edges.

use super::geometry::SQUARE;
use std::fmt::Write;

/// A grid of so many columns and rows of lines, numbered from zero, as SVG markup.
pub(super) fn paper(columns: u8, rows: u8) -> String {
    let (width, height) = (i32::from(columns) * SQUARE, i32::from(rows) * SQUARE);
    let edge = -SQUARE / 2;
    let area = format!(r#"x="{edge}" y="{edge}" width="{width}" height="{height}""#);
    // A tile has its crossing in the middle, so that no line is cut at the edge of the paper.
    let mut paper = format!(
        r#"<defs><pattern id="grid" x="{edge}" y="{edge}" width="{SQUARE}" height="{SQUARE}" patternUnits="userSpaceOnUse"><path class="grid" d="M5 0V10M0 5H10"/></pattern></defs><rect class="paper" {area}/><rect fill="url(#grid)" {area}/>"#
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
