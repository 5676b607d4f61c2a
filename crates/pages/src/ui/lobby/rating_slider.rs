//! The rating slider in a browser: its two thumbs and their number fields change together, and the thumbs never cross.

use crate::ui::lobby::filter::{RATING_RANGE, in_upper_half};
use crate::ui::lobby::form_dom::element;
use leptos::prelude::event_target;
use web_sys::HtmlInputElement;

/// Handles `input` events. Other fields change nothing here.
pub(crate) fn sync_rating_slider(input: &leptos::ev::Event) {
    let changed: HtmlInputElement = event_target(input);
    let [Some(low), Some(high), Some(min), Some(max)] =
        ["low", "high", "min", "max"].map(element::<HtmlInputElement>)
    else {
        return;
    };
    let (lowest, highest) = (
        f64::from(*RATING_RANGE.start()),
        f64::from(*RATING_RANGE.end()),
    );
    let at = HtmlInputElement::value_as_number;
    match changed.id().as_str() {
        "low" => {
            low.set_value_as_number(at(&low).min(at(&high)));
            min.set_value(&value_unless(at(&low) <= lowest, &low));
        }
        "high" => {
            high.set_value_as_number(at(&high).max(at(&low)));
            max.set_value(&value_unless(at(&high) >= highest, &high));
        }
        // An empty field is NaN, which `min` and `max` ignore.
        "min" => low.set_value_as_number(at(&min).max(lowest).min(at(&high))),
        "max" => high.set_value_as_number(at(&max).min(highest).max(at(&low))),
        _ => return,
    }
    draw_slider(&low, &high);
}

/// Empties the filter.
pub(crate) fn reset_filter() {
    for name in ["min", "max", "part"] {
        if let Some(field) = element::<HtmlInputElement>(name) {
            field.set_value("");
        }
    }
    if let [Some(low), Some(high)] = ["low", "high"].map(element::<HtmlInputElement>) {
        low.set_value_as_number(f64::from(*RATING_RANGE.start()));
        high.set_value_as_number(f64::from(*RATING_RANGE.end()));
        draw_slider(&low, &high);
    }
}

fn value_unless(at_end: bool, thumb: &HtmlInputElement) -> String {
    if at_end { String::new() } else { thumb.value() }
}

/// Updates the line between the thumbs, their ARIA texts, and which of them is on top.
fn draw_slider(low: &HtmlInputElement, high: &HtmlInputElement) {
    let [from, to] = [low, high].map(|thumb| thumb.value_as_number() as u16);
    if let Some(between) = element::<web_sys::Element>("between") {
        let _ = between.set_attribute("x", &from.to_string());
        let _ = between.set_attribute("width", &to.saturating_sub(from).to_string());
    }
    for (thumb, at_end) in [
        (low, from == *RATING_RANGE.start()),
        (high, to == *RATING_RANGE.end()),
    ] {
        let _ = match thumb.get_attribute("data-any").filter(|_| at_end) {
            Some(any) => thumb.set_attribute("aria-valuetext", &any),
            None => thumb.remove_attribute("aria-valuetext"),
        };
    }
    low.set_class_name(if in_upper_half(from) {
        "thumb upper"
    } else {
        "thumb"
    });
}
