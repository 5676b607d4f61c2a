//! The time control of a choice: none, a preset, or custom.

use crate::ui::forms::fields::{FieldValues, InvalidFields, NumberField, RadioButton};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_play::ClockRule;
use tochki_protocol::ClockText;

/// The fields of the time control.
pub(crate) const FIELDS: [&str; 4] = ["clock", "minutes", "seconds", "increment"];

/// The presets: minutes, and increment in seconds.
const PRESETS: [(u32, u32); 3] = [(3, 2), (5, 5), (10, 10)];

/// The first choice: 5 minutes and 5 seconds.
const DEFAULT: ClockRule = ClockRule::Fischer {
    initial: 300,
    increment: 5,
};

/// Reads the fields.
pub(crate) fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<ClockRule> {
    let clock = match values("clock") {
        None => Some(DEFAULT),
        Some(own) if own == "own" => return read_own(values, invalid),
        Some(text) => ClockText(text).read().ok(),
    };
    if clock.is_none() {
        invalid.push("minutes");
    }
    clock
}

fn read_own(values: FieldValues, invalid: &mut InvalidFields) -> Option<ClockRule> {
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
    let seconds = number("seconds", &|_| true);
    let initial = |minutes: u32, seconds| minutes.saturating_mul(60).saturating_add(seconds);
    let minutes = number("minutes", &|minutes| {
        seconds.is_none_or(|seconds| ClockRule::INITIAL.contains(&initial(minutes, seconds)))
    });
    let increment = number("increment", &|increment| {
        ClockRule::INCREMENT.contains(&increment)
    });
    Some(ClockRule::Fischer {
        initial: initial(minutes?, seconds?),
        increment: increment?,
    })
}

/// Returns minutes, seconds and increment for the custom fields.
fn own(values: FieldValues) -> [String; 3] {
    match read(values, &mut InvalidFields::new()) {
        Some(ClockRule::Fischer { initial, increment }) => {
            [initial / 60, initial % 60, increment].map(|number| number.to_string())
        }
        Some(ClockRule::None) => ["5", "0", "5"].map(str::to_owned),
        None => ["minutes", "seconds", "increment"].map(|field| values(field).unwrap_or_default()),
    }
}

/// The inputs, with their current values.
#[component]
pub(crate) fn ClockFields(values: ParamsMap, invalid: InvalidFields) -> impl IntoView {
    let language = language();
    let values = |field: &str| values.get(field);
    let clock = read(&values, &mut InvalidFields::new());
    let preset = |(minutes, increment)| ClockRule::Fischer {
        initial: minutes * 60,
        increment,
    };
    let none = clock == Some(ClockRule::None);
    let is_offered = none || PRESETS.iter().any(|each| clock == Some(preset(*each)));
    let [minutes, seconds, increment] = own(&values);
    let longest = *ClockRule::INITIAL.end();
    view! {
        <fieldset>
            <legend>{t!(language, choice.clock_title)}</legend>
            <RadioButton name="clock" value="none" label=t!(language, choice.no_clock_option) checked=none />
            {PRESETS
                .map(|each| {
                    view! {
                        <RadioButton
                            name="clock"
                            value=preset(each).to_string()
                            label=format!("{} + {}", each.0, each.1)
                            checked=clock == Some(preset(each))
                        />
                    }
                })
                .collect_view()}
            <RadioButton name="clock" value="own" label=t!(language, choice.own_clock) checked=!is_offered />
            <span class="own">
                <NumberField
                    name="minutes"
                    label=t!(language, choice.minutes)
                    range=0..=longest / 60
                    value=minutes
                    invalid=invalid.contains(&"minutes")
                    note="clock-note"
                />
                <NumberField
                    name="seconds"
                    label=t!(language, choice.seconds)
                    range=0..=59
                    value=seconds
                    invalid=invalid.contains(&"seconds")
                    note="clock-note"
                />
                <NumberField
                    name="increment"
                    label=t!(language, choice.increment)
                    range=ClockRule::INCREMENT
                    value=increment
                    invalid=invalid.contains(&"increment")
                    note="clock-note"
                />
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
    }
}
