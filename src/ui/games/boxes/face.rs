//! The board of Dots and Boxes: dots on the crossings, lines between them, and boxes with the letter of their owner.

use crate::play::Ply;
use crate::rules::boxes::{Boxes, Line, Way};
use crate::rules::{Game, Move, Seat};
use crate::ui::board::{
    Area, Face, Grid, Heading, Initials, Mark, Picture, Preview, Ruling, SQUARE, Shape, Sheet,
    Spot, along, outline, paper,
};
use crate::ui::games::place;
use crate::ui::texts::{Language, say};
use crate::ui::words;

/// The dots: one more each way than there are boxes.
fn dots(boxes: &Boxes) -> Grid {
    Grid {
        columns: boxes.setup().cols() + 1,
        rows: boxes.setup().rows() + 1,
    }
}

fn mark(line: Line, seat: Seat) -> Mark {
    Mark {
        shape: match line.way {
            Way::Across => Shape::Across,
            Way::Down => Shape::Down,
        },
        seat,
        at: (line.x, line.y),
    }
}

/// The corners of a box.
fn corners((x, y): (u8, u8)) -> [(u8, u8); 4] {
    [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
}

/// How many lines there are in a row of them: rows with lines to the right and rows with lines down take turns.
fn in_row(boxes: &Boxes, row: u8) -> u8 {
    boxes.setup().cols() + row % 2
}

impl Face for Boxes {
    fn sheet(&self) -> Sheet {
        dots(self).sheet()
    }

    fn paper(&self) -> String {
        let number = |number: u8| number.to_string();
        paper(dots(self), Ruling::Pegs, number, number)
    }

    fn label(&self, language: Language) -> String {
        let (width, height) = (self.setup().cols(), self.setup().rows());
        say!(language, boxes.label, width, height)
    }

    /// The nearest line: every spot belongs to the line of the box's side that it is nearest to.
    fn move_at(&self, spot: Spot) -> Option<Move> {
        let square = f64::from(SQUARE);
        let (x, y) = (spot.x / square, spot.y / square);
        let (off_x, off_y) = ((x - x.round()).abs(), (y - y.round()).abs());
        let line = if off_y < off_x {
            (x.floor(), y.round(), Line::across as fn(u8, u8) -> Line)
        } else {
            (x.round(), y.floor(), Line::down as fn(u8, u8) -> Line)
        };
        let (x, y, line) = line;
        let near = x >= 0.0 && y >= 0.0;
        let line = line(x as u8, y as u8);
        (near && self.setup().contains(line)).then_some(Move::Boxes(line))
    }

    fn middle(&self) -> Move {
        let (x, y) = dots(self).middle();
        Move::Boxes(Line::across(x.saturating_sub(1), y))
    }

    fn step(&self, from: Move, heading: Heading) -> Move {
        let Move::Boxes(line) = from else {
            return from;
        };
        let (row, x) = (line.row(), line.x);
        let last = 2 * self.setup().rows();
        let (row, x) = match heading {
            Heading::Up => (row.saturating_sub(1), x),
            Heading::Down => ((row + 1).min(last), x),
            Heading::Left => (row, x.saturating_sub(1)),
            Heading::Right => (row, x + 1),
        };
        Move::Boxes(Line::in_row(row, x.min(in_row(self, row) - 1)))
    }

    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture {
        let drawn = plies.iter().filter_map(|ply| match ply.mv {
            Move::Boxes(line) => Some(mark(line, ply.seat)),
            _ => None,
        });
        let marks: Vec<Mark> = drawn.collect();
        let (cols, rows) = (self.setup().cols(), self.setup().rows());
        let places = (0..rows).flat_map(|y| (0..cols).map(move |x| (x, y)));
        let areas = places.filter_map(|(x, y)| {
            let seat = self.owner(x, y)?;
            Some(Area {
                seat,
                line: vec![(x, y)],
                initial: Some(initials[seat.index()]),
            })
        });
        let last = marks.last().map(|mark| mark.ring());
        Picture {
            areas: areas.collect(),
            marks,
            last: last.unwrap_or_default(),
        }
    }

    fn preview(&self, language: Language, seat: Seat, mv: Move) -> Preview {
        let Move::Boxes(line) = mv else {
            return Preview::default();
        };
        let mut after = self.clone();
        match after.play_as(seat, line) {
            Ok(change) => {
                let taken = change.taken.into_iter().flatten();
                let boxes: String = taken
                    .map(|place| outline(r#"class="would"#, seat, corners(place).into_iter()))
                    .collect();
                let words = (change.count() > 0)
                    .then(|| say!(language, boxes.would_take, count = change.count()));
                Preview {
                    drawn: boxes + &mark(line, seat).ghost(),
                    words,
                    refused: false,
                }
            }
            Err(illegal) => Preview::refused(language, illegal),
        }
    }

    fn whats_at(&self, language: Language, mv: Move) -> String {
        let Move::Boxes(line) = mv else {
            return String::new();
        };
        let place = place(language, mv);
        match self.line(line) {
            Some(seat) => words::taken(language, &place, seat),
            None => words::free(language, &place),
        }
    }

    fn cursor(&self, mv: Move) -> String {
        let Move::Boxes(Line { way, x, y }) = mv else {
            return String::new();
        };
        let (x, y) = (along(x), along(y));
        let (x, y, width, height) = match way {
            Way::Across => (x, y - 3, SQUARE, 6),
            Way::Down => (x - 3, y, 6, SQUARE),
        };
        format!(
            r#"<rect class="cursor" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::boxes::Setup;

    fn check(spot: (f64, f64), line: Option<&str>) {
        let boxes = Boxes::new(&Setup::DEFAULT);
        let found = boxes.move_at(Spot {
            x: spot.0,
            y: spot.1,
        });
        let line = line.map(|line| Move::Boxes(line.parse().unwrap()));
        assert_eq!(found, line, "{spot:?}");
    }

    #[test]
    fn every_spot_belongs_to_the_nearest_line() {
        check((5.0, 1.0), Some("h:0,0"));
        check((5.0, -4.0), Some("h:0,0"));
        check((1.0, 5.0), Some("v:0,0"));
        check((9.0, 5.0), Some("v:1,0"));
        check((5.0, 9.0), Some("h:0,1"));
        check((31.0, 25.0), Some("v:3,2"));
        check((25.0, 31.0), Some("h:2,3"));
        check((-3.0, -3.0), None);
        check((33.0, 33.0), None);
        check((5.0, -6.0), None);
    }

    #[test]
    fn arrows_reach_every_line() {
        let boxes = Boxes::new(&Setup::new(2, 3).unwrap());
        let mut line = Move::Boxes("h:0,0".parse().unwrap());
        let mut reached = vec![line];
        for _ in 0..7 {
            for _ in 0..3 {
                line = boxes.step(line, Heading::Right);
                reached.push(line);
            }
            for _ in 0..3 {
                line = boxes.step(line, Heading::Left);
            }
            line = boxes.step(line, Heading::Down);
            reached.push(line);
        }
        for line in boxes.setup().lines() {
            assert!(reached.contains(&Move::Boxes(line)), "{line}");
        }
    }

    #[test]
    fn a_box_bears_the_letter_of_its_owner() {
        let mut boxes = Boxes::new(&Setup::DEFAULT);
        let mut plies = Vec::new();
        for line in ["h:0,0", "v:0,0", "h:0,1", "v:1,0"] {
            let (seat, line) = (boxes.to_move().unwrap(), line.parse().unwrap());
            boxes.play(line).unwrap();
            let mv = Move::Boxes(line);
            plies.push(Ply { seat, mv });
        }
        let picture = boxes.picture(&plies, ['A', 'Б']).markup();
        assert!(picture.contains(r#"class="area box blue""#), "{picture}");
        assert!(picture.contains(">Б</text>"), "{picture}");
    }
}
