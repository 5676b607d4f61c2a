//! Dots: place dots on squared paper and enclose those of the opponent.
//!
//! A position is a board of one byte a point and a log of the changes of each move, so that a move is undone by writing the old
//! bytes back. The rule is told in `capture`.
//!
//! A **house** is what oppai calls an empty base: free points enclosed by one seat, without a live dot of the other.

mod board;
mod capture;
mod enclosure;
mod gaps;
mod groups;
mod setup;

#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reference;

pub use crate::Point;
pub use enclosure::Enclosure;
pub use setup::{Opening, Setup};

use super::{Ending, Game, Illegal, MoveError, Outcome, Seat};
use board::{Board, Cell, PointIndex, Search, UndoEntry};
use enclosure::Enclosed;
use gaps::Gap;
use groups::Groups;

/// A position of Dots, with every move that led to it.
///
/// ```
/// use tochki_rules::{Game, dots::{Dots, Point, Setup}};
///
/// let mut dots = Dots::new(&Setup::DEFAULT);
/// // Red goes round the blue dot in the middle, while blue plays elsewhere.
/// for mv in ["4,5", "5,5", "6,5", "0,0", "5,4", "0,1", "5,6"] {
///     dots.play(mv.parse()?)?;
/// }
/// assert_eq!(dots.score(), [1, 0]);
/// assert_eq!(dots.at(Point::new(5, 5)).dot.map(|dot| dot.alive), Some(false));
/// # Ok::<(), tochki_rules::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dots {
    setup: Setup,
    board: Board,
    groups: Groups,
    /// The side to move, as long as there is a free point.
    turn: Seat,
    /// The number of dead dots in the areas that each seat holds.
    score: [u16; 2],
    /// The number of points that a dot may still be placed on.
    free: u16,
    /// The moves so far, each with the state needed to undo it.
    plies: Vec<Ply>,
    /// The states before the moves that may have captured something, in their order.
    snapshots: Vec<Snapshot>,
    /// Points changed by captures and houses, with their content before, in the order of the changes.
    undo_log: Vec<UndoEntry>,
    /// The closed lines of all captures, one after the other.
    lines: Vec<PointIndex>,
    /// All captures, also those whose area has since been captured again.
    enclosed: Vec<Enclosed>,
}

/// The state before a move. Eight bytes, because every dot writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    at: PointIndex,
    before: Cell,
    turn: Seat,
    /// Whether the move has a [`Snapshot`]. Without, it has captured nothing and was placed on an empty point.
    has_snapshot: bool,
    joins: u16,
}

const _: () = assert!(size_of::<Ply>() == 8);

/// The state before a move that may capture something, beyond the state that every move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Snapshot {
    score: [u16; 2],
    free: u16,
    undo_log: u32,
    lines: u32,
    enclosed: u32,
}

/// The content of a point: a dot, a captured area, both or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointState {
    /// The dot on the point.
    pub dot: Option<Dot>,
    /// The seat in whose captured area the point lies.
    pub area: Option<Seat>,
}

/// A dot on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    /// The seat that has its colour.
    pub seat: Seat,
    /// Whether the dot lives. A dead dot lies in an area of the other seat and forms no lines.
    pub alive: bool,
}

/// The effect of a move. Its enclosures are in [`Dots::captures_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The mover.
    pub seat: Seat,
    /// The point of the dot.
    pub point: Point,
    /// The seat that captured: the mover, or the other if the dot stepped into their house. Never both.
    pub captor: Option<Seat>,
    /// The number of dots that the captor has won, the placed one included if it stepped into a house.
    pub won: u32,
    /// The number of dead dots of the captor that live again, by which the other score has fallen.
    pub freed: u32,
    /// The captures of this move, among all of the position.
    captures: (u32, u32),
}

impl Change {
    /// The effect of a dot that captures nothing, with the number of captures before it.
    #[inline]
    fn nothing(seat: Seat, point: Point, captures: usize) -> Self {
        Self {
            seat,
            point,
            captor: None,
            won: 0,
            freed: 0,
            captures: (captures as u32, captures as u32),
        }
    }
}

impl Dots {
    /// Returns the content of a point of the board.
    ///
    /// # Panics
    ///
    /// If the point is not on the board.
    pub fn at(&self, point: Point) -> PointState {
        assert!(self.setup.contains(point), "{point} is off the board");
        let cell = self.board[PointIndex::of(point)];
        let area = Seat::BOTH.into_iter().find(|&seat| cell.in_area(seat));
        let alive = Seat::BOTH
            .into_iter()
            .find(|&seat| cell.is_wall(seat))
            .map(|seat| Dot { seat, alive: true });
        let dead = area.filter(|_| cell.is_dead()).map(|holder| Dot {
            seat: holder.other(),
            alive: false,
        });
        PointState {
            dot: alive.or(dead),
            area,
        }
    }

    /// The neighbours of a point that hold a live dot of the seat: a bit for each, clockwise from the lowest one, which is up and
    /// left. Beyond the edge there is none.
    #[inline]
    #[must_use]
    pub fn ring(&self, point: Point, seat: Seat) -> u8 {
        self.board.walls_around(PointIndex::of(point), seat)
    }

    /// The neighbours of a point that are free and stand between live dots of the seat, so that a dot of the seat there would
    /// link them or close a line: a bit for each as in [`Dots::ring`].
    #[inline]
    #[must_use]
    pub fn links_around(&self, point: Point, seat: Seat) -> u8 {
        let at = PointIndex::of(point);
        let mut links = 0;
        let taken = self.ring(point, Seat::First) | self.ring(point, Seat::Second);
        let mut open = !taken;
        while open != 0 {
            let number = open.trailing_zeros() as u8;
            open &= open - 1;
            let near = at.neighbour(number);
            if !Gap::is_one_in(self.board.walls_around(near, seat))
                && self.setup.contains(near.point())
                && self.board[near].is_free()
            {
                links |= 1 << number;
            }
        }
        links
    }

    /// The seat whose live dot stands on the point.
    #[inline]
    #[must_use]
    pub fn live(&self, point: Point) -> Option<Seat> {
        let cell = self.board[PointIndex::of(point)];
        if cell.is_wall(Seat::First) {
            Some(Seat::First)
        } else if cell.is_wall(Seat::Second) {
            Some(Seat::Second)
        } else {
            None
        }
    }

    /// The seat in whose house the point lies, if it is a free point of a house.
    #[inline]
    #[must_use]
    pub fn house(&self, point: Point) -> Option<Seat> {
        let cell = self.board[PointIndex::of(point)];
        if cell.in_house(Seat::First) {
            Some(Seat::First)
        } else if cell.in_house(Seat::Second) {
            Some(Seat::Second)
        } else {
            None
        }
    }

    /// The point of the last move.
    #[must_use]
    pub fn last_move(&self) -> Option<Point> {
        self.plies.last().map(|ply| ply.at.point())
    }

    /// The number of points that a dot may still be placed on.
    #[must_use]
    pub fn free_count(&self) -> u16 {
        self.free
    }

    /// Checks that a dot may be placed on the point.
    ///
    /// # Errors
    ///
    /// If the point is off the board, occupied, or in a captured area.
    #[inline]
    pub fn is_free(&self, point: Point) -> Result<(), Illegal> {
        if !self.setup.contains(point) {
            return Err(Illegal::OffBoard);
        }
        let cell = self.board[PointIndex::of(point)];
        if cell.is_free() {
            Ok(())
        } else if cell.is_dot() {
            Err(Illegal::Occupied)
        } else {
            Err(Illegal::CapturedArea)
        }
    }

    /// The points that a dot may be placed on, row by row.
    pub fn free_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.setup
            .points()
            .filter(|&point| self.is_free(point).is_ok())
    }

    /// The dead dots with the seat that holds them, row by row.
    pub fn dead_dots(&self) -> impl Iterator<Item = (Point, Seat)> + '_ {
        self.setup
            .points()
            .filter_map(|point| match self.at(point) {
                PointState {
                    dot: Some(Dot { alive: false, .. }),
                    area: Some(holder),
                } => Some((point, holder)),
                _ => None,
            })
    }

    /// The captured areas as they stand, the latest first. An area that lies in a later capture is part of that now.
    pub fn enclosures(&self) -> impl Iterator<Item = Enclosure<'_>> {
        let mut covered = Board::empty();
        self.enclosed.iter().rev().filter_map(move |&enclosed| {
            let area = &self.undo_log[enclosed.area.0 as usize..enclosed.area.1 as usize];
            // An area is only ever captured as a whole, so one of its points speaks for all.
            let stands = !covered[area[0].at].is_marked();
            for point in area {
                covered[point.at] = Cell::EMPTY.marked();
            }
            stands.then(|| self.enclosure(enclosed))
        })
    }

    fn enclosure(&self, enclosed: Enclosed) -> Enclosure<'_> {
        Enclosure::new(&self.lines, &self.undo_log, enclosed)
    }

    /// The captures that a move made, for as long as the move stands.
    pub fn captures_of(&self, change: &Change) -> impl ExactSizeIterator<Item = Enclosure<'_>> {
        let (first, end) = change.captures;
        self.enclosed[first as usize..end as usize]
            .iter()
            .map(|&enclosed| self.enclosure(enclosed))
    }

    /// Joins the walls on all sides of a dot. Returns the gaps if some of the walls were joined already, so that the dot may have
    /// closed a gap; otherwise none.
    #[inline]
    fn join(&mut self, at: PointIndex, gaps: &'static [Gap]) -> &'static [Gap] {
        let Some((first, others)) = gaps.split_first() else {
            return gaps;
        };
        let others = others.iter().map(|gap| at.step(gap.wall));
        let may_close = self.groups.attach_all(at, at.step(first.wall), others);
        if may_close { gaps } else { &[] }
    }

    /// Finishes a move whose dot may have closed a gap, or was placed in a house.
    fn look_for_captures(
        &mut self,
        seat: Seat,
        at: PointIndex,
        before: Cell,
        gaps: &[Gap],
    ) -> Change {
        let enclosed = self.enclosed.len();
        self.snapshots.push(Snapshot {
            score: self.score,
            // The dot is placed already.
            free: self.free + 1,
            undo_log: self.undo_log.len() as u32,
            lines: self.lines.len() as u32,
            enclosed: enclosed as u32,
        });
        self.capture(seat, at, before, gaps);
        self.change(seat, at.point(), enclosed)
    }

    /// The effect of the move just played; `enclosed` is the number of captures before it.
    #[inline]
    fn change(&self, seat: Seat, point: Point, enclosed: usize) -> Change {
        let quiet = Change {
            captures: (enclosed as u32, self.enclosed.len() as u32),
            ..Change::nothing(seat, point, enclosed)
        };
        let (Some(first), Some(before)) = (self.enclosed.get(enclosed), self.snapshots.last())
        else {
            return quiet;
        };
        let difference =
            |seat: Seat| u32::from(self.score[seat.index()].abs_diff(before.score[seat.index()]));
        Change {
            captor: Some(first.seat),
            won: difference(first.seat),
            freed: difference(first.seat.other()),
            ..quiet
        }
    }
}

impl Game for Dots {
    type Setup = Setup;
    type Move = Point;
    type Change = Change;

    fn new(setup: &Setup) -> Self {
        let mut board = Board::empty();
        let mut groups = Groups::new();
        let start = setup.start_dots();
        for &(point, seat) in &start {
            let at = PointIndex::of(point);
            groups.found(at);
            for wall in board.walls_beside(at, seat) {
                groups.join(at, wall);
            }
            board.place(at, seat);
        }
        Self {
            setup: *setup,
            board,
            groups,
            turn: Seat::First,
            score: [0; 2],
            free: setup.area() - start.len() as u16,
            plies: Vec::new(),
            snapshots: Vec::new(),
            undo_log: Vec::new(),
            lines: Vec::new(),
            enclosed: Vec::new(),
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    fn to_move(&self) -> Option<Seat> {
        (self.free > 0).then_some(self.turn)
    }

    #[inline]
    fn play_as(&mut self, seat: Seat, point: Point) -> Result<Change, Illegal> {
        self.is_free(point)?;
        let at = PointIndex::of(point);
        let before = self.board[at];
        let ring = self.board.walls_around(at, seat);
        let (turn, joins) = (self.turn, self.groups.joins());
        self.board.place(at, seat);
        self.free -= 1;
        self.turn = seat.other();
        let gaps = if Gap::is_one_in(ring) {
            self.groups
                .attach(at, at.step(Search::FIRST.first_in(ring)), ring == 0);
            &[]
        } else {
            self.join(at, Gap::all_in(ring))
        };
        let may_capture = !gaps.is_empty() || before != Cell::EMPTY;
        self.plies.push(Ply {
            at,
            before,
            turn,
            has_snapshot: may_capture,
            joins,
        });
        if may_capture {
            Ok(self.look_for_captures(seat, at, before, gaps))
        } else {
            // The dot neither closes a line nor enters a house. Most dots end here.
            Ok(Change::nothing(seat, point, self.enclosed.len()))
        }
    }

    fn give_turn(&mut self, seat: Seat) -> bool {
        if self.to_move().is_none() {
            return false;
        }
        self.turn = seat;
        true
    }

    #[inline]
    fn undo(&mut self) -> Option<Point> {
        let ply = self.plies.pop()?;
        if ply.has_snapshot
            && let Some(before) = self.snapshots.pop()
        {
            // Backwards, because a point that changed twice held its oldest byte first.
            for point in self.undo_log.drain(before.undo_log as usize..).rev() {
                self.board.set(point.at, point.before);
            }
            self.lines.truncate(before.lines as usize);
            self.enclosed.truncate(before.enclosed as usize);
            self.score = before.score;
            self.free = before.free;
            self.board.set(ply.at, ply.before);
        } else {
            self.free += 1;
            self.board.remove(ply.at);
        }
        self.groups.undo(ply.at, ply.joins);
        self.turn = ply.turn;
        Some(ply.at.point())
    }

    fn score(&self) -> [u32; 2] {
        self.score.map(u32::from)
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.free == 0).then(|| Outcome::by_score(self.score(), Ending::BoardFull))
    }

    fn progress(&self) -> u8 {
        let area = u32::from(self.setup.area());
        ((area - u32::from(self.free)) * 100 / area) as u8
    }

    fn parse_move(text: &str) -> Result<Point, MoveError> {
        text.parse()
    }
}
