//! Dots and Boxes: draw lines between dots and take the boxes that close.
//!
//! A position stores the seat that drew each line and the owner of each box. A box is taken by the line that closes it, so the
//! line is enough to give its boxes back.

mod line;
mod setup;

#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod properties;

pub use line::{Line, Orientation};
pub use setup::Setup;

use super::{Ending, Game, Illegal, MoveError, Outcome, Seat};

/// The most rows of lines that a board has, as [`Line::in_row`] counts them, and the most lines in one.
const LINES: (usize, usize) = (2 * Setup::LONGEST as usize + 1, Setup::LONGEST as usize + 1);

/// The most boxes that a board has each way.
const BOXES: usize = Setup::LONGEST as usize;

/// A position of Dots and Boxes, with every move that led to it.
///
/// ```
/// use tochki_rules::{Game, Seat, boxes::{Boxes, Setup}};
///
/// let mut boxes = Boxes::new(&Setup::DEFAULT);
/// for mv in ["h:0,0", "v:0,0", "h:0,1", "v:1,0"] {
///     boxes.play(mv.parse()?)?;
/// }
/// assert_eq!(boxes.owner(0, 0), Some(Seat::Second));
/// assert_eq!(boxes.to_move(), Some(Seat::Second), "who takes a box moves again");
/// # Ok::<(), tochki_rules::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxes {
    setup: Setup,
    /// The seat that drew each line, by its row and its place there.
    drawn: [[Option<Seat>; LINES.1]; LINES.0],
    /// The owner of each box, by its row and column.
    owners: [[Option<Seat>; BOXES]; BOXES],
    /// The side to move, as long as there is a line to draw.
    turn: Seat,
    score: [u8; 2],
    plies: Vec<Ply>,
}

/// A move, and the side that was to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    line: Line,
    turn: Seat,
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The line that was drawn.
    pub line: Line,
    /// The seat that drew the line.
    pub seat: Seat,
    /// The boxes that the line closed, by column and row, each at its side of the line: above and below, or left and right.
    pub taken: [Option<(u8, u8)>; 2],
}

impl Change {
    /// The number of boxes that the line closed: 0 to 2.
    #[must_use]
    pub fn count(&self) -> u8 {
        self.taken.iter().flatten().count() as u8
    }
}

impl Boxes {
    /// The seat that drew the line; `None` if the line is not drawn, or not on the board.
    #[must_use]
    pub fn line(&self, line: Line) -> Option<Seat> {
        if self.setup.contains(line) {
            self.drawn[usize::from(line.row())][usize::from(line.x)]
        } else {
            None
        }
    }

    /// The owner of the box in column `x` of row `y`; `None` if the box is open, or not on the board.
    #[must_use]
    pub fn owner(&self, x: u8, y: u8) -> Option<Seat> {
        *self.owners.get(usize::from(y))?.get(usize::from(x))?
    }

    /// Checks that the line may be drawn.
    ///
    /// # Errors
    ///
    /// If the line is off the board or drawn already.
    pub fn is_free(&self, line: Line) -> Result<(), Illegal> {
        if !self.setup.contains(line) {
            Err(Illegal::OffBoard)
        } else if self.line(line).is_some() {
            Err(Illegal::AlreadyDrawn)
        } else {
            Ok(())
        }
    }

    /// The lines that may be drawn, in the order of [`Line::in_row`].
    pub fn free_lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.setup.lines().filter(|&line| self.line(line).is_none())
    }

    fn is_over(&self) -> bool {
        self.score[0] + self.score[1] == self.setup.area()
    }

    /// Returns whether all four lines of a box are drawn. A box that no board has is never closed.
    fn is_closed(&self, (x, y): (u8, u8)) -> bool {
        x < self.setup.cols()
            && y < self.setup.rows()
            && [
                Line::across(x, y),
                Line::across(x, y + 1),
                Line::down(x, y),
                Line::down(x + 1, y),
            ]
            .into_iter()
            .all(|line| self.line(line).is_some())
    }

    fn draw(&mut self, line: Line, by: Option<Seat>) {
        self.drawn[usize::from(line.row())][usize::from(line.x)] = by;
    }

    fn give(&mut self, (x, y): (u8, u8), to: Option<Seat>) {
        self.owners[usize::from(y)][usize::from(x)] = to;
    }
}

impl Game for Boxes {
    type Setup = Setup;
    type Move = Line;
    type Change = Change;

    fn new(setup: &Setup) -> Self {
        Self {
            setup: *setup,
            drawn: [[None; LINES.1]; LINES.0],
            owners: [[None; BOXES]; BOXES],
            turn: Seat::First,
            score: [0; 2],
            plies: Vec::new(),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then_some(self.turn)
    }

    /// A side that takes a box moves again, also out of turn.
    fn play_as(&mut self, seat: Seat, line: Line) -> Result<Change, Illegal> {
        self.is_free(line)?;
        let turn = self.turn;
        self.plies.push(Ply { line, turn });
        self.draw(line, Some(seat));
        let taken = line
            .sides()
            .map(|side| self.is_closed(side).then_some(side));
        for side in taken.into_iter().flatten() {
            self.give(side, Some(seat));
            self.score[seat.index()] += 1;
        }
        let change = Change { line, seat, taken };
        self.turn = match change.count() {
            0 => seat.other(),
            _ => seat,
        };
        Ok(change)
    }

    fn give_turn(&mut self, seat: Seat) -> bool {
        if self.to_move().is_none() {
            return false;
        }
        self.turn = seat;
        true
    }

    fn undo(&mut self) -> Option<Line> {
        let Ply { line, turn } = self.plies.pop()?;
        // Without the line neither of its sides is closed, so a box that is owned there was taken by the line.
        for (x, y) in line.sides() {
            if let Some(owner) = self.owner(x, y) {
                self.give((x, y), None);
                self.score[owner.index()] -= 1;
            }
        }
        self.draw(line, None);
        self.turn = turn;
        Some(line)
    }

    fn score(&self) -> [u32; 2] {
        self.score.map(u32::from)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over()
            .then(|| Outcome::by_score(self.score(), Ending::AllBoxes))
    }

    /// The lines that are drawn.
    fn progress(&self) -> u8 {
        (self.plies.len() * 100 / usize::from(self.setup.line_count())) as u8
    }

    fn parse_move(text: &str) -> Result<Line, MoveError> {
        text.parse()
    }
}
