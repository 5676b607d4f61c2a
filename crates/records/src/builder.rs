//! Building a record move by move, with the position at hand, so that a record never has a move that cannot be played.

use crate::{GameRecord, Place, Placed, RecordMove, Stop, StopReason};
use std::collections::HashMap;
use tochki_rules::{MoveError, Position, Seat, Setup};

/// A record so far, and the position after one of its moves.
pub(crate) struct Builder {
    pub(crate) record: GameRecord,
    position: Position,
    /// The moves that lead to the position, as places in the list.
    path: Vec<usize>,
    /// The places of the moves after each move, so that the same move is never there twice; `None` where nothing branches.
    known: Option<HashMap<(Option<usize>, Placed), usize>>,
}

impl Builder {
    /// Begins a record without variations.
    pub(crate) fn line(setup: Setup) -> Self {
        Self {
            record: GameRecord::new(setup),
            position: Position::new(&setup),
            path: Vec::new(),
            known: None,
        }
    }

    /// Begins a record with variations. Its main line comes first, and ends with [`Self::end_main_line`].
    pub(crate) fn tree(setup: Setup) -> Self {
        Self {
            known: Some(HashMap::new()),
            ..Self::line(setup)
        }
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// The side on turn; the first one where the game is over.
    pub(crate) fn turn(&self) -> Seat {
        self.position.to_move().unwrap_or(Seat::First)
    }

    /// Returns whether the position is the one before the first move.
    pub(crate) const fn is_at_start(&self) -> bool {
        self.path.is_empty()
    }

    /// The last move that leads to the position.
    pub(crate) fn last(&self) -> Option<usize> {
        self.path.last().copied()
    }

    /// Puts something onto the board before the first move.
    pub(crate) fn place(&mut self, placed: Placed) -> Result<(), StopReason> {
        if self.position.to_move().is_none() {
            return Err(StopReason::Finished);
        }
        self.position.play_as(placed.seat, placed.mv)?;
        self.record.start.push(placed);
        Ok(())
    }

    /// Plays a move of a side, whoever's turn it is.
    pub(crate) fn play_as(&mut self, placed: Placed, time: Option<u64>) -> Result<(), StopReason> {
        if self.position.to_move().is_none() {
            return Err(StopReason::Finished);
        }
        self.position.play_as(placed.seat, placed.mv)?;
        let after = self.last();
        if let Some(known) = &self.known
            && let Some(&place) = known.get(&(after, placed))
        {
            self.path.push(place);
            return Ok(());
        }
        let place = self.record.moves.len();
        let Placed { seat, mv } = placed;
        self.record.moves.push(RecordMove {
            seat,
            mv,
            after,
            time,
            comment: String::new(),
        });
        if let Some(known) = &mut self.known {
            known.insert((after, placed), place);
        }
        self.path.push(place);
        Ok(())
    }

    /// Plays a written move of the side on turn.
    pub(crate) fn play(&mut self, mv: &str, time: Option<u64>) -> Result<(), StopReason> {
        let mv = self.position.parse_move(mv)?;
        let seat = self.turn();
        self.play_as(Placed { seat, mv }, time)
    }

    /// Passes for a side, which has no move: our rules have passed it over already.
    pub(crate) fn pass(&self, seat: Option<Seat>) -> Result<(), StopReason> {
        let turn = self.position.to_move();
        let passed =
            self.position.passed() && turn.is_some() && seat.is_none_or(|seat| Some(seat) != turn);
        // After the end neither side has a move.
        if passed || turn.is_none() {
            Ok(())
        } else {
            Err(StopReason::PassWithMove)
        }
    }

    /// Takes moves back until the last one is this.
    pub(crate) fn go_back_to(&mut self, last: Option<usize>) {
        while self.last() != last && self.path.pop().is_some() {
            self.position.undo();
        }
    }

    /// Ends the main line with the last move that was made.
    pub(crate) fn end_main_line(&mut self) {
        self.record.main_line = self.record.moves.len();
    }

    /// Notes that the next move of the main line cannot be played.
    pub(crate) fn stop(&mut self, why: StopReason, place: Place) {
        let number = self.path.len() + 1;
        self.record.stop = Some(Stop { number, place, why });
    }

    /// Notes that something cannot be put onto the board before the first move.
    pub(crate) fn stop_before_moves(&mut self, why: StopReason, place: Place) {
        let number = 0;
        self.record.stop = Some(Stop { number, place, why });
    }

    /// Adds a comment to the last move, or to the game where there is none.
    pub(crate) fn comment(&mut self, text: &str) {
        let comment = match self.path.last() {
            Some(&last) => &mut self.record.moves[last].comment,
            None => &mut self.record.comment,
        };
        if !comment.is_empty() && !text.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// The record of a single line.
    pub(crate) fn finish(mut self) -> GameRecord {
        if self.known.is_none() {
            self.end_main_line();
        }
        self.record
    }
}

impl From<tochki_rules::Illegal> for StopReason {
    fn from(why: tochki_rules::Illegal) -> Self {
        Self::Move(MoveError::Illegal(why))
    }
}
