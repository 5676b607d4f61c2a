//! The moves of a game: a graph of the score, buttons and slider, and the list of moves.

use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::steps::{Step, Steps, score_graph};
use crate::ui::text::side;
use crate::ui::text::{Language, language, t, words};
use crate::ui::view::{live, view};
use crate::ui::widgets::markup_list;
use crate::ui::widgets::markup_list::MarkupItem;
use leptos::ev::{KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::html::Div;
use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::{Move, Seat, Setup};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The list of all moves with their sides and the points they won. Without scripts, links and buttons lead to the same page at
/// another move: `?ply=12`, and `?ply=12&step=on` from there.
#[component]
pub(crate) fn MoveList(
    steps: Steps,
    /// Whether the last move is pending.
    sending: Signal<bool>,
    /// The method of the form without scripts: `get`, or `post` where the URL does not identify the game.
    #[prop(default = "get")]
    method: &'static str,
) -> impl IntoView {
    let language = language();
    let setup = untrack(|| steps.game.with(|game| game.position.setup()));
    let scores = Memo::new(move |_| steps.scores());
    let drawn = move || {
        scores.with(|scores| {
            let last = scores.last().copied().unwrap_or_default();
            words::score(setup.kind(), last)
                .map(|score| score_graph(scores, &t!(language, steps.graph, score)))
                .unwrap_or_default()
        })
    };
    let chunks = move || {
        let plies = steps.plies();
        scores.with(|scores| {
            let entry = |(number, ply): (usize, &Ply)| {
                Entry::of(language, setup, number + 1, *ply, scores.get(number..)?)
            };
            let entries: Vec<Entry> = plies.iter().enumerate().filter_map(entry).collect();
            entries
                .chunks(CHUNK_LEN)
                .map(|entries| Chunk(entries.to_vec()))
                .collect::<Vec<_>>()
        })
    };
    let list = NodeRef::<Div>::new();
    markup_list::sync_children(list, chunks);
    // The current move is marked by an attribute, so that a step changes two entries and renders none again.
    let mut before = None;
    effect(move || {
        scores.track();
        let ply = steps.ply();
        if let Some(list) = list.get_untracked() {
            if let Some(before) = before {
                set_current(&list, before, false);
            }
            if let Some(entry) = set_current(&list, ply, true)
                && before != Some(ply)
                && steps.in_past()
            {
                scroll_into_view(&entry);
            }
        }
        before = Some(ply);
    });

    let submit = move |submit: SubmitEvent| {
        submit.prevent_default();
        let pressed = submit.submitter();
        let value = pressed.and_then(|button| button.get_attribute("value"));
        if let Some(step) = value.and_then(|value| Step::parse(&value)) {
            steps.step(step);
        }
    };
    let slide = move |slid: leptos::ev::Event| {
        if let Ok(ply) = event_target_value(&slid).parse() {
            steps.jump(ply);
        }
    };
    let choose = move |click: MouseEvent| {
        if let Some(ply) = clicked_ply(&click) {
            click.prevent_default();
            steps.jump(ply);
        }
    };
    let press = move |key: KeyboardEvent| steps.on_key(&key);
    let buttons = Step::ALL.map(|step| {
        let (sign, name) = step_label(language, step);
        let disabled = move || step.from(steps.ply(), steps.last()) == steps.ply();
        view! {
            <button
                type="submit"
                class="quiet"
                name="step"
                value=step.as_str()
                aria-label=name
                title=name
                aria-disabled=move || disabled().then_some("true")
                on:keydown=press
            >
                {sign}
            </button>
        }
    });
    let none = move || steps.last() == 0;
    view! {
        <section class="card moves">
            <h2 id="moves">{t!(language, table.moves)}</h2>
            <p class="empty" class:unused=move || !none()>
                {t!(language, table.no_moves)}
            </p>
            <form id="steps" class="steps" method=method class:unused=none on:submit=submit>
                <div class="timeline">
                    <div inner_html=drawn></div>
                    <input
                        type="range"
                        name="ply"
                        min="0"
                        max=move || steps.last()
                        value=untrack(|| steps.ply())
                        prop:value=move || steps.ply() as f64
                        aria-label=t!(language, steps.slider)
                        aria-valuetext=move || steps.position_text(language)
                        on:input=slide
                    />
                </div>
                <div class="step-buttons">{buttons}</div>
                <noscript inner_html=go_button(language)></noscript>
            </form>
            // It scrolls by keyboard, so it is focusable and has a name.
            <div class="moves-box" {..live()} tabindex="0" role="region" aria-labelledby="moves" on:keydown=press>
                <div
                    class="parts"
                    class:sending=sending
                    node_ref=list
                    inner_html=markup_list::render(&untrack(chunks))
                    on:click=choose
                ></div>
            </div>
        </section>
    }
}

/// The number of moves in a chunk: few, because the last chunk is rendered again with each move, and a multiple of two,
/// three and four, the numbers of columns.
const CHUNK_LEN: usize = 12;

/// A chunk of the list. A move changes only the last one, and a browser lays out only the visible ones.
#[derive(PartialEq)]
struct Chunk(Vec<Entry>);

impl MarkupItem for Chunk {
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
    setup: Setup,
    number: usize,
    seat: Seat,
    mv: Move,
    /// The points that the move won for its side; negative if the other side won them, as by a dot placed in an empty base.
    points: i64,
}

impl Entry {
    /// Returns the move with this number; `scores` begins with the score before it.
    fn of(
        language: Language,
        setup: Setup,
        number: usize,
        ply: Ply,
        scores: &[[u32; 2]],
    ) -> Option<Self> {
        let &[before, after, ..] = scores else {
            return None;
        };
        let gain = |seat: Seat| i64::from(after[seat.index()]) - i64::from(before[seat.index()]);
        let (own, other) = (gain(ply.seat), gain(ply.seat.other()));
        Some(Self {
            language,
            setup,
            number,
            seat: ply.seat,
            mv: ply.mv,
            points: if own > 0 { own } else { -other.max(0) },
        })
    }
}

impl Entry {
    /// Returns the markup of the entry. Its link is no tab stop: there may be a thousand.
    fn markup(&self) -> String {
        let (number, mv) = (self.number, games::move_text(self.setup, self.mv));
        let (side, colour) = (
            side::class(self.seat),
            side::colour(self.language, self.setup.kind(), self.seat),
        );
        let won = match self.points {
            0 => String::new(),
            lost @ ..0 => format!(" <b>−{}</b>", -lost),
            won => format!(" <b>+{won}</b>"),
        };
        format!(
            r#"<li class="{side}"><a href="?ply={number}" tabindex="-1"><span class="hidden">{colour} </span>{mv}{won}</a></li>"#
        )
    }
}

/// Returns the symbol on a button, and its accessible name.
pub(crate) fn step_label(language: Language, step: Step) -> (&'static str, &'static str) {
    match step {
        Step::First => ("«", t!(language, steps.first)),
        Step::Back => ("‹", t!(language, steps.back)),
        Step::Forward => ("›", t!(language, steps.on)),
        Step::Last => ("»", t!(language, steps.last)),
    }
}

/// Returns the submit button that the slider needs without scripts.
fn go_button(language: Language) -> String {
    format!(
        r#"<button type="submit" class="quiet">{}</button>"#,
        t!(language, steps.go)
    )
}

/// Marks the entry of a ply as the current one, or no longer. Ply 0 has none.
fn set_current(list: &Element, ply: usize, present: bool) -> Option<Element> {
    let place = ply.checked_sub(1)?;
    let part = list.children().item((place / CHUNK_LEN) as u32)?;
    let entry = part.children().item((place % CHUNK_LEN) as u32)?;
    let link = entry.first_element_child()?;
    let _ = if present {
        link.set_attribute("aria-current", "step")
    } else {
        link.remove_attribute("aria-current")
    };
    Some(entry)
}

/// Scrolls only the box of the list until the entry is visible.
pub(crate) fn scroll_into_view(entry: &Element) {
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

/// Returns the ply of a clicked entry; `None` if it is to be opened in another tab or window.
fn clicked_ply(click: &MouseEvent) -> Option<usize> {
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
