//! Swiss tournaments: pairings by FIDE's Dutch system, and standings.
//!
//! Source: FIDE Handbook C.04.3, *FIDE (Dutch) System*, in force from 2026, whose criteria C1 to C21 are named in the code as
//! there, and C.04.1, *Basic rules for Swiss systems*. White of FIDE is the side that begins.

mod allocation;
mod bracket;
#[cfg(test)]
mod brute_force;
mod criteria;
mod dutch;
mod field;
#[cfg(test)]
mod oracle;
mod ordering;
mod pairing;
mod sides;
mod standings;
#[cfg(test)]
mod test_fields;
mod weight;

pub use dutch::{LARGEST_DUTCH_FIELD, NoPairing};
pub use field::{Entrant, Field, Pair, Round};
pub use pairing::pair;
pub use standings::{standings, tie_breaks};
