//! Runs of enemy discs between two own ones, found by shifts and masks.
//!
//! Where a side may move is found on all squares at once. A shift moves a whole set of squares one step: by 1 along the
//! rows, by 8 along the columns, by 7 and 9 along the diagonals. A step across the left or the right edge would come out
//! on the other side, so where a step changes the column, runs are only looked for in the six inner columns; the disc or
//! the square at the end of a run may still be at the edge.
//!
//! What one move flips is found on the rays from its square to the edges, which are known beforehand.

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
        // A run has at most six discs. The first two are gone through one by one; with pairs of neighbours the rest
        // takes two steps instead of four.
        let through = enemy.0 & columns;
        let pairs = through & through << by;
        let mut run = through & own.0 << by;
        run |= through & run << by;
        run |= pairs & run << (2 * by);
        run |= pairs & run << (2 * by);
        ends |= run << by;

        let pairs = pairs >> by;
        let mut run = through & own.0 >> by;
        run |= through & run >> by;
        run |= pairs & run >> (2 * by);
        run |= pairs & run >> (2 * by);
        ends |= run >> by;
    }
    Squares(ends & !(own.0 | enemy.0))
}

/// The enemy discs in all runs between an empty square, told by its bit, and an own disc: what a disc of `own`
/// there flips.
#[inline]
pub(super) fn flips(bit: usize, own: Squares, enemy: Squares) -> Squares {
    let mut flipped = 0;
    for ray in &RAYS_UP[bit] {
        // Whatever is no part of the ray is taken for enemies, so that the carry runs from the lowest bit through to the
        // first square of the ray that is none.
        let end = (enemy.0 | !ray).wrapping_add(1) & ray & own.0;
        flipped |= ray & end.saturating_sub(1);
    }
    for ray in &RAYS_DOWN[bit] {
        // Downwards nothing carries, but the highest square of the ray that is no enemy's is easily told.
        // The lowest bit stands in where there is none, so that there is always one to find.
        let others = ray & !enemy.0 | 1;
        let end = FIRST >> others.leading_zeros() & ray & own.0;
        flipped |= ray & end.wrapping_neg() << 1;
    }
    Squares(flipped)
}

/// The highest bit.
const FIRST: u64 = 1 << 63;

/// The squares from each one to the edge, without itself, in the four directions in which the bits go up.
const RAYS_UP: [[u64; 4]; 64] = rays([(1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The same in the four directions in which they go down.
const RAYS_DOWN: [[u64; 4]; 64] = rays([(-1, 0), (1, -1), (0, -1), (-1, -1)]);

const fn rays(directions: [(i32, i32); 4]) -> [[u64; 4]; 64] {
    let mut rays = [[0; 4]; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut number = 0;
        while number < 4 {
            let (dx, dy) = directions[number];
            let (mut x, mut y) = (bit as i32 % 8 + dx, bit as i32 / 8 + dy);
            while 0 <= x && x < 8 && 0 <= y && y < 8 {
                rays[bit][number] |= 1 << (8 * y + x);
                (x, y) = (x + dx, y + dy);
            }
            number += 1;
        }
        bit += 1;
    }
    rays
}
