//! Scores of the four classes of a point: the threat they make, and trained weights for the evaluation and the order of moves.
//!
//! The order of the four lines does not matter, so there are 2,380 codes. Their weights are in `weights.bin`, which
//! `tochki-train gomoku` writes.

use super::classes::{
    BLOCKED_THREE, CLASSES, Class, FIVE, FOUR, OPEN_FOUR, OPEN_THREE, OPEN_TWO, SPLIT_THREE,
};

/// The threat of a stone, by the classes of its four lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Threat {
    Nothing,
    /// Two open twos.
    Twos,
    Three,
    /// A three with another line that can become a threat.
    ThreeAndMore,
    DoubleThree,
    Four,
    FourAndMore,
    FourThree,
    /// Two points of five, in one line or two.
    OpenFour,
    Five,
}

/// The number of threats.
pub const THREATS: usize = Threat::Five as usize + 1;

/// The scores of the pattern at a point, which is its four classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternScore {
    pub threat: Threat,
    /// For the evaluation: for a colour that is to move, and for one that is not.
    pub mover: i8,
    pub waiter: i8,
    /// For the order of moves: of the side to move, and of the other side.
    pub attack: i8,
    pub defence: i8,
}

/// The number of fours of classes, without their order.
pub const CODES: usize = CLASSES * (CLASSES + 1) * (CLASSES + 2) * (CLASSES + 3) / 24;

/// Pairs of classes, the larger first.
const PAIRS: usize = CLASSES * (CLASSES + 1) / 2;

/// The trained numbers, as they are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The value that a point of the code adds to the evaluation for the side to move, if it is its own; in evaluation units.
    pub mover: Vec<i8>,
    /// The value that the point takes away if it is the other side's.
    pub waiter: Vec<i8>,
    /// The rank of a move by its code for the side to move, as a logarithm: [`RANK_UNIT`] is one.
    pub attack: Vec<i8>,
    /// The rank of a move by its code for the other side.
    pub defence: Vec<i8>,
    /// The value that one point or several with a threat add, for the side to move; in evaluation units.
    pub threats_of_mover: [[i16; 2]; THREATS],
    /// The value that such points take away for the other side.
    pub threats_of_waiter: [[i16; 2]; THREATS],
    /// The value of having the move, in evaluation units.
    pub tempo: i16,
}

/// Units of the order of moves to a power of e.
pub const RANK_UNIT: f32 = 10.0;

/// The length of the file.
const BYTES: usize = 4 * CODES + 2 * (4 * THREATS + 1);

static TRAINED: &[u8; BYTES] = include_bytes!("weights.bin");

impl Weights {
    /// The weights that the engine plays with.
    #[must_use]
    pub fn trained() -> Self {
        Self::decode(TRAINED)
    }

    /// Weights that are all zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::decode(&[0; BYTES])
    }

    fn decode(bytes: &[u8; BYTES]) -> Self {
        let codes = |number: usize| {
            let part = &bytes[number * CODES..(number + 1) * CODES];
            part.iter().map(|&byte| byte as i8).collect()
        };
        let word = |number: usize| {
            let at = 4 * CODES + 2 * number;
            i16::from_le_bytes([bytes[at], bytes[at + 1]])
        };
        let threats = |first: usize| -> [[i16; 2]; THREATS] {
            std::array::from_fn(|threat| [0, 1].map(|more| word(first + 2 * threat + more)))
        };
        Self {
            mover: codes(0),
            waiter: codes(1),
            attack: codes(2),
            defence: codes(3),
            threats_of_mover: threats(0),
            threats_of_waiter: threats(2 * THREATS),
            tempo: word(4 * THREATS),
        }
    }

    /// The bytes of the file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let codes = [&self.mover, &self.waiter, &self.attack, &self.defence];
        let codes = codes.into_iter().flatten().map(|&weight| weight as u8);
        let threats = [&self.threats_of_mover, &self.threats_of_waiter];
        let words = threats.into_iter().flatten().flatten().copied();
        let words = words.chain([self.tempo]);
        codes.chain(words.flat_map(i16::to_le_bytes)).collect()
    }
}

/// The scores of all fours of classes, by their pairs, so that a point is looked up with two sums.
#[derive(Clone, Debug)]
pub(super) struct PatternScores(Vec<PatternScore>);

impl PatternScores {
    pub(super) fn new(weights: &Weights) -> Self {
        let mut table = Vec::with_capacity(PAIRS * PAIRS);
        let pairs = || (0..CLASSES as u8).flat_map(|a| (0..=a).map(move |b| [a, b]));
        for [a, b] in pairs() {
            for [c, d] in pairs() {
                let classes = [a, b, c, d];
                let code = usize::from(code(classes));
                table.push(PatternScore {
                    threat: threat(classes),
                    mover: weights.mover[code],
                    waiter: weights.waiter[code],
                    attack: weights.attack[code],
                    defence: weights.defence[code],
                });
            }
        }
        Self(table)
    }

    #[inline]
    pub(super) fn get(&self, classes: [Class; 4]) -> &PatternScore {
        let [a, b, c, d] = classes.map(usize::from);
        &self.0[pair(a, b) * PAIRS + pair(c, d)]
    }
}

#[inline]
fn pair(a: usize, b: usize) -> usize {
    let (more, less) = if a > b { (a, b) } else { (b, a) };
    more * (more + 1) / 2 + less
}

/// The number of four classes in any order, below [`CODES`].
pub(super) fn code(mut classes: [Class; 4]) -> u16 {
    classes.sort_unstable();
    let [d, c, b, a] = classes.map(u16::from);
    // The number of codes below this one: with a smaller largest class, and so on.
    let four = a * (a + 1) * (a + 2) * (a + 3) / 24;
    let three = b * (b + 1) * (b + 2) / 6;
    four + three + c * (c + 1) / 2 + d
}

/// The threat of four classes.
pub(super) fn threat(classes: [Class; 4]) -> Threat {
    let count = |from: Class, to: Class| {
        let those = classes
            .iter()
            .filter(|&&class| from <= class && class <= to);
        those.count()
    };
    let threes = count(SPLIT_THREE, OPEN_THREE);
    let more = count(BLOCKED_THREE, BLOCKED_THREE) + count(OPEN_TWO, BLOCKED_THREE - 1);
    match (count(FOUR, FOUR), threes) {
        _ if count(FIVE, FIVE) > 0 => Threat::Five,
        _ if count(OPEN_FOUR, OPEN_FOUR) > 0 => Threat::OpenFour,
        (2.., _) => Threat::OpenFour,
        (1, 1..) => Threat::FourThree,
        (1, 0) if more > 0 => Threat::FourAndMore,
        (1, 0) => Threat::Four,
        (0, 2..) => Threat::DoubleThree,
        (0, 1) if more > 0 => Threat::ThreeAndMore,
        (0, 1) => Threat::Three,
        _ if count(OPEN_TWO, BLOCKED_THREE - 1) > 1 => Threat::Twos,
        _ => Threat::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_without_gaps() {
        let mut seen = vec![0; CODES];
        let classes = || 0..CLASSES as u8;
        for a in classes() {
            for b in classes().filter(|&b| b <= a) {
                for c in classes().filter(|&c| c <= b) {
                    for d in classes().filter(|&d| d <= c) {
                        seen[usize::from(code([a, b, c, d]))] += 1;
                        assert_eq!(code([a, b, c, d]), code([c, a, d, b]));
                    }
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1));
    }

    #[test]
    fn weights_are_read_as_they_were_written() {
        let weights = Weights::trained();
        assert_eq!(weights.encode(), TRAINED);
        assert_ne!(weights, Weights::zero());
    }
}
