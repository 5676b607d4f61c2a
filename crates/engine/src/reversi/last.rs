//! The end of the game square by square: positions with one to four empty squares.

use super::board::Board;

/// The value of a position with one empty square, and one node.
pub(super) fn solve_1(board: Board, square: u8) -> i32 {
    let difference = 2 * board.own.count_ones() as i32 - 63;
    match flipped_last(square, board.own) {
        0 => match flipped_last(square, board.enemy) {
            0 => difference,
            flipped => difference - 1 - 2 * flipped,
        },
        flipped => difference + 1 + 2 * flipped,
    }
}

/// The value of a position with two empty squares, if it is between the bounds; otherwise a bound on it.
pub(super) fn solve_2(
    board: Board,
    [a, b]: [u8; 2],
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for (square, other) in [(a, b), (b, a)] {
        if let Some(after) = play(board, square) {
            *nodes += 1;
            best = best.max(-solve_1(after, other));
            if best >= beta {
                return best;
            }
        }
    }
    if best > NONE {
        return best;
    }
    let board = board.passed();
    for (square, other) in [(a, b), (b, a)] {
        if let Some(after) = play(board, square) {
            *nodes += 1;
            best = best.max(-solve_1(after, other));
            if best >= -alpha {
                break;
            }
        }
    }
    if best > NONE {
        -best
    } else {
        -board.difference()
    }
}

/// The value of a position with three empty squares, likewise.
pub(super) fn solve_3(
    board: Board,
    [a, b, c]: [u8; 3],
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    // A lone square of a quarter first.
    let [a, b, c] = if quarter(a) == quarter(b) {
        [c, a, b]
    } else if quarter(a) == quarter(c) {
        [b, a, c]
    } else {
        [a, b, c]
    };
    let order = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
    *nodes += 1;
    match best_of(board, order, alpha, beta, nodes, solve_2) {
        NONE => match best_of(board.passed(), order, -beta, -alpha, nodes, solve_2) {
            NONE => board.difference(),
            value => -value,
        },
        value => value,
    }
}

/// The value of a position with four empty squares, likewise; they come in the order in which they should be tried.
pub(super) fn solve_4(
    board: Board,
    [a, b, c, d]: [u8; 4],
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    let order = [
        (a, [b, c, d]),
        (b, [a, c, d]),
        (c, [a, b, d]),
        (d, [a, b, c]),
    ];
    *nodes += 1;
    match best_of(board, order, alpha, beta, nodes, solve_3) {
        NONE => match best_of(board.passed(), order, -beta, -alpha, nodes, solve_3) {
            NONE => board.difference(),
            value => -value,
        },
        value => value,
    }
}

/// A value below every other.
const NONE: i32 = -100;

/// The best of the moves, or [`NONE`] if there is no move.
#[inline]
fn best_of<const N: usize, const LEFT: usize>(
    board: Board,
    order: [(u8, [u8; LEFT]); N],
    mut alpha: i32,
    beta: i32,
    nodes: &mut u64,
    solve: impl Fn(Board, [u8; LEFT], i32, i32, &mut u64) -> i32,
) -> i32 {
    let mut best = NONE;
    for (square, left) in order {
        if let Some(after) = play(board, square) {
            best = best.max(-solve(after, left, -beta, -alpha, nodes));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
    }
    best
}

#[inline]
fn play(board: Board, square: u8) -> Option<Board> {
    if NEIGHBOURS[usize::from(square & 63)] & board.enemy == 0 {
        return None;
    }
    let flips = board.flips(square);
    (flips != 0).then(|| board.after(square, flips))
}

/// The number of the quarter of the board, as a bit.
#[inline]
pub(super) const fn quarter(square: u8) -> u8 {
    1 << (square >> 2 & 1 | square >> 4 & 2)
}

/// The squares of the quarters whose bits are set.
pub(super) const QUARTERS: [u64; 16] = {
    let (mut sets, mut square) = ([0; 16], 0);
    while square < 64 {
        let mut quarters = 0;
        while quarters < 16 {
            if quarters as u8 & quarter(square) > 0 {
                sets[quarters] |= 1 << square;
            }
            quarters += 1;
        }
        square += 1;
    }
    sets
};

/// The squares beside each one.
pub(super) const NEIGHBOURS: [u64; 64] = {
    let (mut all, mut from) = ([0; 64], 0_i32);
    while from < 64 {
        let mut to = 0_i32;
        while to < 64 {
            let (dx, dy) = (from % 8 - to % 8, from / 8 - to / 8);
            if from != to && dx * dx <= 1 && dy * dy <= 1 {
                all[from as usize] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    all
};

/// The number of discs that a move on the only empty square flips.
#[inline]
fn flipped_last(square: u8, own: u64) -> i32 {
    let at = usize::from(square & 63);
    let (x, y) = (at & 7, at >> 3);
    let column = (own >> x & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let line = |diagonal: u64| (own & diagonal).wrapping_mul(COLUMN) >> 56;
    let [falling, rising] = DIAGONALS[at];
    let flipped = |place: usize, line: u64| i32::from(FLIPPED[place][line as usize & 255]);
    flipped(x, own >> (8 * y))
        + flipped(y, column)
        + flipped(x, line(falling))
        + flipped(x, line(rising))
}

/// The leftmost column.
const COLUMN: u64 = 0x0101_0101_0101_0101;

/// The number of discs that are flipped in a line of eight in which all squares outside of the set are the other side's. On a
/// diagonal, places outside the board are taken for the other side's, too, which changes nothing.
const FLIPPED: [[u8; 256]; 8] = {
    let (mut all, mut place) = ([[0; 256]; 8], 0_usize);
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut end = place + 1;
            while end < 8 && own >> end & 1 == 0 {
                end += 1;
            }
            if end < 8 {
                all[place][own] += (end - place - 1) as u8;
            }
            let mut end = place;
            while end > 0 && own >> (end - 1) & 1 == 0 {
                end -= 1;
            }
            if end > 0 {
                all[place][own] += (place - end) as u8;
            }
            own += 1;
        }
        place += 1;
    }
    all
};

/// The two diagonals through each square.
const DIAGONALS: [[u64; 2]; 64] = {
    let (mut all, mut from) = ([[0; 2]; 64], 0_i32);
    while from < 64 {
        let mut to = 0_i32;
        while to < 64 {
            let (dx, dy) = (from % 8 - to % 8, from / 8 - to / 8);
            if dx == dy {
                all[from as usize][0] |= 1 << to;
            }
            if dx == -dy {
                all[from as usize][1] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    all
};
