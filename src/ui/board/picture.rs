//! What is drawn of a position of Dots: one mark a dot, one outline an enclosure, as SVG markup.

use super::geometry::SQUARE;
use crate::rules::Seat;
use crate::rules::dots::{Dot, Dots, Enclosure, Point};
use crate::ui::pieces::{self, Piece};
use crate::ui::words;
use std::fmt::Write;

/// A position as marks on paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Picture {
    /// The captured areas, the latest last.
    pub(super) areas: Vec<Area>,
    /// The dots in the order in which they were placed, so that a new one is the last.
    pub(super) dots: Vec<Mark>,
}

/// A captured area.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Area {
    seat: Seat,
    line: Vec<Point>,
}

/// A dot where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    point: Point,
    dot: Dot,
}

impl Picture {
    /// Draws a position whose dots were placed in this order.
    pub(super) fn of(dots: &Dots, placed: impl Iterator<Item = Point>) -> Self {
        let mark = |point| {
            let dot = dots.at(point).dot?;
            Some(Mark { point, dot })
        };
        let mut areas: Vec<Area> = dots
            .enclosures()
            .map(|enclosure| Area {
                seat: enclosure.seat(),
                line: enclosure.line().collect(),
            })
            .collect();
        areas.reverse();
        Self {
            areas,
            dots: placed.filter_map(mark).collect(),
        }
    }

    /// Areas and dots together.
    pub(super) fn markup(&self) -> String {
        pieces::drawn(&self.areas) + &pieces::drawn(&self.dots)
    }

    /// The ring round the last dot.
    pub(super) fn ring(&self) -> String {
        match self.dots.last() {
            Some(Mark { point, dot }) => {
                circle(&format!("last {}", words::side(dot.seat)), *point, "4.9")
            }
            None => String::new(),
        }
    }
}

impl Piece for Area {
    fn markup(&self) -> String {
        let line = self.line.iter().copied();
        closed(r#"pathLength="1" class="area"#, self.seat, line)
    }
}

impl Piece for Mark {
    fn markup(&self) -> String {
        let Dot { seat, alive } = self.dot;
        let fate = if alive { "" } else { " dead" };
        circle(
            &format!("dot {}{fate}", words::side(seat)),
            self.point,
            words::radius(seat),
        )
    }
}

/// A dot that is not there yet.
pub(super) fn ghost(point: Point, seat: Seat) -> String {
    circle(
        &format!("dot ghost {}", words::side(seat)),
        point,
        words::radius(seat),
    )
}

fn circle(class: &str, point: Point, radius: &str) -> String {
    let (x, y) = (along(point.x), along(point.y));
    format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

/// An enclosure: its closed line and what is inside. Its attributes end in a class, to which its side is added.
pub(super) fn outline(attributes: &str, enclosure: Enclosure<'_>) -> String {
    closed(attributes, enclosure.seat(), enclosure.line())
}

fn closed(attributes: &str, seat: Seat, line: impl Iterator<Item = Point>) -> String {
    let side = words::side(seat);
    let mut path = format!(r#"<path {attributes} {side}" d=""#);
    for (place, point) in line.enumerate() {
        let step = if place == 0 { 'M' } else { 'L' };
        // Writing into a string cannot fail.
        let _ = write!(path, "{step}{} {}", along(point.x), along(point.y));
    }
    path.push_str(r#"Z"/>"#);
    path
}

/// Where a column or row lies on the paper.
pub(super) fn along(number: u8) -> i32 {
    i32::from(number) * SQUARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::dots::Setup;

    #[test]
    fn a_capture_is_one_outline_and_a_dead_mark() {
        let mut dots = Dots::new(&Setup::DEFAULT);
        let moves = ["4,5", "5,5", "6,5", "0,0", "5,4", "0,1", "5,6"].map(|mv| mv.parse().unwrap());
        for mv in moves {
            dots.play(mv).unwrap();
        }
        let picture = Picture::of(&dots, moves.into_iter());
        assert_eq!(picture.dots.len(), moves.len());
        assert_eq!(
            picture.dots[1].markup(),
            r#"<circle class="dot blue dead" cx="50" cy="50" r="2.6"/>"#
        );
        assert_eq!(
            picture.ring(),
            r#"<circle class="last red" cx="50" cy="60" r="4.9"/>"#
        );
        let [area] = &picture.areas[..] else {
            panic!("{:?}", picture.areas)
        };
        let area = area.markup();
        assert!(area.contains(r#"class="area red""#), "{area}");
        let line = area.split("d=\"").nth(1).unwrap_or_default();
        assert_eq!(line.matches('L').count(), 3, "{line}");
    }
}
