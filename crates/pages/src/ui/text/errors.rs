//! Error messages for pages other than the match page, which does not load these texts.

use crate::error::ErrorResponse;
use crate::ui::text::words;
use crate::ui::text::{Language, t};
use tochki_protocol::Code;

/// The message of an error. Every code has one, here or in [`words::match_error`].
pub(crate) fn error_text(language: Language, error: &ErrorResponse) -> &'static str {
    match error.code {
        Code::InvalidName => t!(language, errors.invalid_name),
        Code::InvalidPassword => t!(language, errors.invalid_password),
        Code::UnknownGame => t!(language, errors.unknown_game),
        Code::InvalidFilter => t!(language, errors.invalid_filter),
        Code::InvalidPage => t!(language, errors.invalid_page),
        Code::SelfChallenge => t!(language, errors.self_challenge),
        Code::InvalidSetup => t!(language, errors.invalid_setup),
        Code::InvalidTableName => t!(language, errors.invalid_table_name),
        Code::InvalidConditions => t!(language, errors.invalid_conditions),
        Code::InvalidTournament
        | Code::NoSuchTournament
        | Code::InTournament
        | Code::TooManyTournaments
        | Code::AlreadyInTournament
        | Code::NotOpen
        | Code::NotQualified
        | Code::TournamentFull
        | Code::NoBye
        | Code::NoBerserk => of_tournament(language, error),
        Code::LiveMatch => t!(language, errors.live_match),
        Code::NotAdjourned => t!(language, adjourn.not_adjourned),
        Code::TooEarly => t!(language, adjourn.too_early),
        Code::TurnGoesOn => t!(language, adjourn.turn_goes_on),
        Code::InvalidClock => t!(language, errors.invalid_clock),
        Code::AddressClosed => t!(language, errors.address_closed),
        Code::AccountClosed => t!(language, errors.account_closed),
        Code::BadCredentials => t!(language, errors.bad_credentials),
        Code::WrongPassword => t!(language, errors.wrong_password),
        Code::NotWaiting => t!(language, errors.not_waiting),
        Code::NoSuchSession => t!(language, errors.no_such_session),
        Code::InvalidMail => t!(language, errors.invalid_mail),
        Code::BadLink => t!(language, errors.bad_link),
        Code::MailOff => t!(language, errors.mail_off),
        Code::NoSuchToken => t!(language, tokens.none_such),
        Code::TooManyTokens => t!(language, tokens.at_limit),
        Code::PasskeyRefused => t!(language, errors.passkey_refused),
        Code::UnknownPasskey => t!(language, errors.unknown_passkey),
        Code::TooManyPasskeys => t!(language, errors.too_many_passkeys),
        Code::PasskeysUnavailable => t!(language, errors.passkeys_unavailable),
        Code::NoSuchTable => t!(language, errors.no_such_table),
        Code::NameTaken => t!(language, errors.name_taken),
        Code::AlreadyChallenging => t!(language, errors.already_challenging),
        Code::ChallengeCooldown => t!(language, errors.asked_lately),
        Code::TooManyChallenges => t!(language, errors.challenged_enough),
        Code::TooManyBotGames => t!(language, errors.too_many_bot_games),
        Code::GuestsUnrated => t!(language, errors.guests_unrated),
        Code::NotAGuest => t!(language, errors.not_a_guest),
        Code::CannotBecomeBot => t!(language, bots.cannot),
        Code::NotSeated => t!(language, errors.not_seated),
        Code::TableFull => t!(language, errors.table_full),
        Code::TooManyTables => t!(language, errors.too_many_tables),
        Code::UnbegunGames => t!(language, errors.unbegun_games),
        Code::PlayersFull => t!(language, errors.players_full),
        Code::Removed => t!(language, errors.removed),
        Code::TablesFull => t!(language, errors.tables_full),
        Code::TooManyAttempts => t!(language, errors.too_many_attempts),
        Code::TooManyStreams => t!(language, errors.too_many_streams),
        Code::EmptyMessage => t!(language, chat.empty_message),
        Code::MessageTooLong => t!(language, chat.message_too_long),
        Code::OwnAccount => t!(language, chat.yourself),
        Code::Muted => t!(language, chat.muted_by_operator),
        Code::TooManyMessages => t!(language, chat.too_many_messages),
        Code::NoSuchMessage => t!(language, chat.no_such_message),
        Code::NoSuchPuzzle => t!(language, puzzles.none_such),
        Code::NoSuchPlayer => t!(language, chat.no_such_player),
        Code::NotRated => t!(language, operator.not_rated),
        Code::Annulled => t!(language, operator.annulled_already),
        Code::NotOperator => t!(language, operator.not_operator),
        Code::NotAccepted => t!(language, paces.not_accepted),
        Code::BadRequest
        | Code::Adjourned
        | Code::ChallengeClosed
        | Code::AbortCooldown
        | Code::MatchesFull
        | Code::OnVacation
        // The button that keeps a game has a text of its own.
        | Code::TooManyGames
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
        // The form of vacation has a text of its own.
        | Code::NoVacationLeft
        | Code::Internal
        | Code::Unavailable => words::match_error(language, error),
    }
}

/// The message of an error about tournaments. The server alone renders their forms.
#[cfg(feature = "ssr")]
fn of_tournament(language: Language, error: &ErrorResponse) -> &'static str {
    use tochki_protocol::EntryCondition;

    match error.code {
        Code::NoSuchTournament => t!(language, tournaments.none_such),
        Code::InTournament => t!(language, tournaments.not_in_game),
        Code::TooManyTournaments => t!(language, tournaments.at_limit),
        Code::AlreadyInTournament => t!(language, tournaments.already_in),
        Code::NotOpen => t!(language, tournaments.not_open),
        Code::NotQualified => match error.condition {
            None => t!(language, tournaments.not_qualified),
            Some(EntryCondition::MinRating) => t!(language, tournaments.rating_too_low),
            Some(EntryCondition::MaxRating) => t!(language, tournaments.rating_too_high),
            Some(EntryCondition::MinGames) => t!(language, tournaments.too_few_games),
            Some(EntryCondition::MinAgeDays) => t!(language, tournaments.too_new),
            Some(EntryCondition::Guests) => t!(language, tournaments.no_guests),
            Some(EntryCondition::Bots) => t!(language, tournaments.no_bots),
            Some(EntryCondition::People) => t!(language, tournaments.no_people),
            Some(EntryCondition::NoShows) => t!(language, tournaments.missed_games),
            Some(EntryCondition::Removed) => t!(language, tournaments.you_removed),
        },
        Code::TournamentFull => t!(language, tournaments.full),
        Code::NoBye => t!(language, tournaments.no_bye),
        Code::NoBerserk => t!(language, tournaments.no_berserk),
        _ => t!(language, tournaments.invalid),
    }
}

/// No island has such a form, so no page loads these texts.
#[cfg(not(feature = "ssr"))]
fn of_tournament(language: Language, _: &ErrorResponse) -> &'static str {
    t!(language, errors.bad_request)
}
