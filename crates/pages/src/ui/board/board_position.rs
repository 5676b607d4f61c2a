//! The position of each game as the board needs it: its places, its picture, its words.

use crate::ui::board::geometry::{Geometry, MoveTarget};
use crate::ui::board::picture::Picture;
use crate::ui::text::words;
use crate::ui::text::{Language, t};
use tochki_play::Ply;
use tochki_rules::{Illegal, Move, Seat};

/// A position that can be drawn and described.
pub(crate) trait BoardPosition {
    /// Returns the geometry of the places.
    fn geometry(&self) -> Geometry;

    /// Draws the print of the paper: its lines and coordinates, as SVG markup.
    fn paper(&self) -> String;

    /// Returns the move that is made in a place, whether or not it is legal.
    fn move_at(&self, target: MoveTarget) -> Move;

    /// Returns the place in which a move is made.
    fn target_of(&self, mv: Move) -> MoveTarget;

    /// Returns the spoken name of a place.
    fn target_name(&self, language: Language, target: MoveTarget) -> String;

    /// Returns the spoken name of a move.
    fn move_name(&self, language: Language, mv: Move) -> String {
        self.target_name(language, self.target_of(mv))
    }

    /// Describes the gain of a move for speech: points that its side has more now, and points that the other side has more.
    /// `None` where nothing was gained.
    fn gain_text(&self, language: Language, seat: Seat, own: u32, other: u32) -> Option<String>;

    /// Returns the side whose mark is in a place.
    fn owner(&self, target: MoveTarget) -> Option<Seat>;

    /// Returns the marks on the board, with the moves that led to it.
    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture;

    /// Returns the effect of a move, before it is made.
    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal>;

    /// Draws the places where a side may move, as SVG markup, in games that mark them.
    fn legal_moves(&self, _: Seat) -> String {
        String::new()
    }

    /// Draws marks on empty places that are closed, as SVG markup. They are shown where a rule is explained.
    fn closed_places(&self) -> String {
        String::new()
    }

    /// Returns the name of the board.
    fn label(&self, language: Language) -> String {
        let grid = self.geometry().grid();
        let (width, height) = (grid.columns, grid.rows);
        match self.geometry() {
            Geometry::Points(_) | Geometry::Squares(_) => {
                t!(language, board.label, width, height)
            }
            Geometry::Edges(_) => {
                t!(
                    language,
                    board.boxes,
                    width = width - 1,
                    height = height - 1
                )
            }
        }
    }

    /// Describes a place and its mark in words.
    fn describe_target(&self, language: Language, target: MoveTarget) -> String {
        let name = self.target_name(language, target);
        match self.owner(target) {
            Some(seat) => words::taken(language, self.move_at(target).kind(), &name, seat),
            None => words::free(language, &name),
        }
    }
}

/// The letters that stand for the two players.
pub(crate) type Initials = [char; 2];

/// The effect of a move that is not made yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preview {
    /// The effect on the board, as SVG markup.
    pub(crate) markup: String,
    /// The effect in words, where there is something to say.
    pub(crate) words: Option<String>,
}
