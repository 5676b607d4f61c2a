//! Skeletons: two names with the same skeleton look alike.

use tochki_protocol::limits::NAME_INPUT_MAX_CHARS;
use unicode_security::skeleton;

/// The skeleton of a name as UTS 39 defines it: names with the same one look the same. Because a name may be written in any
/// case, the skeleton of its lower-case form is taken: `НАТ` in Cyrillic looks like `HAT`, which is the name `hat`.
///
/// Beyond UTS 39, `w` is two `v`, and dashes and underscores are one dash, however many there are: `x_`, `x__` and `x-` are one
/// name to a reader. So no skeleton has a `w`, an `_` or two dashes in a row, by which older ones are found (`names::upkeep` of the server).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameSkeleton(String);

impl NameSkeleton {
    /// The skeleton of any text, which may be an invalid name.
    pub fn of(text: &str) -> Self {
        let short: String = text.trim().chars().take(NAME_INPUT_MAX_CHARS).collect();
        let upright: String = skeleton(&short).collect();
        let lower = upright.to_lowercase();
        let mut look = String::new();
        for c in skeleton(&lower) {
            match c {
                '\0' => {}
                'w' => look.push_str("vv"),
                '_' | '-' | '\u{2010}' if look.ends_with('-') => {}
                '_' | '-' | '\u{2010}' => look.push('-'),
                c => look.push(c),
            }
        }
        Self(look)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_reader_takes_for_each_other_have_one_skeleton() {
        for (one, other) in [
            ("wanda", "vvanda"),
            ("WANDA", "vvanda"),
            ("x_", "x__"),
            ("x-k", "x_k"),
            ("a-_-b", "a_b"),
            ("modem", "modern"),
        ] {
            assert_eq!(
                NameSkeleton::of(one),
                NameSkeleton::of(other),
                "{one} {other}"
            );
        }
        for (one, other) in [("x_k", "xk"), ("x", "x_"), ("vanda", "wanda")] {
            assert_ne!(
                NameSkeleton::of(one),
                NameSkeleton::of(other),
                "{one} {other}"
            );
        }
        for text in ["Wow__wow", "a--b_-c", "_w_"] {
            let look = NameSkeleton::of(text);
            let old = look.as_str().contains(['w', '_']) || look.as_str().contains("--");
            assert!(!old, "{text}: {}", look.as_str());
        }
    }
}
