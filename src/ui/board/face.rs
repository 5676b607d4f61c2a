//! What a game shows of itself: the one thing that the board asks each game.

use super::geometry::{Heading, Sheet, Spot};
use super::picture::Picture;
use crate::play::Ply;
use crate::rules::{Illegal, Move, Seat};
use crate::ui::texts::Language;
use crate::ui::words;

/// A position as it is seen. What a hand can point at is a move, whether or not it may be made.
///
/// Where the board holds a move, it is one that this game has given it; a move of another game has nothing to be shown.
pub(crate) trait Face {
    /// The paper with its margins.
    fn sheet(&self) -> Sheet;

    /// What is printed on the paper: its lines and coordinates, as SVG markup.
    fn paper(&self) -> String;

    /// What the board is called.
    fn label(&self, language: Language) -> String;

    /// The move nearest to a spot on the paper, if one is near.
    fn move_at(&self, spot: Spot) -> Option<Move>;

    /// Where the keys begin on an empty board.
    fn middle(&self) -> Move;

    /// The move one step further, or the same at the edge.
    fn step(&self, from: Move, heading: Heading) -> Move;

    /// What stands on the board, with the moves that led to it.
    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture;

    /// Where a side may move, as SVG markup, in games that mark it.
    fn open_to(&self, _: Seat) -> String {
        String::new()
    }

    /// Marks on what can no longer be played, as SVG markup. They are shown where a rule is explained.
    fn closed(&self) -> String {
        String::new()
    }

    /// What a move would do.
    fn preview(&self, language: Language, seat: Seat, mv: Move) -> Preview;

    /// What is in the place of a move, in words.
    fn whats_at(&self, language: Language, mv: Move) -> String;

    /// The frame round the place of a move, as SVG markup.
    fn cursor(&self, mv: Move) -> String;
}

/// The letters that stand for the two players.
pub(crate) type Initials = [char; 2];

/// What a move would do, before it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    /// The same on the board, as SVG markup. Of a refused move nothing is drawn.
    pub(crate) drawn: String,
    /// The same in words, where there is something to say.
    pub(crate) words: Option<String>,
    /// Whether it may not be made. The words are the reason.
    pub(crate) refused: bool,
}

impl Preview {
    /// Of a move that may not be made.
    pub(crate) fn refused(language: Language, illegal: Illegal) -> Self {
        Self {
            drawn: String::new(),
            words: Some(words::illegal(language, illegal).to_owned()),
            refused: true,
        }
    }
}
