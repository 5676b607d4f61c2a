//! The end of the game, when only chains and loops without junctions are left.

/// The value for the side that must move when only chains and loops are left: its gain by perfect play.
///
/// `chains` and `loops` are lengths in ascending order. Chains of one and two boxes may be among them.
///
/// A chain of `n ≥ 3` boxes gives `2 − n − |v + 2|`, a loop of `n` gives `4 − n − |v + 4|`, a short chain `−n − v`, where `v` is
/// the value of the rest. Of the short chains, the long ones and the loops only the shortest has to be tried: with the rest as it
/// is, the value changes by at most as much as the length does, because every one of these functions has slope one.
///
/// If there is no short chain and the *controlled value* is at least 2, it is the value: Berlekamp, *The Dots and Boxes Game*
/// (2000), chapter 10; proved in Buzzard and Ciere, *Playing simple loony dots and boxes endgames optimally* (Integers 14,
/// 2014), theorem 3.
pub(super) fn value(chains: &[u8], loops: &[u8], scratch: &mut Vec<i16>) -> i16 {
    let short = chains.partition_point(|&length| length < 3);
    if short == 0
        && let Some(value) = controlled_value(chains, loops).filter(|&value| value >= 2)
    {
        return -value;
    }
    exhaustive_value(chains.split_at(short), loops, scratch)
}

/// Berlekamp's controlled value: all chains and loops are controlled to the last, which is taken whole. `None` if nothing
/// is left.
fn controlled_value(chains: &[u8], loops: &[u8]) -> Option<i16> {
    let chain: i16 = chains.iter().map(|&length| i16::from(length) - 4).sum();
    let around: i16 = loops.iter().map(|&length| i16::from(length) - 8).sum();
    let last = match (chains.last(), loops.is_empty()) {
        (None, true) => return None,
        (None, false) => 8,
        (Some(&longest), no_loops) if longest > 3 || no_loops => 4,
        (Some(_), _) => 6,
    };
    Some(chain + around + last)
}

/// The value, found by going through all numbers of chains and loops that may be left, always the shortest first.
fn exhaustive_value((short, long): (&[u8], &[u8]), loops: &[u8], values: &mut Vec<i16>) -> i16 {
    let size = [short.len() + 1, long.len() + 1, loops.len() + 1];
    values.clear();
    // `values[(a · size₁ + b) · size₂ + c]`: the value when the longest `a`, `b` and `c` are left.
    for a in 0..size[0] {
        for b in 0..size[1] {
            for c in 0..size[2] {
                let place = values.len();
                let mut best = if place == 0 { 0 } else { i16::MIN };
                if a > 0 {
                    let length = i16::from(short[short.len() - a]);
                    best = best.max(-length - values[place - size[1] * size[2]]);
                }
                if b > 0 {
                    let length = i16::from(long[long.len() - b]);
                    best = best.max(2 - length - (values[place - size[2]] + 2).abs());
                }
                if c > 0 {
                    let length = i16::from(loops[loops.len() - c]);
                    best = best.max(4 - length - (values[place - 1] + 4).abs());
                }
                values.push(best);
            }
        }
    }
    values.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_ends() {
        for (chains, loops, expected) in [
            (&[][..], &[][..], 0),
            (&[3], &[], -3),
            (&[], &[4], -4),
            (&[3, 3], &[], -2),
            (&[4, 5], &[], -5),
            (&[1, 4], &[], 3),
            (&[2, 2], &[], 0),
            (&[3], &[4], -1),
        ] {
            assert_eq!(
                value(chains, loops, &mut Vec::new()),
                expected,
                "{chains:?} {loops:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn the_controlled_value_is_the_value(
            mut chains in prop::collection::vec(3..9u8, 0..6),
            mut loops in prop::collection::vec((2..6u8).prop_map(|half| 2 * half), 0..5),
        ) {
            chains.sort_unstable();
            loops.sort_unstable();
            let exhaustive = exhaustive_value((&[], &chains), &loops, &mut Vec::new());
            if let Some(value) = controlled_value(&chains, &loops).filter(|&value| value >= 2) {
                prop_assert_eq!(-value, exhaustive);
            }
            prop_assert_eq!(value(&chains, &loops, &mut Vec::new()), exhaustive);
        }
    }
}
