//! A captured area with the closed line round it, as it is drawn.

use super::board::{PointIndex, UndoEntry};
use crate::{Point, Seat};

/// The seat of a captured area, and the places of the area and its line in the log of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Enclosed {
    /// The holder.
    pub(super) seat: Seat,
    /// The number of enemy dots in the area.
    pub(super) dead: u16,
    /// The range of its points in the position's `lines`.
    pub(super) line: (u32, u32),
    /// The range of its points in the position's `undo_log`.
    pub(super) area: (u32, u32),
}

/// A captured area: its holder, its closed line and the points inside.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure<'a> {
    enclosed: Enclosed,
    line: &'a [PointIndex],
    area: &'a [UndoEntry],
}

impl<'a> Enclosure<'a> {
    /// Looks an enclosure up in all lines and the undo log of a position.
    pub(super) fn new(
        lines: &'a [PointIndex],
        undo_log: &'a [UndoEntry],
        enclosed: Enclosed,
    ) -> Self {
        let (line, area) = (enclosed.line, enclosed.area);
        Self {
            enclosed,
            line: &lines[line.0 as usize..line.1 as usize],
            area: &undo_log[area.0 as usize..area.1 as usize],
        }
    }

    /// The seat that holds the area.
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

    /// The number of dead dots of the other seat inside.
    pub const fn dead(&self) -> u32 {
        self.enclosed.dead as u32
    }
}
