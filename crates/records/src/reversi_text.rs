//! Moves of Reversi as people write them: `f5`, `F5`, and the words for a pass.

use crate::StopReason;
use crate::builder::Builder;
use tochki_rules::{Move, Point, Position};

/// Returns whether a word is a pass: `--`, `pa`, `pass`, `ps`, `00`, in any case.
pub(crate) fn is_pass(word: &str) -> bool {
    ["--", "pa", "pass", "ps", "@@", "00"]
        .iter()
        .any(|pass| word.eq_ignore_ascii_case(pass))
}

/// Plays a move, or a pass, of the side on turn.
pub(crate) fn play(builder: &mut Builder, word: &str, time: Option<u64>) -> Result<(), StopReason> {
    if is_pass(word) {
        return builder.pass(None);
    }
    if word.contains(',') {
        return Err(StopReason::Move(tochki_rules::MoveError::Malformed));
    }
    builder.play(word, time)
}

/// The name of a square: `f5`.
pub(crate) fn name(mv: Move) -> String {
    let (Move::Reversi(Point { x, y }) | Move::Gomoku(Point { x, y }) | Move::Dots(Point { x, y })) =
        mv
    else {
        return String::new();
    };
    format!("{}{}", char::from(b'a'.saturating_add(x)), u16::from(y) + 1)
}

/// The discs of black more than of white, where empty squares at the end go to the winner, as all these forms count.
pub(crate) fn difference(position: &Position) -> i32 {
    let [black, white] = position
        .score()
        .map(|discs| i32::try_from(discs).unwrap_or_default());
    let empty = 64 - black - white;
    match (black - white).signum() {
        _ if position.to_move().is_some() => black - white,
        sign => black - white + sign * empty,
    }
}
