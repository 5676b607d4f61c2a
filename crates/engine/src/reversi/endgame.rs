//! The value of a position with few empty squares, by searching all continuations.
//!
//! Empty squares belong to nobody, so the value is own discs minus the other side's when neither side can move.

use super::{
    board::{Board, squares},
    last::{NEIGHBOURS, QUARTERS, quarter, solve_1, solve_2, solve_3, solve_4},
    stability::stable,
    table::{NOWHERE, Table},
};

/// The most empty squares. With more the caller searches with better knowledge of the moves (see `search`).
pub(super) const MAX_EMPTIES: u32 = 10;

/// The most empty squares with which moves are only ordered by parity.
const BY_PARITY: u32 = 7;

/// Key that separates the entries of the end of the game from those of the middle in the table.
pub(super) const KEY: u64 = 0x5851_F42D_4C95_7F2D;

/// A value below every other.
const NONE: i32 = -100;

/// Solves positions of at most 2 · [`MAX_EMPTIES`] empty squares, with a table of its own.
#[derive(Clone, Debug)]
pub struct Solver {
    table: Table,
    /// Positions seen so far.
    pub nodes: u64,
}

impl Solver {
    /// A solver with a table of at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self {
            table: Table::new(bytes),
            nodes: 0,
        }
    }

    /// Own discs minus the other side's at the end of the game, both sides playing perfectly.
    pub fn solve(&mut self, board: Board) -> i32 {
        let Self { table, nodes } = self;
        Endgame { table, nodes }.solve(board, -64, 64)
    }
}

/// Solves positions, with a table of solved ones.
pub(super) struct Endgame<'a> {
    pub(super) table: &'a mut Table,
    pub(super) nodes: &'a mut u64,
}

/// Returns whether the value can only be so low that looking for stable discs is worth while.
#[inline]
pub(super) const fn stability_pays(empties: u32, alpha: i32) -> bool {
    alpha >= 2 * empties as i32 - 2
}

/// The upper bound of the value, as the other side's stable discs remain.
#[inline]
pub(super) fn bound(board: Board) -> i32 {
    64 - 2 * stable(board.enemy, board.own).count_ones() as i32
}

/// The quarters of the board in which the number of empty squares is odd. A side that moves into such a quarter often has the
/// last move there.
#[inline]
pub(super) fn odd_quarters(empty: u64) -> u8 {
    let mut odd = 0;
    for bit in 0..4 {
        odd |= ((empty & QUARTERS[1 << bit]).count_ones() as u8 & 1) << bit;
    }
    odd
}

impl Endgame<'_> {
    /// The value of a position with any number of empty squares, if it is between the bounds; otherwise a bound on it.
    pub(super) fn solve(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        let empty = board.empty();
        let empties = empty.count_ones();
        if empties <= BY_PARITY {
            self.by_parity(board, empties, odd_quarters(empty), alpha, beta)
        } else {
            self.by_mobility(board, empties, odd_quarters(empty), alpha, beta)
        }
    }

    /// Searches with the moves first that leave the other side few moves.
    fn by_mobility(&mut self, board: Board, empties: u32, odd: u8, alpha: i32, beta: i32) -> i32 {
        *self.nodes += 1;
        let legal = board.legal();
        if legal == 0 {
            let board = board.passed();
            return if board.legal() == 0 {
                -board.difference()
            } else {
                -self.by_mobility(board, empties, odd, -beta, -alpha)
            };
        }
        if stability_pays(empties, alpha) {
            let bound = bound(board);
            if bound <= alpha {
                return bound;
            }
        }
        let hash = board.hash() ^ KEY;
        let mut first = [NOWHERE; 2];
        if let Some(entry) = self.table.get(hash) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            first = entry.moves;
        }
        let mut moves = [(0_i32, 0_u8, Board::default()); 2 * MAX_EMPTIES as usize];
        let mut count = 0;
        for square in squares(legal) {
            let after = board.after(square, board.flips(square));
            let score = if square == first[0] {
                -2000
            } else if square == first[1] {
                -1000
            } else {
                let replies = after.legal();
                let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
                let parity = i32::from(odd & quarter(square) == 0);
                let corner = i32::from(CORNERS >> square & 1 == 1);
                mobility as i32 * 4 + 3 * parity - 6 * corner
            };
            if let Some(place) = moves.get_mut(count) {
                *place = (score, square, after);
                count += 1;
            }
        }
        let (mut best, mut best_move, mut low) = (NONE, NOWHERE, alpha);
        for number in 0..count {
            for other in number + 1..count {
                if moves[other].0 < moves[number].0 {
                    moves.swap(other, number);
                }
            }
            let (_, square, after) = moves[number];
            let odd = odd ^ quarter(square);
            let mut search = |alpha: i32, beta: i32| {
                if empties - 1 <= BY_PARITY {
                    -self.by_parity(after, empties - 1, odd, -beta, -alpha)
                } else {
                    -self.by_mobility(after, empties - 1, odd, -beta, -alpha)
                }
            };
            let mut value = if number == 0 {
                search(low, beta)
            } else {
                search(low, low + 1)
            };
            if number > 0 && low < value && value < beta {
                value = search(low, beta);
            }
            if value > best {
                (best, best_move) = (value, square);
                if best >= beta {
                    break;
                }
                low = low.max(best);
            }
        }
        self.table
            .put(hash, empties as u8, (alpha, beta), best, best_move);
        best
    }

    /// Searches with the moves in odd quarters first.
    fn by_parity(&mut self, board: Board, empties: u32, odd: u8, alpha: i32, beta: i32) -> i32 {
        let empty = board.empty();
        if empties <= 4 {
            let mut order = [0; 4];
            let odd = QUARTERS[usize::from(odd & 15)];
            let sorted = squares(empty & odd).chain(squares(empty & !odd));
            for (place, square) in order.iter_mut().zip(sorted) {
                *place = square;
            }
            let [a, b, c, _] = order;
            return match empties {
                4 => solve_4(board, order, alpha, beta, self.nodes),
                3 => solve_3(board, [a, b, c], alpha, beta, self.nodes),
                2 => solve_2(board, [a, b], alpha, beta, self.nodes),
                1 => solve_1(board, a),
                _ => board.difference(),
            };
        }
        *self.nodes += 1;
        if stability_pays(empties, alpha) {
            let bound = bound(board);
            if bound <= alpha {
                return bound;
            }
        }
        let (mut best, mut low) = (NONE, alpha);
        let first = QUARTERS[usize::from(odd & 15)];
        for set in [empty & first, empty & !first] {
            for square in squares(set) {
                if NEIGHBOURS[usize::from(square)] & board.enemy == 0 {
                    continue;
                }
                let flips = board.flips(square);
                if flips == 0 {
                    continue;
                }
                let after = board.after(square, flips);
                let value = -self.by_parity(after, empties - 1, odd ^ quarter(square), -beta, -low);
                if value > best {
                    best = value;
                    if best >= beta {
                        return best;
                    }
                    low = low.max(best);
                }
            }
        }
        if best > NONE {
            return best;
        }
        let board = board.passed();
        if board.legal() == 0 {
            -board.difference()
        } else {
            -self.by_parity(board, empties, odd, -beta, -alpha)
        }
    }
}

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
