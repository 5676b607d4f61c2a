//! The winning chances by move as SVG markup, in the look of the graph of the score.

use std::fmt::Write;

/// The height of the view box: percent.
const TOP: f32 = 100.0;

/// The chances of the first side from before the first move on, in a game of so many moves, with a line at one half. The page
/// stretches it.
pub(crate) fn value_graph(chances: &[f32], moves: usize, label: &str) -> String {
    let moves = moves.max(1);
    let mut path = String::new();
    for (ply, chance) in chances.iter().enumerate() {
        let step = if ply == 0 { 'M' } else { 'L' };
        let height = ((1.0 - chance) * TOP).round() as i32;
        // Writing into a string cannot fail.
        let _ = write!(path, "{step}{ply} {height}");
    }
    format!(
        r#"<svg class="graph chances" viewBox="0 0 {moves} 100" preserveAspectRatio="none" role="img" aria-label="{label}"><path class="half" d="M0 50H{moves}"/><path class="under" d="{path}V100H0Z"/><path class="trace red" d="{path}"/></svg>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_rises_with_the_chances_of_the_first_side() {
        let drawn = value_graph(&[0.5, 0.75, 0.0, 1.0], 3, "Chances");
        assert!(drawn.contains(r#"viewBox="0 0 3 100""#), "{drawn}");
        assert!(drawn.contains(r#"d="M0 50L1 25L2 100L3 0"/>"#), "{drawn}");
        assert!(value_graph(&[0.5], 0, "").contains(r#"viewBox="0 0 1 100""#));
        // A review that has come so far.
        let half = value_graph(&[0.5, 0.75], 3, "");
        assert!(half.contains(r#"viewBox="0 0 3 100""#), "{half}");
        assert!(half.contains(r#"d="M0 50L1 25V100H0Z""#), "{half}");
    }
}
