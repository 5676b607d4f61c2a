//! The choice before a game: its setup.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::text::Language;

/// The fields of a setup: in a form, in an address, in a challenge, in words.
pub(crate) trait SetupFields {
    /// Returns the names of the fields.
    fn names() -> &'static [&'static str]
    where
        Self: Sized;

    /// Reads the fields. A missing field takes its default; a value that cannot be is added to `invalid`.
    fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<Self>
    where
        Self: Sized;

    /// Returns the setups that are offered by name, the usual one first.
    fn offered() -> Vec<Self>
    where
        Self: Sized;

    /// Returns the fields as an address carries them on: `&board=39x32&start=empty`.
    fn query(&self) -> String;

    /// Returns the setup as a challenge carries it: JSON.
    fn json(&self) -> String;

    /// Describes the setup in words, without the name of the game.
    fn describe(&self, language: Language) -> String;
}
