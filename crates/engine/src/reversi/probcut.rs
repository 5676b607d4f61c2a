//! Multi-ProbCut: a shallow search of a position tells how likely a deep one is to be outside of its window.
//!
//! The value of a deep search is near that of a shallow one, with a standard deviation that was measured on own games
//! (`tochki-train reversi-cuts`). See M. Buro, *Experiments with Multi-ProbCut and a new high-quality evaluation function
//! for Othello*, 1997.

use super::evaluation::{STAGES, stage};

/// A shallow search, and the margin by which its value must be beyond the window, in eighths of a disc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) depth: u32,
    pub(super) margin: i32,
}

/// The least depth of a search that is cut.
const LEAST: u32 = 5;

/// The standard deviation of the difference between searches whose depths differ by four, in each stage, in eighths of a
/// disc.
const DEVIATIONS: [i32; STAGES] = [35, 35, 35, 35, 31, 24, 21, 14, 13, 9];

/// The number of tenths of a standard deviation that are enough.
const TENTHS: i32 = 12;

/// The cut of a search of that depth.
pub(super) const fn cut(depth: u32, empties: u32) -> Option<Cut> {
    if depth < LEAST || depth >= empties {
        return None;
    }
    let shallow = shallow_depth(depth);
    // The deviation grows with the difference of the depths: by a quarter for two plies more.
    let eighths = 4 + (depth - shallow) as i32;
    Some(Cut {
        depth: shallow,
        margin: DEVIATIONS[stage(empties)] * eighths * TENTHS / 80,
    })
}

/// The depth of the shallow search: half the depth or less, and odd where that is.
const fn shallow_depth(depth: u32) -> u32 {
    depth / 4 * 2 + depth % 2
}
