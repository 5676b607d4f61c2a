//! The overlay of the board: the hint, the best moves that the computer considers, and the sign of a judged move.

use crate::ui::board::{BoardPosition, MoveTarget};
use crate::ui::games::board_position;
use std::fmt::Write;
use tochki_rules::{Move, Position};

/// Draws a frame round the place of a move.
pub(crate) fn hint(position: &Position, mv: &str) -> String {
    let Ok(mv) = position.parse_move(mv) else {
        return String::new();
    };
    board_position(position).target_of(mv).frame("hint-mark")
}

/// Draws the ranks of moves at their places, the best one first.
pub(crate) fn ranks<'a>(position: &Position, moves: impl Iterator<Item = &'a str>) -> String {
    let board: &dyn BoardPosition = board_position(position);
    let mut markup = String::new();
    for (rank, mv) in moves.enumerate() {
        if let Ok(mv) = position.parse_move(mv) {
            let target = board.target_of(mv);
            let (x, y) = target.middle();
            // Lines lie closer to each other than points.
            let (radius, more) = match target {
                MoveTarget::At(..) => ("4.5", ""),
                MoveTarget::Across(..) | MoveTarget::Down(..) => ("3", " narrow"),
            };
            // Writing into a string cannot fail.
            let _ = write!(
                markup,
                r#"<circle class="rank-mark" cx="{x}" cy="{y}" r="{radius}"/><text class="rank{more}" x="{x}" y="{y}">{}</text>"#,
                rank + 1
            );
        }
    }
    markup
}

/// Draws a sign at the upper right of the place of a move, so that the move stays visible.
pub(crate) fn sign(position: &Position, mv: Move, sign: &str) -> String {
    let (x, y) = board_position(position).target_of(mv).middle();
    let (x, y) = (x + 4, y - 4);
    format!(
        r#"<circle class="sign-mark" cx="{x}" cy="{y}" r="3"/><text class="rank narrow sign" x="{x}" y="{y}">{sign}</text>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    #[test]
    fn marks_stand_at_their_places() {
        let boxes = Position::new(&GameKind::Boxes.default_setup());
        let markup = hint(&boxes, "h:0,0");
        assert!(markup.contains(r#"class="hint-mark""#), "{markup}");
        assert_eq!(hint(&boxes, "nonsense"), "");
        let line = boxes.parse_move("h:2,1").unwrap();
        let markup = sign(&boxes, line, "?!");
        assert!(markup.contains(r#"x="29" y="6">?!</text>"#), "{markup}");
        let gomoku = Position::new(&GameKind::Gomoku.default_setup());
        let markup = ranks(&gomoku, ["9,9", "nonsense", "10,9"].into_iter());
        assert_eq!(markup.matches("<circle").count(), 2, "{markup}");
        assert!(
            markup.contains(">1</text>") && markup.contains(">3</text>"),
            "{markup}"
        );
    }
}
