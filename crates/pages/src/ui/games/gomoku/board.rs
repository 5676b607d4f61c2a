//! The board of Gomoku: stones on the crossings, and the row that wins.

use crate::ui::board::{
    BoardPosition, Geometry, Grid, GridStyle, Initials, Mark, MoveTarget, Picture, Preview, Shape,
    along, circles, paper,
};
use crate::ui::games::points;
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use std::fmt::Write;
use tochki_play::Ply;
use tochki_rules::gomoku::{Gomoku, Setup};
use tochki_rules::{Game, Illegal, Move, Seat};

fn grid(gomoku: &Gomoku) -> Grid {
    let size = gomoku.setup().size();
    Grid {
        columns: size,
        rows: size,
    }
}

fn mark(target: MoveTarget, seat: Seat) -> Mark {
    Mark {
        shape: Shape::Stone,
        seat,
        target,
    }
}

/// Returns the star points of the usual boards; of others the middle, if there is one.
fn stars(size: u8) -> Vec<(u8, u8)> {
    let middle = size / 2;
    let along = match size {
        13.. => vec![3, middle, size - 4],
        _ if size % 2 == 1 => vec![middle],
        _ => Vec::new(),
    };
    let down = along.clone();
    down.into_iter()
        .flat_map(|y| along.iter().map(move |x| (*x, y)).collect::<Vec<_>>())
        .collect()
}

/// Draws lines through the rows that have won.
fn rows(gomoku: &Gomoku) -> String {
    let Some(five) = gomoku.winning_rows() else {
        return String::new();
    };
    let side = side::class(five.seat());
    let mut path = format!(r#"<path class="won {side}" d=""#);
    for row in five.rows() {
        for (place, point) in row.points().enumerate() {
            let step = if place == 0 { 'M' } else { 'L' };
            // Writing into a string cannot fail.
            let _ = write!(path, "{step}{} {}", along(point.x), along(point.y));
        }
    }
    path + r#""/>"#
}

/// Draws the share of the points that have stones as a bar along the lower edge, on the boards that matches are played on.
fn progress(gomoku: &Gomoku, stones: usize) -> String {
    let size = gomoku.setup().size();
    if size < Setup::SIZES_IN_MATCH[1] {
        return String::new();
    }
    let width = along(size);
    let length = width * stones as i32 / i32::from(gomoku.setup().area());
    let edge = width - 5;
    format!(
        r#"<path class="grid" d="M-5 {edge}h{width}"/><path class="progress" d="M-5 {edge}h{length}"/>"#
    )
}

impl BoardPosition for Gomoku {
    fn geometry(&self) -> Geometry {
        Geometry::Points(grid(self))
    }

    fn paper(&self) -> String {
        let setup = *self.setup();
        let stars = stars(setup.size());
        let column = |x: u8| char::from(b'A' + x).to_string();
        let row = |y: u8| setup.row_number(y).to_string();
        paper(grid(self), GridStyle::Lines, column, row) + &circles("star", "1", stars.into_iter())
    }

    fn move_at(&self, target: MoveTarget) -> Move {
        Move::Gomoku(target.point())
    }

    fn target_of(&self, mv: Move) -> MoveTarget {
        points::target_of(mv)
    }

    fn target_name(&self, _: Language, target: MoveTarget) -> String {
        self.setup().point_name(target.point())
    }

    /// Describes the gain: a side with a point has won.
    fn gain_text(&self, language: Language, _: Seat, own: u32, _: u32) -> Option<String> {
        (own > 0).then(|| t!(language, reasons.five_in_row).to_owned())
    }

    fn owner(&self, target: MoveTarget) -> Option<Seat> {
        self.stone(target.point())
    }

    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let marks = plies
            .iter()
            .map(|ply| mark(self.target_of(ply.mv), ply.seat));
        let marks: Vec<Mark> = marks.collect();
        let last = marks.last().map(|mark| mark.ring());
        Picture {
            areas: Vec::new(),
            last: rows(self) + &last.unwrap_or_default() + &progress(self, plies.len()),
            marks,
        }
    }

    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal> {
        let mut after = self.clone();
        let change = after.play_as(seat, target.point())?;
        let wins = || t!(language, gomoku.would_win).to_owned();
        Ok(Preview {
            markup: rows(&after) + &mark(target, seat).ghost(),
            words: change.wins.then(wins),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_where_the_usual_boards_have_them() {
        assert_eq!(stars(19).len(), 9);
        assert!(stars(19).contains(&(3, 15)) && stars(15).contains(&(11, 7)));
        assert_eq!(stars(9), [(4, 4)]);
        assert!(stars(8).is_empty());
    }

    #[test]
    fn the_row_that_wins_is_drawn_before_it_is_played() {
        let mut gomoku = Gomoku::new(&Setup::DEFAULT);
        for mv in ["0,0", "0,1", "1,0", "1,1", "2,0", "2,1", "3,0", "3,1"] {
            gomoku.play(mv.parse().unwrap()).unwrap();
        }
        let preview = gomoku.preview(Language::En, Seat::First, MoveTarget::At(4, 0));
        let Preview { markup, words } = preview.unwrap();
        assert!(
            markup.contains(r#"class="won red" d="M0 0L10 0"#),
            "{markup}"
        );
        assert!(words.is_some());
    }
}
