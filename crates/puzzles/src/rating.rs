//! Ratings of solvers and of puzzles: Elo's formula, a try being a game between the two.
//!
//! `E = 1 / (1 + 10^((P − R) / 400))` is the chance that a solver of rating `R` solves a puzzle of rating `P`. A first try moves
//! the solver by `K·(S − E)` and the puzzle by `k·(E − S)`, `S` being 1 if it was solved and 0 if not. `K` is 40 for the first 20
//! tries of a solver and then 20; `k` is 20 for the first 20 tries of a puzzle and then 5, because a puzzle does not learn.

/// The tries after which a rating moves less.
const PROVISIONAL_TRIES: u32 = 20;

/// The ratings of a solver and of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuzzleRatings {
    /// The rating of the solver.
    pub solver: f64,
    /// The rating of the puzzle.
    pub puzzle: f64,
}

impl PuzzleRatings {
    /// The first rating of every solver.
    pub const START: f64 = 1500.0;
}

/// Both ratings after a first try. `tries` are the numbers of tries before it, of the solver and of the puzzle.
///
/// ```
/// use tochki_puzzles::{PuzzleRatings, rate};
///
/// let even = PuzzleRatings { solver: 1500.0, puzzle: 1500.0 };
/// let after = rate(even, [0, 100], true);
/// assert_eq!((after.solver, after.puzzle), (1520.0, 1497.5));
/// ```
#[must_use]
pub fn rate(before: PuzzleRatings, tries: [u32; 2], solved: bool) -> PuzzleRatings {
    let expected = 1.0 / (1.0 + 10_f64.powf((before.puzzle - before.solver) / 400.0));
    let surprise = f64::from(u8::from(solved)) - expected;
    let factor = |tries: u32, first: f64, later: f64| {
        if tries < PROVISIONAL_TRIES {
            first
        } else {
            later
        }
    };
    PuzzleRatings {
        solver: before.solver + factor(tries[0], 40.0, 20.0) * surprise,
        puzzle: before.puzzle - factor(tries[1], 20.0, 5.0) * surprise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surprise_moves_more_than_what_was_expected() {
        let hard = PuzzleRatings {
            solver: 1500.0,
            puzzle: 1900.0,
        };
        let solved = rate(hard, [20, 20], true);
        let failed = rate(hard, [20, 20], false);
        // The expected share is 1/11.
        assert!((solved.solver - 1518.1818).abs() < 0.001, "{solved:?}");
        assert!((solved.puzzle - 1895.4545).abs() < 0.001, "{solved:?}");
        assert!((failed.solver - 1498.1818).abs() < 0.001, "{failed:?}");
        assert!((failed.puzzle - 1900.4545).abs() < 0.001, "{failed:?}");
    }
}
