//! The HTTP status of each error code, and an error as a response.

use crate::error::ErrorResponse;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tochki_protocol::{Code, limits};

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status = status(self.code);
        let mut response = (status, Json(&self)).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS {
            let seconds = limits::REQUEST_RETRY_AFTER.as_secs();
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        // For a guard that shows it as a page.
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns the status that a code is answered with. The mistakes of a client are below 500.
pub const fn status(code: Code) -> StatusCode {
    match code {
        Code::BadRequest
        | Code::InvalidName
        | Code::InvalidPassword
        | Code::UnknownGame
        | Code::InvalidFilter
        | Code::InvalidPage
        | Code::SelfChallenge
        | Code::InvalidSetup
        | Code::InvalidTournament
        | Code::InvalidTableName
        | Code::InvalidClock
        | Code::InvalidConditions
        | Code::EmptyMessage
        | Code::MessageTooLong
        | Code::OwnAccount
        | Code::InvalidMail
        | Code::TurnGoesOn
        | Code::MalformedMove => StatusCode::BAD_REQUEST,
        Code::SignedOut | Code::BadToken | Code::BadCredentials | Code::PasskeyRefused => {
            StatusCode::UNAUTHORIZED
        }
        Code::ForeignOrigin
        | Code::OutOfScope
        | Code::NotYours
        | Code::NotAPlayer
        | Code::WrongPassword
        | Code::Muted
        | Code::NotOperator
        | Code::Removed
        | Code::AddressClosed
        | Code::AccountClosed => StatusCode::FORBIDDEN,
        Code::NotFound
        | Code::NotWaiting
        | Code::ChallengeClosed
        | Code::OfferClosed
        | Code::OpponentLeft
        | Code::NoSuchSession
        | Code::NoSuchToken
        | Code::UnknownPasskey
        | Code::NoSuchMatch
        | Code::NoSuchPlayer
        | Code::NoSuchTable
        | Code::NoSuchTournament
        | Code::NoSuchPuzzle
        | Code::BadLink
        | Code::MailOff
        | Code::NoSuchMessage => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::NameTaken
        | Code::AlreadyChallenging
        | Code::AlreadyPlaying
        | Code::ChallengeCooldown
        | Code::NotAccepted
        | Code::TermsChanged
        | Code::TooManyBotGames
        | Code::GuestsUnrated
        | Code::TooManyPasskeys
        | Code::PasskeysUnavailable
        | Code::NotAGuest
        | Code::TooManyTokens
        | Code::CannotBecomeBot
        | Code::TooManyGames
        | Code::UnbegunGames
        | Code::OnVacation
        | Code::NoVacationLeft
        | Code::NotSeated
        | Code::TableFull
        | Code::TooManyTables
        | Code::TablesFull
        | Code::PlayersFull
        | Code::MatchesFull
        | Code::LiveMatch
        | Code::InTournament
        | Code::TooManyTournaments
        | Code::AlreadyInTournament
        | Code::NotOpen
        | Code::NotQualified
        | Code::TournamentFull
        | Code::NoBye
        | Code::NoBerserk
        | Code::NotYourTurn
        | Code::Adjourned
        | Code::NotAdjourned
        | Code::TooEarly
        | Code::Finished
        | Code::NotBegun
        | Code::Begun
        | Code::OfferCooldown
        | Code::AbortCooldown
        | Code::NotFinished
        | Code::NotRated
        | Code::Annulled
        | Code::OfferOpen
        | Code::NothingToTakeBack
        | Code::Stale
        | Code::ClientIdReused
        | Code::BrokenRecord => StatusCode::CONFLICT,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
        Code::TooManyAttempts
        | Code::TooManyMessages
        | Code::TooManyChallenges
        | Code::TooManyStreams
        | Code::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::MatchSuspended | Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
