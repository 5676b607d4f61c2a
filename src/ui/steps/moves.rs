//! The course of a game: a graph of its score, the ways through it, and the list of its moves.

use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::steps::graph::graph;
use crate::ui::steps::{Step, Steps};
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use crate::ui::widgets::pieces;
use crate::ui::widgets::pieces::Piece;
use leptos::ev::{KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::html::Div;
use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::{Move, Seat};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Every move with its side and what it won. Without scripts its links and buttons lead to the same page at another
/// move: `?ply=12`, and `?ply=12&step=on` from there.
#[component]
pub(crate) fn Moves(
    steps: Steps,
    /// Whether the last move is still on its way to the server.
    sending: Signal<bool>,
    /// How a form without scripts is sent: `get`, or `post` where the address alone does not know the game.
    #[prop(default = "get")]
    method: &'static str,
) -> impl IntoView {
    let language = language();
    let scores = Memo::new(move |_| steps.scores());
    let drawn = move || {
        scores.with(|scores| {
            let [red, blue] = scores.last().copied().unwrap_or_default();
            let label = say!(language, steps.graph, red = red, blue = blue);
            graph(scores, &label)
        })
    };
    let parts = move || {
        let plies = steps.plies();
        scores.with(|scores| {
            let entry = |(number, ply): (usize, &Ply)| {
                Entry::of(language, number + 1, *ply, scores.get(number..)?)
            };
            let entries: Vec<Entry> = plies.iter().enumerate().filter_map(entry).collect();
            entries
                .chunks(PART)
                .map(|entries| Part(entries.to_vec()))
                .collect::<Vec<_>>()
        })
    };
    let list = NodeRef::<Div>::new();
    pieces::keep(list, parts);
    // The present place is an attribute that wanders, so that a step changes two entries and draws none anew.
    let mut before = None;
    effect(move || {
        scores.track();
        let ply = steps.ply();
        if let Some(list) = list.get_untracked() {
            if let Some(before) = before {
                mark(&list, before, false);
            }
            if let Some(entry) = mark(&list, ply, true)
                && before != Some(ply)
                && steps.in_past()
            {
                bring_into_sight(&entry);
            }
        }
        before = Some(ply);
    });

    let submit = move |submit: SubmitEvent| {
        submit.prevent_default();
        let pressed = submit.submitter();
        let word = pressed.and_then(|button| button.get_attribute("value"));
        if let Some(step) = word.and_then(|word| Step::read(&word)) {
            steps.take(step);
        }
    };
    let slide = move |slid: leptos::ev::Event| {
        if let Ok(ply) = event_target_value(&slid).parse() {
            steps.go(ply);
        }
    };
    let choose = move |click: MouseEvent| {
        if let Some(ply) = chosen(&click) {
            click.prevent_default();
            steps.go(ply);
        }
    };
    let press = move |key: KeyboardEvent| steps.press(&key);
    let buttons = Step::ALL.map(|step| {
        let (sign, name) = label(language, step);
        let useless = move || step.from(steps.ply(), steps.last()) == steps.ply();
        view! {
            <button
                type="submit"
                class="quiet"
                name="step"
                value=step.word()
                aria-label=name
                title=name
                aria-disabled=move || useless().then_some("true")
                on:keydown=press
            >
                {sign}
            </button>
        }
    });
    let none = move || steps.last() == 0;
    view! {
        <section class="card moves">
            <h2 id="moves">{say!(language, table.moves)}</h2>
            <p class="empty" class:unused=move || !none()>
                {say!(language, table.no_moves)}
            </p>
            <form id="steps" class="steps" method=method class:unused=none on:submit=submit>
                <div class="course">
                    <div inner_html=drawn></div>
                    <input
                        type="range"
                        name="ply"
                        min="0"
                        max=move || steps.last()
                        value=untrack(|| steps.ply())
                        prop:value=move || steps.ply() as f64
                        aria-label=say!(language, steps.slider)
                        aria-valuetext=move || steps.whereabouts(language)
                        on:input=slide
                    />
                </div>
                <div class="stride">{buttons}</div>
                <noscript inner_html=go(language)></noscript>
            </form>
            // Scrolled by the keyboard too, so it can be focused and has a name.
            <div class="moves-box" tabindex="0" role="region" aria-labelledby="moves" on:keydown=press>
                <div
                    class="parts"
                    class:sending=sending
                    node_ref=list
                    inner_html=pieces::drawn(&untrack(parts))
                    on:click=choose
                ></div>
            </div>
        </section>
    }
}

/// How many moves a part of the list has: few, because the last part is drawn anew with each move, and as many as fill its
/// last row, whether there are two, three or four in a row.
const PART: usize = 12;

/// A part of the list. A move changes only the last one, and of a thousand moves a browser draws only the parts in sight.
#[derive(PartialEq)]
struct Part(Vec<Entry>);

impl Piece for Part {
    fn markup(&self) -> String {
        let first = self.0.first().map_or(1, |entry| entry.number);
        let entries: String = self.0.iter().map(Entry::markup).collect();
        format!(r#"<ol class="part" start="{first}">{entries}</ol>"#)
    }
}

/// A move in the list.
#[derive(Clone, Copy, PartialEq)]
struct Entry {
    language: Language,
    number: usize,
    seat: Seat,
    mv: Move,
    /// The points it brought its side, or the other: with a minus, as when a dot is placed in a house.
    won: i64,
}

impl Entry {
    /// The move of this number, with the scores before it, after it, and so on.
    fn of(language: Language, number: usize, ply: Ply, scores: &[[u32; 2]]) -> Option<Self> {
        let &[before, after, ..] = scores else {
            return None;
        };
        let gain = |seat: Seat| i64::from(after[seat.index()]) - i64::from(before[seat.index()]);
        let (own, other) = (gain(ply.seat), gain(ply.seat.other()));
        Some(Self {
            language,
            number,
            seat: ply.seat,
            mv: ply.mv,
            won: if own > 0 { own } else { -other.max(0) },
        })
    }
}

impl Entry {
    /// Its link is no tab stop: a thousand of them would be a thousand presses.
    fn markup(&self) -> String {
        let (number, mv) = (self.number, games::written(self.mv));
        let (side, colour) = (
            words::side(self.seat),
            words::colour(self.language, self.seat),
        );
        let won = match self.won {
            0 => String::new(),
            lost @ ..0 => format!(" <b>−{}</b>", -lost),
            won => format!(" <b>+{won}</b>"),
        };
        format!(
            r#"<li class="{side}"><a href="?ply={number}" tabindex="-1"><span class="hidden">{colour} </span>{mv}{won}</a></li>"#
        )
    }
}

/// The sign on a step's button, and its name.
fn label(language: Language, step: Step) -> (&'static str, &'static str) {
    match step {
        Step::First => ("«", say!(language, steps.first)),
        Step::Back => ("‹", say!(language, steps.back)),
        Step::On => ("›", say!(language, steps.on)),
        Step::Last => ("»", say!(language, steps.last)),
    }
}

/// Without scripts the slider needs a button that sends it.
fn go(language: Language) -> String {
    format!(
        r#"<button type="submit" class="quiet">{}</button>"#,
        say!(language, steps.go)
    )
}

/// Marks the entry of this move as the present place, or no longer. Before the first move there is none.
fn mark(list: &Element, ply: usize, present: bool) -> Option<Element> {
    let place = ply.checked_sub(1)?;
    let part = list.children().item((place / PART) as u32)?;
    let entry = part.children().item((place % PART) as u32)?;
    let link = entry.first_element_child()?;
    let _ = if present {
        link.set_attribute("aria-current", "step")
    } else {
        link.remove_attribute("aria-current")
    };
    Some(entry)
}

/// Scrolls the box of the list, and nothing round it, until the entry can be seen.
fn bring_into_sight(entry: &Element) {
    let Some(frame) = entry.closest(".moves-box").ok().flatten() else {
        return;
    };
    let (it, around) = (
        entry.get_bounding_client_rect(),
        frame.get_bounding_client_rect(),
    );
    let over = (it.top() - around.top()).min(0.0);
    let under = (it.bottom() - around.bottom()).max(0.0);
    frame.set_scroll_top(frame.scroll_top() + (over + under) as i32);
}

/// The move whose entry was clicked; not if it is to be opened somewhere else.
fn chosen(click: &MouseEvent) -> Option<usize> {
    if click.ctrl_key() || click.meta_key() || click.shift_key() {
        return None;
    }
    let clicked = click.target()?.unchecked_into::<Element>();
    let link = clicked.closest("a").ok().flatten()?;
    link.get_attribute("href")?
        .strip_prefix("?ply=")?
        .parse()
        .ok()
}
