//! What the board asks the position of each game: where its places are, what is drawn there, how it is told.

use crate::ui::board::geometry::{Geometry, MoveTarget};
use crate::ui::board::picture::Picture;
use crate::ui::text::words;
use crate::ui::text::{Language, t};
use tochki_play::Ply;
use tochki_rules::{Illegal, Move, Seat};

/// A position that can be drawn and described.
pub(crate) trait BoardPosition {
    /// Where its places are.
    fn geometry(&self) -> Geometry;

    /// What is printed on the paper: its lines and coordinates, as SVG markup.
    fn paper(&self) -> String;

    /// The move that is made in a place, whether or not it is legal.
    fn move_at(&self, target: MoveTarget) -> Move;

    /// Where a move is made.
    fn target_of(&self, mv: Move) -> MoveTarget;

    /// A place as it is spoken.
    fn target_name(&self, language: Language, target: MoveTarget) -> String;

    /// A move as it is spoken.
    fn move_name(&self, language: Language, mv: Move) -> String {
        self.target_name(language, self.target_of(mv))
    }

    /// What a move has won, as it is spoken: points that its side has more now, and points that the other side has more.
    /// `None` where it won nothing.
    fn gain_text(&self, language: Language, seat: Seat, own: u32, other: u32) -> Option<String>;

    /// Whose mark is in a place.
    fn owner(&self, target: MoveTarget) -> Option<Seat>;

    /// The marks on the board, with the moves that led to it.
    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture;

    /// What a move would do, before it is made.
    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal>;

    /// Where a side may move, as SVG markup, in games that mark it.
    fn legal_moves(&self, _: Seat) -> String {
        String::new()
    }

    /// Marks on empty places that are closed, as SVG markup. They are shown where a rule is explained.
    fn closed_places(&self) -> String {
        String::new()
    }

    /// The name of the board.
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

    /// A place and what is in it, in words.
    fn describe_target(&self, language: Language, target: MoveTarget) -> String {
        let name = self.target_name(language, target);
        match self.owner(target) {
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
    /// On the board, as SVG markup.
    pub(crate) markup: String,
    /// In words, where there is something to say.
    pub(crate) words: Option<String>,
}
