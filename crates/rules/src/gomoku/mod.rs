//! Gomoku: five stones in a row win.

mod setup;
mod winning_rows;

#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod properties;

pub use setup::{Rule, Setup};
pub use winning_rows::{Row, WinningRows};

use super::{Ending, Game, Illegal, MoveError, Outcome, Point, Seat};

/// The largest size of a board.
const SIDE: usize = Setup::LONGEST as usize;

/// A position of Gomoku, with every move that led to it.
///
/// ```
/// use tochki_rules::{Game, Seat, gomoku::{Gomoku, Setup}};
///
/// let mut gomoku = Gomoku::new(&Setup::DEFAULT);
/// for mv in ["5,5", "0,0", "6,5", "1,0", "7,5", "2,0", "8,5", "3,0", "9,5"] {
///     gomoku.play(mv.parse()?)?;
/// }
/// let rows = gomoku.winning_rows().unwrap();
/// assert_eq!((rows.seat(), rows.points().count()), (Seat::First, 5));
/// assert_eq!(gomoku.to_move(), None);
/// # Ok::<(), tochki_rules::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    setup: Setup,
    /// The stones, by row and column.
    stones: [[Option<Seat>; SIDE]; SIDE],
    /// The side to move, unless the game is over.
    turn: Seat,
    /// The rows with which the last move has won.
    winning_rows: Option<WinningRows>,
    plies: Vec<Ply>,
}

/// A move, and the side that was to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    point: Point,
    turn: Seat,
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The point of the stone.
    pub point: Point,
    /// The seat that placed the stone.
    pub seat: Seat,
    /// Whether the stone won the game, see [`Gomoku::winning_rows`].
    pub wins: bool,
}

impl Gomoku {
    /// The side of the stone on a point; `None` if the point is free or off the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Seat> {
        *self
            .stones
            .get(usize::from(point.y))?
            .get(usize::from(point.x))?
    }

    /// The rows that have won the game; `None` if it is not won.
    #[must_use]
    pub const fn winning_rows(&self) -> Option<WinningRows> {
        self.winning_rows
    }

    /// Checks that a stone may be placed on the point.
    ///
    /// # Errors
    ///
    /// If the point is off the board or occupied.
    pub fn is_free(&self, point: Point) -> Result<(), Illegal> {
        if !self.setup.contains(point) {
            Err(Illegal::OffBoard)
        } else if self.stone(point).is_some() || self.winning_rows.is_some() {
            // Once the game is won no point is free. `outcome` tells the reason.
            Err(Illegal::Occupied)
        } else {
            Ok(())
        }
    }

    /// The legal points, row by row.
    pub fn free_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.setup
            .points()
            .filter(|&point| self.is_free(point).is_ok())
    }

    fn put(&mut self, point: Point, stone: Option<Seat>) {
        self.stones[usize::from(point.y)][usize::from(point.x)] = stone;
    }

    fn is_full(&self) -> bool {
        self.plies.len() == usize::from(self.setup.area())
    }
}

impl Game for Gomoku {
    type Setup = Setup;
    type Move = Point;
    type Change = Change;

    fn new(setup: &Setup) -> Self {
        Self {
            setup: *setup,
            stones: [[None; SIDE]; SIDE],
            turn: Seat::First,
            winning_rows: None,
            plies: Vec::new(),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn to_move(&self) -> Option<Seat> {
        self.outcome().is_none().then_some(self.turn)
    }

    fn play_as(&mut self, seat: Seat, point: Point) -> Result<Change, Illegal> {
        self.is_free(point)?;
        let turn = self.turn;
        self.plies.push(Ply { point, turn });
        self.put(point, Some(seat));
        self.turn = seat.other();
        let has_stone = |point| self.stone(point) == Some(seat);
        self.winning_rows = WinningRows::through(self.setup.rule(), seat, point, has_stone);
        let wins = self.winning_rows.is_some();
        Ok(Change { point, seat, wins })
    }

    fn give_turn(&mut self, seat: Seat) -> bool {
        if self.to_move().is_none() {
            return false;
        }
        self.turn = seat;
        true
    }

    fn undo(&mut self) -> Option<Point> {
        let Ply { point, turn } = self.plies.pop()?;
        self.put(point, None);
        self.turn = turn;
        // No move follows a winning one.
        self.winning_rows = None;
        Some(point)
    }

    /// 1 for the winner, 0 for the loser.
    fn score(&self) -> [u32; 2] {
        let winner = self.winning_rows.map(|rows| rows.seat());
        Seat::BOTH.map(|seat| u32::from(winner == Some(seat)))
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = match self.winning_rows {
            Some(_) => Ending::FiveInRow,
            None if self.is_full() => Ending::BoardFull,
            None => return None,
        };
        Some(Outcome::by_score(self.score(), ending))
    }

    /// The share of the points that have stones, rounded.
    fn progress(&self) -> u8 {
        let area = usize::from(self.setup.area());
        ((self.plies.len() * 100 + area / 2) / area) as u8
    }

    fn parse_move(text: &str) -> Result<Point, MoveError> {
        text.parse()
    }
}
