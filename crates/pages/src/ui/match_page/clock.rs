//! The clock of a player. The server's clock decides; the clock on the page predicts it.

use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::match_page::MatchController;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::{ClockReading, ClockRule, Millis};
use tochki_protocol::limits;
use tochki_rules::Seat;

const LOW_TIME: Millis = limits::in_millis(limits::LOW_TIME);

/// The clock of one side; `None` in a match without a time control.
#[component]
pub(crate) fn ClockView(
    controller: MatchController,
    seat: Seat,
    /// The signal that takes the low-time warning, for screen readers.
    warn: Option<RwSignal<String>>,
) -> impl IntoView {
    let language = language();
    let reading = Memo::new(move |_| controller.game.with(|game| game.confirmed().clock()));
    let shown = reading.get_untracked()?;
    let left = RwSignal::new(shown.left(seat, controller.rendered_at));
    let running = move || {
        reading
            .get()
            .is_some_and(|clock| clock.running == Some(seat))
    };
    effect(move || {
        let Some(clock) = reading.get() else { return };
        if clock.running != Some(seat) {
            left.set(clock.left[seat.index()]);
            return;
        }
        let warned = StoredValue::new(clock.left[seat.index()] < LOW_TIME);
        let update = move || {
            let Some(now) = controller.server_clock.now() else {
                return;
            };
            let remains = clock.left(seat, now);
            left.set(remains);
            if remains < LOW_TIME && !warned.get_value() && !is_night() {
                warned.set_value(true);
                if let Some(warn) = warn {
                    Sound::LowTime.play();
                    warn.set(t!(language, clocks.low).to_owned());
                }
            }
        };
        update();
        if let Ok(timer) = set_interval_with_handle(update, limits::CLOCK_TICK_INTERVAL) {
            on_cleanup(move || timer.clear());
        }
    });
    let rule = controller
        .game
        .with_untracked(|game| game.confirmed().terms().clock);
    let face = Memo::new(move |_| {
        let clock = reading.get().unwrap_or(shown);
        format_clock(language, clock, rule, seat, left.get())
    });
    let low = Memo::new(move |_| left.get() < LOW_TIME);
    Some(view! {
        <p class="clock" class:running=running class:low=low role="timer">
            <span class="hidden">{t!(language, clocks.left)} " "</span>
            {face}
        </p>
    })
}

/// Returns whether the flag of this match is held back until the morning, as the line beside the board says.
fn is_night() -> bool {
    document().get_element_by_id("night-line").is_some()
}

/// Formats the clock of a side that has `left` until its flag falls: the time that runs, and the bank or the periods after it.
pub(crate) fn format_clock(
    language: Language,
    clock: ClockReading,
    rule: ClockRule,
    seat: Seat,
    left: Millis,
) -> String {
    let parts = clock.parts(rule, seat, left);
    let hours = parts.first.0 / 3_600_000;
    if hours >= 24 {
        return t!(language, clocks.days, days = hours / 24, hours = hours % 24);
    }
    let mut face = format_time(parts.first);
    if let Some(bank) = parts.bank {
        face.extend([" + ", &format_time(bank)]);
    }
    if let Some(periods) = parts.periods {
        face.extend([" × ", &periods.to_string()]);
    }
    face
}

/// Formats a time on a clock: `1:02:03`, `4:05`, and when low `0:09.4`.
pub(crate) fn format_time(left: Millis) -> String {
    let low = left < LOW_TIME;
    let left = left.0.max(0);
    let (hours, minutes, seconds) = (left / 3_600_000, left / 60_000 % 60, left / 1000 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else if low {
        format!("{minutes}:{seconds:02}.{}", left / 100 % 10)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Millis, format_time};

    #[test]
    fn a_clock_shows_what_is_left() {
        for (left, shown) in [
            (10_800_000, "3:00:00"),
            (3_599_999, "59:59"),
            (300_000, "5:00"),
            (20_000, "0:20"),
            (19_999, "0:19.9"),
            (950, "0:00.9"),
            (-40, "0:00.0"),
        ] {
            assert_eq!(format_time(Millis(left)), shown);
        }
    }
}
