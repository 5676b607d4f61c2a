//! The score by move, a line for each side, as SVG markup.

use crate::ui::text::side;
use std::fmt::Write;
use tochki_rules::Seat;

/// The smallest score at the top of the graph, so that a first capture does not fill it.
const MIN_TOP_SCORE: u32 = 5;

/// Draws both lines, from before the first move to after the last. The view box is as wide as there are moves and as high as the
/// higher score; the page stretches it. The style sheet draws one line solid and one dashed.
pub(crate) fn score_graph(scores: &[[u32; 2]], label: &str) -> String {
    let moves = scores.len().saturating_sub(1).max(1);
    let top = scores
        .iter()
        .flatten()
        .copied()
        .max()
        .unwrap_or(0)
        .max(MIN_TOP_SCORE);
    let mut graph = format!(
        r#"<svg class="graph" viewBox="0 0 {moves} {top}" preserveAspectRatio="none" role="img" aria-label="{label}">"#
    );
    for seat in Seat::BOTH {
        let points = |score: &[u32; 2]| top - score[seat.index()];
        let side = side::class(seat);
        // Writing into a string cannot fail.
        let mut level = scores.first().map_or(top, points);
        let _ = write!(graph, r#"<path class="trace {side}" d="M0 {level}"#);
        for (ply, score) in scores.iter().enumerate() {
            if points(score) != level {
                level = points(score);
                let _ = write!(graph, "H{ply}V{level}");
            }
        }
        let _ = write!(graph, r#"H{moves}"/>"#);
    }
    graph + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scores: &[[u32; 2]], size: &str, red: &str, blue: &str) {
        let drawn = score_graph(scores, "Score");
        assert!(
            drawn.contains(&format!(r#"viewBox="0 0 {size}""#)),
            "{drawn}"
        );
        for (side, line) in [("red", red), ("blue", blue)] {
            let path = format!(r#"<path class="trace {side}" d="{line}"/>"#);
            assert!(drawn.contains(&path), "{drawn}");
        }
    }

    #[test]
    fn a_line_steps_where_points_are_won_or_lost() {
        check(&[[0, 0]], "1 5", "M0 5H1", "M0 5H1");
        check(
            &[[0, 0], [0, 0], [2, 0], [2, 0], [1, 8]],
            "4 8",
            "M0 8H2V6H4V7H4",
            "M0 8H4V0H4",
        );
        check(&[[2, 2], [4, 1]], "1 5", "M0 3H1V1H1", "M0 3H1V4H1");
    }
}
