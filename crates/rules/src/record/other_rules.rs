//! Evidence that the game of a record was played by other rules than ours: the names of its rules, and lines around captures that
//! our rules would not draw.

/// The rules of zagram.org that change the dots on the board or their count, each with the value that is ours. The rules about
/// the end of a game or the turn do not.
const RULES: [(&str, &str); 5] = [
    // With 0 a capture is made only when a player draws its line.
    ("MustSurr", "1"),
    // With 0 an area without dots can be closed, too.
    ("MinArea", "1"),
    ("Punish", "0"),
    ("Holes", "1"),
    ("ScoreTerr", "0"),
];

/// Evidence that a game was played by other rules. Captures and score are those of ours, and may differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherRules {
    /// The rules that differ, as the record names them: `MustSurr=0`.
    pub named: Vec<String>,
    /// The first move after which the record draws another line than our rules, if there is one.
    pub from_move: Option<usize>,
}

impl OtherRules {
    /// Finds the evidence in the value of `RU` and in the lines of a record, if there is any.
    pub(super) fn find(rules: Option<&str>, outlines: &Outlines) -> Option<Self> {
        let rules = rules.unwrap_or_default();
        let named = rules.split(',').map(str::trim).filter(|rule| {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            RULES
                .iter()
                .any(|(known, ours)| *known == name && *ours != value)
        });
        let found = Self {
            named: named.map(str::to_owned).collect(),
            from_move: outlines.first_other(),
        };
        (found != Self::default()).then_some(found)
    }
}

/// The lines around captures that a record draws, beside those that the rules draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    /// Whether the record draws any line. Most dialects draw none, and so say nothing.
    drawn: bool,
    /// The first move that draws a line without a capture.
    without_capture: Option<usize>,
    /// The first move that captures without a line.
    without_line: Option<usize>,
}

impl Outlines {
    /// Notes of the move of this number whether it captures by the rules, and whether the record draws a line.
    pub(super) fn note(&mut self, number: usize, captures: bool, drawn: bool) {
        self.drawn |= drawn;
        if drawn && !captures {
            self.without_capture.get_or_insert(number);
        } else if captures && !drawn {
            self.without_line.get_or_insert(number);
        }
    }

    fn first_other(&self) -> Option<usize> {
        let places = [self.without_capture, self.without_line];
        places.into_iter().flatten().min().filter(|_| self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Collection;

    #[track_caller]
    fn check(sgf: &str, named: &[&str], from_move: Option<usize>) {
        let full = Collection::read(sgf).unwrap().parse(0).unwrap();
        let expected = OtherRules {
            named: named.iter().map(|name| (*name).to_owned()).collect(),
            from_move,
        };
        let expected = (expected != OtherRules::default()).then_some(expected);
        assert_eq!(full.other_rules, expected, "{sgf}");
    }

    #[test]
    fn rules_that_differ_are_named() {
        let ours = "Punish=0,Holes=1,AddTurn=0,MustSurr=1,MinArea=1,Pass=0,Stop=1,LastSafe=0,ScoreTerr=0,InstantWin=0";
        check(&format!("(;GM[40]SZ[9]RU[{ours}];B[aa])"), &[], None);
        let other = ours.replace("MustSurr=1,MinArea=1", "MustSurr=0,MinArea=0");
        check(
            &format!("(;GM[40]SZ[9]RU[{other}];B[aa])"),
            &["MustSurr=0", "MinArea=0"],
            None,
        );
        check("(;GM[40]SZ[9]RU[russian];B[aa])", &[], None);
        check(
            "(;GM[40]SZ[9]RU[Pass=1, ScoreTerr=1];B[aa])",
            &["ScoreTerr=1"],
            None,
        );
    }

    #[test]
    fn lines_that_our_rules_would_not_draw_are_found() {
        // Red encloses at move 7; the side that draws is the one that moves.
        let moves = |last: &str| {
            format!(
                "(;GM[40]SZ[9];B[cb];W[cc];B[bc];W[aa];B[dc];W[ii];B[cd{last}];W[hh];B[gg.cbbccddccb])"
            )
        };
        check(&moves(".cbbccddccb"), &[], Some(9));
        check(&moves(""), &[], Some(7));
        // Without any line the record says nothing about captures.
        let none = moves("").replace(".cbbccddccb", "");
        check(&none, &[], None);
        let as_ours = moves(".cbbccddccb").replace("gg.cbbccddccb", "gg");
        check(&as_ours, &[], None);
    }
}
