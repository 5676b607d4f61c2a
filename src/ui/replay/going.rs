//! The island of a replay: it goes through a game in the browser, without asking the server again.

use crate::ui::board::Board;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::replay::course::read;
use crate::ui::steps::{Moves, Steps};
use crate::ui::text::language;
use crate::ui::text::words;
use leptos::prelude::*;
use tochki_rules::{Seat, Setup};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The setup; the moves, as `Course` writes them, and how many of them stood there before the first; the move to be
/// shown, if it is not the last; name and rating of each side; whether the game has an address, so that each of its
/// moves has one too.
type Known = (
    Setup,
    String,
    usize,
    Option<usize>,
    [(String, String); 2],
    bool,
);

/// What a page knows of the game.
pub(crate) static GOING: IslandData<Known> = IslandData::named("going");

/// Board, players and moves of a game; it is part of a `.table`.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn Going() -> impl IntoView {
    let language = language();
    let (setup, moves, first, ply, [red, blue], addressed) = GOING.take();
    let names = [&red, &blue].map(|(name, _)| name.clone());
    let whole = read(setup, &moves);
    let whole = Memo::new(move |_| whole.clone());
    let steps = Steps::new(whole, first);
    if let Some(ply) = ply {
        steps.go(ply);
    }
    let shown = steps.shown();
    let mut stepped = false;
    effect(move || {
        let (ply, last) = (steps.ply(), steps.last());
        if addressed && stepped {
            keep_address(ply, last);
        }
        stepped = true;
    });
    effect(move || {
        // Wherever the reader is on the page, the keys turn it.
        let _ = window_event_listener(leptos::ev::keydown, move |key| {
            let target = key.target().map(JsCast::unchecked_into::<Element>);
            let typing =
                target.is_some_and(|target| target.matches("input, textarea").unwrap_or(false));
            let turns = matches!(&*key.key(), "ArrowLeft" | "ArrowRight");
            if turns && !typing && !key.default_prevented() {
                steps.press(&key);
            }
        });
    });
    let score = Memo::new(move |_| shown.with(|shown| shown.position.score()));
    view! {
        <Player seat=Seat::First side=red score />
        <div class="middle">
            <div class="status">
                <p class="turn" role="status">
                    {move || steps.whereabouts(language)}
                </p>
            </div>
            <Board shown hand=None names />
        </div>
        <Player seat=Seat::Second side=blue score />
        <div class="below">
            <Moves
                steps
                sending=Signal::from(false)
                method=if addressed { "get" } else { "post" }
            />
        </div>
    }
}

/// A player of a game that is over, with the points at the move that is shown.
#[component]
fn Player(seat: Seat, side: (String, String), score: Memo<[u32; 2]>) -> impl IntoView {
    let language = language();
    let (name, rating) = side;
    let colour = words::side(seat);
    view! {
        <section class=format!("card seat {colour}")>
            <h2>
                <span class="colour">
                    <svg viewBox="-5 -5 10 10" width="18" height="18" aria-hidden="true">
                        <circle class=format!("dot {colour}") r=words::radius(seat) />
                    </svg>
                    <span class="hidden">{words::colour(language, seat)} ": "</span>
                </span>
                <span class="name">{name}</span>
            </h2>
            <p class="rating">{rating}</p>
            <p class="points">{move || score.get()[seat.index()]}</p>
        </section>
    }
}

/// Lets the address name the move, so that it can be passed on and a reload comes back to it. A browser that refuses
/// (some do after a hundred steps) keeps the old one.
fn keep_address(ply: usize, last: usize) {
    let address = if ply == last {
        window().location().pathname().unwrap_or_default()
    } else {
        format!("?ply={ply}")
    };
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
    }
}
