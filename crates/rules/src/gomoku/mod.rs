//! Gomoku: five stones in a row win.

mod five;
mod setup;

#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod properties;

pub use five::{Five, Row};
pub use setup::{Rule, Setup};

use super::{Ending, Game, Illegal, MoveError, Outcome, Point, Seat};

/// The most intersections that a board has each way.
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
/// let five = gomoku.five().unwrap();
/// assert_eq!((five.seat(), five.points().count()), (Seat::First, 5));
/// assert_eq!(gomoku.to_move(), None);
/// # Ok::<(), tochki_rules::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    setup: Setup,
    /// Whose stone is on each intersection, by its row and column.
    stones: [[Option<Seat>; SIDE]; SIDE],
    /// Who moves, as long as the game goes on.
    turn: Seat,
    /// What the last move has won with.
    five: Option<Five>,
    plies: Vec<Ply>,
}

/// A move, and whose turn it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    point: Point,
    turn: Seat,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the stone was placed.
    pub point: Point,
    /// Who placed it.
    pub seat: Seat,
    /// Whether it made five; [`Gomoku::five`] tells where.
    pub wins: bool,
}

impl Gomoku {
    /// Whose stone is on the point; nobody's if it is free, or not on the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Seat> {
        *self
            .stones
            .get(usize::from(point.y))?
            .get(usize::from(point.x))?
    }

    /// What has won the game, once it is won.
    #[must_use]
    pub const fn five(&self) -> Option<Five> {
        self.five
    }

    /// Whether a stone may be placed on the point, and if not, why.
    ///
    /// # Errors
    ///
    /// If the point is off the board or occupied.
    pub fn is_free(&self, point: Point) -> Result<(), Illegal> {
        if !self.setup.contains(point) {
            Err(Illegal::OffBoard)
        } else if self.stone(point).is_some() || self.five.is_some() {
            // Once the game is won there is no free point; whoever wants to know better asks for the outcome.
            Err(Illegal::Occupied)
        } else {
            Ok(())
        }
    }

    /// The points that a stone may be placed on, row by row.
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
            five: None,
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
        self.five = Five::through(self, seat, point);
        let wins = self.five.is_some();
        Ok(Change { point, seat, wins })
    }

    fn undo(&mut self) -> Option<Point> {
        let Ply { point, turn } = self.plies.pop()?;
        self.put(point, None);
        self.turn = turn;
        // Nothing is played after five.
        self.five = None;
        Some(point)
    }

    /// 1 for the winner's five.
    fn score(&self) -> [u32; 2] {
        let winner = self.five.map(|five| five.seat());
        Seat::BOTH.map(|seat| u32::from(winner == Some(seat)))
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = match self.five {
            Some(_) => Ending::FiveInRow,
            None if self.is_full() => Ending::BoardFull,
            None => return None,
        };
        Some(Outcome::by_score(self.score(), ending))
    }

    /// The intersections with a stone.
    fn progress(&self) -> u8 {
        (self.plies.len() * 100 / usize::from(self.setup.area())) as u8
    }

    fn parse_move(text: &str) -> Result<Point, MoveError> {
        text.parse()
    }
}
