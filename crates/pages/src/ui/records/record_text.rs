//! Texts about a record: the result, the move where it stops, the reason why it could not be parsed.

use crate::ui::text::words;
use crate::ui::text::{Language, t};
use tochki_rules::record::{
    DamagedPlace, GameResult, InvalidMove, OtherRules, SgfError, WinReason,
};
use tochki_rules::{MoveError, Seat};

/// Returns the result of a recorded game in words.
pub(crate) fn result_text(
    language: Language,
    result: GameResult,
    name: impl Fn(Seat) -> String,
) -> String {
    let GameResult::Won { by, how } = result else {
        return t!(language, result.draw).to_owned();
    };
    let wins = t!(language, result.wins, name = name(by));
    let loser = name(by.other());
    let why = match how {
        WinReason::Unknown => return wins,
        WinReason::Points(points) => {
            let count = words::with_decimal_mark(language, &points.to_string());
            t!(language, record.by_points, count)
        }
        WinReason::Resignation => t!(language, reasons.resigned, name = loser),
        WinReason::Time => t!(language, reasons.time, name = loser),
        WinReason::Forfeit => t!(language, record.forfeit).to_owned(),
    };
    format!("{wins}. {why}")
}

/// Describes the place where a text was no record.
pub(crate) fn damage_text(language: Language, damage: DamagedPlace) -> String {
    let DamagedPlace {
        line,
        column,
        is_end,
    } = damage;
    if is_end {
        t!(language, record.cut_off, line = line, column = column)
    } else {
        t!(language, record.damaged, line = line, column = column)
    }
}

/// Says that a game was played by other rules, and how that is known.
pub(crate) fn other_rules_text(language: Language, other: &OtherRules) -> String {
    let rules = other.named.join(", ");
    let mut told = if rules.is_empty() {
        t!(language, record.other_captures).to_owned()
    } else {
        t!(language, record.other_rules, rules = rules)
    };
    if let Some(number) = other.from_move {
        told.push(' ');
        told += &t!(language, record.other_from, number = number);
    }
    told.push(' ');
    told + t!(language, record.our_rules)
}

/// Returns the reason why a record could not be played to its end.
pub(crate) fn stop_text(language: Language, stop: InvalidMove) -> String {
    let why = match stop.why {
        MoveError::Malformed => t!(language, record.no_point),
        MoveError::Illegal(illegal) => words::illegal(language, illegal),
    };
    if stop.number == 0 {
        t!(language, record.stop_before, why = why)
    } else {
        t!(language, record.stop, number = stop.number, why = why)
    }
}

/// Returns the reason why a text could not be parsed as a record.
pub(crate) fn parse_error_text(language: Language, why: SgfError) -> String {
    match why {
        SgfError::NotSgf => t!(language, record.not_sgf).to_owned(),
        SgfError::Syntax { line, column } => {
            t!(language, record.broken, line = line, column = column)
        }
        SgfError::OtherGame => t!(language, record.other_game).to_owned(),
        SgfError::InvalidSize => t!(language, record.bad_size).to_owned(),
    }
}
