//! The filter of the players in the lobby: a rating range as a slider with two thumbs, and a part of a name. The server
//! renders it; `controller` and `rating_slider` update it in a browser.

use crate::ui::forms::fields::FieldValues;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;
use tochki_protocol::limits;

/// The ratings on the slider. A thumb at its end sets no limit; in the number fields any rating can be typed.
pub(crate) const RATING_RANGE: RangeInclusive<u16> = 600..=2600;

/// The rating step of an arrow key.
const RATING_STEP: u16 = 10;

/// The fields of the filter in the query string.
pub(crate) const FILTER_FIELDS: [&str; 3] = ["min", "max", "name"];

/// Returns whether a value is in the upper half, where the lower thumb is on top: at the upper end only it can still be moved.
pub(crate) fn in_upper_half(at: u16) -> bool {
    at > u16::midpoint(*RATING_RANGE.start(), *RATING_RANGE.end())
}

/// Returns the filter as a part of a query string, without empty fields.
pub(crate) fn query(values: FieldValues) -> String {
    let mut query = String::new();
    for field in FILTER_FIELDS {
        if let Some(text) = values(field).filter(|text| !text.trim().is_empty()) {
            query.push('&');
            query.push_str(field);
            query.push('=');
            query.push_str(&leptos_router::location::Url::escape(text.trim()));
        }
    }
    query
}

/// The head of the player list: title, filter button, filter panel.
///
/// The button submits the form, so that without scripts it leads to a static page with the panel open.
#[component]
pub(crate) fn FilterPanel(
    /// The values of the fields.
    values: ParamsMap,
    /// Whether the values are invalid.
    unreadable: bool,
    open: bool,
) -> impl IntoView {
    let language = language();
    let values = |field: &str| values.get(field).unwrap_or_default();
    let [min, max, name] = FILTER_FIELDS.map(values);
    let (lowest, highest) = (*RATING_RANGE.start(), *RATING_RANGE.end());
    let on_track = |text: &str, otherwise: u16| {
        let number = text.trim().parse::<f64>().unwrap_or(otherwise.into());
        number.clamp(lowest.into(), highest.into()) as u16
    };
    let (low, high) = (on_track(&min, lowest), on_track(&max, highest));
    let any = t!(language, filter.any);
    view! {
        <header class="card players-head">
            <h2 id="players-title">{t!(language, waiting.players)}</h2>
            <button
                type="submit"
                form="lobby-form"
                class="quiet"
                name="open"
                value=if open { "" } else { "filter" }
                aria-expanded=if open { "true" } else { "false" }
                aria-controls="filter"
            >
                {t!(language, filter.button)}
            </button>
            <p id="filter-note" role="alert" class="refusal">
                {unreadable.then(|| t!(language, filter.unreadable))}
            </p>
            <div id="filter" class="filter" class:unused=!open>
                <fieldset>
                    <legend>{t!(language, filter.rating)}</legend>
                    <div class="track">
                        <svg viewBox=format!("{lowest} 0 {} 1", highest - lowest) preserveAspectRatio="none" aria-hidden="true">
                            <rect id="between" x=low y="0" width=high.saturating_sub(low) height="1" />
                        </svg>
                        <SliderThumb id="low" label=t!(language, filter.lowest) at=low end=lowest any />
                        <SliderThumb id="high" label=t!(language, filter.highest) at=high end=highest any />
                    </div>
                    <span class="ends">
                        <RatingBound name="min" label=t!(language, filter.from) typed=min any />
                        <RatingBound name="max" label=t!(language, filter.to) typed=max any />
                    </span>
                </fieldset>
                <label class="part">
                    {t!(language, filter.name)}
                    <input
                        id="part"
                        type="search"
                        form="lobby-form"
                        name="name"
                        value=name
                        maxlength=limits::SEARCH_MAX_CHARS
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                    />
                </label>
                <div class="button-row">
                    <button type="submit" form="lobby-form">
                        {t!(language, filter.apply)}
                    </button>
                    <button type="submit" form="lobby-form" class="quiet" name="reset" value="yes">
                        {t!(language, filter.reset)}
                    </button>
                </div>
            </div>
        </header>
    }
}

/// A thumb of the slider. It has no name: the form sends the number field beside it.
#[component]
fn SliderThumb(
    id: &'static str,
    label: &'static str,
    at: u16,
    /// The end of the range at which the thumb sets no limit.
    end: u16,
    any: &'static str,
) -> impl IntoView {
    // In the upper half the lower thumb is on top; the upper one never has to be.
    let upper = end == *RATING_RANGE.start() && in_upper_half(at);
    view! {
        <input
            id=id
            type="range"
            class="thumb"
            class:upper=upper
            min=*RATING_RANGE.start()
            max=*RATING_RANGE.end()
            step=RATING_STEP
            value=at
            autocomplete="off"
            aria-label=label
            aria-valuetext=(at == end).then_some(any)
            data-any=any
        />
    }
}

/// An end of the rating range as a number field.
#[component]
fn RatingBound(
    name: &'static str,
    label: &'static str,
    typed: String,
    any: &'static str,
) -> impl IntoView {
    view! {
        <label class="length">
            {label}
            <input
                id=name
                type="number"
                form="lobby-form"
                name=name
                inputmode="numeric"
                value=typed
                placeholder=any
                autocomplete="off"
                aria-describedby="filter-note"
            />
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn what_is_empty_stays_out_of_the_address() {
        let values = |field: &str| {
            let text = match field {
                "min" => " 1400 ",
                "name" => "a&b=Ё",
                _ => "  ",
            };
            Some(text.to_owned())
        };
        assert_eq!(query(&values), "&min=1400&name=a%26b%3D%D0%81");
        assert_eq!(query(&|_| None), "");
    }
}
