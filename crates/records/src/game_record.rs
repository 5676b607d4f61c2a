//! The model of a game record, whatever its form.

use crate::Place;
use std::fmt;
use tochki_rules::record::{GameResult, RecordPlayer};
use tochki_rules::{GameKind, Move, MoveError, Seat, Setup};

/// A game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The setup, which names the game, too.
    pub setup: Setup,
    /// Dots, stones and the like that are on the board before the first move and are not of the setup, in the order in which
    /// they are placed.
    pub start: Vec<Placed>,
    /// The moves of all variations, each after the move that it follows. The main line comes first.
    pub moves: Vec<RecordMove>,
    /// The number of moves on the main line: they are the first ones of the list, each follows the one before.
    pub main_line: usize,
    /// The players, in the order of their seats.
    pub players: [RecordPlayer; 2],
    /// The tournament or event.
    pub event: String,
    /// The round.
    pub round: String,
    /// The site or town.
    pub site: String,
    /// The date: `2026-11-27`, or as the record writes it if it is another text.
    pub date: String,
    /// The rules as the record names them, where it does.
    pub rules: String,
    /// The result, if the record has one.
    pub result: Option<GameResult>,
    /// The comment on the game.
    pub comment: String,
    /// The first move of the main line that cannot be played. The record ends before it.
    pub stop: Option<Stop>,
    /// Remarks on what is different from the input.
    pub warnings: Vec<Warning>,
}

/// A dot, stone, line or disc and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// The side.
    pub seat: Seat,
    /// The place.
    pub mv: Move,
}

/// A move in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMove {
    /// The side that moves.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
    /// The place of the move before it in the list; `None` for a first move.
    pub after: Option<usize>,
    /// The time that the move took, in milliseconds.
    pub time: Option<u64>,
    /// The comment on the move.
    pub comment: String,
}

/// A move that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The number of the move, from 1; 0 for what is on the board before the first move.
    pub number: usize,
    /// Its place in the input.
    pub place: Place,
    /// The reason.
    pub why: StopReason,
}

/// The reason why a move of a record cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The move cannot be read, or the rules forbid it.
    Move(MoveError),
    /// The rules have ended the game before.
    Finished,
    /// It is the other side's turn.
    OutOfTurn,
    /// The side passes, although it has a move.
    PassWithMove,
    /// Something is placed or removed in the middle of the game that is no move.
    SetUp,
}

impl StopReason {
    /// The name of the reason for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Move(why) => why.code(),
            Self::Finished => "finished",
            Self::OutOfTurn => "out_of_turn",
            Self::PassWithMove => "pass_with_move",
            Self::SetUp => "set_up",
        }
    }
}

impl From<MoveError> for StopReason {
    fn from(why: MoveError) -> Self {
        Self::Move(why)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, place, why } = self;
        write!(
            f,
            "{place}: move {number} cannot be played ({})",
            why.code()
        )
    }
}

/// A difference between the input and the record that is read from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The text is damaged at this place, and reading went on after it.
    Skipped(Place),
    /// The text is cut off at this place.
    CutOff(Place),
    /// The game was played by rules that differ; the texts name them.
    OtherRules(Vec<String>),
    /// By our rules, captures differ from this move of the main line on, counted from 1.
    OtherCaptures(usize),
    /// So many variations end before a move that cannot be played.
    ShortenedVariations(usize),
    /// Variations are left out, because there are too many moves in them.
    LeftOutVariations,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(place) => write!(f, "{place}: skipped, because it cannot be read"),
            Self::CutOff(place) => write!(f, "{place}: the game is cut off"),
            Self::OtherRules(rules) => {
                let rules = rules.join(", ");
                write!(f, "played by other rules: {}", rules.escape_debug())
            }
            Self::OtherCaptures(number) => {
                write!(f, "captures differ from our rules at move {number}")
            }
            Self::ShortenedVariations(count) => {
                write!(
                    f,
                    "{count} variations end before a move that cannot be played"
                )
            }
            Self::LeftOutVariations => f.write_str("there are too many variations for one game"),
        }
    }
}

impl GameRecord {
    /// The record of a game without moves.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            start: Vec::new(),
            moves: Vec::new(),
            main_line: 0,
            players: <[RecordPlayer; 2]>::default(),
            event: String::new(),
            round: String::new(),
            site: String::new(),
            date: String::new(),
            rules: String::new(),
            result: None,
            comment: String::new(),
            stop: None,
            warnings: Vec::new(),
        }
    }

    /// The game.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        self.setup.kind()
    }

    /// The moves of the main line.
    #[must_use]
    pub fn main_line(&self) -> &[RecordMove] {
        &self.moves[..self.main_line.min(self.moves.len())]
    }

    /// Returns whether the record has moves beside the main line.
    #[must_use]
    pub const fn has_variations(&self) -> bool {
        self.moves.len() > self.main_line
    }

    /// The moves that follow each move, in order, and at the end those that may come first.
    pub(crate) fn followers(&self) -> Vec<Vec<usize>> {
        let mut followers = vec![Vec::new(); self.moves.len() + 1];
        for (place, mv) in self.moves.iter().enumerate() {
            let before = mv.after.filter(|&before| before < place);
            followers[before.unwrap_or(self.moves.len())].push(place);
        }
        followers
    }
}
