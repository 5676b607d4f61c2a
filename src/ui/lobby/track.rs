//! The two thumbs on one track, in a browser: they move together with the numbers beside them and never cross.

use crate::ui::lobby::filter::{TRACK, in_upper_half};
use crate::ui::lobby::form::element;
use leptos::prelude::event_target;
use web_sys::HtmlInputElement;

/// A thumb is being moved, or something typed. What is no part of the range changes nothing here.
pub(crate) fn follow_thumbs(input: &leptos::ev::Event) {
    let changed: HtmlInputElement = event_target(input);
    let [Some(low), Some(high), Some(min), Some(max)] =
        ["low", "high", "min", "max"].map(element::<HtmlInputElement>)
    else {
        return;
    };
    let (lowest, highest) = (f64::from(*TRACK.start()), f64::from(*TRACK.end()));
    let at = HtmlInputElement::value_as_number;
    match changed.id().as_str() {
        "low" => {
            low.set_value_as_number(at(&low).min(at(&high)));
            min.set_value(&unless(at(&low) <= lowest, &low));
        }
        "high" => {
            high.set_value_as_number(at(&high).max(at(&low)));
            max.set_value(&unless(at(&high) >= highest, &high));
        }
        // What is no number is nothing, and `min` and `max` pass over it.
        "min" => low.set_value_as_number(at(&min).max(lowest).min(at(&high))),
        "max" => high.set_value_as_number(at(&max).min(highest).max(at(&low))),
        _ => return,
    }
    draw(&low, &high);
}

/// Empties the filter.
pub(crate) fn clear() {
    for name in ["min", "max", "part"] {
        if let Some(field) = element::<HtmlInputElement>(name) {
            field.set_value("");
        }
    }
    if let [Some(low), Some(high)] = ["low", "high"].map(element::<HtmlInputElement>) {
        low.set_value_as_number(f64::from(*TRACK.start()));
        high.set_value_as_number(f64::from(*TRACK.end()));
        draw(&low, &high);
    }
}

fn unless(at_end: bool, thumb: &HtmlInputElement) -> String {
    if at_end { String::new() } else { thumb.value() }
}

/// The line between the thumbs, what they say to a screen reader, and which of them lies on top.
fn draw(low: &HtmlInputElement, high: &HtmlInputElement) {
    let [from, to] = [low, high].map(|thumb| thumb.value_as_number() as u16);
    if let Some(between) = element::<web_sys::Element>("between") {
        let _ = between.set_attribute("x", &from.to_string());
        let _ = between.set_attribute("width", &to.saturating_sub(from).to_string());
    }
    for (thumb, at_end) in [(low, from == *TRACK.start()), (high, to == *TRACK.end())] {
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
