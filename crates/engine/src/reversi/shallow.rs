//! Searches of a few plies, without tables: for the order of moves, for the leaves of a deeper search, and for training.

use super::{
    board::{Board, squares},
    evaluation::{UNIT, Weights},
    patterns::beside,
};

/// A value below every other.
const NONE: i32 = -10_000;

/// Searches with given weights, and counts nodes.
#[derive(Debug)]
pub struct Shallow<'a> {
    /// The weights that value the leaves.
    pub weights: &'a Weights,
    /// Positions seen so far.
    pub nodes: u64,
}

impl Shallow<'_> {
    /// The value in eighths of a disc, if it is between the bounds; otherwise a bound on it. A passed turn is no ply.
    pub fn search(&mut self, board: Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let legal = board.legal();
        if legal == 0 {
            let board = board.passed();
            return if board.legal() == 0 {
                -board.difference() * UNIT
            } else {
                -self.search(board, depth, -beta, -alpha)
            };
        }
        match depth {
            0 => self.weights.value(board, legal),
            1 => self.unsorted(board, legal, alpha, beta),
            _ => self.sorted(board, legal, depth, alpha, beta),
        }
    }

    fn unsorted(&mut self, board: Board, legal: u64, mut alpha: i32, beta: i32) -> i32 {
        let mut best = NONE;
        for set in BY_WORTH {
            for square in squares(legal & set) {
                let after = board.after(square, board.flips(square));
                let value = -self.search(after, 0, -beta, -alpha);
                if value > best {
                    best = value;
                    if best >= beta {
                        return best;
                    }
                    alpha = alpha.max(best);
                }
            }
        }
        best
    }

    fn sorted(&mut self, board: Board, legal: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut moves = [(0, Board::default()); 34];
        let mut count = 0;
        for square in squares(legal) {
            let after = board.after(square, board.flips(square));
            let score = if depth > 2 {
                self.nodes += 1;
                self.weights.value(after, after.legal())
            } else {
                quick_score(after) - 12 * i32::from(BY_WORTH[0] >> square & 1 == 1)
            };
            if let Some(place) = moves.get_mut(count) {
                *place = (score, after);
                count += 1;
            }
        }
        let mut best = NONE;
        for number in 0..count {
            for other in number + 1..count {
                if moves[other].0 < moves[number].0 {
                    moves.swap(other, number);
                }
            }
            let after = moves[number].1;
            let mut value = NONE;
            if number > 0 && beta - alpha > 1 {
                value = -self.search(after, depth - 1, -alpha - 1, -alpha);
            }
            if number == 0 || beta - alpha == 1 || value > alpha && value < beta {
                value = -self.search(after, depth - 1, -beta, -alpha);
            }
            if value > best {
                best = value;
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        best
    }
}

/// A quick score of a position by the moves of now and of later.
#[inline]
fn quick_score(board: Board) -> i32 {
    let legal = board.legal();
    let corners = (legal & BY_WORTH[0]).count_ones();
    4 * (legal.count_ones() + 2 * corners) as i32
        + (beside(board.enemy) & board.empty()).count_ones() as i32
}

/// The squares, in sets from the best to the worst to move to: corners, others, C squares, X squares.
const BY_WORTH: [u64; 4] = {
    let corners = 0x8100_0000_0000_0081;
    let c = 0x4281_0000_0000_8142;
    let x = 0x0042_0000_0000_4200;
    [corners, !(corners | c | x), c, x]
};
