//! Reversi, also called Othello: put a disc so that enemy discs lie between two own ones, and flip them.
//!
//! A position is a set of squares for each colour, and the discs that each move has flipped. A side without a move is passed over
//! at once, so the side to move always has a move. `runs` explains how runs are found.

mod runs;
mod squares;

#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reference;

pub use runs::{flips, legal};
pub use squares::{Points, Squares};

use super::{Ending, Game, Illegal, InvalidSetup, MoveError, Outcome, Point, Seat};

/// The setup of a game of Reversi, which has no choices. As JSON it is `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ReversiSetup"))]
pub struct Setup {}

impl Setup {
    /// The only board: 8 × 8 squares.
    pub const DEFAULT: Self = Self {};

    /// Returns this setup: every setup that the rules allow may be played in a match.
    ///
    /// # Errors
    ///
    /// None: the only board is one for a match.
    pub const fn for_match(self) -> Result<Self, InvalidSetup> {
        Ok(self)
    }
}

/// The discs of the start: black's, then white's.
const START: [Squares; 2] = [
    Squares(1 << (8 * 3 + 4) | 1 << (8 * 4 + 3)),
    Squares(1 << (8 * 3 + 3) | 1 << (8 * 4 + 4)),
];

/// The squares that are empty at the start.
const PLACES: usize = 60;

/// A position of Reversi, with every move that led to it. The first seat is black.
///
/// ```
/// use tochki_rules::{Game, Point, Seat, reversi::{Reversi, Setup, Squares}};
///
/// let mut reversi = Reversi::new(&Setup::DEFAULT);
/// let change = reversi.play(Reversi::parse_move("d3")?)?;
/// assert_eq!(change.point, Point::new(3, 2));
/// assert_eq!(change.flipped, Squares::of(Point::new(3, 3)));
/// assert_eq!(reversi.score(), [4, 1]);
/// # Ok::<(), tochki_rules::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    setup: Setup,
    now: Position,
    plies: Vec<Ply>,
}

/// The discs of each seat, and the turn. The position is small enough for undoing a move to copy it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    discs: [Squares; 2],
    turn: Turn,
}

/// The side to move, and its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    seat: Seat,
    /// The squares where this seat may move. Empty means that neither can, and that the game is over.
    legal: Squares,
    /// Whether the other side has just been passed over.
    passed: bool,
}

/// A move, and the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    point: Point,
    before: Position,
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The point of the disc.
    pub point: Point,
    /// The seat that put the disc.
    pub seat: Seat,
    /// The enemy discs that the move flipped; the new disc is not among them.
    pub flipped: Squares,
    /// Whether the other side has no move now and is passed over, so that the same side moves again.
    pub passed: bool,
}

impl Turn {
    /// The turn after a move of `seat`, which has the discs `own`: the other side's, or if they have no move, `seat`'s once more.
    #[inline]
    fn after(seat: Seat, own: Squares, enemy: Squares) -> Self {
        let others = Self {
            seat: seat.other(),
            legal: legal(enemy, own),
            passed: false,
        };
        if !others.legal.is_empty() {
            return others;
        }
        let legal = legal(own, enemy);
        if legal.is_empty() {
            others
        } else {
            Self {
                seat,
                legal,
                passed: true,
            }
        }
    }
}

impl Reversi {
    /// The seat of the disc on the point; `None` if the point is empty, or not on the board.
    #[must_use]
    pub fn disc(&self, point: Point) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|&seat| self.discs(seat).contains(point))
    }

    /// The discs of one side.
    #[must_use]
    pub const fn discs(&self, seat: Seat) -> Squares {
        self.now.discs[seat.index()]
    }

    /// The squares where a side may move, whoever's turn it is.
    #[inline]
    #[must_use]
    pub fn legal(&self, seat: Seat) -> Squares {
        if seat == self.now.turn.seat {
            self.now.turn.legal
        } else {
            legal(self.discs(seat), self.discs(seat.other()))
        }
    }

    fn is_over(&self) -> bool {
        self.now.turn.legal.is_empty()
    }
}

impl Game for Reversi {
    type Setup = Setup;
    type Move = Point;
    type Change = Change;

    fn new(setup: &Setup) -> Self {
        let turn = Turn {
            seat: Seat::First,
            legal: legal(START[0], START[1]),
            passed: false,
        };
        Self {
            setup: *setup,
            now: Position { discs: START, turn },
            plies: Vec::new(),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then_some(self.now.turn.seat)
    }

    fn passed(&self) -> bool {
        self.now.turn.passed
    }

    /// A side that has no move then is passed over, also if a move out of turn took its move away.
    #[inline]
    fn play_as(&mut self, seat: Seat, point: Point) -> Result<Change, Illegal> {
        let square = Squares::of(point);
        let (own, enemy) = match (seat, self.now.discs) {
            (Seat::First, [own, enemy]) | (Seat::Second, [enemy, own]) => (own, enemy),
        };
        if square.is_empty() {
            return Err(Illegal::OffBoard);
        }
        if !((own | enemy) & square).is_empty() {
            return Err(Illegal::Occupied);
        }
        let flipped = flips(8 * usize::from(point.y) + usize::from(point.x), own, enemy);
        if flipped.is_empty() {
            return Err(Illegal::FlipsNothing);
        }
        let before = self.now;
        self.plies.push(Ply { point, before });
        let (own, enemy) = (own ^ (flipped | square), enemy ^ flipped);
        let turn = Turn::after(seat, own, enemy);
        let discs = match seat {
            Seat::First => [own, enemy],
            Seat::Second => [enemy, own],
        };
        self.now = Position { discs, turn };
        Ok(Change {
            point,
            seat,
            flipped,
            passed: turn.passed,
        })
    }

    fn give_turn(&mut self, seat: Seat) -> bool {
        let legal = self.legal(seat);
        if legal.is_empty() {
            return false;
        }
        self.now.turn = Turn {
            seat,
            legal,
            passed: false,
        };
        true
    }

    #[inline]
    fn undo(&mut self) -> Option<Point> {
        let ply = self.plies.pop()?;
        self.now = ply.before;
        Some(ply.point)
    }

    /// The discs.
    fn score(&self) -> [u32; 2] {
        self.now.discs.map(Squares::len)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over()
            .then(|| Outcome::by_score(self.score(), Ending::NoMoves))
    }

    /// The discs that have been put on the squares that were empty at the start.
    fn progress(&self) -> u8 {
        (self.plies.len() * 100 / PLACES) as u8
    }

    /// Reads `x,y` as a [`Point`], or a column letter from the left and a row number from the top: `d3`, `D3`.
    fn parse_move(text: &str) -> Result<Point, MoveError> {
        let text = text.trim();
        match text.as_bytes().split_first() {
            Some((letter, row))
                if letter.is_ascii_alphabetic()
                    && !row.is_empty()
                    && row.iter().all(u8::is_ascii_digit) =>
            {
                let column = letter.to_ascii_lowercase() - b'a';
                // Only digits are left, so a number that cannot be parsed is too large. Rows begin at 1.
                let row = text[1..]
                    .parse()
                    .ok()
                    .and_then(|row: u8| row.checked_sub(1));
                row.map(|row| Point::new(column, row))
                    .ok_or(Illegal::OffBoard.into())
            }
            _ => text.parse(),
        }
    }
}
