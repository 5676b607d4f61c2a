//! The paper itself: a byte for each point and one for the walls round it, and steps from a point to its neighbours.
//!
//! The module defines the meaning of a byte, and knows nothing of the reasons for a change.

use super::Point;
use crate::Seat;
use std::ops::{Index, IndexMut};

/// Bytes in a row of the board. A power of two, so that a neighbour is always at the same distance.
const ROW: u16 = 64;

/// Bytes that hold points or their neighbours: 50 rows of points would do, and 64 make every masked index a valid one.
const BYTES: usize = 4096;

/// Distance in bytes from the upper left neighbour of a place to the place itself.
const CENTRE: usize = ROW as usize + 1;

/// Bytes of the points and of the margin on all sides.
const ALL: usize = BYTES + 2 * CENTRE + 2;

/// The points of the largest board with an empty margin round them, so that every point has eight neighbours.
///
/// The margin is never a wall and never changes, so no line closes against it. Beside the points themselves the board holds for
/// each of them which neighbours are walls: a line looks that up at every step, much more often than a wall changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board(Box<Grid>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Grid {
    cells: [Cell; ALL],
    /// The walls round each point: for each seat and point a bit for each neighbour that is a wall of the seat.
    rings: [[u8; ALL]; 2],
}

impl Board {
    pub(super) fn empty() -> Self {
        Self(Box::new(Grid {
            cells: [Cell::EMPTY; ALL],
            rings: [[0; ALL]; 2],
        }))
    }

    /// The neighbours that hold a live dot of the seat: a bit for each [`Direction`], the lowest for up and left.
    #[inline]
    pub(super) fn walls_around(&self, at: PointIndex, seat: Seat) -> u8 {
        self.0.rings[seat.index()][usize::from(at.0) % BYTES + CENTRE]
    }

    /// Returns whether the neighbours in all straight directions hold a live dot of the seat: a face of one point.
    #[inline]
    pub(super) fn is_walled_in(&self, at: PointIndex, seat: Seat) -> bool {
        const STRAIGHT: u8 = 0b1010_1010;
        self.walls_around(at, seat) & STRAIGHT == STRAIGHT
    }

    /// The walls of the seat next to a point.
    pub(super) fn walls_beside(
        &self,
        at: PointIndex,
        seat: Seat,
    ) -> impl Iterator<Item = PointIndex> + use<> {
        let ring = self.walls_around(at, seat);
        (0..8)
            .filter(move |number| ring >> number & 1 == 1)
            .map(move |number| at.step(Direction::number(number)))
    }

    /// Places a live dot on a point that holds none.
    #[inline]
    pub(super) fn place(&mut self, at: PointIndex, seat: Seat) {
        self[at] = Cell::live(seat);
        self.toggle_wall(at, seat);
    }

    /// Takes a live dot back from a point that held nothing before it.
    #[inline]
    pub(super) fn remove(&mut self, at: PointIndex) {
        let seat = if self[at] == Cell::live(Seat::First) {
            Seat::First
        } else {
            Seat::Second
        };
        self[at] = Cell::EMPTY;
        self.toggle_wall(at, seat);
    }

    /// Writes a point that may become a wall, or stop being one.
    #[inline]
    pub(super) fn set(&mut self, at: PointIndex, cell: Cell) {
        let before = std::mem::replace(&mut self[at], cell);
        for seat in Seat::BOTH {
            if before.is_wall(seat) != cell.is_wall(seat) {
                self.toggle_wall(at, seat);
            }
        }
    }

    /// Tells the neighbours that the point is a wall now, or is none any more.
    #[inline]
    fn toggle_wall(&mut self, at: PointIndex, seat: Seat) {
        /// The bit of the point itself in the rings of its neighbours, for the three bytes of each row.
        const ROWS: [u32; 3] = [0x40_20_10, 0x80_00_08, 0x01_02_04];
        let ring = &mut self.0.rings[seat.index()];
        let corner = usize::from(at.0) % BYTES;
        for (row, bits) in ROWS.into_iter().enumerate() {
            // Three bytes are changed with a fourth that stays as it is, because four are read and written at once.
            let first = corner + row * ROW as usize;
            let bytes = &mut ring[first..first + 4];
            let old = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            bytes.copy_from_slice(&(old ^ bits).to_le_bytes());
        }
    }
}

impl Index<PointIndex> for Board {
    type Output = Cell;

    #[inline]
    fn index(&self, at: PointIndex) -> &Cell {
        // The mask changes no index that occurs; it tells the compiler that there is nothing to check.
        &self.0.cells[usize::from(at.0) % BYTES + CENTRE]
    }
}

impl IndexMut<PointIndex> for Board {
    #[inline]
    fn index_mut(&mut self, at: PointIndex) -> &mut Cell {
        &mut self.0.cells[usize::from(at.0) % BYTES + CENTRE]
    }
}

/// A place on the board, counted in reading order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PointIndex(u16);

impl PointIndex {
    #[inline]
    pub(super) const fn of(point: Point) -> Self {
        Self(point.y as u16 * ROW + point.x as u16)
    }

    #[inline]
    pub(super) const fn point(self) -> Point {
        Point {
            x: (self.0 % ROW) as u8,
            y: (self.0 / ROW) as u8,
        }
    }

    /// The place in a table of all points.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) const fn step(self, heading: Direction) -> Self {
        Self(self.0.wrapping_add_signed(heading.distance as i16))
    }

    /// The neighbour in the direction with that number.
    #[inline]
    pub(super) const fn neighbour(self, number: u8) -> Self {
        self.step(Direction::number(number))
    }

    /// The neighbours in the four straight directions.
    #[inline]
    pub(super) fn straight(self) -> [Self; 4] {
        Direction::STRAIGHT.map(|heading| self.step(heading))
    }

    /// The number of points inside a closed line of so many dots, none of them twice, whose [`PointIndex::strip`]s have this sum:
    /// Pick's theorem.
    #[inline]
    pub(super) const fn points_inside(strips: i32, dots: usize) -> usize {
        let twice_the_area = strips.unsigned_abs() as usize / ROW as usize;
        (twice_the_area + 2 - dots) / 2
    }

    /// One term of the trapezoid form of the shoelace formula (Gauss's area formula): twice the area between a step and the
    /// top of the board, negative when the step goes left.
    ///
    /// Round a closed line these add up to twice its area times [`ROW`] (the columns in the two places cancel out).
    #[inline]
    pub(super) const fn strip(self, heading: Direction) -> i32 {
        (2 * self.0 as i32 + heading.distance as i32) * heading.columns as i32
    }
}

/// One of the eight directions, counted clockwise from 0, which is up and left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    /// The distance to the neighbour in the board's bytes.
    distance: i8,
    /// The number of columns from a point to its neighbour, to the right.
    columns: i8,
    number: u8,
    /// The search for the next wall of a line that has taken this step.
    then: Search,
}

impl Direction {
    pub(super) const UP: Self = Self::number(1);
    const STRAIGHT: [Self; 4] = [Self::UP, Self::number(3), Self::number(5), Self::number(7)];

    /// The direction with that number, modulo 8.
    pub(super) const fn number(number: u8) -> Self {
        let row = ROW as i8;
        let distances = [-row - 1, -row, -row + 1, 1, row + 1, row, row - 1, -1];
        let columns = [-1, 0, 1, 1, 1, 0, -1, -1];
        Self {
            distance: distances[number as usize % 8],
            columns: columns[number as usize % 8],
            number: number % 8,
            // The last open point seen before the step was at the left of it, so the search goes on after that point, seen
            // from the new dot: 45° to the left of a straight step and 90° to the left of a diagonal one.
            then: Search(((number + 7) & 0b110) / 2),
        }
    }
}

/// The start of a clockwise search for a wall round a dot: a corner, 0 to 3 from the upper left one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search(u8);

impl Search {
    /// Begins at the upper left corner.
    pub(super) const FIRST: Self = Self(0);

    /// Begins after the point below.
    pub(super) const BELOW: Self = Self(3);

    /// The search round a dot that was reached by a step along a line with the open side at its left.
    #[inline]
    pub(super) const fn after(step: Direction) -> Self {
        step.then
    }

    /// The direction of the first wall in the ring that [`Board::walls_around`] gave.
    #[inline]
    pub(super) fn first_in(self, ring: u8) -> Direction {
        FIRST[usize::from(self.0 % 4)][usize::from(ring)]
    }
}

/// The first wall for each corner where a search begins, and for each ring. A line takes this step again and again.
static FIRST: [[Direction; 256]; 4] = {
    let mut first = [[Direction::UP; 256]; 4];
    let mut entry = 0;
    while entry < 4 * 256 {
        let (corner, ring) = (entry / 256, entry % 256);
        let turned = (ring as u8).rotate_right(2 * corner as u32);
        first[corner][ring] = Direction::number(2 * corner as u8 + turned.trailing_zeros() as u8);
        entry += 1;
    }
    first
};

/// The content of a point. Each seat has its bit for a live dot, for a captured area and for a house.
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

    /// Returns whether a live dot of the seat stands here: a wall for whatever the seat encloses.
    #[inline]
    pub(super) const fn is_wall(self, seat: Seat) -> bool {
        self.0 & Self::LIVE[seat.index()] != 0
    }

    /// Returns whether a flood of the seat's face goes on here: no wall, and not marked as reached.
    #[inline]
    pub(super) const fn is_open(self, seat: Seat) -> bool {
        self.0 & (Self::LIVE[seat.index()] | Self::MARK) == 0
    }

    #[inline]
    pub(super) const fn in_area(self, seat: Seat) -> bool {
        self.0 & Self::AREA[seat.index()] != 0
    }

    #[inline]
    pub(super) const fn in_house(self, seat: Seat) -> bool {
        self.0 & Self::HOUSE[seat.index()] != 0
    }

    /// Returns whether a dot may be placed here: houses are open to both.
    #[inline]
    pub(super) const fn is_free(self) -> bool {
        self.0 & !(Self::HOUSE[0] | Self::HOUSE[1]) == 0
    }

    /// Returns whether a dot stands here, dead or alive.
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
    pub(super) const fn marked_if(self, marks: bool) -> Self {
        Self(self.0 | if marks { Self::MARK } else { 0 })
    }

    #[inline]
    pub(super) const fn unmarked(self) -> Self {
        Self(self.0 & !Self::MARK)
    }

    /// The content once the point lies in a captured area of the seat: enemies die, the seat's own dead live again.
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

/// A point that a move has changed, and its content before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UndoEntry {
    pub(super) at: PointIndex,
    pub(super) before: Cell,
}
