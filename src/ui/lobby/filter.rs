//! The filter over the players who wait: two thumbs on one track, a part of a name. The server draws it; what a browser
//! does with it is in `wishes` and `track`.

use crate::ui::forms::fields::FieldValues;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;

/// The ratings on the track. A thumb at its end asks for nothing; in the fields any number can be typed.
pub(crate) const TRACK: RangeInclusive<u16> = 600..=2600;

/// How far an arrow key moves a thumb.
const STEP: u16 = 10;

/// The fields of the filter in an address.
pub(crate) const FIELDS: [&str; 3] = ["min", "max", "name"];

/// Where both thumbs are near the upper end, only the lower one can still be moved, and so it lies on top.
pub(crate) fn in_upper_half(at: u16) -> bool {
    at > u16::midpoint(*TRACK.start(), *TRACK.end())
}

/// The filter as an address carries it: what is empty stays out.
pub(crate) fn query(said: FieldValues) -> String {
    let mut query = String::new();
    for field in FIELDS {
        if let Some(text) = said(field).filter(|text| !text.trim().is_empty()) {
            query.push('&');
            query.push_str(field);
            query.push('=');
            query.push_str(&leptos_router::location::Url::escape(text.trim()));
        }
    }
    query
}

/// The head of the list of players: its title, the button, and the panel that it opens.
///
/// The button sends the form, so that without scripts it leads to a page that stands still with the panel open.
#[component]
pub(crate) fn FilterPanel(
    /// What has been filled in.
    said: ParamsMap,
    /// Whether that makes no sense.
    unreadable: bool,
    open: bool,
) -> impl IntoView {
    let language = language();
    let said = |field: &str| said.get(field).unwrap_or_default();
    let [min, max, name] = FIELDS.map(said);
    let (lowest, highest) = (*TRACK.start(), *TRACK.end());
    let on_track = |text: &str, otherwise: u16| {
        let number = text.trim().parse::<f64>().unwrap_or(otherwise.into());
        number.clamp(lowest.into(), highest.into()) as u16
    };
    let (low, high) = (on_track(&min, lowest), on_track(&max, highest));
    let any = say!(language, filter.any);
    view! {
        <header class="card players-head">
            <h2 id="players-title">{say!(language, waiting.players)}</h2>
            <button
                type="submit"
                form="wishes"
                class="quiet"
                name="open"
                value=if open { "" } else { "filter" }
                aria-expanded=if open { "true" } else { "false" }
                aria-controls="filter"
            >
                {say!(language, filter.button)}
            </button>
            <p id="filter-note" role="alert" class="refusal">
                {unreadable.then(|| say!(language, filter.unreadable))}
            </p>
            <div id="filter" class="filter" class:unused=!open>
                <fieldset>
                    <legend>{say!(language, filter.rating)}</legend>
                    <div class="track">
                        <svg viewBox=format!("{lowest} 0 {} 1", highest - lowest) preserveAspectRatio="none" aria-hidden="true">
                            <rect id="between" x=low y="0" width=high.saturating_sub(low) height="1" />
                        </svg>
                        <Thumb id="low" label=say!(language, filter.lowest) at=low end=lowest any />
                        <Thumb id="high" label=say!(language, filter.highest) at=high end=highest any />
                    </div>
                    <span class="ends">
                        <End name="min" label=say!(language, filter.from) typed=min any />
                        <End name="max" label=say!(language, filter.to) typed=max any />
                    </span>
                </fieldset>
                <label class="part">
                    {say!(language, filter.name)}
                    <input
                        id="part"
                        type="search"
                        form="wishes"
                        name="name"
                        value=name
                        maxlength="40"
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                    />
                </label>
                <div class="ways">
                    <button type="submit" form="wishes">
                        {say!(language, filter.apply)}
                    </button>
                    <button type="submit" form="wishes" class="quiet" name="reset" value="yes">
                        {say!(language, filter.reset)}
                    </button>
                </div>
            </div>
        </header>
    }
}

/// One of the two thumbs. It has no name, because the field beside it is what counts.
#[component]
fn Thumb(
    id: &'static str,
    label: &'static str,
    at: u16,
    /// Where it asks for nothing.
    end: u16,
    any: &'static str,
) -> impl IntoView {
    // In the upper half the lower thumb lies on top; the upper one never has to.
    let upper = end == *TRACK.start() && in_upper_half(at);
    view! {
        <input
            id=id
            type="range"
            class="thumb"
            class:upper=upper
            min=*TRACK.start()
            max=*TRACK.end()
            step=STEP
            value=at
            autocomplete="off"
            aria-label=label
            aria-valuetext=(at == end).then_some(any)
            data-any=any
        />
    }
}

/// One end of the range as a number.
#[component]
fn End(name: &'static str, label: &'static str, typed: String, any: &'static str) -> impl IntoView {
    view! {
        <label class="length">
            {label}
            <input
                id=name
                type="number"
                form="wishes"
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
        let said = |field: &str| {
            let text = match field {
                "min" => " 1400 ",
                "name" => "a&b=Ё",
                _ => "  ",
            };
            Some(text.to_owned())
        };
        assert_eq!(query(&said), "&min=1400&name=a%26b%3D%D0%81");
        assert_eq!(query(&|_| None), "");
    }
}
