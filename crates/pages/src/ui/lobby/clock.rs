//! The time control of a choice: none, a preset, or custom.

use crate::ui::forms::fields::{FieldValues, InvalidFields, NumberField, RadioButton};
use crate::ui::terms::time_control;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;
use tochki_play::ClockRule;
use tochki_protocol::ClockText;

/// The fields of the time control.
pub(crate) const FIELDS: [&str; 13] = [
    "clock",
    "minutes",
    "seconds",
    "increment",
    "per_move",
    "bank",
    "main_time",
    "period",
    "periods",
    "days",
    "first_days",
    "added_hours",
    "most_days",
];

/// The presets: minutes, and increment in seconds.
const PRESETS: [(u32, u32); 3] = [(3, 2), (5, 5), (10, 10)];

/// The presets of live games with a bank or periods.
const LIVE_PRESETS: [ClockRule; 2] = [
    ClockRule::Bank {
        per_move: 25,
        bank: 300,
    },
    ClockRule::ByoYomi {
        initial: 600,
        period: 30,
        periods: 5,
    },
];

/// The presets of correspondence games.
pub(crate) const DAYS_PRESETS: [ClockRule; 4] = [
    ClockRule::DaysPerMove { days: 1 },
    ClockRule::DaysPerMove { days: 3 },
    ClockRule::DaysPerMove { days: 7 },
    ClockRule::FischerDays {
        initial: 3 * 24,
        increment: 24,
        cap: 7 * 24,
    },
];

/// The first choice: 5 minutes and 5 seconds.
const DEFAULT: ClockRule = ClockRule::Fischer {
    initial: 300,
    increment: 5,
};

/// The values that the fields of custom clocks begin with, in the order of [`FIELDS`].
const FIRST_VALUES: [u32; 12] = [5, 0, 5, 25, 5, 10, 30, 5, 3, 3, 24, 7];

/// The days of a clock of days.
const DAYS: RangeInclusive<u32> =
    *ClockRule::INITIAL_HOURS.start() / 24..=*ClockRule::INITIAL_HOURS.end() / 24;

/// Reads the fields.
pub(crate) fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<ClockRule> {
    let Some(text) = values("clock") else {
        return Some(DEFAULT);
    };
    if text.starts_with("own") {
        return read_own(&text, values, invalid);
    }
    let clock = ClockText(text).read().ok();
    if clock.is_none() {
        invalid.push("minutes");
    }
    clock
}

/// Reads a custom clock of this kind.
fn read_own(kind: &str, values: FieldValues, invalid: &mut InvalidFields) -> Option<ClockRule> {
    let mut number = |field, fits: &dyn Fn(u32) -> bool| {
        let text = values(field).unwrap_or_default();
        // An empty field counts as zero.
        let number = match text.trim() {
            "" => Some(0),
            digits => digits.parse().ok(),
        };
        let number = number.filter(|number| fits(*number));
        if number.is_none() {
            invalid.push(field);
        }
        number
    };
    let minutes_of = |seconds: RangeInclusive<u32>| 0..=seconds.end() / 60;
    match kind {
        "own_bank" => {
            let per_move = number("per_move", &|it| ClockRule::PER_MOVE.contains(&it));
            let bank = number("bank", &|it| minutes_of(ClockRule::BANK).contains(&it));
            Some(ClockRule::Bank {
                per_move: per_move?,
                bank: bank? * 60,
            })
        }
        "own_byo_yomi" => {
            let initial = number("main_time", &|it| minutes_of(ClockRule::BANK).contains(&it));
            let period = number("period", &|it| ClockRule::PERIOD.contains(&it));
            let periods = number("periods", &|it| ClockRule::PERIODS.contains(&it));
            Some(ClockRule::ByoYomi {
                initial: initial? * 60,
                period: period?,
                periods: periods?,
            })
        }
        "own_days" => number("days", &|it| ClockRule::DAYS_PER_MOVE.contains(&it))
            .map(|days| ClockRule::DaysPerMove { days }),
        "own_fischer_days" => {
            let initial = number("first_days", &|it| DAYS.contains(&it));
            let increment = number("added_hours", &|it| {
                ClockRule::INCREMENT_HOURS.contains(&it)
            });
            let cap = number("most_days", &|it| DAYS.contains(&it));
            Some(ClockRule::FischerDays {
                initial: initial? * 24,
                increment: increment?,
                cap: cap? * 24,
            })
        }
        _ => {
            let seconds = number("seconds", &|_| true);
            let initial =
                |minutes: u32, seconds| minutes.saturating_mul(60).saturating_add(seconds);
            let minutes = number("minutes", &|minutes| {
                seconds
                    .is_none_or(|seconds| ClockRule::INITIAL.contains(&initial(minutes, seconds)))
            });
            let increment = number("increment", &|it| ClockRule::INCREMENT.contains(&it));
            Some(ClockRule::Fischer {
                initial: initial(minutes?, seconds?),
                increment: increment?,
            })
        }
    }
}

/// Returns the texts of the custom fields, in the order of [`FIELDS`]: what was typed, else what the clock says.
fn own(values: FieldValues, clock: Option<ClockRule>) -> [String; 12] {
    let typed = values("clock").is_some_and(|text| text.starts_with("own"));
    let mut first = FIRST_VALUES;
    if let Some(ClockRule::Fischer { initial, increment }) = clock {
        first[..3].copy_from_slice(&[initial / 60, initial % 60, increment]);
    }
    std::array::from_fn(|at| {
        let text = values(FIELDS[at + 1]).filter(|_| typed);
        text.unwrap_or_else(|| first[at].to_string())
    })
}

/// The inputs, with their current values.
#[component]
pub(crate) fn ClockFields(values: ParamsMap, invalid: InvalidFields) -> impl IntoView {
    let language = language();
    let values = |field: &str| values.get(field);
    let clock = read(&values, &mut InvalidFields::new());
    let own_kind = values("clock").filter(|text| text.starts_with("own"));
    let preset = |(minutes, increment)| ClockRule::Fischer {
        initial: minutes * 60,
        increment,
    };
    let chosen = |rule| own_kind.is_none() && clock == Some(rule);
    let is_fischer = matches!(clock, None | Some(ClockRule::Fischer { .. }));
    let is_offered = PRESETS.iter().any(|each| chosen(preset(*each)));
    let own_fischer = match &own_kind {
        Some(kind) => kind == "own",
        None => is_fischer && !is_offered,
    };
    let is_own = |kind: &str| own_kind.as_deref() == Some(kind);
    let presets = |rules: &[ClockRule]| {
        let pace = rules.first().map(|rule| rule.pace());
        // A clock from an address, or of an opponent, that is none of the presets.
        let other = clock.filter(|rule| {
            let of_this = !is_fischer && *rule != ClockRule::None && Some(rule.pace()) == pace;
            of_this && own_kind.is_none() && !rules.contains(rule)
        });
        rules
            .iter()
            .copied()
            .chain(other)
            .map(|rule| {
                view! {
                    <RadioButton
                        name="clock"
                        value=rule.to_string()
                        label=time_control(language, rule)
                        checked=chosen(rule)
                    />
                }
            })
            .collect_view()
    };
    let longest = *ClockRule::INITIAL.end();
    let [
        minutes,
        seconds,
        increment,
        per_move,
        bank,
        main_time,
        period,
        periods,
        days,
        first_days,
        added_hours,
        most_days,
    ] = own(&values, clock);
    let number = |name, label, range, value, note| {
        view! { <NumberField name label range value invalid=invalid.contains(&name) note /> }
    };
    view! {
        <fieldset>
            <legend>{t!(language, choice.clock_title)}</legend>
            <RadioButton
                name="clock"
                value="none"
                label=t!(language, choice.no_clock_option)
                checked=chosen(ClockRule::None)
            />
            {PRESETS
                .map(|each| {
                    view! {
                        <RadioButton
                            name="clock"
                            value=preset(each).to_string()
                            label=format!("{} + {}", each.0, each.1)
                            checked=chosen(preset(each))
                        />
                    }
                })
                .collect_view()}
            <RadioButton name="clock" value="own" label=t!(language, choice.own_clock) checked=own_fischer />
            <span class="own">
                {number("minutes", t!(language, choice.minutes), 0..=longest / 60, minutes, "clock-note")}
                {number("seconds", t!(language, choice.seconds), 0..=59, seconds, "clock-note")}
                {number("increment", t!(language, choice.increment), ClockRule::INCREMENT, increment, "clock-note")}
                <span id="clock-note" class="note">
                    {t!(
                        language,
                        choice.clock_note,
                        shortest = *ClockRule::INITIAL.start(),
                        longest = longest / 60,
                        increment = *ClockRule::INCREMENT.end(),
                    )}
                </span>
            </span>
        </fieldset>
        <fieldset>
            <legend>{t!(language, paces.live_title)}</legend>
            {presets(&LIVE_PRESETS)}
            <RadioButton
                name="clock"
                value="own_bank"
                label=t!(language, paces.own_bank)
                checked=is_own("own_bank")
            />
            <span class="own">
                {number("per_move", t!(language, paces.per_move_field), ClockRule::PER_MOVE, per_move, "bank-note")}
                {number("bank", t!(language, paces.bank_field), 0..=longest / 60, bank, "bank-note")}
                <span id="bank-note" class="note">
                    {t!(
                        language,
                        paces.bank_note,
                        shortest = *ClockRule::PER_MOVE.start(),
                        longest = *ClockRule::PER_MOVE.end(),
                        bank = longest / 60,
                    )}
                </span>
            </span>
            <RadioButton
                name="clock"
                value="own_byo_yomi"
                label=t!(language, paces.own_byo_yomi)
                checked=is_own("own_byo_yomi")
            />
            <span class="own">
                {number("main_time", t!(language, choice.minutes), 0..=longest / 60, main_time, "byo-yomi-note")}
                {number("periods", t!(language, paces.periods_field), ClockRule::PERIODS, periods, "byo-yomi-note")}
                {number("period", t!(language, paces.period_field), ClockRule::PERIOD, period, "byo-yomi-note")}
                <span id="byo-yomi-note" class="note">
                    {t!(
                        language,
                        paces.byo_yomi_note,
                        minutes = longest / 60,
                        periods = *ClockRule::PERIODS.end(),
                        shortest = *ClockRule::PERIOD.start(),
                        longest = *ClockRule::PERIOD.end(),
                    )}
                </span>
            </span>
        </fieldset>
        <fieldset>
            <legend>{t!(language, paces.days_title)}</legend>
            {presets(&DAYS_PRESETS)}
            <RadioButton
                name="clock"
                value="own_days"
                label=t!(language, paces.own_days)
                checked=is_own("own_days")
            />
            <span class="own">
                {number("days", t!(language, paces.days_field), 1..=14, days, "days-note")}
                <span id="days-note" class="note">
                    {t!(language, paces.days_note)}
                </span>
            </span>
            <RadioButton
                name="clock"
                value="own_fischer_days"
                label=t!(language, paces.own_fischer)
                checked=is_own("own_fischer_days")
            />
            <span class="own">
                {number("first_days", t!(language, paces.first_field), DAYS, first_days, "fischer-note")}
                {number(
                    "added_hours",
                    t!(language, paces.added_field),
                    ClockRule::INCREMENT_HOURS,
                    added_hours,
                    "fischer-note",
                )}
                {number("most_days", t!(language, paces.most_field), DAYS, most_days, "fischer-note")}
                <span id="fischer-note" class="note">
                    {t!(
                        language,
                        paces.fischer_note,
                        days = *DAYS.end(),
                        shortest = *ClockRule::INCREMENT_HOURS.start(),
                        longest = *ClockRule::INCREMENT_HOURS.end(),
                    )}
                </span>
            </span>
        </fieldset>
    }
}
