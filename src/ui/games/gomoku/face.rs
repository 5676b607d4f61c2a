//! The board of Gomoku: stones on the crossings, and the row that wins.

use crate::play::Ply;
use crate::rules::gomoku::Gomoku;
use crate::rules::{Game, Move, Point, Seat};
use crate::ui::board::{
    Face, Grid, Heading, Initials, Mark, Picture, Preview, Ruling, Shape, Sheet, Spot, along,
    circles, paper,
};
use crate::ui::games::place;
use crate::ui::texts::{Language, say};
use crate::ui::words;
use std::fmt::Write;

fn grid(gomoku: &Gomoku) -> Grid {
    let size = gomoku.setup().size();
    Grid {
        columns: size,
        rows: size,
    }
}

fn stone_at((x, y): (u8, u8)) -> Move {
    Move::Gomoku(Point::new(x, y))
}

fn mark(Point { x, y }: Point, seat: Seat) -> Mark {
    Mark {
        shape: Shape::Stone,
        seat,
        at: (x, y),
    }
}

/// The star points of the usual boards; of others the middle, if there is one.
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

/// Lines through the rows that have won.
fn rows(gomoku: &Gomoku) -> String {
    let Some(five) = gomoku.five() else {
        return String::new();
    };
    let side = words::side(five.seat());
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

impl Face for Gomoku {
    fn sheet(&self) -> Sheet {
        grid(self).sheet()
    }

    fn paper(&self) -> String {
        let number = |number: u8| number.to_string();
        let stars = stars(self.setup().size());
        paper(grid(self), Ruling::Lines, number, number) + &circles("star", "1", stars.into_iter())
    }

    fn label(&self, language: Language) -> String {
        let Grid { columns, rows } = grid(self);
        say!(language, board.label, width = columns, height = rows)
    }

    fn move_at(&self, spot: Spot) -> Option<Move> {
        grid(self).place_at(spot).map(stone_at)
    }

    fn middle(&self) -> Move {
        stone_at(grid(self).middle())
    }

    fn step(&self, from: Move, heading: Heading) -> Move {
        match from {
            Move::Gomoku(Point { x, y }) => stone_at(grid(self).step((x, y), heading)),
            _ => from,
        }
    }

    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let stones = plies.iter().filter_map(|ply| match ply.mv {
            Move::Gomoku(point) => Some(mark(point, ply.seat)),
            _ => None,
        });
        let marks: Vec<Mark> = stones.collect();
        let last = marks.last().map(|mark| mark.ring());
        Picture {
            areas: Vec::new(),
            marks,
            last: rows(self) + &last.unwrap_or_default(),
        }
    }

    fn preview(&self, language: Language, seat: Seat, mv: Move) -> Preview {
        let Move::Gomoku(point) = mv else {
            return Preview::default();
        };
        let mut after = self.clone();
        match after.play_as(seat, point) {
            Ok(change) => Preview {
                drawn: rows(&after) + &mark(point, seat).ghost(),
                words: change
                    .wins
                    .then(|| say!(language, gomoku.would_win).to_owned()),
                refused: false,
            },
            Err(illegal) => Preview::refused(language, illegal),
        }
    }

    fn whats_at(&self, language: Language, mv: Move) -> String {
        let Move::Gomoku(point) = mv else {
            return String::new();
        };
        let place = place(language, mv);
        match self.stone(point) {
            Some(seat) => words::taken(language, &place, seat),
            None => words::free(language, &place),
        }
    }

    fn cursor(&self, mv: Move) -> String {
        match mv {
            Move::Gomoku(Point { x, y }) => Grid::cursor((x, y)),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::gomoku::Setup;

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
        let last = Move::Gomoku("4,0".parse().unwrap());
        let preview = gomoku.preview(Language::En, Seat::First, last);
        assert!(
            preview.drawn.contains(r#"class="won red" d="M0 0L10 0"#),
            "{}",
            preview.drawn
        );
        assert!(preview.words.is_some());
    }
}
