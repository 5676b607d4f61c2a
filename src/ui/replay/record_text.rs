//! Texts about a record: the result, where it stops, why it could not be parsed.

use crate::ui::text::words;
use crate::ui::text::{Language, say};
use tochki_rules::record::{How, Stop, Unreadable, Verdict};
use tochki_rules::{MoveError, Seat};

/// The result of a recorded game.
pub(crate) fn result_text(
    language: Language,
    verdict: Verdict,
    name: impl Fn(Seat) -> String,
) -> String {
    let Verdict::Won { by, how } = verdict else {
        return say!(language, result.draw).to_owned();
    };
    let wins = say!(language, result.wins, name = name(by));
    let loser = name(by.other());
    let why = match how {
        How::Untold => return wins,
        How::Points(points) => say!(language, record.by_points, count = points),
        How::Resignation => say!(language, reasons.resigned, name = loser),
        How::Time => say!(language, reasons.time, name = loser),
        How::Forfeit => say!(language, record.forfeit).to_owned(),
    };
    format!("{wins}. {why}")
}

/// Why a record could not be played to its end.
pub(crate) fn stop_text(language: Language, stop: Stop) -> String {
    let why = match stop.why {
        MoveError::Malformed => say!(language, record.no_point),
        MoveError::Illegal(illegal) => words::illegal(language, illegal),
    };
    if stop.number == 0 {
        say!(language, record.stop_before, why = why)
    } else {
        say!(language, record.stop, number = stop.number, why = why)
    }
}

/// Why a text could not be parsed as a record.
pub(crate) fn parse_error_text(language: Language, why: Unreadable) -> String {
    match why {
        Unreadable::NotSgf => say!(language, record.not_sgf).to_owned(),
        Unreadable::Broken { line, column } => {
            say!(language, record.broken, line = line, column = column)
        }
        Unreadable::OtherGame => say!(language, record.other_game).to_owned(),
        Unreadable::BadSize => say!(language, record.bad_size).to_owned(),
    }
}
