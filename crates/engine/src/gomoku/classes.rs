//! Classes of lines: the line that a stone on a point would make, from *dead* to *five*, for every pattern of the cells around.
//!
//! A pattern is a number in base 3: one digit for each of the `2 R` cells before and behind the point, 0 for a free cell, 1 for a
//! stone of the same colour and 2 for a cell that is blocked by the other colour or by the edge. `R` is 4 where five or more win,
//! and 5 where exactly five do, because a sixth stone matters there.

use tochki_rules::gomoku::Rule;

/// The class of a line. The larger, the better.
pub(super) type Class = u8;

/// No five through the point is possible.
pub(super) const DEAD: Class = 0;
/// More than five stones, where these do not win.
const OVERLINE: Class = 1;
const BLOCKED_ONE: Class = 2;
const OPEN_ONE: Class = 3;
/// One more stone makes a blocked three, but no open one.
pub(super) const BLOCKED_TWO: Class = 4;
/// One more stone makes an open three: in one or two ways, in three, or in four and more.
pub(super) const OPEN_TWO: Class = 5;
const OPEN_TWO_OF_THREE: Class = 6;
const OPEN_TWO_OF_FOUR: Class = 7;
/// One more stone makes a four, but no open one.
pub(super) const BLOCKED_THREE: Class = 8;
/// One more stone makes an open four, in one way only.
pub(super) const SPLIT_THREE: Class = 9;
/// One more stone makes an open four, in several ways.
pub(super) const OPEN_THREE: Class = 10;
/// A single point makes five.
pub(super) const FOUR: Class = 11;
/// Several points make five.
pub(super) const OPEN_FOUR: Class = 12;
/// The stone wins.
pub(super) const FIVE: Class = 13;

/// The number of classes.
pub(super) const CLASSES: usize = 14;

/// The values of the digits.
const POWERS: [usize; 10] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683];

/// The number of cells that a rule looks at in each direction.
pub(super) const fn reach(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 4,
        Rule::Standard => 5,
    }
}

/// The classes of all patterns.
pub(super) fn classes(rule: Rule) -> Vec<Class> {
    let cells = 2 * reach(rule);
    let count = 3usize.pow(cells as u32);
    let mut classes = vec![DEAD; count];
    // A further stone makes a larger number, so the patterns after a stone are known before the pattern itself.
    for pattern in (0..count).rev() {
        let class = class(rule, pattern, cells, &classes);
        classes[pattern] = class;
    }
    classes
}

fn class(rule: Rule, pattern: usize, cells: usize, known: &[Class]) -> Class {
    let cell = |place: usize| pattern / POWERS[place] % 3;
    let half = cells / 2;
    let before = (0..half)
        .rev()
        .take_while(|&place| cell(place) == 1)
        .count();
    let after = (half..cells).take_while(|&place| cell(place) == 1).count();
    let stones = before + 1 + after;
    if rule.wins(stones as u8) {
        return FIVE;
    }
    if stones > 5 {
        return OVERLINE;
    }
    let mut ways = [0u8; CLASSES];
    for place in (0..cells).filter(|&place| cell(place) == 0) {
        ways[usize::from(known[pattern + POWERS[place]])] += 1;
    }
    let among =
        |from: Class, to: Class| -> u8 { ways[usize::from(from)..=usize::from(to)].iter().sum() };
    let threes = among(SPLIT_THREE, OPEN_THREE);
    match () {
        () if ways[usize::from(FIVE)] > 1 => OPEN_FOUR,
        () if ways[usize::from(FIVE)] > 0 => FOUR,
        () if ways[usize::from(OPEN_FOUR)] > 1 => OPEN_THREE,
        () if ways[usize::from(OPEN_FOUR)] > 0 => SPLIT_THREE,
        () if ways[usize::from(FOUR)] > 0 => BLOCKED_THREE,
        () if threes > 3 => OPEN_TWO_OF_FOUR,
        () if threes > 2 => OPEN_TWO_OF_THREE,
        () if threes > 0 => OPEN_TWO,
        () if ways[usize::from(BLOCKED_THREE)] > 0 => BLOCKED_TWO,
        () if among(OPEN_TWO, OPEN_TWO_OF_FOUR) > 0 => OPEN_ONE,
        () if ways[usize::from(BLOCKED_TWO)] > 0 => BLOCKED_ONE,
        () => DEAD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class of a drawn line: `X` are stones, `O` blocks, `*` is the point.
    #[track_caller]
    fn check(rule: Rule, line: &str, expected: Class) {
        let reach = reach(rule);
        let point = line.find('*').unwrap();
        let cells: Vec<char> = line.chars().collect();
        let digit = |place: Option<usize>| match place.and_then(|place| cells.get(place)) {
            Some('X') => 1,
            Some('.') => 0,
            _ => 2,
        };
        let before = (1..=reach).rev().map(|step| digit(point.checked_sub(step)));
        let after = (1..=reach).map(|step| digit(Some(point + step)));
        let digits: Vec<usize> = before.chain(after).collect();
        let pattern = digits
            .iter()
            .rev()
            .fold(0, |number, digit| number * 3 + digit);
        assert_eq!(classes(rule)[pattern], expected, "{rule:?} {line}");
    }

    #[test]
    fn lines_have_their_classes() {
        for rule in Rule::ALL {
            check(rule, "XX*XX", FIVE);
            check(rule, "OXX*X.", FOUR);
            check(rule, ".XX*X.", OPEN_FOUR);
            check(rule, "X.X*X.X", OPEN_FOUR);
            check(rule, "..X*X..", OPEN_THREE);
            check(rule, "O.X*X.O", BLOCKED_THREE);
            check(rule, "O.X*X..O", SPLIT_THREE);
            check(rule, "OX*X...", BLOCKED_THREE);
            check(rule, "OX*X.O", DEAD);
            check(rule, "....*....O", OPEN_ONE);
            check(rule, "OX*...O", BLOCKED_TWO);
        }
        check(Rule::Freestyle, "XX*XXX", FIVE);
        check(Rule::Standard, "XX*XXX", OVERLINE);
        check(Rule::Standard, "X.XX*.", BLOCKED_THREE.max(FOUR));
        check(Rule::Standard, "X.XX*X.", FOUR);
        check(Rule::Freestyle, "X.XX*X.", OPEN_FOUR);
    }
}
