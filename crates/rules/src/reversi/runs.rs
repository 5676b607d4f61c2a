//! Runs of enemy discs between two own ones, found by shifts, masks and carries.
//!
//! The legal moves of a side are found on all squares at once. A shift moves a whole set of squares one step: by 1 along the
//! rows, by 8 along the columns, by 7 and 9 along the diagonals. A step across the left or the right edge would come out on the
//! other side, so where a step changes the column, runs are only looked for in the six inner columns; the disc or the square at
//! the end of a run may still be at the edge.
//!
//! The discs that a move flips are found on the rays from its square to the edges, which are known beforehand. An addition
//! carries through the enemies of a ray whose bits go up. With the bytes swapped, the board is upside down, so that the rays that
//! went down go up; only the ray to the left along the row does not.

use super::Squares;

/// The columns between the left and the right one.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The empty squares at the far end of a run that begins at an own disc: the legal moves of `own`.
#[inline]
#[must_use]
pub fn legal(Squares(own): Squares, Squares(enemy): Squares) -> Squares {
    let inner = enemy & INNER;
    // To the right a carry runs through the whole run. It cannot leave the row, as no run reaches its last column.
    let mut ends = inner.wrapping_add(inner & own << 1);
    // A run has at most six discs. The first two are gone through one by one; with pairs of neighbours the rest takes two
    // steps instead of four.
    let pairs = inner & inner >> 1;
    let mut run = inner & own >> 1;
    run |= inner & run >> 1;
    run |= pairs & run >> 2;
    run |= pairs & run >> 2;
    ends |= run >> 1;
    for (by, through) in [(7, inner), (8, enemy), (9, inner)] {
        let pairs = through & through << by;
        let mut run = through & own << by;
        run |= through & run << by;
        run |= pairs & run << (2 * by);
        run |= pairs & run << (2 * by);
        ends |= run << by;

        let pairs = pairs >> by;
        let mut run = through & own >> by;
        run |= through & run >> by;
        run |= pairs & run >> (2 * by);
        run |= pairs & run >> (2 * by);
        ends |= run >> by;
    }
    Squares(ends & !(own | enemy))
}

/// The enemy discs in all runs between an empty square, given as its bit, and an own disc: the discs that a disc of `own` there
/// flips. The sets have no square in common.
#[inline]
#[must_use]
pub fn flips(bit: usize, Squares(own): Squares, Squares(enemy): Squares) -> Squares {
    let [right, upwards @ ..] = &RAYS_UP[bit % 64];
    let [_, downwards @ ..] = &RAYS_UP[(bit % 64) ^ 0x38];
    let (mut here, mut mirrored) = (up(*right, own, enemy) | left(bit % 64, own, enemy), 0);
    for &ray in upwards {
        here |= up(ray, own, enemy);
    }
    let (own, enemy) = (own.swap_bytes(), enemy.swap_bytes());
    for &ray in downwards {
        mirrored |= up(ray, own, enemy);
    }
    Squares(here | mirrored.swap_bytes())
}

/// The discs flipped on a ray on which the bits go up. Squares that are no part of the ray are taken for enemies, so that the
/// carry runs from the lowest bit through to the first square of the ray that is no enemy's.
#[inline]
const fn up(ray: u64, own: u64, enemy: u64) -> u64 {
    let end = (enemy | !ray).wrapping_add(1) & ray & own;
    ray & end.saturating_sub(1)
}

/// The discs flipped to the left. There nothing carries, but the highest square of the ray that is no enemy's is easily found.
/// The lowest bit stands in where there is none, so that there is always one to find.
#[inline]
const fn left(bit: usize, own: u64, enemy: u64) -> u64 {
    let ray = RAYS_LEFT[bit];
    let others = ray & !enemy | 1;
    let end = FIRST >> others.leading_zeros() & ray & own;
    ray & end.wrapping_neg() << 1
}

/// The highest bit.
const FIRST: u64 = 1 << 63;

/// The squares from each one to the edge, without itself, in the four directions in which the bits go up: to the right,
/// and three downwards on the board.
const RAYS_UP: [[u64; 4]; 64] = rays([(1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The squares from each one to the edge, without itself, to the left.
const RAYS_LEFT: [u64; 64] = {
    let (rays, mut left, mut bit) = (rays([(-1, 0); 4]), [0; 64], 0);
    while bit < 64 {
        left[bit] = rays[bit][0];
        bit += 1;
    }
    left
};

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
