//! The board of Dots and Boxes: lines between dots, and boxes with the letter of their owner.

use crate::ui::board::{
    Area, BoardPosition, Geometry, Grid, GridStyle, Initials, Mark, MoveTarget, Picture, Preview,
    Shape, outline, paper,
};
use crate::ui::games::boxes::{target_name, target_of};
use crate::ui::games::points;
use crate::ui::text::{Language, t};
use tochki_play::Ply;
use tochki_rules::boxes::{Boxes, Line};
use tochki_rules::{Game, Illegal, Move, Seat};

/// Returns the grid of the dots: one more each way than there are boxes.
fn dots(boxes: &Boxes) -> Grid {
    Grid {
        columns: boxes.setup().cols() + 1,
        rows: boxes.setup().rows() + 1,
    }
}

fn line(target: MoveTarget) -> Line {
    match target {
        MoveTarget::At(x, y) | MoveTarget::Across(x, y) => Line::across(x, y),
        MoveTarget::Down(x, y) => Line::down(x, y),
    }
}

fn mark(target: MoveTarget, seat: Seat) -> Mark {
    Mark {
        shape: Shape::Line,
        seat,
        target,
    }
}

/// Returns the corners of a box.
fn corners((x, y): (u8, u8)) -> [(u8, u8); 4] {
    [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
}

impl BoardPosition for Boxes {
    fn geometry(&self) -> Geometry {
        Geometry::Edges(dots(self))
    }

    fn paper(&self) -> String {
        let number = |number: u8| number.to_string();
        paper(dots(self), GridStyle::Dots, number, number)
    }

    fn move_at(&self, target: MoveTarget) -> Move {
        Move::Boxes(line(target))
    }

    fn target_of(&self, mv: Move) -> MoveTarget {
        match mv {
            Move::Boxes(line) => target_of(line),
            // A move of another game is in no match of this one.
            Move::Dots(_) | Move::Gomoku(_) | Move::Reversi(_) => points::target_of(mv),
        }
    }

    fn target_name(&self, language: Language, target: MoveTarget) -> String {
        target_name(language, line(target))
    }

    /// Describes the gain: a side that takes a box moves again.
    fn gain_text(&self, language: Language, _: Seat, own: u32, _: u32) -> Option<String> {
        (own > 0).then(|| t!(language, boxes.takes, count = own))
    }

    fn owner(&self, target: MoveTarget) -> Option<Seat> {
        self.line(line(target))
    }

    fn picture(&self, plies: &[Ply], initials: Initials) -> Picture {
        let marks = plies
            .iter()
            .map(|ply| mark(self.target_of(ply.mv), ply.seat));
        let marks: Vec<Mark> = marks.collect();
        let (cols, rows) = (self.setup().cols(), self.setup().rows());
        let boxes = (0..rows).flat_map(|y| (0..cols).map(move |x| (x, y)));
        let areas = boxes.filter_map(|(x, y)| {
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

    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal> {
        let change = self.clone().play_as(seat, line(target))?;
        let taken = change.taken.into_iter().flatten();
        let boxes: String = taken
            .map(|place| {
                outline(
                    r#"class="capture-preview"#,
                    seat,
                    corners(place).into_iter(),
                )
            })
            .collect();
        let count = change.count();
        Ok(Preview {
            markup: boxes + &mark(target, seat).ghost(),
            words: (count > 0).then(|| t!(language, boxes.would_take, count)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::boxes::Setup;

    fn played(lines: &[&str]) -> (Boxes, Vec<Ply>) {
        let mut boxes = Boxes::new(&Setup::DEFAULT);
        let mut plies = Vec::new();
        for line in lines {
            let (seat, line) = (boxes.to_move().unwrap(), line.parse().unwrap());
            boxes.play(line).unwrap();
            let mv = Move::Boxes(line);
            plies.push(Ply { seat, mv });
        }
        (boxes, plies)
    }

    #[test]
    fn a_box_bears_the_letter_of_its_owner() {
        let (boxes, plies) = played(&["h:0,0", "v:0,0", "h:0,1", "v:1,0"]);
        let picture = boxes.picture(&plies, ['A', 'Б']).markup();
        assert!(picture.contains(r#"class="area box blue""#), "{picture}");
        assert!(picture.contains(">Б</text>"), "{picture}");
    }

    #[test]
    fn the_line_that_closes_a_box_says_so_before() {
        let (boxes, _) = played(&["h:0,0", "v:0,0", "h:0,1"]);
        let preview = |target| boxes.preview(Language::En, Seat::Second, target);
        let closing = preview(MoveTarget::Down(1, 0)).unwrap();
        assert!(closing.markup.contains(r#"class="capture-preview blue""#));
        let words = "Takes 1 box, and you move again.";
        assert_eq!(closing.words.as_deref(), Some(words));
        assert_eq!(preview(MoveTarget::Down(2, 0)).unwrap().words, None);
        assert_eq!(
            preview(MoveTarget::Across(0, 0)),
            Err(Illegal::AlreadyDrawn)
        );
    }
}
