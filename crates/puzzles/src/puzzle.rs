//! A puzzle and its notation.

use crate::letters;
use std::{fmt, str::FromStr};
use tochki_rules::{
    GameKind, Move, Position, Seat, Setup, boxes,
    dots::{self, Opening},
    gomoku::{self, Rule},
    reversi,
};

/// The theme of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// Dots: a move captures.
    Capture,
    /// Dots: a move after which a capture cannot be prevented.
    Combination,
    /// Dots: a chain of threats ends in a capture.
    Ladder,
    /// Dots: a move that saves dots from capture.
    Rescue,
    /// Gomoku: a victory by fours.
    Fours,
    /// Reversi, Boxes: the only move that wins with perfect play.
    Ending,
    /// Boxes: boxes are left to the other side, who must then open a chain.
    HandBack,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 7] = [
        Self::Capture,
        Self::Combination,
        Self::Ladder,
        Self::Rescue,
        Self::Fours,
        Self::Ending,
        Self::HandBack,
    ];

    /// The name in notations, in JSON and in the database.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Combination => "combination",
            Self::Ladder => "ladder",
            Self::Rescue => "rescue",
            Self::Fours => "fours",
            Self::Ending => "ending",
            Self::HandBack => "hand_back",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Theme {
    type Err = Malformed;

    fn from_str(id: &str) -> Result<Self, Malformed> {
        let found = Self::ALL.into_iter().find(|theme| theme.id() == id);
        found.ok_or(Malformed)
    }
}

/// A position with one clear best move, and its line.
///
/// Its notation is `game setup theme difficulty moves line rest`, separated by blanks; moves are pairs of letters, and an empty
/// part is written as `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    setup: Setup,
    theme: Theme,
    difficulty: u16,
    moves: Vec<Move>,
    line: Vec<Move>,
    rest: Vec<Move>,
    start: Position,
}

impl Puzzle {
    /// The puzzle after these moves: its line begins and ends with a move of the solver, each of which is the only good one;
    /// `rest` is a continuation of the game. The rules replay all moves.
    ///
    /// # Errors
    ///
    /// If the moves are not legal, if the line is empty or ends with a move of the other side.
    pub fn new(
        setup: Setup,
        (theme, difficulty): (Theme, u16),
        moves: Vec<Move>,
        line: Vec<Move>,
        rest: Vec<Move>,
    ) -> Result<Self, Malformed> {
        let mut start = Position::new(&setup);
        play_all(&mut start, &moves)?;
        let solver = start.to_move().ok_or(Malformed)?;
        let mut end = start.clone();
        let mut last = None;
        for &mv in &line {
            last = end.to_move();
            play_all(&mut end, &[mv])?;
        }
        if last != Some(solver) {
            return Err(Malformed);
        }
        play_all(&mut end, &rest)?;
        Ok(Self {
            setup,
            theme,
            difficulty,
            moves,
            line,
            rest,
            start,
        })
    }

    /// The board.
    #[must_use]
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// The theme.
    #[must_use]
    pub const fn theme(&self) -> Theme {
        self.theme
    }

    /// The estimated difficulty, on the scale of ratings.
    #[must_use]
    pub const fn difficulty(&self) -> u16 {
        self.difficulty
    }

    /// The moves before the puzzle.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> Seat {
        self.start.to_move().unwrap_or(Seat::First)
    }

    /// The moves of both sides, from the solver's first to the solver's last.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// A continuation of the game after the line.
    #[must_use]
    pub fn rest(&self) -> &[Move] {
        &self.rest
    }

    /// The solver's moves of the line.
    #[must_use]
    pub fn solution(&self) -> Vec<Move> {
        let mut position = self.start.clone();
        let mut solution = Vec::new();
        for &mv in &self.line {
            if position.to_move() == Some(self.solver()) {
                solution.push(mv);
            }
            // The line was replayed when the puzzle was made.
            let _ = position.play(mv);
        }
        solution
    }
}

/// Plays moves in turn. After the end of the game none is legal.
fn play_all(position: &mut Position, moves: &[Move]) -> Result<(), Malformed> {
    for &mv in moves {
        position.to_move().ok_or(Malformed)?;
        position.play(mv).map_err(|_| Malformed)?;
    }
    Ok(())
}

/// The error that a text is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no puzzle")
    }
}

impl std::error::Error for Malformed {}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |moves: &[Move]| match moves {
            [] => "-".to_owned(),
            moves => letters::write(moves),
        };
        write!(
            f,
            "{} {} {} {} {} {} {}",
            self.setup.kind(),
            write_setup(self.setup),
            self.theme,
            self.difficulty,
            letters(&self.moves),
            letters(&self.line),
            letters(&self.rest),
        )
    }
}

impl FromStr for Puzzle {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let words: Vec<&str> = text.split(' ').collect();
        let [game, setup, theme, difficulty, moves, line, rest] = words[..] else {
            return Err(Malformed);
        };
        let game: GameKind = game.parse().map_err(|_| Malformed)?;
        let letters = |text: &str| match text {
            "-" => Ok(Vec::new()),
            text => letters::read(game, text).ok_or(Malformed),
        };
        Self::new(
            read_setup(game, setup).ok_or(Malformed)?,
            (theme.parse()?, difficulty.parse().map_err(|_| Malformed)?),
            letters(moves)?,
            letters(line)?,
            letters(rest)?,
        )
    }
}

/// `20x20:cross`, `5x5`, `15:freestyle`, `8`.
fn write_setup(setup: Setup) -> String {
    match setup {
        Setup::Dots(setup) => {
            let (width, height) = (setup.width(), setup.height());
            format!("{width}x{height}:{}", setup.start().id())
        }
        Setup::Boxes(setup) => format!("{}x{}", setup.cols(), setup.rows()),
        Setup::Gomoku(setup) => format!("{}:{}", setup.size(), setup.rule().as_str()),
        Setup::Reversi(_) => "8".to_owned(),
    }
}

fn read_setup(game: GameKind, text: &str) -> Option<Setup> {
    let size = |text: &str| {
        let (width, height) = text.split_once('x')?;
        Some((width.parse().ok()?, height.parse().ok()?))
    };
    Some(match game {
        GameKind::Dots => {
            let (board, start) = text.split_once(':')?;
            let (width, height) = size(board)?;
            let start = Opening::ALL.iter().find(|opening| opening.id() == start)?;
            Setup::Dots(dots::Setup::new(width, height, *start).ok()?)
        }
        GameKind::Boxes => {
            let (cols, rows) = size(text)?;
            Setup::Boxes(boxes::Setup::new(cols, rows).ok()?)
        }
        GameKind::Gomoku => {
            let (size, rule) = text.split_once(':')?;
            let rule = Rule::ALL.iter().find(|known| known.as_str() == rule)?;
            Setup::Gomoku(gomoku::Setup::new(size.parse().ok()?, *rule).ok()?)
        }
        GameKind::Reversi => (text == "8").then_some(Setup::Reversi(reversi::Setup {}))?,
    })
}
