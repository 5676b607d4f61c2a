//! What the classes of a point are worth, for the side whose stone would be there.

use super::classes::{
    BLOCKED_THREE, BLOCKED_TWO, CLASSES, Class, FIVE, FOUR, OPEN_FOUR, OPEN_THREE, OPEN_TWO,
    SPLIT_THREE,
};

/// What a stone threatens, by the classes of its four lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Threat {
    Nothing,
    /// Two open twos.
    Twos,
    Three,
    /// A three with something that can become another threat.
    ThreeAndMore,
    DoubleThree,
    Four,
    FourAndMore,
    FourThree,
    /// Two points of five, in one line or two.
    OpenFour,
    Five,
}

/// How many threats there are.
pub(super) const THREATS: usize = Threat::Five as usize + 1;

/// What there is to know about the four classes of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub threat: Threat,
    /// For the evaluation.
    pub value: i16,
    /// For the order of moves.
    pub attack: i16,
    pub defence: i16,
}

/// Classes 0 to 13 of one line: for the evaluation, the attack and the defence.
const VALUES: [i16; CLASSES] = [0, 0, 1, 3, 4, 9, 10, 11, 11, 20, 22, 26, 60, 100];
const ATTACK: [i16; CLASSES] = [0, 0, 2, 6, 9, 24, 27, 30, 27, 66, 74, 90, 800, 4000];
const DEFENCE: [i16; CLASSES] = [0, 0, 2, 5, 6, 18, 20, 22, 16, 50, 56, 44, 500, 2000];

/// Pairs of classes, the larger first.
const PAIRS: usize = CLASSES * (CLASSES + 1) / 2;

/// What all fours of classes are worth.
#[derive(Clone, Debug)]
pub(super) struct Weights(Vec<Worth>);

impl Weights {
    pub(super) fn new() -> Self {
        let mut table = Vec::with_capacity(PAIRS * PAIRS);
        let pairs = || (0..CLASSES as u8).flat_map(|a| (0..=a).map(move |b| [a, b]));
        for [a, b] in pairs() {
            for [c, d] in pairs() {
                table.push(worth([a, b, c, d]));
            }
        }
        Self(table)
    }

    #[inline]
    pub(super) fn get(&self, classes: [Class; 4]) -> &Worth {
        let [a, b, c, d] = classes.map(usize::from);
        &self.0[pair(a, b) * PAIRS + pair(c, d)]
    }
}

#[inline]
fn pair(a: usize, b: usize) -> usize {
    let (more, less) = if a > b { (a, b) } else { (b, a) };
    more * (more + 1) / 2 + less
}

fn worth(classes: [Class; 4]) -> Worth {
    let count = |from: Class, to: Class| {
        let those = classes
            .iter()
            .filter(|&&class| from <= class && class <= to);
        those.count()
    };
    let threes = count(SPLIT_THREE, OPEN_THREE);
    let more = count(BLOCKED_THREE, BLOCKED_THREE) + count(OPEN_TWO, BLOCKED_THREE - 1);
    let threat = match (count(FOUR, FOUR), threes) {
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
    };
    let sum = |weights: &[i16; CLASSES]| -> i16 {
        classes
            .iter()
            .map(|&class| weights[usize::from(class)])
            .sum()
    };
    let lines = count(BLOCKED_TWO, FIVE) as i16;
    let bonus = match threat {
        Threat::FourThree => 200,
        Threat::DoubleThree => 90,
        Threat::FourAndMore => 20,
        Threat::ThreeAndMore => 25,
        Threat::Twos => 15,
        _ => 0,
    };
    Worth {
        threat,
        value: sum(&VALUES) + bonus / 5 + 2 * lines,
        attack: sum(&ATTACK) + bonus,
        defence: sum(&DEFENCE) + bonus / 2,
    }
}
