//! What somebody chooses before a game.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::text::Language;

/// What is chosen before a game: in the fields of a form, in a challenge, in words.
pub(crate) trait SetupFields {
    /// The fields that it is made of.
    fn names() -> &'static [&'static str]
    where
        Self: Sized;

    /// Reads the fields. What is missing takes its default; what cannot be is a mistake.
    fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<Self>
    where
        Self: Sized;

    /// The same as an address carries it on: `&board=39x32&start=empty`.
    fn query(&self) -> String;

    /// The same as a challenge carries it: JSON.
    fn json(&self) -> String;

    /// The same in words, without the name of the game.
    fn describe(&self, language: Language) -> String;
}
