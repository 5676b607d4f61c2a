//! The paper itself: one byte for each point, and steps from a point to its neighbours.
//!
//! It knows what a byte means, and nothing of why it changes.

use super::Point;
use crate::rules::Seat;
use std::ops::{Index, IndexMut};

/// Bytes in a row of the board. A power of two, so that a neighbour is always at the same distance.
const ROW: u16 = 64;

/// Bytes of the board: 50 rows and a margin all round fit into 52 rows; 64 make every masked index a valid one.
const BYTES: usize = 4096;

/// The points of the largest board with an empty margin round them, so that every point has eight neighbours.
///
/// The margin is never a wall and never changes, so no line closes against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board(Box<[Cell; BYTES]>);

impl Board {
    pub(super) fn empty() -> Self {
        Self(Box::new([Cell::EMPTY; BYTES]))
    }

    /// Which neighbours hold a live dot of the seat: bit `n` for [`Heading`] `n`.
    #[inline]
    pub(super) fn walls_around(&self, at: At, seat: Seat) -> u8 {
        Heading::ALL.iter().fold(0, |ring, &heading| {
            ring | u8::from(self[at.step(heading)].is_wall(seat)) << heading.0
        })
    }
}

impl Index<At> for Board {
    type Output = Cell;

    #[inline]
    fn index(&self, at: At) -> &Cell {
        // The mask changes no index that occurs; it tells the compiler that there is nothing to check.
        &self.0[usize::from(at.0) % BYTES]
    }
}

impl IndexMut<At> for Board {
    #[inline]
    fn index_mut(&mut self, at: At) -> &mut Cell {
        &mut self.0[usize::from(at.0) % BYTES]
    }
}

/// A place in the board's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At(u16);

impl At {
    #[inline]
    pub(super) const fn of(point: Point) -> Self {
        Self((point.y as u16 + 1) * ROW + point.x as u16 + 1)
    }

    #[inline]
    pub(super) const fn point(self) -> Point {
        Point {
            x: (self.0 % ROW - 1) as u8,
            y: (self.0 / ROW - 1) as u8,
        }
    }

    #[inline]
    pub(super) const fn step(self, heading: Heading) -> Self {
        Self(self.0.wrapping_add(heading.distance()))
    }

    /// The neighbours in the four straight directions.
    #[inline]
    pub(super) fn straight(self) -> [Self; 4] {
        Heading::STRAIGHT.map(|heading| self.step(heading))
    }

    /// Twice the strip between a step and the top of the board; counted against the step when it goes left.
    ///
    /// Round a closed line these add up to twice its area times [`ROW`] (the columns in the two places cancel out).
    #[inline]
    pub(super) const fn strip(self, heading: Heading) -> i32 {
        (self.0 as i32 + self.step(heading).0 as i32) * heading.columns()
    }
}

/// One of the eight directions, clockwise from 0, which is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading(u8);

impl Heading {
    pub(super) const UP: Self = Self(0);
    pub(super) const DOWN: Self = Self(4);
    pub(super) const STRAIGHT: [Self; 4] = [Self(0), Self(2), Self(4), Self(6)];
    pub(super) const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// The direction with that number, counted round as often as it takes.
    pub(super) const fn number(number: u8) -> Self {
        Self(number % 8)
    }

    /// The next direction clockwise.
    #[inline]
    pub(super) const fn clockwise(self) -> Self {
        Self((self.0 + 1) % 8)
    }

    /// After a step along a line in this direction: where to look first for the next dot of the line.
    ///
    /// The open side is at the left. The last open point seen before the step was at the left of it, so the search goes
    /// on from the direction after that point, seen from the new dot: 90° to the left of a straight step and 135° to
    /// the left of a diagonal one.
    #[inline]
    pub(super) const fn search(self) -> Self {
        const FIRST: [Heading; 8] = [
            Heading(7),
            Heading(7),
            Heading(1),
            Heading(1),
            Heading(3),
            Heading(3),
            Heading(5),
            Heading(5),
        ];
        FIRST[(self.0 % 8) as usize]
    }

    #[inline]
    const fn distance(self) -> u16 {
        const UP: u16 = 0u16.wrapping_sub(ROW);
        const LEFT: u16 = 0u16.wrapping_sub(1);
        const DISTANCE: [u16; 8] = [
            UP,
            UP.wrapping_add(1),
            1,
            ROW + 1,
            ROW,
            ROW.wrapping_add(LEFT),
            LEFT,
            UP.wrapping_add(LEFT),
        ];
        DISTANCE[(self.0 % 8) as usize]
    }

    #[inline]
    const fn columns(self) -> i32 {
        const COLUMNS: [i32; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
        COLUMNS[(self.0 % 8) as usize]
    }
}

/// What one point holds. Each seat has its bit for a live dot, for a captured area and for a house.
///
/// A dead dot lies in an area of the other seat, so the area tells its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(u8);

impl Cell {
    pub(super) const EMPTY: Self = Self(0);

    const LIVE: [u8; 2] = [1 << 0, 1 << 1];
    const DEAD: u8 = 1 << 2;
    const AREA: [u8; 2] = [1 << 3, 1 << 4];
    const HOUSE: [u8; 2] = [1 << 5, 1 << 6];
    const MARK: u8 = 1 << 7;

    /// A live dot in the open.
    #[inline]
    pub(super) const fn live(seat: Seat) -> Self {
        Self(Self::LIVE[seat.index()])
    }

    /// A free point in a house of the seat.
    #[inline]
    pub(super) const fn house(seat: Seat) -> Self {
        Self(Self::HOUSE[seat.index()])
    }

    /// Whether a live dot of the seat stands here: a wall for whatever the seat encloses.
    #[inline]
    pub(super) const fn is_wall(self, seat: Seat) -> bool {
        self.0 & Self::LIVE[seat.index()] != 0
    }

    #[inline]
    pub(super) const fn in_area(self, seat: Seat) -> bool {
        self.0 & Self::AREA[seat.index()] != 0
    }

    #[inline]
    pub(super) const fn in_house(self, seat: Seat) -> bool {
        self.0 & Self::HOUSE[seat.index()] != 0
    }

    /// Whether a dot may be placed here: houses are open to both.
    #[inline]
    pub(super) const fn is_free(self) -> bool {
        self.0 & !(Self::HOUSE[0] | Self::HOUSE[1]) == 0
    }

    /// Whether a dot stands here, dead or alive.
    #[inline]
    pub(super) const fn is_dot(self) -> bool {
        self.0 & (Self::LIVE[0] | Self::LIVE[1] | Self::DEAD) != 0
    }

    #[inline]
    pub(super) const fn is_dead(self) -> bool {
        self.0 & Self::DEAD != 0
    }

    #[inline]
    pub(super) const fn is_marked(self) -> bool {
        self.0 & Self::MARK != 0
    }

    #[inline]
    pub(super) const fn marked(self) -> Self {
        Self(self.0 | Self::MARK)
    }

    #[inline]
    pub(super) const fn unmarked(self) -> Self {
        Self(self.0 & !Self::MARK)
    }

    /// The same point once it lies in a captured area of the seat: enemies die, the seat's own dead live again.
    #[inline]
    pub(super) const fn captured_by(self, seat: Seat) -> Self {
        let (own, enemy) = (seat.index(), seat.other().index());
        let dot = if self.0 & Self::LIVE[own] != 0
            || self.0 & Self::DEAD != 0 && self.in_area(seat.other())
        {
            Self::LIVE[own]
        } else if self.0 & (Self::LIVE[enemy] | Self::DEAD) != 0 {
            Self::DEAD
        } else {
            0
        };
        Self(Self::AREA[own] | dot)
    }
}
