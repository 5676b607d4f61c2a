//! Errors of the API: a code for programs and a sentence for people.

use super::EntryCondition;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use tochki_play::{InvalidLine, Refusal};
use tochki_rules::{Illegal, InvalidSetup};

/// An error answer: `{"code": "...", "message": "..."}`, for an illegal move its `reason`, for a tournament the `condition`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiError {
    /// The code for programs and translations.
    pub code: Code,
    /// A sentence in English.
    pub message: String,
    /// The reason why a move is illegal; only with [`Code::Illegal`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Illegal>,
    /// The place in conditional moves that cannot be played; only with [`Code::InvalidConditions`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<InvalidLine>,
    /// The condition of a tournament that the player does not meet; only with [`Code::NotQualified`].
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<EntryCondition>,
    /// The delay before the next attempt in seconds, as the header `Retry-After` says it. It is no part of the JSON: a browser
    /// that reads an answer sets it.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

macro_rules! codes {
    ($($code:ident $name:literal $sentence:literal;)*) => {
        /// The closed list of error codes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $sentence] $code,)*
        }

        impl Code {
            /// Every code, for tests and translations.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The name in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// The default English message.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$code => $sentence,)* }
            }
        }
    };
}

codes! {
    BadRequest "bad_request" "The request could not be read.";
    InvalidName "invalid_name" "A name has 2 to 20 characters: a letter first, then letters of the same script, digits, _ or -.";
    InvalidPassword "invalid_password" "A password has 8 to 128 characters, is not the name and not easily guessed.";
    UnknownGame "unknown_game" "There is no such game here.";
    InvalidFilter "invalid_filter" "The filter could not be read.";
    InvalidPage "invalid_page" "There is no page of that number.";
    SelfChallenge "self_challenge" "Nobody can play against themselves.";
    InvalidSetup "invalid_setup" "The game cannot be set up like this.";
    InvalidTableName "invalid_table_name" "A table's name has at most 40 characters of plain text.";
    InvalidClock "invalid_clock" "A clock is none, 300+5, 25/300, 600~30x5, 3d or 3d+1d..7d, within its limits.";
    EmptyMessage "empty_message" "There is nothing to see in this message.";
    MessageTooLong "message_too_long" "A message has at most 300 characters.";
    OwnAccount "yourself" "That cannot be done to oneself.";
    InvalidConditions "invalid_conditions" "A line of conditional moves cannot be played.";
    MalformedMove "malformed_move" "This does not read as a move.";
    InvalidTournament "invalid_tournament" "A tournament cannot be like this.";
    InvalidMail "invalid_mail" "This is no mail address.";
    SignedOut "signed_out" "Sign in first.";
    BadToken "bad_token" "This token is not valid, or has ended.";
    BadCredentials "bad_credentials" "Name and password do not match.";
    OutOfScope "out_of_scope" "A token of this scope cannot do that.";
    PasskeyRefused "passkey_refused" "The passkey could not be verified. Try again.";
    ForeignOrigin "foreign_origin" "The request comes from another site.";
    NotYours "not_yours" "This is not yours to answer.";
    NotAPlayer "not_a_player" "Only the two players of this match can do that.";
    WrongPassword "wrong_password" "This is not your password.";
    Muted "muted" "An operator has muted you.";
    NotOperator "not_operator" "Only an operator can do that.";
    Removed "removed" "You have been removed from this table.";
    AddressClosed "address_closed" "An account was closed at this address. For some time there are no new names here.";
    AccountClosed "account_closed" "This account has been closed.";
    NotAccepted "not_accepted" "This player does not take your challenge.";
    NotFound "not_found" "There is nothing here.";
    NotWaiting "not_waiting" "This player is not in the waiting room.";
    ChallengeClosed "challenge_closed" "This challenge is over.";
    TermsChanged "terms_changed" "The terms have changed. Look at them, and agree again.";
    OfferClosed "offer_closed" "There is no open offer.";
    OpponentLeft "opponent_left" "Your opponent has left the table.";
    NoSuchSession "no_such_session" "This session is over.";
    NoSuchToken "no_such_token" "There is no such token any more.";
    UnknownPasskey "unknown_passkey" "This passkey is not known here.";
    NoSuchMatch "no_such_match" "There is no such match.";
    NoSuchPlayer "no_such_player" "There is no such player.";
    NoSuchTable "no_such_table" "There is no such table, or it has been closed.";
    NoSuchTournament "no_such_tournament" "There is no such tournament.";
    NoSuchPuzzle "no_such_puzzle" "There is no such puzzle.";
    BadLink "bad_link" "This link was used, is too old, or is wrong.";
    MailOff "mail_off" "This site sends no mail.";
    NoSuchMessage "no_such_message" "There is no such message.";
    MethodNotAllowed "method_not_allowed" "This address takes another method.";
    NameTaken "name_taken" "This name is taken.";
    AlreadyChallenging "already_challenging" "You have an open challenge already.";
    AlreadyPlaying "already_playing" "One of you is playing a game already.";
    TooManyBotGames "too_many_bot_games" "From your address there are as many games with bots as may be at once. Finish one of them first.";
    GuestsUnrated "guests_unrated" "Games with guests are not rated: ask for one that is not.";
    ChallengeCooldown "asked_lately" "This player has just declined your challenge. Wait a little before you ask again.";
    TooManyPasskeys "too_many_passkeys" "An account has at most 20 passkeys.";
    PasskeysUnavailable "passkeys_unavailable" "Passkeys belong to the name of a site, and this address has none.";
    NotAGuest "not_a_guest" "This is an account already.";
    TooManyTokens "too_many_tokens" "You have as many tokens as a player can have. End one of them first.";
    CannotBecomeBot "cannot_become_bot" "Only an account that has played no game, and no operator, can become a bot.";
    TooManyGames "too_many_games" "One of you has as many games as a player can. Finish or delete some of them first.";
    UnbegunGames "unbegun_games" "Guests here have not moved yet in as many games as guests may have. Make the first move in one of them.";
    OnVacation "on_vacation" "A player is on vacation. New games wait until it ends.";
    NoVacationLeft "no_vacation_left" "You have no vacation days left. A new one comes every 13 days.";
    NotSeated "not_seated" "This player does not sit at this table.";
    TableFull "table_full" "Both seats of this table are taken.";
    TooManyTables "too_many_tables" "You have an open table already.";
    TablesFull "tables_full" "There are too many open tables just now. Sit down at one of them, or try again later.";
    PlayersFull "players_full" "There are as many players here as fit. Try again later.";
    MatchesFull "matches_full" "As many games are running as fit. Try again later.";
    InTournament "in_tournament" "This is not done in a tournament's game.";
    TooManyTournaments "too_many_tournaments" "You have as many tournaments as a player can have at once.";
    AlreadyInTournament "already_in_tournament" "You are in another tournament that is running. Pause there first.";
    NotOpen "not_open" "Nobody can enter this tournament now.";
    NotQualified "not_qualified" "You do not meet a condition of this tournament.";
    TournamentFull "tournament_full" "This tournament has as many players as fit.";
    NoBye "no_bye" "You cannot ask for a bye in this round.";
    NoBerserk "no_berserk" "Berserk is for an arena that has it, before your first move.";
    LiveMatch "live_match" "This is for correspondence games only.";
    NotYourTurn "not_your_turn" "It is not your turn.";
    Adjourned "adjourned" "The game is adjourned.";
    NotAdjourned "not_adjourned" "The game is not adjourned, or no move is sealed yet.";
    TooEarly "too_early" "The game goes on at the time that you agreed on.";
    TurnGoesOn "turn_goes_on" "It is still your turn after these moves: seal all moves of the turn.";
    Finished "finished" "The game is over.";
    NotBegun "not_begun" "Not both of you have made a move yet. The game can only be aborted.";
    Begun "begun" "Both of you have made a move, so the game cannot be aborted.";
    NotFinished "not_finished" "The game is still going on.";
    NotRated "not_rated" "This game was not rated.";
    Annulled "annulled" "This game has been annulled already.";
    OfferOpen "offer_open" "There is an open offer already.";
    OfferCooldown "offered_lately" "You have offered this already since your last move.";
    AbortCooldown "aborted_lately" "One of you has aborted 3 of the last 10 games, and has to wait 10 minutes for a rated one.";
    NothingToTakeBack "nothing_to_take_back" "You have made no move that could be taken back.";
    Stale "stale" "The game has moved on since.";
    BrokenRecord "broken_record" "The record of this match is broken, so it cannot be shown.";
    ClientIdReused "client_id_reused" "This client id was used for another move.";
    TooLarge "too_large" "The request is larger than 64 KiB.";
    Illegal "illegal" "This move cannot be played.";
    TooManyAttempts "too_many_attempts" "Too many attempts. Wait a little.";
    TooManyMessages "too_many_messages" "At most 5 messages in 10 seconds. Wait a little.";
    TooManyChallenges "challenged_enough" "This player has got many challenges in this minute. Wait a little.";
    TooManyStreams "too_many_streams" "Too many pages are open here. Close some of them.";
    TooManyRequests "too_many_requests" "Too many requests. Wait a little.";
    MatchSuspended "set_aside" "Something broke in this game. It goes on in a few seconds, and nobody loses time.";
    Internal "internal" "Something broke here. It is not your fault.";
    Unavailable "unavailable" "The arena is out of reach just now. Try again in a moment.";
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

// By hand, because every page loads this code: a derived one is several times as long.
impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Code;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an error code")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Code, E> {
                let code = Code::ALL.iter().find(|code| code.as_str() == name);
                code.copied().ok_or_else(|| E::custom("unknown error code"))
            }
        }

        deserializer.deserialize_str(Name)
    }
}

impl ApiError {
    /// An error without its message. For browsers, which have texts of their own and would load all messages otherwise.
    #[must_use]
    pub const fn of_code(code: Code) -> Self {
        Self {
            code,
            message: String::new(),
            reason: None,
            at: None,
            condition: None,
            retry_after: None,
        }
    }

    /// A refusal without its message, likewise.
    #[must_use]
    pub fn of_refusal(refusal: Refusal) -> Self {
        let error = Self::of_code(Code::from(&refusal));
        match refusal {
            Refusal::Illegal(reason) => Self {
                reason: Some(reason),
                ..error
            },
            _ => error,
        }
    }

    /// Replaces the message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Self {
            code,
            message: code.message().to_owned(),
            reason: None,
            at: None,
            condition: None,
            retry_after: None,
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let refused = Self::of_refusal(refusal);
        Self {
            message: refused.code.message().to_owned(),
            ..refused
        }
    }
}

impl From<&Refusal> for Code {
    fn from(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Malformed => Self::MalformedMove,
            Refusal::NotYourTurn => Self::NotYourTurn,
            Refusal::Finished => Self::Finished,
            Refusal::Stale => Self::Stale,
            Refusal::ClientIdReused => Self::ClientIdReused,
            Refusal::OfferOpen => Self::OfferOpen,
            Refusal::OfferClosed => Self::OfferClosed,
            Refusal::NotYours => Self::NotYours,
            Refusal::NothingToTakeBack => Self::NothingToTakeBack,
            Refusal::OfferCooldown => Self::OfferCooldown,
            Refusal::NotBegun => Self::NotBegun,
            Refusal::Begun => Self::Begun,
            Refusal::NoSuchOffer => Self::BadRequest,
            Refusal::Adjourned => Self::Adjourned,
            Refusal::NotAdjourned => Self::NotAdjourned,
            Refusal::TurnGoesOn => Self::TurnGoesOn,
            Refusal::TooEarly => Self::TooEarly,
            Refusal::InTournament => Self::InTournament,
            Refusal::NoBerserk => Self::NoBerserk,
            Refusal::Illegal(_) => Self::Illegal,
        }
    }
}

impl From<InvalidLine> for ApiError {
    fn from(at: InvalidLine) -> Self {
        Self {
            at: Some(at),
            ..Self::from(Code::InvalidConditions)
        }
    }
}

impl From<EntryCondition> for ApiError {
    fn from(condition: EntryCondition) -> Self {
        Self {
            condition: Some(condition),
            ..Self::from(Code::NotQualified).with_message(condition.message())
        }
    }
}

impl From<InvalidSetup> for ApiError {
    fn from(invalid: InvalidSetup) -> Self {
        Self::from(Code::InvalidSetup).with_message(invalid.to_string())
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
    fn every_code_is_its_name_in_json() {
        for code in Code::ALL {
            let json = serde_json::to_value(code).unwrap();
            assert_eq!(json, code.as_str());
            assert_eq!(serde_json::from_value::<Code>(json).unwrap(), *code);
        }
    }

    #[test]
    fn an_illegal_move_has_its_reason() {
        let error = ApiError::from(Refusal::Illegal(Illegal::CapturedArea));
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!(json["code"], "illegal");
        assert_eq!(json["reason"], "captured_area");
    }

    #[test]
    fn who_does_not_qualify_is_told_the_condition() {
        let error = ApiError::from(EntryCondition::MinAgeDays);
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!(json["code"], "not_qualified");
        assert_eq!(json["condition"], "min_age_days");
        assert_eq!(json["message"], "Your account is too new.");
        assert_eq!(serde_json::from_value::<ApiError>(json).unwrap(), error);
    }
}
