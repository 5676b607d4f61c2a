//! All games as closed enums, which dispatch to the type of each game.
//!
//! A new game is a variant of each enum; the compiler names every place that must then handle it.

use super::{Game, InvalidSetup, MoveError, Outcome, Point, Seat, boxes, dots, gomoku, reversi};
use std::{fmt, str::FromStr};

/// A game of the arena. As text and as JSON it is [`GameKind::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameKind {
    /// Dots: enclose the dots of the opponent.
    Dots,
    /// Dots and Boxes: close boxes line by line.
    Boxes,
    /// Gomoku: five in a row.
    Gomoku,
    /// Reversi: flip the discs of the opponent.
    Reversi,
}

/// Evaluates the same expression for the variant of each game.
macro_rules! dispatch {
    ($value:expr, $game:ident => $body:expr) => {
        match $value {
            Self::Dots($game) => $body,
            Self::Boxes($game) => $body,
            Self::Gomoku($game) => $body,
            Self::Reversi($game) => $body,
        }
    };
}

/// Evaluates an expression that is a `Result` or an `Option` like `dispatch!`: its value becomes the variant of the same game in
/// another enum.
macro_rules! dispatch_map {
    ($enum:ident, $value:expr, $game:ident => $body:expr) => {
        match $value {
            Self::Dots($game) => $body.map($enum::Dots),
            Self::Boxes($game) => $body.map($enum::Boxes),
            Self::Gomoku($game) => $body.map($enum::Gomoku),
            Self::Reversi($game) => $body.map($enum::Reversi),
        }
    };
}

impl GameKind {
    /// All games, in the order in which they are offered.
    pub const ALL: &[Self] = &[Self::Dots, Self::Boxes, Self::Gomoku, Self::Reversi];

    /// The game of a page that names none, for a visitor who has chosen none yet.
    pub const DEFAULT: Self = Self::Dots;

    /// The name of the game in URLs, in JSON and in the database.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dots => "dots",
            Self::Boxes => "boxes",
            Self::Gomoku => "gomoku",
            Self::Reversi => "reversi",
        }
    }

    /// The setup that is played when nothing else is chosen.
    #[must_use]
    pub const fn default_setup(self) -> Setup {
        match self {
            Self::Dots => Setup::Dots(dots::Setup::DEFAULT),
            Self::Boxes => Setup::Boxes(boxes::Setup::DEFAULT),
            Self::Gomoku => Setup::Gomoku(gomoku::Setup::DEFAULT),
            Self::Reversi => Setup::Reversi(reversi::Setup::DEFAULT),
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for GameKind {
    type Err = UnknownGame;

    fn from_str(id: &str) -> Result<Self, UnknownGame> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.id() == id)
            .ok_or(UnknownGame)
    }
}

/// No game of the arena has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownGame;

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such game")
    }
}

impl std::error::Error for UnknownGame {}

/// The setup of a game: size, opening, variant. It names its game, too.
///
/// Flattened into another JSON object, a setup reads `"game": "dots", "setup": {"width": 39, "height": 32, "start": "empty"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "game", content = "setup", rename_all = "snake_case")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Setup {
    /// A setup of Dots.
    Dots(dots::Setup),
    /// A setup of Dots and Boxes.
    Boxes(boxes::Setup),
    /// A setup of Gomoku.
    Gomoku(gomoku::Setup),
    /// A setup of Reversi.
    Reversi(reversi::Setup),
}

impl Setup {
    /// The game.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        match self {
            Self::Dots(_) => GameKind::Dots,
            Self::Boxes(_) => GameKind::Boxes,
            Self::Gomoku(_) => GameKind::Gomoku,
            Self::Reversi(_) => GameKind::Reversi,
        }
    }

    /// Returns this setup, if it may be played between two players; the rules alone allow more.
    ///
    /// # Errors
    ///
    /// If the board is too small for a match of this game.
    pub fn for_match(self) -> Result<Self, InvalidSetup> {
        dispatch_map!(Setup, self, setup => setup.for_match())
    }
}

/// A move of some game. It displays in the canonical text form, which [`Position::parse_move`] reads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A dot on a point.
    Dots(Point),
    /// A line between two dots.
    Boxes(boxes::Line),
    /// A stone on an intersection.
    Gomoku(Point),
    /// A disc on a square.
    Reversi(Point),
}

impl Move {
    /// The game.
    #[must_use]
    pub const fn kind(self) -> GameKind {
        match self {
            Self::Dots(_) => GameKind::Dots,
            Self::Boxes(_) => GameKind::Boxes,
            Self::Gomoku(_) => GameKind::Gomoku,
            Self::Reversi(_) => GameKind::Reversi,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dispatch!(self, mv => mv.fmt(f))
    }
}

/// The effect of a move beyond itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The captures of a dot.
    Dots(dots::Change),
    /// The boxes that a line closed.
    Boxes(boxes::Change),
    /// Whether a stone won.
    Gomoku(gomoku::Change),
    /// The discs that a disc flipped.
    Reversi(reversi::Change),
}

/// A position of some game, with its whole past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// A position of Dots.
    Dots(dots::Dots),
    /// A position of Dots and Boxes.
    Boxes(boxes::Boxes),
    /// A position of Gomoku.
    Gomoku(gomoku::Gomoku),
    /// A position of Reversi.
    Reversi(reversi::Reversi),
}

impl Position {
    /// The position before the first move.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        match setup {
            Setup::Dots(setup) => Self::Dots(Game::new(setup)),
            Setup::Boxes(setup) => Self::Boxes(Game::new(setup)),
            Setup::Gomoku(setup) => Self::Gomoku(Game::new(setup)),
            Setup::Reversi(setup) => Self::Reversi(Game::new(setup)),
        }
    }

    /// The setup of the game.
    #[must_use]
    pub fn setup(&self) -> Setup {
        match self {
            Self::Dots(dots) => Setup::Dots(*dots.setup()),
            Self::Boxes(boxes) => Setup::Boxes(*boxes.setup()),
            Self::Gomoku(gomoku) => Setup::Gomoku(*gomoku.setup()),
            Self::Reversi(reversi) => Setup::Reversi(*reversi.setup()),
        }
    }

    /// The game.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        match self {
            Self::Dots(_) => GameKind::Dots,
            Self::Boxes(_) => GameKind::Boxes,
            Self::Gomoku(_) => GameKind::Gomoku,
            Self::Reversi(_) => GameKind::Reversi,
        }
    }

    /// The side to move, or `None` when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        dispatch!(self, game => game.to_move())
    }

    /// Returns whether the side that would have moved had no move and was passed over by the last move.
    #[must_use]
    pub fn passed(&self) -> bool {
        dispatch!(self, game => game.passed())
    }

    /// The moves of the side to move, in a fixed order; none once the game is over.
    ///
    /// ```
    /// use tochki_rules::{GameKind, Position};
    ///
    /// let reversi = Position::new(&GameKind::Reversi.default_setup());
    /// let moves: Vec<_> = reversi.legal_moves().iter().map(ToString::to_string).collect();
    /// assert_eq!(moves, ["3,2", "2,3", "5,4", "4,5"]);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let Some(seat) = self.to_move() else {
            return Vec::new();
        };
        match self {
            Self::Dots(dots) => dots.free_points().map(Move::Dots).collect(),
            Self::Boxes(boxes) => boxes.free_lines().map(Move::Boxes).collect(),
            Self::Gomoku(gomoku) => gomoku.free_points().map(Move::Gomoku).collect(),
            Self::Reversi(reversi) => reversi.legal(seat).into_iter().map(Move::Reversi).collect(),
        }
    }

    /// Reads the text form of a move of this game, or the form in which its players write it: `d3` in Reversi, `H8` in Gomoku, where
    /// the name of a point depends on the size of the board. The move may still be off this board, or otherwise illegal.
    ///
    /// # Errors
    ///
    /// If the text is no move of this game, or of a place that no board has.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        match self {
            Self::Dots(_) => dots::Dots::parse_move(text).map(Move::Dots),
            Self::Boxes(_) => boxes::Boxes::parse_move(text).map(Move::Boxes),
            Self::Gomoku(gomoku) => gomoku.setup().parse_point(text).map(Move::Gomoku),
            Self::Reversi(_) => reversi::Reversi::parse_move(text).map(Move::Reversi),
        }
    }

    /// Plays a move of the side to move; a refusal leaves the position untouched.
    ///
    /// A move of another game is malformed here. Once the game is over, see [`Game::play`].
    ///
    /// # Errors
    ///
    /// If the move is of another game, or the rules forbid it; the position is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<Change, MoveError> {
        self.play_as(self.to_move().unwrap_or(Seat::First), mv)
    }

    /// Plays a move of the named side, whoever's turn it is; the game decides which side moves then.
    ///
    /// # Errors
    ///
    /// If the move is of another game, or the rules forbid it; the position is unchanged then.
    pub fn play_as(&mut self, seat: Seat, mv: Move) -> Result<Change, MoveError> {
        let change = match (self, mv) {
            (Self::Dots(dots), Move::Dots(mv)) => dots.play_as(seat, mv).map(Change::Dots),
            (Self::Boxes(boxes), Move::Boxes(mv)) => boxes.play_as(seat, mv).map(Change::Boxes),
            (Self::Gomoku(gomoku), Move::Gomoku(mv)) => {
                gomoku.play_as(seat, mv).map(Change::Gomoku)
            }
            (Self::Reversi(reversi), Move::Reversi(mv)) => {
                reversi.play_as(seat, mv).map(Change::Reversi)
            }
            _ => return Err(MoveError::Malformed),
        };
        change.map_err(MoveError::from)
    }

    /// Gives this side the turn, if it has a move; see [`Game::give_turn`].
    pub fn give_turn(&mut self, seat: Seat) -> bool {
        dispatch!(self, game => game.give_turn(seat))
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        dispatch_map!(Move, self, game => game.undo())
    }

    /// Goes back to the start and keeps the buffers for the next game.
    pub fn restart(&mut self) {
        dispatch!(self, game => game.restart());
    }

    /// The points of both seats.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        dispatch!(self, game => game.score())
    }

    /// The result, once the rules have ended the game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        dispatch!(self, game => game.outcome())
    }

    /// The progress of the game, in percent: the points that are no longer free, the lines, stones or discs that were placed.
    #[must_use]
    pub fn progress(&self) -> u8 {
        dispatch!(self, game => game.progress())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Illegal;

    #[test]
    fn every_game_goes_by_its_id() {
        for &kind in GameKind::ALL {
            assert_eq!(kind.id().parse(), Ok(kind));
            assert_eq!(kind.default_setup().kind(), kind);
            assert_eq!(kind.default_setup().for_match(), Ok(kind.default_setup()));
            let position = Position::new(&kind.default_setup());
            assert_eq!(
                (position.kind(), position.setup()),
                (kind, kind.default_setup())
            );
            let begins = if kind == GameKind::Reversi {
                [2, 2]
            } else {
                [0, 0]
            };
            assert_eq!((position.score(), position.progress()), (begins, 0));
            assert_eq!(
                (position.to_move(), position.outcome()),
                (Some(Seat::First), None)
            );
        }
        assert_eq!("Dots".parse::<GameKind>(), Err(UnknownGame));
    }

    #[test]
    fn a_move_of_another_game_is_malformed() {
        let texts = ["3,2", "h:0,0", "3,2", "3,2"];
        for (&kind, text) in GameKind::ALL.iter().zip(texts) {
            let mut position = Position::new(&kind.default_setup());
            let start = position.clone();
            let mv = position.parse_move(text).unwrap();
            for &other in GameKind::ALL.iter().filter(|&&other| other != kind) {
                let refused = Position::new(&other.default_setup()).play(mv);
                assert_eq!(refused, Err(MoveError::Malformed), "{kind} in {other}");
            }
            position.play(mv).unwrap();
            assert_eq!(position.to_move(), Some(Seat::Second));
            assert_eq!(position.undo(), Some(mv));
            assert_eq!(position, start);
        }
    }

    #[test]
    fn a_position_plays_what_it_reads() {
        let mut position = Position::new(&GameKind::Dots.default_setup());
        let mv = position.parse_move(" 3, 4").unwrap();
        assert_eq!(mv.to_string(), "3,4");
        position.play(mv).unwrap();
        assert_eq!(position.to_move(), Some(Seat::Second));
        let played = position.clone();
        assert_eq!(
            position.play(mv),
            Err(MoveError::Illegal(Illegal::Occupied))
        );
        assert_eq!(position, played);
        assert_eq!(position.undo(), Some(mv));
        assert_eq!(position.undo(), None);
    }
}
