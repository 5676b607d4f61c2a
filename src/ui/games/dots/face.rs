//! The board of Dots: dots on the crossings, and outlines of what is captured.

use super::preview;
use crate::play::Ply;
use crate::rules::dots::{Dot, Dots, Point};
use crate::rules::{Game, Move, Seat};
use crate::ui::board::{
    Area, Face, Grid, Heading, Initials, Mark, Picture, Preview, Ruling, Shape, Sheet, Spot, along,
    paper,
};
use crate::ui::texts::{Language, say};
use crate::ui::words;
use std::fmt::Write;

fn grid(dots: &Dots) -> Grid {
    Grid {
        columns: dots.setup().width(),
        rows: dots.setup().height(),
    }
}

fn dot_at((x, y): (u8, u8)) -> Move {
    Move::Dots(Point::new(x, y))
}

impl Face for Dots {
    fn sheet(&self) -> Sheet {
        grid(self).sheet()
    }

    fn paper(&self) -> String {
        let number = |number: u8| number.to_string();
        paper(grid(self), Ruling::Sheet, number, number)
    }

    fn label(&self, language: Language) -> String {
        let Grid { columns, rows } = grid(self);
        say!(language, board.label, width = columns, height = rows)
    }

    fn move_at(&self, spot: Spot) -> Option<Move> {
        grid(self).place_at(spot).map(dot_at)
    }

    fn middle(&self) -> Move {
        dot_at(grid(self).middle())
    }

    fn step(&self, from: Move, heading: Heading) -> Move {
        match from {
            Move::Dots(Point { x, y }) => dot_at(grid(self).step((x, y), heading)),
            _ => from,
        }
    }

    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let start = self
            .setup()
            .start_dots()
            .into_iter()
            .map(|(point, _)| point);
        let placed = plies.iter().filter_map(|ply| match ply.mv {
            Move::Dots(point) => Some(point),
            _ => None,
        });
        let mark = |point: Point| {
            let Dot { seat, alive } = self.at(point).dot?;
            let shape = if alive { Shape::Dot } else { Shape::Dead };
            let at = (point.x, point.y);
            Some(Mark { shape, seat, at })
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

    /// Crosses on the empty points that a capture has closed.
    fn closed(&self) -> String {
        let points = self.setup().points();
        let closed = points.filter(|point| {
            let spot = self.at(*point);
            spot.dot.is_none() && spot.area.is_some()
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

    fn preview(&self, language: Language, seat: Seat, mv: Move) -> Preview {
        match mv {
            Move::Dots(point) => preview::of(language, self, seat, point),
            _ => Preview::default(),
        }
    }

    fn whats_at(&self, language: Language, mv: Move) -> String {
        let Move::Dots(point) = mv else {
            return String::new();
        };
        let Point { x, y } = point;
        let spot = self.at(point);
        let side = |dot: Dot| words::colour(language, dot.seat);
        match spot.dot {
            Some(dot) if dot.alive => say!(language, board.point_dot, x, y, side = side(dot)),
            Some(dot) => say!(language, board.point_dead, x, y, side = side(dot)),
            None if spot.area.is_some() => say!(language, board.point_captured, x, y),
            None => say!(language, board.point_free, x, y),
        }
    }

    fn cursor(&self, mv: Move) -> String {
        match mv {
            Move::Dots(Point { x, y }) => Grid::cursor((x, y)),
            _ => String::new(),
        }
    }
}
