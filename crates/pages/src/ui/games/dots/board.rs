//! The board of Dots: dots on the crossings, and outlines of the captured areas.

use crate::ui::board::{
    Area, BoardPosition, Geometry, Grid, GridStyle, Initials, Mark, MoveTarget, Picture, Preview,
    Shape, along, paper,
};
use crate::ui::games::dots::preview;
use crate::ui::games::points;
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use std::fmt::Write;
use tochki_play::Ply;
use tochki_rules::dots::{Dot, Dots, Point};
use tochki_rules::{Game, GameKind, Illegal, Move, Seat};

fn grid(dots: &Dots) -> Grid {
    Grid {
        columns: dots.setup().width(),
        rows: dots.setup().height(),
    }
}

impl BoardPosition for Dots {
    fn geometry(&self) -> Geometry {
        Geometry::Points(grid(self))
    }

    fn paper(&self) -> String {
        let number = |number: u8| number.to_string();
        paper(grid(self), GridStyle::Paper, number, number)
    }

    fn move_at(&self, target: MoveTarget) -> Move {
        Move::Dots(target.point())
    }

    fn target_of(&self, mv: Move) -> MoveTarget {
        points::target_of(mv)
    }

    fn target_name(&self, _: Language, target: MoveTarget) -> String {
        points::name(target.point())
    }

    /// Describes the gain: a side that moved may have captured, or stepped into a house and been captured.
    fn gain_text(&self, language: Language, seat: Seat, own: u32, other: u32) -> Option<String> {
        match (own, other) {
            (0, 0) => None,
            (0, other) => {
                let side = side::colour(language, GameKind::Dots, seat.other());
                let words = t!(language, speech.captured_by, side = side, count = other);
                Some(words)
            }
            (own, _) => Some(t!(language, speech.captures, count = own)),
        }
    }

    fn owner(&self, target: MoveTarget) -> Option<Seat> {
        self.at(target.point()).dot.map(|dot| dot.seat)
    }

    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let start = self
            .setup()
            .start_dots()
            .into_iter()
            .map(|(point, _)| point);
        let placed = plies.iter().map(|ply| self.target_of(ply.mv).point());
        let mark = |point: Point| {
            let Dot { seat, alive } = self.at(point).dot?;
            let shape = if alive { Shape::Dot } else { Shape::Dead };
            let target = MoveTarget::At(point.x, point.y);
            Some(Mark {
                shape,
                seat,
                target,
            })
        };
        let marks: Vec<Mark> = start.chain(placed).filter_map(mark).collect();
        let mut areas: Vec<Area> = self
            .enclosures()
            .map(|enclosure| Area {
                seat: enclosure.seat(),
                line: preview::corners(enclosure).collect(),
                initial: None,
            })
            .collect();
        areas.reverse();
        let last = marks.last().map(|mark| mark.ring());
        Picture {
            areas,
            marks,
            last: last.unwrap_or_default(),
        }
    }

    /// Draws crosses on the empty points that a capture has closed.
    fn closed_places(&self) -> String {
        let points = self.setup().points();
        let closed = points.filter(|point| {
            let state = self.at(*point);
            state.dot.is_none() && state.area.is_some()
        });
        let mut crosses = String::new();
        for point in closed {
            let (x, y) = (along(point.x) - 2, along(point.y) - 2);
            // Writing into a string cannot fail.
            let _ = write!(
                crosses,
                r#"<path class="closed" d="M{x} {y}l4 4m0-4l-4 4"/>"#
            );
        }
        crosses
    }

    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal> {
        preview::of(language, self, seat, target.point())
    }

    fn describe_target(&self, language: Language, target: MoveTarget) -> String {
        let Point { x, y } = target.point();
        let state = self.at(target.point());
        let side = |dot: Dot| side::colour(language, GameKind::Dots, dot.seat);
        match state.dot {
            Some(dot) if dot.alive => t!(language, board.point_dot, x, y, side = side(dot)),
            Some(dot) => t!(language, board.point_dead, x, y, side = side(dot)),
            None if state.area.is_some() => t!(language, board.point_captured, x, y),
            None => t!(language, board.point_free, x, y),
        }
    }
}
