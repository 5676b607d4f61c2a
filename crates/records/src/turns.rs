//! The turns of a main line, for forms that have no colours.

use crate::{GameRecord, WriteError};
use tochki_rules::{Position, Seat};

/// Plays the main line of a record whose form has turns, but no colours: calls this for each move, with the position before it.
///
/// # Errors
///
/// If something is on the board before the first move, or a move is out of turn or cannot be played.
pub(crate) fn in_turn(
    record: &GameRecord,
    mut each: impl FnMut(&Position, usize),
) -> Result<Position, WriteError> {
    if !record.start.is_empty() {
        return Err(WriteError::HasStart);
    }
    let mut position = Position::new(&record.setup);
    for (number, mv) in record.main_line().iter().enumerate() {
        if position.to_move() != Some(mv.seat) {
            return Err(WriteError::OutOfTurn);
        }
        each(&position, number);
        position
            .play_as(mv.seat, mv.mv)
            .map_err(|_| WriteError::OutOfTurn)?;
    }
    Ok(position)
}

/// The letter of a side in SGF and GGF.
pub(crate) const fn colour_letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'B',
        Seat::Second => 'W',
    }
}
