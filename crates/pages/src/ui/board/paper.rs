//! Squared paper: its lines, and the coordinates along its edges.

use crate::ui::board::geometry::{Grid, SQUARE, along};
use crate::ui::board::picture::circles;
use std::fmt::Write;

/// The style of the paper's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GridStyle {
    /// Lines over the whole board; the marks stand on the crossings.
    Paper,
    /// Lines from the first crossing to the last, as on a board of stones.
    Lines,
    /// Lines as in [`Self::Lines`], only as a trace of the lines to be drawn between the dots on the crossings.
    Dots,
    /// Lines round the squares; the marks stand in them.
    Squares,
}

/// Draws the paper of a grid, as SVG markup. Columns and rows have these names.
pub(crate) fn paper(
    grid: Grid,
    style: GridStyle,
    column: impl Fn(u8) -> String,
    row: impl Fn(u8) -> String,
) -> String {
    let Grid { columns, rows } = grid;
    let edge = -SQUARE / 2;
    let (width, height) = (along(columns), along(rows));
    let mut paper =
        format!(r#"<rect class="paper" x="{edge}" y="{edge}" width="{width}" height="{height}"/>"#);
    // Writing into a string cannot fail.
    let _ = match style {
        // A tile has its crossing in the middle, so that no line is cut at the edge of the paper.
        GridStyle::Paper => write!(
            paper,
            r#"<defs><pattern id="grid" x="{edge}" y="{edge}" width="{SQUARE}" height="{SQUARE}" patternUnits="userSpaceOnUse"><path class="grid" d="M5 0V10M0 5H10"/></pattern></defs><rect fill="url(#grid)" x="{edge}" y="{edge}" width="{width}" height="{height}"/>"#
        ),
        GridStyle::Lines => write!(
            paper,
            r#"<path class="grid ruled" d="{}"/>"#,
            lines((columns, rows), 0)
        ),
        GridStyle::Dots => write!(
            paper,
            r#"<path class="grid" d="{}"/>{}"#,
            lines((columns, rows), 0),
            circles(
                "peg",
                "1",
                (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)))
            )
        ),
        GridStyle::Squares => write!(
            paper,
            r#"<path class="grid ruled" d="{}"/>"#,
            lines((columns + 1, rows + 1), edge)
        ),
    };
    // A small screen has room for the names of a few places, or for every fifth of many.
    let longest = columns.max(rows);
    let class = |number: u8| match longest {
        ..=11 => "tick few",
        12..=15 => "tick five",
        _ if number.is_multiple_of(5) => "tick five",
        _ => "tick",
    };
    for x in 0..columns {
        tick(&mut paper, class(x), &column(x), along(x), -9);
    }
    for y in 0..rows {
        tick(&mut paper, class(y), &row(y), -9, along(y));
    }
    paper
}

/// Returns the path of so many lines down and across, from `edge` on.
fn lines((down, across): (u8, u8), edge: i32) -> String {
    let mut path = String::new();
    let (right, bottom) = (along(down - 1), along(across - 1));
    for x in 0..down {
        // Writing into a string cannot fail.
        let _ = write!(path, "M{} {edge}v{bottom}", along(x) + edge);
    }
    for y in 0..across {
        let _ = write!(path, "M{edge} {}h{right}", along(y) + edge);
    }
    path
}

/// Draws the name of a column or a row.
fn tick(paper: &mut String, class: &str, name: &str, x: i32, y: i32) {
    // Writing into a string cannot fail.
    let _ = write!(
        paper,
        r#"<text class="{class}" x="{x}" y="{y}">{name}</text>"#
    );
}
