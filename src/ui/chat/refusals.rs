//! Why something was not said, muted or reported, or not done by an operator.

use crate::ui::texts::{Language, say};
use crate::ui::words;
use crate::wire::{ApiError, Code};

/// The refusal in words. They are not among those of [`words::error`], which every table has to fetch.
pub(in crate::ui) fn refusal(language: Language, error: &ApiError) -> &'static str {
    match error.code {
        Code::EmptyMessage => say!(language, chat.empty_message),
        Code::MessageTooLong => say!(language, chat.message_too_long),
        Code::Yourself => say!(language, chat.yourself),
        Code::Muted => say!(language, chat.muted_by_operator),
        Code::TooManyMessages => say!(language, chat.too_many_messages),
        Code::NoSuchMessage => say!(language, chat.no_such_message),
        Code::NoSuchPlayer => say!(language, chat.no_such_player),
        Code::NotOperator => say!(language, operator.not_operator),
        _ => words::error(language, error),
    }
}
