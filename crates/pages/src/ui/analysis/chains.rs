//! The chains of Dots and Boxes: rows of boxes in which a player who opens one box gives all away.
//!
//! A box belongs to a chain if two of its lines are missing, or only one; boxes are linked where the missing line lies
//! between them. A chain that comes back to its beginning is a loop (E. R. Berlekamp, *The Dots and Boxes Game*, 2000).

use crate::ui::board::along;
use std::fmt::Write;
use tochki_rules::boxes::{Boxes, Line};
use tochki_rules::{Game as _, Position};

/// A chain or a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Column and row of each box, from the top left one.
    boxes: Vec<(u8, u8)>,
    /// Whether the chain is a loop.
    is_loop: bool,
}

/// Returns the chains of a position, by their first box; none in another game.
pub(crate) fn chains(position: &Position) -> Vec<Chain> {
    let Position::Boxes(boxes) = position else {
        return Vec::new();
    };
    let (columns, rows) = (boxes.setup().cols(), boxes.setup().rows());
    let mut seen = Vec::new();
    let mut chains = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            if in_chain(boxes, (x, y)) && !seen.contains(&(x, y)) {
                let chain = Chain::from(boxes, (x, y));
                seen.extend_from_slice(&chain.boxes);
                chains.push(chain);
            }
        }
    }
    chains
}

impl Chain {
    /// Returns the chain of all boxes that are linked with this one.
    fn from(boxes: &Boxes, first: (u8, u8)) -> Self {
        let mut found = vec![first];
        let mut links = 0;
        let mut at = 0;
        while let Some(&place) = found.get(at) {
            for (next, _) in missing(boxes, place).filter(|(next, _)| in_chain(boxes, *next)) {
                links += 1;
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        // Each link was counted from both ends; a row of boxes has one link less than boxes.
        let is_loop = links == 2 * found.len();
        found.sort_by_key(|&(x, y)| (y, x));
        Self {
            boxes: found,
            is_loop,
        }
    }
}

/// Returns the lengths as text: of chains, and of loops.
pub(crate) fn lengths(chains: &[Chain]) -> [String; 2] {
    [false, true].map(|loops| {
        let lengths = chains.iter().filter(|chain| chain.is_loop == loops);
        let mut lengths: Vec<usize> = lengths.map(|chain| chain.boxes.len()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        let lengths: Vec<_> = lengths.iter().map(ToString::to_string).collect();
        lengths.join(", ")
    })
}

/// Draws the chains as SVG markup: their boxes, each with the length of its chain.
pub(crate) fn markup(chains: &[Chain]) -> String {
    let mut markup = String::new();
    for (number, chain) in chains.iter().enumerate() {
        for &(x, y) in &chain.boxes {
            let ((left, top), (right, bottom)) =
                ((along(x), along(y)), (along(x + 1), along(y + 1)));
            let (width, height) = (right - left, bottom - top);
            let (middle_x, middle_y) = (left + width / 2, top + height / 2);
            let (kind, length) = (number % 2, chain.boxes.len());
            // Writing into a string cannot fail.
            let _ = write!(
                markup,
                r#"<rect class="chain kind-{kind}" x="{left}" y="{top}" width="{width}" height="{height}"/><text class="rank narrow" x="{middle_x}" y="{middle_y}">{length}</text>"#
            );
        }
    }
    markup
}

/// Returns whether a box is in a chain: one or two of its lines are missing.
fn in_chain(boxes: &Boxes, (x, y): (u8, u8)) -> bool {
    let inside = x < boxes.setup().cols() && y < boxes.setup().rows();
    inside && (1..=2).contains(&missing(boxes, (x, y)).count())
}

/// Returns the missing lines of a box, each with the box behind it, which may be off the board.
fn missing(boxes: &Boxes, (x, y): (u8, u8)) -> impl Iterator<Item = ((u8, u8), Line)> {
    // Left of the first column and above the first row no board has a box.
    [
        ((x, y.wrapping_sub(1)), Line::across(x, y)),
        ((x, y + 1), Line::across(x, y + 1)),
        ((x.wrapping_sub(1), y), Line::down(x, y)),
        ((x + 1, y), Line::down(x + 1, y)),
    ]
    .into_iter()
    .filter(|(_, line)| boxes.line(*line).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::boxes::Setup;
    use tochki_rules::{GameKind, Setup as AnySetup};

    /// Checks the lengths of a 3 × 3 position in which these lines are drawn.
    #[track_caller]
    fn check(lines: &str, expected: [&str; 2]) {
        let setup = AnySetup::Boxes(Setup::new(3, 3).unwrap());
        let mut position = Position::new(&setup);
        for line in lines.split_ascii_whitespace() {
            let line = position.parse_move(line).unwrap();
            position.play(line).unwrap();
        }
        let chains = chains(&position);
        assert_eq!(lengths(&chains), expected, "{lines}: {chains:?}");
    }

    #[test]
    fn chains_are_rows_of_boxes_with_two_lines() {
        check("", ["", ""]);
        check("h:0,0 h:1,0 h:2,0", ["", ""]);
        check("h:0,0 h:1,0 h:2,0 h:0,1 h:1,1 h:2,1", ["3", ""]);
        // A box with three lines is the end of its chain.
        check("h:0,0 h:1,0 h:2,0 h:0,1 h:1,1 h:2,1 v:0,0", ["3", ""]);
        // A line across cuts it.
        check("h:0,0 h:1,0 h:2,0 h:0,1 h:1,1 h:2,1 v:1,0", ["2, 1", ""]);
    }

    #[test]
    fn four_boxes_round_a_point_are_a_loop() {
        let frame = "h:0,0 h:1,0 v:0,0 v:0,1 h:0,2 h:1,2 v:2,0 v:2,1";
        check(frame, ["", "4"]);
        check(&format!("{frame} h:0,1"), ["4", ""]);
    }

    #[test]
    fn only_boxes_have_chains() {
        let dots = Position::new(&GameKind::Dots.default_setup());
        assert_eq!(chains(&dots), []);
        let boxes = Position::new(&GameKind::Boxes.default_setup());
        assert_eq!(markup(&chains(&boxes)), "");
    }

    #[test]
    fn each_box_says_how_long_its_chain_is() {
        let mut position = Position::new(&GameKind::Boxes.default_setup());
        for line in ["h:0,0", "h:1,0", "h:0,1", "h:1,1", "v:0,0"] {
            let line = position.parse_move(line).unwrap();
            position.play(line).unwrap();
        }
        let markup = markup(&chains(&position));
        assert_eq!(markup.matches(">2</text>").count(), 2, "{markup}");
    }
}
