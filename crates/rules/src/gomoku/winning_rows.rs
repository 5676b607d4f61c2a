//! Rows of stones: finding the longest ones through a stone, and which of them win.

use super::setup::Rule;
use crate::{Point, Seat};

/// A direction as a step in columns and one in rows.
type Step = (i8, i8);

/// The directions of rows; each stands for its opposite, too.
const STEPS: [Step; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A maximal unbroken row of stones of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    first: Point,
    step: Step,
    stones: u8,
}

/// The rows that have won a game, all through its last stone: mostly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinningRows {
    seat: Seat,
    last: Point,
    rows: [Option<Row>; STEPS.len()],
}

impl Row {
    /// The longest row in one direction through a point on which there is a stone.
    fn through(has_stone: &impl Fn(Point) -> bool, point: Point, (dx, dy): Step) -> Self {
        let (before, first) = run(has_stone, point, (-dx, -dy));
        let (after, _) = run(has_stone, point, (dx, dy));
        Self {
            first,
            step: (dx, dy),
            stones: before + 1 + after,
        }
    }

    /// The number of stones.
    #[must_use]
    pub const fn stones(&self) -> u8 {
        self.stones
    }

    /// The points in order, from one end to the other.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let beyond_last = usize::from(self.stones);
        std::iter::successors(Some(self.first), move |&point| Some(next(point, self.step)))
            .take(beyond_last)
    }
}

impl WinningRows {
    /// The winning rows through the stone of `seat` on this point. `has_stone` tells the other stones of `seat`.
    pub(super) fn through(
        rule: Rule,
        seat: Seat,
        last: Point,
        has_stone: impl Fn(Point) -> bool,
    ) -> Option<Self> {
        let rows = STEPS.map(|step| {
            Some(Row::through(&has_stone, last, step)).filter(|row| rule.wins(row.stones))
        });
        rows.iter()
            .any(Option::is_some)
            .then_some(Self { seat, last, rows })
    }

    /// The winner.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The last stone, which is in each of the rows.
    #[must_use]
    pub const fn last(&self) -> Point {
        self.last
    }

    /// The rows: 1 to 4.
    pub fn rows(self) -> impl Iterator<Item = Row> {
        self.rows.into_iter().flatten()
    }

    /// All stones of the rows, row by row, each of them once.
    pub fn points(self) -> impl Iterator<Item = Point> {
        self.rows().enumerate().flat_map(move |(number, row)| {
            let is_repeated = move |point: &Point| number > 0 && *point == self.last;
            row.points().filter(move |point| !is_repeated(point))
        })
    }
}

/// The number of stones that follow a point without a gap, and the last of them, or the point itself.
fn run(has_stone: &impl Fn(Point) -> bool, point: Point, step: Step) -> (u8, Point) {
    let mut stones = 0;
    let mut last = point;
    while has_stone(next(last, step)) {
        last = next(last, step);
        stones += 1;
    }
    (stones, last)
}

/// The next point in a direction. Beyond the left and the upper edge the coordinates wrap to values outside any board.
const fn next(point: Point, (dx, dy): Step) -> Point {
    Point {
        x: point.x.wrapping_add_signed(dx),
        y: point.y.wrapping_add_signed(dy),
    }
}
