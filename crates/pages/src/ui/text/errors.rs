//! Error messages for pages other than the match page, which does not load these texts.

use crate::error::ErrorResponse;
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use tochki_protocol::Code;

/// The message of an error. Every code has one, here or in [`words::match_error`].
pub(crate) fn error_text(language: Language, error: &ErrorResponse) -> &'static str {
    match error.code {
        Code::InvalidName => say!(language, errors.invalid_name),
        Code::InvalidPassword => say!(language, errors.invalid_password),
        Code::UnknownGame => say!(language, errors.unknown_game),
        Code::InvalidFilter => say!(language, errors.invalid_filter),
        Code::InvalidPage => say!(language, errors.invalid_page),
        Code::SelfChallenge => say!(language, errors.self_challenge),
        Code::InvalidSetup => say!(language, errors.invalid_setup),
        Code::InvalidTableName => say!(language, errors.invalid_table_name),
        Code::InvalidClock => say!(language, errors.invalid_clock),
        Code::AddressClosed => say!(language, errors.address_closed),
        Code::AccountClosed => say!(language, errors.account_closed),
        Code::BadCredentials => say!(language, errors.bad_credentials),
        Code::WrongPassword => say!(language, errors.wrong_password),
        Code::NotWaiting => say!(language, errors.not_waiting),
        Code::ChallengeClosed => say!(language, errors.challenge_closed),
        Code::NoSuchSession => say!(language, errors.no_such_session),
        Code::NoSuchToken => say!(language, tokens.none_such),
        Code::TooManyTokens => say!(language, tokens.at_limit),
        Code::PasskeyRefused => say!(language, errors.passkey_refused),
        Code::UnknownPasskey => say!(language, errors.unknown_passkey),
        Code::TooManyPasskeys => say!(language, errors.too_many_passkeys),
        Code::PasskeysUnavailable => say!(language, errors.passkeys_unavailable),
        Code::NoSuchTable => say!(language, errors.no_such_table),
        Code::NameTaken => say!(language, errors.name_taken),
        Code::AlreadyChallenging => say!(language, errors.already_challenging),
        Code::AbortCooldown => say!(language, errors.aborted_lately),
        Code::ChallengeCooldown => say!(language, errors.asked_lately),
        Code::TooManyChallenges => say!(language, errors.challenged_enough),
        Code::GuestsUnrated => say!(language, errors.guests_unrated),
        Code::NotAGuest => say!(language, errors.not_a_guest),
        Code::CannotBecomeBot => say!(language, bots.cannot),
        Code::NotSeated => say!(language, errors.not_seated),
        Code::TableFull => say!(language, errors.table_full),
        Code::TooManyTables => say!(language, errors.too_many_tables),
        Code::PlayersFull => say!(language, errors.players_full),
        Code::MatchesFull => say!(language, errors.matches_full),
        Code::Removed => say!(language, errors.removed),
        Code::TablesFull => say!(language, errors.tables_full),
        Code::TooManyAttempts => say!(language, errors.too_many_attempts),
        Code::TooManyStreams => say!(language, errors.too_many_streams),
        Code::EmptyMessage => say!(language, chat.empty_message),
        Code::MessageTooLong => say!(language, chat.message_too_long),
        Code::OwnAccount => say!(language, chat.yourself),
        Code::Muted => say!(language, chat.muted_by_operator),
        Code::TooManyMessages => say!(language, chat.too_many_messages),
        Code::NoSuchMessage => say!(language, chat.no_such_message),
        Code::NoSuchPuzzle => say!(language, puzzles.none_such),
        Code::NoSuchPlayer => say!(language, chat.no_such_player),
        Code::NotRated => say!(language, operator.not_rated),
        Code::Annulled => say!(language, operator.annulled_already),
        Code::NotOperator => say!(language, operator.not_operator),
        // The button that keeps a game has a text of its own.
        Code::TooManyGames
        | Code::BadRequest
        | Code::MalformedMove
        | Code::SignedOut
        | Code::BadToken
        | Code::OutOfScope
        | Code::ForeignOrigin
        | Code::NotYours
        | Code::NotAPlayer
        | Code::NotFound
        | Code::MethodNotAllowed
        | Code::TermsChanged
        | Code::OfferClosed
        | Code::OpponentLeft
        | Code::NoSuchMatch
        | Code::AlreadyPlaying
        | Code::NotYourTurn
        | Code::Finished
        | Code::NotBegun
        | Code::Begun
        | Code::OfferCooldown
        | Code::NotFinished
        | Code::OfferOpen
        | Code::NothingToTakeBack
        | Code::Stale
        | Code::ClientIdReused
        | Code::BrokenRecord
        | Code::TooLarge
        | Code::Illegal
        | Code::TooManyRequests
        | Code::MatchSuspended
        | Code::Internal
        | Code::Unavailable => words::match_error(language, error),
    }
}
