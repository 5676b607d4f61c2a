//! What names look like.

use tochki_protocol::limits::NAME_INPUT_MAX_CHARS;
use unicode_security::skeleton;

/// The skeleton of a name as UTS 39 defines it: names with the same one look the same. Because a name may be written in any
/// case, the skeleton of its lower-case form is taken: `НАТ` in Cyrillic looks like `HAT`, which is the name `hat`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameSkeleton(String);

impl NameSkeleton {
    /// The skeleton of any text, which may be an invalid name.
    pub(crate) fn of(text: &str) -> Self {
        let short: String = text.trim().chars().take(NAME_INPUT_MAX_CHARS).collect();
        let upright: String = skeleton(&short).collect();
        let lower = upright.to_lowercase();
        Self(skeleton(&lower).filter(|c| *c != '\0').collect())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
