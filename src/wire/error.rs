//! Every way the arena says no: a code for programs, a sentence for people, and the status that belongs to it.

use crate::play::Refusal;
use crate::rules::{Illegal, InvalidSetup};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An error answer: `{"code": "...", "message": "..."}`, and for an illegal move its `reason`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    /// The word that programs and translations go by.
    pub code: Code,
    /// One English sentence.
    pub message: String,
    /// Why a move is illegal; only with [`Code::Illegal`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Illegal>,
}

macro_rules! codes {
    ($($code:ident $word:literal $status:literal $sentence:literal;)*) => {
        /// The closed list of error codes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $(#[doc = $sentence] $code,)*
        }

        impl Code {
            /// Every code, for tests and translations.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The word on the wire.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$code => $word,)* }
            }

            /// The HTTP status this code is answered with.
            pub const fn status(self) -> u16 {
                match self { $(Self::$code => $status,)* }
            }

            /// The English sentence that goes with it where no better one is known.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$code => $sentence,)* }
            }
        }
    };
}

codes! {
    BadRequest "bad_request" 400 "The request could not be read.";
    InvalidName "invalid_name" 400 "A name has 2 to 20 characters: a letter first, then letters, digits, _ or -.";
    InvalidPassword "invalid_password" 400 "A password has 6 to 128 characters.";
    UnknownGame "unknown_game" 400 "There is no such game here.";
    InvalidFilter "invalid_filter" 400 "The filter could not be read.";
    InvalidPage "invalid_page" 400 "There is no page of that number.";
    SelfChallenge "self_challenge" 400 "Nobody can play against themselves.";
    InvalidSetup "invalid_setup" 400 "The game cannot be set up like this.";
    InvalidTableName "invalid_table_name" 400 "A table's name has at most 40 characters of plain text.";
    InvalidClock "invalid_clock" 400 "A clock is none, or initial+increment in seconds, like 300+5.";
    EmptyMessage "empty_message" 400 "There is nothing to see in this message.";
    MessageTooLong "message_too_long" 400 "A message has at most 300 characters.";
    Yourself "yourself" 400 "That cannot be done to oneself.";
    MalformedMove "malformed_move" 400 "This does not read as a move.";
    SignedOut "signed_out" 401 "Sign in first.";
    BadCredentials "bad_credentials" 401 "Name and password do not match.";
    ForeignOrigin "foreign_origin" 403 "The request comes from another site.";
    NotYours "not_yours" 403 "This is not yours to answer.";
    NotAPlayer "not_a_player" 403 "Only the two players of this match can do that.";
    WrongPassword "wrong_password" 403 "This is not your password.";
    Muted "muted" 403 "An operator has muted you.";
    NotOperator "not_operator" 403 "Only an operator can do that.";
    AccountClosed "account_closed" 403 "This account has been closed.";
    NotFound "not_found" 404 "There is nothing here.";
    NotWaiting "not_waiting" 404 "This player is not in the waiting room.";
    ChallengeClosed "challenge_closed" 404 "This challenge is over.";
    OfferClosed "offer_closed" 404 "There is no open offer.";
    OpponentLeft "opponent_left" 404 "Your opponent has left the table.";
    NoSuchSession "no_such_session" 404 "This session is over.";
    NoSuchMatch "no_such_match" 404 "There is no such match.";
    NoSuchPlayer "no_such_player" 404 "There is no such player.";
    NoSuchTable "no_such_table" 404 "There is no such table, or it has been closed.";
    NoSuchMessage "no_such_message" 404 "There is no such message.";
    MethodNotAllowed "method_not_allowed" 405 "This address takes another method.";
    NameTaken "name_taken" 409 "This name is taken.";
    AlreadyChallenging "already_challenging" 409 "You have an open challenge already.";
    AlreadyPlaying "already_playing" 409 "One of you is playing a game already.";
    GuestsUnrated "guests_unrated" 409 "Games with guests are not rated: ask for one that is not.";
    NotAGuest "not_a_guest" 409 "This is an account already.";
    NotSeated "not_seated" 409 "This player does not sit at this table.";
    TableFull "table_full" 409 "Both seats of this table are taken.";
    TooManyTables "too_many_tables" 409 "You have an open table already.";
    TablesFull "tables_full" 409 "There are too many open tables just now. Sit down at one of them, or try again later.";
    NotYourTurn "not_your_turn" 409 "It is not your turn.";
    Finished "finished" 409 "The game is over.";
    NotFinished "not_finished" 409 "The game is still going on.";
    OfferOpen "offer_open" 409 "There is an open offer already.";
    NothingToTakeBack "nothing_to_take_back" 409 "You have made no move that could be taken back.";
    Stale "stale" 409 "The game has moved on since.";
    ClientIdReused "client_id_reused" 409 "This client id was used for another move.";
    TooLarge "too_large" 413 "The request is larger than 64 KiB.";
    Illegal "illegal" 422 "This move cannot be played.";
    TooManyAttempts "too_many_attempts" 429 "Too many attempts. Wait a little.";
    TooManyMessages "too_many_messages" 429 "At most 5 messages in 10 seconds. Wait a little.";
    TooManyRequests "too_many_requests" 429 "Too many requests. Wait a little.";
    Internal "internal" 500 "Something broke here. It is not your fault.";
    Unavailable "unavailable" 503 "The arena is out of reach just now. Try again in a moment.";
}

impl ApiError {
    /// The same error with a sentence that says more.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The HTTP status it is answered with.
    pub const fn status(&self) -> u16 {
        self.code.status()
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Self {
            code,
            message: code.sentence().to_owned(),
            reason: None,
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Malformed => Code::MalformedMove.into(),
            Refusal::NotYourTurn => Code::NotYourTurn.into(),
            Refusal::Finished => Code::Finished.into(),
            Refusal::Stale => Code::Stale.into(),
            Refusal::ClientIdReused => Code::ClientIdReused.into(),
            Refusal::OfferOpen => Code::OfferOpen.into(),
            Refusal::OfferClosed => Code::OfferClosed.into(),
            Refusal::NotYours => Code::NotYours.into(),
            Refusal::NothingToTakeBack => Code::NothingToTakeBack.into(),
            Refusal::Illegal(reason) => Self {
                reason: Some(reason),
                ..Code::Illegal.into()
            },
        }
    }
}

impl From<InvalidSetup> for ApiError {
    fn from(invalid: InvalidSetup) -> Self {
        Self::from(Code::InvalidSetup).saying(invalid.to_string())
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_its_word_as_json() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.word());
        }
    }

    #[test]
    fn an_illegal_move_tells_its_reason() {
        let error = ApiError::from(Refusal::Illegal(Illegal::CapturedArea));
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!(json["code"], "illegal");
        assert_eq!(json["reason"], "captured_area");
        assert_eq!(error.status(), 422);
    }
}
