//! The island of a replay, which steps through a game in the browser and needs no server.

use crate::ui::board_view::Board;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::replay::move_sequence::read;
use crate::ui::steps::{MoveList, Steps};
use crate::ui::text::language;
use crate::ui::text::side;
use crate::ui::view::{live, view};
use leptos::prelude::*;
use tochki_rules::{GameKind, Seat, Setup};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Setup; moves as `MoveSequence` encodes them, and how many of them belong to the starting position; the requested
/// ply; name and rating of each side; whether the URL names the ply.
type ReplayData = (
    Setup,
    String,
    usize,
    Option<usize>,
    [(String, String); 2],
    bool,
);

/// Data of the island.
pub(crate) static REPLAY: IslandData<ReplayData> = IslandData::new("going");

/// Board, players and moves of a game; a part of `.table`.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn ReplayIsland() -> impl IntoView {
    let language = language();
    let (setup, moves, setup_plies, ply, [red, blue], versioned_url) = REPLAY.read();
    let names = [&red, &blue].map(|(name, _)| name.clone());
    let game = read(setup, &moves);
    let game = Memo::new(move |_| game.clone());
    let steps = Steps::new(game, setup_plies);
    if let Some(ply) = ply {
        steps.jump(ply);
    }
    let shown = steps.shown();
    let mut stepped = false;
    effect(move || {
        let (ply, last) = (steps.ply(), steps.last());
        if versioned_url && stepped {
            update_url(ply, last);
        }
        stepped = true;
    });
    effect(move || {
        // The arrow keys work wherever the focus is, except in a text field.
        let _ = window_event_listener(leptos::ev::keydown, move |key| {
            let target = key.target().map(JsCast::unchecked_into::<Element>);
            let typing =
                target.is_some_and(|target| target.matches("input, textarea").unwrap_or(false));
            let turns = matches!(&*key.key(), "ArrowLeft" | "ArrowRight");
            if turns && !typing && !key.default_prevented() {
                steps.on_key(&key);
            }
        });
    });
    let score = Memo::new(move |_| shown.with(|shown| shown.position.score()));
    view! {
        <ReplaySide game=setup.kind() seat=Seat::First side=red score />
        <div class="middle">
            <div class="status" {..live()}>
                <p class="turn" role="status">
                    {move || steps.position_text(language)}
                </p>
            </div>
            <Board shown input=None names />
        </div>
        <ReplaySide game=setup.kind() seat=Seat::Second side=blue score />
        <div class="below">
            <MoveList
                steps
                sending=Signal::from(false)
                method=if versioned_url { "get" } else { "post" }
            />
        </div>
    }
}

/// A player, with the score at the shown ply.
#[component]
pub(crate) fn ReplaySide(
    game: GameKind,
    seat: Seat,
    side: (String, String),
    score: Memo<[u32; 2]>,
) -> impl IntoView {
    let language = language();
    let (name, rating) = side;
    let colour = side::class(seat);
    view! {
        <section {..live()} class=format!("card seat {colour}")>
            <h2>
                <span class="colour">
                    <svg viewBox="-5 -5 10 10" width="18" height="18" aria-hidden="true">
                        <circle class=format!("dot {colour}") r=side::dot_radius(seat) />
                    </svg>
                    <span class="hidden">{side::colour(language, game, seat)} ": "</span>
                </span>
                <span class="name"><bdi>{name}</bdi></span>
            </h2>
            <p class="rating">{rating}</p>
            <p class="points">
                <span class="aim">{side::points(language, game)} " "</span>
                {side::has_score(game).then_some(move || score.get()[seat.index()])}
            </p>
        </section>
    }
}

/// Puts the ply into the URL, so that it can be shared and survives a reload. A browser may refuse after a hundred
/// changes, which is ignored.
fn update_url(ply: usize, last: usize) {
    let address = if ply == last {
        window().location().pathname().unwrap_or_default()
    } else {
        format!("?ply={ply}")
    };
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
    }
}
