//! The evaluation: the value of a position without searching further.
//!
//! The value is a sum of weights, one for each feature of the position (see `patterns`), in eighths of a disc. There is a
//! set of weights for each of ten stages of the game. The weights were trained by `tochki-train reversi`, which also wrote
//! the file that they are read from here.

use super::{
    board::Board,
    coder::{CONTEXTS, Decoder, Encoder},
    patterns::{FEATURES, WEIGHTS, features, representatives},
};
use std::sync::OnceLock;

/// Units of a disc.
pub const UNIT: i32 = 8;

/// The number of parts of a game, by the number of empty squares.
pub const STAGES: usize = 10;

/// A value that no evaluation reaches: 64 discs.
pub(super) const LIMIT: i32 = 64 * UNIT;

/// The stage of a position with so many empty squares.
#[inline]
#[must_use]
pub const fn stage(empties: u32) -> usize {
    let stage = empties as usize / 5;
    match stage {
        0..2 => 0,
        2..11 => stage - 1,
        _ => STAGES - 1,
    }
}

/// The weights of all stages.
pub struct Weights(Box<[i8]>);

impl Weights {
    /// Bytes of memory that the weights take, while they are read, too.
    pub const BYTES: usize = STAGES * WEIGHTS + 4 * WEIGHTS + (64 << 10);

    /// The trained weights. They are read once; all engines of the process share them.
    pub fn trained() -> &'static Self {
        static TRAINED: OnceLock<Weights> = OnceLock::new();
        TRAINED.get_or_init(|| Self::decode(include_bytes!("weights.bin")))
    }

    /// Weights from a function of the stage and of the number of the weight.
    pub fn from_fn(weight: impl Fn(usize, usize) -> i8) -> Self {
        let weight = &weight;
        let all = (0..STAGES).flat_map(|stage| (0..WEIGHTS).map(move |at| weight(stage, at)));
        Self(all.collect())
    }

    /// The weights in few bytes: each class of equal ones once, stage by stage.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let representatives = representatives();
        let mut encoder = Encoder::new();
        for stage in 0..STAGES {
            for (at, &first) in representatives.iter().enumerate() {
                if first as usize == at {
                    encoder.put(context(&self.0, stage, at), self.0[stage * WEIGHTS + at]);
                }
            }
        }
        encoder.finish()
    }

    /// The weights of this encoding.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Self {
        let representatives = representatives();
        let mut decoder = Decoder::new(bytes);
        let mut weights = vec![0; STAGES * WEIGHTS].into_boxed_slice();
        for stage in 0..STAGES {
            for (at, &first) in representatives.iter().enumerate() {
                let first = first as usize;
                weights[stage * WEIGHTS + at] = if first == at {
                    decoder.get(context(&weights, stage, at))
                } else {
                    weights[stage * WEIGHTS + first]
                };
            }
        }
        Self(weights)
    }

    /// The value for the side to move, whose moves are given; strictly between −[`LIMIT`] and [`LIMIT`].
    #[inline]
    #[must_use]
    pub fn value(&self, board: Board, legal: u64) -> i32 {
        let start = stage(board.empties()) * WEIGHTS;
        let weights = &self.0[start..start + WEIGHTS];
        let features: [u32; FEATURES] = features(board, legal);
        let sum: i32 = features
            .iter()
            .map(|&at| i32::from(weights[at as usize]))
            .sum();
        sum.clamp(1 - LIMIT, LIMIT - 1)
    }
}

/// The context of a weight in the encoding: the same weight of the stage before, and the weight before in the same stage.
fn context(weights: &[i8], stage: usize, at: usize) -> usize {
    let before = stage
        .checked_sub(1)
        .map_or(0, |stage| weights[stage * WEIGHTS + at]);
    let neighbour = at
        .checked_sub(1)
        .map_or(0, |at| weights[stage * WEIGHTS + at]);
    let class = |weight: i8| match weight {
        ..-6 => 0,
        -6..-2 => 1,
        -2..0 => 2,
        0 => 3,
        1..=2 => 4,
        3..=6 => 5,
        _ => 6,
    };
    (7 * class(before) + class(neighbour)) % CONTEXTS
}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}
