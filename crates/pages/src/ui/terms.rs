//! The terms of a match in words. This module stands above `games`, which names the game and its board.

use crate::ui::games;
use crate::ui::text::{Language, t};
use tochki_play::ClockRule;
use tochki_rules::Setup;

/// Describes game, board, time control and whether the match is rated, in one line.
pub(crate) fn describe_terms(
    language: Language,
    setup: Setup,
    clock: ClockRule,
    rated: bool,
) -> String {
    let setup = games::describe_setup(language, setup);
    let clock = time_control(language, clock);
    let rated = if rated {
        t!(language, choice.rated)
    } else {
        t!(language, choice.unrated)
    };
    format!("{setup} · {clock} · {rated}")
}

/// Describes a time control: base time and increment.
fn time_control(language: Language, clock: ClockRule) -> String {
    match clock {
        ClockRule::None => t!(language, choice.no_clock).to_owned(),
        ClockRule::Fischer { initial, increment } => {
            let (minutes, seconds) = (initial / 60, initial % 60);
            let initial = match (minutes, seconds) {
                (0, _) => t!(language, time.seconds, seconds = seconds),
                (_, 0) => t!(language, time.minutes, minutes = minutes),
                _ => t!(language, time.both, minutes = minutes, seconds = seconds),
            };
            t!(
                language,
                choice.clock,
                initial = initial,
                increment = increment
            )
        }
    }
}
