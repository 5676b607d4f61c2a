//! Codes and reasons in words, numbers as text. Every `match` is exhaustive, so that a new code needs a text.

use crate::error::ErrorResponse;
use crate::ui::text::names::display_name;
use crate::ui::text::side::{colour, has_score};
use crate::ui::text::{Isolated, Language, t};
use tochki_play::{MatchResult, Offer, OfferEnd, OfferKind, RatingChange, Reason};
use tochki_protocol::{
    Challenge, CloseReason, Code, PlayerCard, PlayerId, ResultCounts, shown_rating,
};
use tochki_rules::{GameKind, Illegal, Seat};

/// Returns the message of an error on the match page. The other codes are in [`errors`](super::errors).
pub(crate) fn match_error(language: Language, error: &ErrorResponse) -> &'static str {
    match error.code {
        // `games::malformed_move` has an example, where the game is known.
        Code::MalformedMove => t!(language, errors.illegal),
        Code::SignedOut => t!(language, errors.signed_out),
        Code::ForeignOrigin => t!(language, errors.foreign_origin),
        Code::NotYours => t!(language, errors.not_yours),
        Code::NotAPlayer => t!(language, errors.not_a_player),
        Code::TermsChanged => t!(language, errors.terms_changed),
        Code::OfferClosed => t!(language, errors.offer_closed),
        Code::OpponentLeft => t!(language, errors.opponent_left),
        Code::NoSuchMatch => t!(language, errors.no_such_match),
        Code::AlreadyPlaying => t!(language, errors.already_playing),
        Code::NotYourTurn => t!(language, errors.not_your_turn),
        Code::Finished => t!(language, errors.finished),
        Code::NotFinished => t!(language, errors.not_finished),
        Code::OfferOpen => t!(language, errors.offer_open),
        Code::NotBegun => t!(language, errors.not_begun),
        Code::Begun => t!(language, errors.begun),
        Code::OfferCooldown => t!(language, errors.offered_lately),
        Code::Adjourned => t!(language, adjourn.adjourned),
        Code::TooEarly => t!(language, errors.too_early),
        Code::ChallengeClosed => t!(language, errors.challenge_closed),
        Code::AbortCooldown => t!(language, errors.aborted_lately),
        Code::MatchesFull => t!(language, errors.matches_full),
        Code::TooManyGames => t!(language, paces.too_many_games),
        Code::OnVacation => t!(language, vacation.no_new_games),
        Code::NothingToTakeBack => t!(language, errors.nothing_to_take_back),
        Code::Stale => t!(language, errors.stale),
        Code::ClientIdReused => t!(language, errors.client_id_reused),
        Code::TooLarge => t!(language, errors.too_large),
        Code::TooManyRequests => t!(language, errors.too_many_requests),
        Code::BrokenRecord => t!(language, errors.broken_record),
        Code::Internal => t!(language, errors.internal),
        Code::MatchSuspended | Code::Unavailable => t!(language, errors.unavailable),
        Code::NotFound | Code::MethodNotAllowed => t!(language, errors.not_found),
        Code::Illegal => match error.reason {
            Some(reason) => illegal(language, reason),
            None => t!(language, errors.illegal),
        },
        _ => t!(language, errors.bad_request),
    }
}

/// Returns the reason why a move is illegal.
pub(crate) fn illegal(language: Language, reason: Illegal) -> &'static str {
    match reason {
        Illegal::OffBoard => t!(language, illegal.off_board),
        Illegal::Occupied => t!(language, illegal.occupied),
        Illegal::CapturedArea => t!(language, illegal.captured_area),
        Illegal::AlreadyDrawn => t!(language, illegal.already_drawn),
        Illegal::FlipsNothing => t!(language, illegal.flips_nothing),
    }
}

/// Describes the ending of a challenge, for `me`, who sent or received it.
///
/// An accepted challenge needs no text: the match follows. If a player is busy or has left, it is the other player, because the
/// reader is here.
pub(crate) fn ending(
    language: Language,
    challenge: &Challenge,
    why: CloseReason,
    me: PlayerId,
) -> Option<String> {
    let mine = challenge.from.id == me;
    let other = if mine { &challenge.to } else { &challenge.from };
    let name = &display_name(language, &other.name);
    Some(match (why, mine) {
        (CloseReason::Accepted, _) => return None,
        (CloseReason::Declined, true) => t!(language, closing.they_declined, name = name),
        (CloseReason::Declined, false) => t!(language, closing.you_declined, name = name),
        (CloseReason::Cancelled, true) => t!(language, closing.you_cancelled, name = name),
        (CloseReason::Cancelled, false) => t!(language, closing.they_cancelled, name = name),
        (CloseReason::Expired, true) => t!(language, closing.they_missed, name = name),
        (CloseReason::Expired, false) => t!(language, closing.you_missed, name = name),
        (CloseReason::Busy, _) => t!(language, closing.busy, name = name),
        (CloseReason::Left, _) => t!(language, closing.left, name = name),
        (CloseReason::TermsChanged, _) => t!(language, closing.terms_changed, name = name),
    })
}

/// Returns the button of an offer.
pub(crate) fn offer(language: Language, kind: OfferKind) -> &'static str {
    match kind {
        OfferKind::Draw => t!(language, offers.draw),
        OfferKind::Finish => t!(language, offers.finish),
        OfferKind::Takeback => t!(language, offers.takeback),
        OfferKind::Adjourn => t!(language, offers.adjourn),
    }
}

/// Describes an incoming offer.
pub(crate) fn offered(language: Language, offer: &Offer, name: &str) -> String {
    match offer.kind {
        OfferKind::Draw => t!(language, offers.asks_draw, name = name),
        OfferKind::Finish => t!(language, offers.asks_finish, name = name),
        OfferKind::Takeback => t!(language, offers.asks_takeback, name = name),
        OfferKind::Adjourn => match offer.resume_at.zip(offer.expires_at) {
            None => t!(language, offers.asks_adjourn, name = name),
            Some((at, expires_at)) => {
                // Whole hours from the offer, which is open for less than one.
                let hours = (at - expires_at).0 / 3_600_000 + 1;
                t!(
                    language,
                    offers.asks_adjourn_live,
                    name = name,
                    hours = hours
                )
            }
        },
    }
}

/// Describes the end of an offer, for the player who made it (`mine`) or the player who received it; `other` is the other
/// player's name.
///
/// `None` where a result follows.
pub(crate) fn offer_end(
    language: Language,
    kind: OfferKind,
    why: OfferEnd,
    mine: bool,
    other: &str,
) -> Option<String> {
    Some(match (why, mine) {
        (OfferEnd::Accepted, _) if kind == OfferKind::Takeback => {
            t!(language, offers.taken_back).to_owned()
        }
        (OfferEnd::Accepted | OfferEnd::Finished, _) => return None,
        (OfferEnd::Declined, true) => t!(language, offers.they_declined, name = other),
        (OfferEnd::Declined, false) => t!(language, offers.you_declined, name = other),
        (OfferEnd::Cancelled, true) => t!(language, offers.you_cancelled).to_owned(),
        (OfferEnd::Cancelled, false) => t!(language, offers.they_cancelled, name = other),
        (OfferEnd::Expired, true) => t!(language, offers.they_missed, name = other),
        (OfferEnd::Expired, false) => t!(language, offers.you_missed, name = other),
        (OfferEnd::Moved, _) => t!(language, offers.moved).to_owned(),
    })
}

/// Names the winner, for the reader.
pub(crate) fn headline(
    language: Language,
    result: &MatchResult,
    me: Option<Seat>,
    name: impl Fn(Seat) -> String,
) -> String {
    match (result.winner, me) {
        (None, _) if result.is_aborted() => t!(language, result.aborted).to_owned(),
        (None, _) => t!(language, result.draw).to_owned(),
        (Some(winner), Some(me)) if winner == me => t!(language, result.you_win).to_owned(),
        (Some(_), Some(_)) => t!(language, result.you_lose).to_owned(),
        (Some(winner), None) => t!(language, result.wins, name = name(winner)),
    }
}

/// Returns the reason why a match ended.
pub(crate) fn reason(
    language: Language,
    result: &MatchResult,
    name: impl Fn(Seat) -> String,
) -> String {
    let loser = || name(result.winner.map_or(Seat::First, Seat::other));
    match result.reason {
        Reason::BoardFull => t!(language, reasons.board_full).to_owned(),
        Reason::FiveInRow => t!(language, reasons.five_in_row).to_owned(),
        Reason::NoMoves => t!(language, reasons.no_moves).to_owned(),
        Reason::AllBoxes => t!(language, reasons.all_boxes).to_owned(),
        Reason::AgreedDraw => t!(language, reasons.agreed_draw).to_owned(),
        Reason::AgreedFinish => t!(language, reasons.agreed_finish).to_owned(),
        Reason::Resigned => t!(language, reasons.resigned, name = loser()),
        Reason::Time => t!(language, reasons.time, name = loser()),
        Reason::Absence => t!(language, reasons.absence, name = loser()),
        Reason::Forfeit => t!(language, reasons.forfeit, name = loser()),
        Reason::Aborted => match result.by {
            Some(by) => t!(language, reasons.aborted_by, name = name(by)),
            None => t!(language, reasons.aborted).to_owned(),
        },
    }
}

/// Returns the size of a board.
pub(crate) fn board(width: u8, height: u8) -> String {
    format!("{width} × {height}")
}

/// A place that a side has taken.
pub(crate) fn taken(language: Language, game: GameKind, place: &str, seat: Seat) -> String {
    t!(
        language,
        board.taken,
        place,
        side = colour(language, game, seat)
    )
}

/// Describes a pass: of the reader, or of a side with this name.
pub(crate) fn passed(language: Language, mine: bool, name: &str) -> String {
    if mine {
        t!(language, turn.you_passed).to_owned()
    } else {
        t!(language, turn.passed, name = name)
    }
}

/// Returns both sides of a game by their colours, each with its score or its time.
pub(crate) fn of_both(language: Language, game: GameKind, [red, blue]: [String; 2]) -> String {
    let [first, second] = Seat::BOTH.map(|seat| colour(language, game, seat));
    t!(language, board.score, first, red, second, blue)
}

/// A free place.
pub(crate) fn free(language: Language, place: &str) -> String {
    t!(language, board.free, place)
}

/// Returns the initials of two names, which boxes have; if they are the same or missing, those of the colours.
pub(crate) fn initials(language: Language, names: [&str; 2]) -> [char; 2] {
    let first = |names: [&str; 2]| names.map(|name| name.chars().find(|c| c.is_alphabetic()));
    match first(names) {
        [Some(red), Some(blue)] if red != blue => [red, blue],
        _ => Seat::BOTH.map(|seat| {
            colour(language, GameKind::Boxes, seat)
                .chars()
                .next()
                .unwrap_or(' ')
        }),
    }
}

/// Returns a number with one decimal.
pub(crate) fn decimal(language: Language, number: f32) -> String {
    let text = format!("{number:.1}").replace('-', "−");
    with_decimal_mark(language, &text)
}

/// Returns a number with the decimal mark of the language in the place of the point.
pub(crate) fn with_decimal_mark(language: Language, number: &str) -> String {
    number.replace('.', t!(language, language.decimal))
}

/// Returns a rating, rounded.
pub(crate) fn rating(rating: f64) -> String {
    (shown_rating(rating) as i64).to_string()
}

/// Returns a rating, rounded; with a question mark while it is of few rated games.
pub(crate) fn marked_rating(of: f64, provisional: bool) -> String {
    let mark = if provisional { "?" } else { "" };
    format!("{}{mark}", rating(of))
}

/// Returns the rating of a player in words. A guest has no rating, and is called a guest; a bot is called a bot, too.
pub(crate) fn rating_of(language: Language, player: &PlayerCard) -> String {
    let rating = marked_rating(player.rating, player.provisional);
    with_mark(language, player, rating)
}

/// Adds the mark of a guest in place of the rating, and that of a bot before it.
pub(crate) fn with_mark(language: Language, player: &PlayerCard, rating: String) -> String {
    match mark(language, player.guest, player.bot) {
        Some(mark) if player.guest => mark.to_owned(),
        Some(mark) => format!("{mark} · {rating}"),
        None => rating,
    }
}

/// Returns the mark of a guest or a bot. No guest is a bot.
pub(crate) fn mark(language: Language, guest: bool, bot: bool) -> Option<&'static str> {
    if bot {
        Some(t!(language, name.bot))
    } else {
        guest.then(|| t!(language, name.guest))
    }
}

/// Returns the name with the mark of a guest or a bot, where there is only text.
pub(crate) fn marked_name(language: Language, player: &PlayerCard) -> String {
    let name = Isolated(&display_name(language, &player.name)).to_string();
    match mark(language, player.guest, player.bot) {
        Some(mark) => format!("{name} ({mark})"),
        None => name,
    }
}

/// Returns won, drawn and lost matches: `12 / 3 / 7`.
pub(crate) fn results(results: ResultCounts) -> String {
    let ResultCounts { won, drawn, lost } = results;
    format!("{won} / {drawn} / {lost}")
}

/// Returns the difference of the ratings as they are shown, with its sign.
pub(crate) fn rating_change(change: RatingChange) -> String {
    match (shown_rating(change.after.0) - shown_rating(change.before.0)) as i64 {
        down @ ..0 => format!("−{}", -down),
        0 => "±0".to_owned(),
        up => format!("+{up}"),
    }
}

/// Returns a score; `None` in a game that has none.
pub(crate) fn score(game: GameKind, [red, blue]: [u32; 2]) -> Option<String> {
    has_score(game).then(|| format!("{red} : {blue}"))
}

/// Puts the score of a game before what else is said of it in one line.
pub(crate) fn after_score(game: GameKind, score: [u32; 2], text: String) -> String {
    match self::score(game, score) {
        Some(score) => format!("{score} · {text}"),
        None => text,
    }
}

/// Puts the score of a game after what else is said of it in one line.
pub(crate) fn before_score(game: GameKind, score: [u32; 2], text: String) -> String {
    match self::score(game, score) {
        Some(score) => format!("{text} · {score}"),
        None => text,
    }
}

/// Returns the score by colours, where the game has one, and whose turn it is: for screen readers.
pub(crate) fn score_and_turn(
    language: Language,
    game: GameKind,
    score: [u32; 2],
    turn: &str,
) -> String {
    let score =
        has_score(game).then(|| of_both(language, game, score.map(|side| side.to_string())));
    format!("{} {turn}.", score.unwrap_or_default())
        .trim_start()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::Rating;
    use tochki_rules::Position;

    #[test]
    fn a_decimal_is_written_as_in_its_language() {
        assert_eq!(decimal(Language::En, 3.46), "3.5");
        assert_eq!(decimal(Language::Ru, 3.46), "3,5");
        assert_eq!(decimal(Language::Ru, -12.0), "−12,0");
    }

    #[test]
    fn a_rating_changes_by_the_difference_of_what_is_shown() {
        let change = |before, after| {
            let provisional = false;
            let (before, after) = (Rating(before), Rating(after));
            rating_change(RatingChange {
                before,
                after,
                provisional,
            })
        };
        assert_eq!(change(1600.0, 1612.5), "+12");
        assert_eq!(change(1600.0, 1587.5), "−12");
        assert_eq!(
            (rating(1612.5), rating(1587.5)),
            ("1612".into(), "1588".into())
        );
        assert_eq!(change(1600.4, 1600.0), "±0");
        assert_eq!(change(2165.0, 2165.724), "+1");
    }

    #[test]
    fn only_a_game_of_points_shows_a_score() {
        for &game in GameKind::ALL {
            // In Gomoku the one point is the win.
            let is_of_points = game != GameKind::Gomoku;
            let mut position = Position::new(&game.default_setup());
            while let Some(&mv) = position.legal_moves().first() {
                position.play(mv).unwrap();
            }
            assert_ne!(position.score(), [0, 0], "{game}");
            let shown = score(game, position.score());
            let told = after_score(game, position.score(), "resigned".into());
            let spoken = score_and_turn(Language::En, game, position.score(), "Your move");
            let has_number = |text: &str| text.contains(|c: char| c.is_ascii_digit());
            assert_eq!(shown.is_some(), is_of_points, "{game}");
            assert_eq!(has_number(&told), is_of_points, "{told}");
            assert_eq!(has_number(&spoken), is_of_points, "{spoken}");
            assert!(spoken.ends_with("Your move."), "{spoken}");
            assert_eq!(spoken.trim(), spoken);
        }
    }

    #[test]
    fn guests_and_bots_are_called_so() {
        let text = |guest, bot| {
            let player = PlayerCard {
                id: PlayerId(1),
                name: "Ann".into(),
                rating: 1612.4,
                guest,
                provisional: true,
                bot,
            };
            rating_of(Language::En, &player)
        };
        assert_eq!(text(false, false), "1612?");
        assert_eq!(text(true, false), "guest");
        assert_eq!(text(false, true), "bot · 1612?");
    }
}
