//! What is drawn of a position of Dots: one mark a dot, one outline an enclosure.

use super::geometry::SQUARE;
use crate::rules::Seat;
use crate::rules::dots::{Dots, Enclosure, Point};
use std::fmt::Write;

/// A position as marks on paper.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// In the order in which they were placed, so that a new one is appended.
    pub(super) marks: Vec<Mark>,
    /// The captured areas, the latest last.
    pub(super) areas: Vec<Area>,
    /// The last move.
    pub(super) last: Option<Mark>,
}

/// A dot. Dead or alive it is another mark: so a mark never changes, and a list of them is redrawn by its differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mark {
    pub(super) point: Point,
    pub(super) seat: Seat,
    pub(super) alive: bool,
}

/// A captured area.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Area {
    pub(super) seat: Seat,
    /// Its closed line, as the `d` of a path.
    pub(super) outline: String,
}

impl Picture {
    /// Draws a position whose dots were placed in this order.
    pub(super) fn of(dots: &Dots, placed: impl Iterator<Item = Point>) -> Self {
        let marks: Vec<Mark> = placed
            .filter_map(|point| {
                dots.at(point).dot.map(|dot| Mark {
                    point,
                    seat: dot.seat,
                    alive: dot.alive,
                })
            })
            .collect();
        let mut areas: Vec<Area> = dots.enclosures().map(Area::of).collect();
        areas.reverse();
        Self {
            last: marks.last().copied(),
            marks,
            areas,
        }
    }
}

impl Area {
    /// Draws one enclosure.
    pub(super) fn of(enclosure: Enclosure<'_>) -> Self {
        let mut outline = String::new();
        for (place, point) in enclosure.line().enumerate() {
            // Writing into a string cannot fail.
            let _ = write!(
                outline,
                "{}{} {}",
                if place == 0 { 'M' } else { 'L' },
                along(point.x),
                along(point.y)
            );
        }
        outline.push('Z');
        Self {
            seat: enclosure.seat(),
            outline,
        }
    }
}

/// Where a column or row lies on the paper.
pub(super) fn along(number: u8) -> u16 {
    u16::from(number) * SQUARE as u16
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
        assert_eq!(picture.marks.iter().filter(|mark| !mark.alive).count(), 1);
        assert_eq!(picture.last.map(|mark| mark.point), Some(Point::new(5, 6)));
        let [area] = &picture.areas[..] else {
            panic!("{:?}", picture.areas)
        };
        assert_eq!(area.seat, Seat::First);
        assert!(area.outline.starts_with('M') && area.outline.ends_with('Z'));
        assert_eq!(area.outline.matches('L').count(), 3);
    }
}
