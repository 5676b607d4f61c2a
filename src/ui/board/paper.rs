//! Squared paper: the grid as one pattern, and the coordinates along its edges.

use super::geometry::SQUARE;
use leptos::prelude::*;

/// A grid of so many columns and rows of lines, numbered from zero.
#[component]
pub(super) fn Paper(columns: u8, rows: u8) -> impl IntoView {
    let half = SQUARE / 2.0;
    let side = |lines: u8| f64::from(lines) * SQUARE;
    let along = |number: u8| f64::from(number) * SQUARE;
    view! {
        <defs>
            // A tile has its crossing in the middle, so that no line is cut at the edge of the paper.
            <pattern id="grid" x=-half y=-half width=SQUARE height=SQUARE patternUnits="userSpaceOnUse">
                <path class="grid" d="M5 0V10M0 5H10" />
            </pattern>
        </defs>
        <rect class="paper" x=-half y=-half width=side(columns) height=side(rows) />
        <rect fill="url(#grid)" x=-half y=-half width=side(columns) height=side(rows) />
        <g class="ticks">
            {(0..columns).map(|x| view! { <Tick number=x x=along(x) y=-8.7 /> }).collect_view()}
            {(0..rows).map(|y| view! { <Tick number=y x=-9.0 y=along(y) /> }).collect_view()}
        </g>
    }
}

/// One number; a small screen shows every fifth.
#[component]
fn Tick(number: u8, x: f64, y: f64) -> impl IntoView {
    let class = if number.is_multiple_of(5) {
        "tick five"
    } else {
        "tick"
    };
    view! { <text class=class x=x y=y>{number}</text> }
}
