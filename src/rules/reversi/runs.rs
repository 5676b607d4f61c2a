//! Runs of enemy discs between two own ones, found on all squares at once by shifts and masks.
//!
//! A shift moves a whole set of squares one step: by 1 along the rows, by 8 along the columns, by 7 and 9 along the
//! diagonals. A step across the left or the right edge would come out on the other side, so where a step changes the
//! column, runs are only looked for in the six inner columns; the disc or the square at the end of a run may still be at
//! the edge.

use super::Squares;

/// The columns between the left and the right one.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// By how much one step shifts, there or back, and the columns in which a run may lie.
const STEPS: [(u32, u64); 4] = [(1, INNER), (7, INNER), (8, !0), (9, INNER)];

/// The empty squares at the far end of a run that begins at an own disc: where `own` may move.
#[inline]
pub(super) fn legal(own: Squares, enemy: Squares) -> Squares {
    let mut ends = 0;
    for (by, columns) in STEPS {
        let through = enemy.0 & columns;
        ends |= run(own.0, through, |set| set << by) << by;
        ends |= run(own.0, through, |set| set >> by) >> by;
    }
    Squares(ends & !(own.0 | enemy.0))
}

/// The enemy discs in all runs between the square and an own disc: what a disc of `own` on the empty square flips.
#[inline]
pub(super) fn flips(square: Squares, own: Squares, enemy: Squares) -> Squares {
    let mut flipped = 0;
    for (by, columns) in STEPS {
        let through = enemy.0 & columns;
        let there = run(square.0, through, |set| set << by);
        if there << by & own.0 != 0 {
            flipped |= there;
        }
        let back = run(square.0, through, |set| set >> by);
        if back >> by & own.0 != 0 {
            flipped |= back;
        }
    }
    Squares(flipped)
}

/// The squares of `through` that lie in an unbroken run from one of `from` on. A run has at most six.
#[inline]
fn run(from: u64, through: u64, step: impl Fn(u64) -> u64) -> u64 {
    let mut run = through & step(from);
    for _ in 1..6 {
        run |= through & step(run);
    }
    run
}
