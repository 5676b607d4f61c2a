//! What a game shows of itself: the one thing that the board asks each game.

use crate::ui::board::geometry::{Geometry, Place};
use crate::ui::board::picture::Picture;
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use tochki_play::Ply;
use tochki_rules::{Illegal, Move, Seat};

/// A position as it is seen.
pub(crate) trait Face {
    /// Where its places are.
    fn geometry(&self) -> Geometry;

    /// What is printed on the paper: its lines and coordinates, as SVG markup.
    fn paper(&self) -> String;

    /// The move that is made in a place, whether or not it may be made.
    fn move_in(&self, place: Place) -> Move;

    /// A place as it is said aloud.
    fn place_name(&self, language: Language, place: Place) -> String;

    /// Whose mark is in a place.
    fn marked(&self, place: Place) -> Option<Seat>;

    /// What stands on the board, with the moves that led to it.
    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture;

    /// What a move would do, before it is made.
    fn preview(&self, language: Language, seat: Seat, place: Place) -> Result<Preview, Illegal>;

    /// Where a side may move, as SVG markup, in games that mark it.
    fn open_to(&self, _: Seat) -> String {
        String::new()
    }

    /// Marks on what can no longer be played, as SVG markup. They are shown where a rule is explained.
    fn closed(&self) -> String {
        String::new()
    }

    /// What the board is called.
    fn label(&self, language: Language) -> String {
        let grid = self.geometry().grid();
        let (width, height) = (grid.columns, grid.rows);
        match self.geometry() {
            Geometry::Points(_) | Geometry::Squares(_) => {
                say!(language, board.label, width, height)
            }
            Geometry::Edges(_) => {
                say!(
                    language,
                    board.boxes,
                    width = width - 1,
                    height = height - 1
                )
            }
        }
    }

    /// What is in a place, in words.
    fn whats_in(&self, language: Language, place: Place) -> String {
        let name = self.place_name(language, place);
        match self.marked(place) {
            Some(seat) => words::taken(language, &name, seat),
            None => words::free(language, &name),
        }
    }
}

/// The letters that stand for the two players.
pub(crate) type Initials = [char; 2];

/// What a move would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preview {
    /// The same on the board, as SVG markup.
    pub(crate) drawn: String,
    /// The same in words, where there is something to say.
    pub(crate) words: Option<String>,
}
