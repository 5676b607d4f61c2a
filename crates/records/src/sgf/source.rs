//! The text of a game in its input.

use crate::Place;

/// The text of a game, and its place in the input.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) place: Place,
}

impl Source<'_> {
    /// The place of a part of the text.
    pub(crate) fn place_of(&self, part: &str) -> Place {
        let at = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr());
        self.place_at(at.unwrap_or_default())
    }

    /// The place of a byte of the text.
    pub(crate) fn place_at(&self, at: usize) -> Place {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        self.place.after(&self.text[..at])
    }
}
