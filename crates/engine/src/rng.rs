//! The random numbers of a search, fixed by its seed.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator (xoshiro256++) that gives the same numbers on every platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of that seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, or 0 if that is 0. Biased by less than 2⁻³² (Lemire's multiplication without rejection).
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.bits() as u32) * u64::from(end)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_numbers() {
        let mut rng = Rng::new(1);
        assert_eq!(rng.bits(), Rng::new(1).bits());
        assert_ne!(Rng::new(1).bits(), Rng::new(2).bits());
        let mut rng = Rng::new(3);
        assert!((0..1000).all(|_| rng.below(7) < 7));
        assert_eq!(rng.below(0), 0);
    }
}
