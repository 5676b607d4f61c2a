//! A captured area with the closed line round it, as it is drawn.

use super::{Dots, Point, UndoEntry, board::PointIndex};
use crate::Seat;

/// Where the log of a position keeps an area and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Enclosed {
    /// Who holds it.
    pub(super) seat: Seat,
    /// Enemy dots in it.
    pub(super) dead: u16,
    /// From and up to which of the position's `lines` it reaches.
    pub(super) line: (u32, u32),
    /// From and up to which of the position's `undo_log` it reaches.
    pub(super) area: (u32, u32),
}

/// A captured area: who holds it, its closed line and the points inside.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure<'a> {
    enclosed: Enclosed,
    line: &'a [PointIndex],
    area: &'a [UndoEntry],
}

impl<'a> Enclosure<'a> {
    pub(super) fn new(dots: &'a Dots, enclosed: Enclosed) -> Self {
        let (line, area) = (enclosed.line, enclosed.area);
        Self {
            enclosed,
            line: &dots.lines[line.0 as usize..line.1 as usize],
            area: &dots.undo_log[area.0 as usize..area.1 as usize],
        }
    }

    /// The seat that holds it.
    pub const fn seat(&self) -> Seat {
        self.enclosed.seat
    }

    /// The dots of the closed line in drawing order, anticlockwise on the screen; the last is a neighbour of the first.
    pub fn line(&self) -> impl ExactSizeIterator<Item = Point> + use<'a> {
        self.line.iter().map(|at| at.point())
    }

    /// The points inside the line, in no particular order.
    pub fn area(&self) -> impl ExactSizeIterator<Item = Point> + use<'a> {
        self.area.iter().map(|point| point.at.point())
    }

    /// How many dead dots of the other seat lie inside.
    pub const fn dead(&self) -> u32 {
        self.enclosed.dead as u32
    }
}
