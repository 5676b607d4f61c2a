//! What is chosen for a game of Dots: the board and the opening.

use super::choice::{Mistakes, Said};
use super::choice_form::{Number, Pick};
use crate::rules::dots::{Opening, Setup};
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;

/// The boards that are offered by name.
const BOARDS: [(u8, u8); 3] = [(39, 32), (20, 20), (13, 13)];

/// The points that a board of one's own may have each way.
const LENGTH: RangeInclusive<u8> = Setup::SHORTEST_IN_MATCH..=Setup::LONGEST;

/// Reads the fields.
pub(super) fn read(said: Said, wrong: &mut Mistakes) -> Option<Setup> {
    let [width, height] = size(said);
    let mut length = |text: String, field| {
        let points = text.trim().parse::<u8>().ok();
        let points = points.filter(|points| LENGTH.contains(points));
        if points.is_none() {
            wrong.push(field);
        }
        points
    };
    let (width, height) = (length(width, "width"), length(height, "height"));
    let setup = Setup::new(width?, height?, opening(said));
    if setup.is_err() {
        wrong.push("opening");
    }
    setup.ok()
}

/// Both sides of the board as they were said: in one word like `20x20`, or typed into fields of their own.
fn size(said: Said) -> [String; 2] {
    let board = said("board").unwrap_or_default();
    match board.split_once('x') {
        Some((width, height)) => [width.to_owned(), height.to_owned()],
        None if board == "own" => ["width", "height"].map(|side| said(side).unwrap_or_default()),
        None => [BOARDS[0].0, BOARDS[0].1].map(|points| points.to_string()),
    }
}

fn opening(said: Said) -> Opening {
    let start = said("start");
    let named = |opening: &Opening| start.as_deref() == Some(opening.id());
    Opening::ALL.into_iter().find(named).unwrap_or_default()
}

/// The same as an address carries it.
pub(super) fn query(setup: Setup) -> String {
    let board = name(setup.width(), setup.height());
    format!("&board={board}&start={}", setup.start().id())
}

/// The same as a challenge carries it.
pub(super) fn setup_text(setup: Setup) -> String {
    let (width, height, start) = (setup.width(), setup.height(), setup.start().id());
    format!(r#"{{"width":{width},"height":{height},"start":"{start}"}}"#)
}

fn name(width: u8, height: u8) -> String {
    format!("{width}x{height}")
}

/// The fields, as somebody has filled them in.
#[component]
pub(super) fn DotsFields(said: ParamsMap, wrong: Mistakes) -> impl IntoView {
    let language = language();
    let said = |field: &str| said.get(field);
    let [width, height] = size(&said);
    let offered = BOARDS
        .into_iter()
        .find(|board| name(board.0, board.1) == format!("{width}x{height}"));
    let start = opening(&said);
    view! {
        <fieldset>
            <legend>{say!(language, choice.board)}</legend>
            {BOARDS
                .map(|board| {
                    view! {
                        <Pick
                            name="board"
                            value=name(board.0, board.1)
                            label=words::board(board.0, board.1)
                            checked=offered == Some(board)
                        />
                    }
                })
                .collect_view()}
            <Pick
                name="board"
                value="own"
                label=say!(language, choice.own_size)
                checked=offered.is_none()
            />
            <span class="own">
                <Number
                    name="width"
                    label=say!(language, choice.width)
                    range=(*LENGTH.start()).into()..=(*LENGTH.end()).into()
                    typed=width
                    wrong=wrong.contains(&"width")
                    note="size-note"
                />
                <Number
                    name="height"
                    label=say!(language, choice.height)
                    range=(*LENGTH.start()).into()..=(*LENGTH.end()).into()
                    typed=height
                    wrong=wrong.contains(&"height")
                    note="size-note"
                />
                <span id="size-note" class="note">
                    {say!(language, choice.size_note, shortest = *LENGTH.start(), longest = *LENGTH.end())}
                </span>
            </span>
        </fieldset>
        <fieldset
            id="opening"
            role="radiogroup"
            aria-describedby="opening-note"
            aria-invalid=wrong.contains(&"opening").then_some("true")
        >
            <legend>{say!(language, choice.start)}</legend>
            {Opening::ALL
                .map(|opening| {
                    view! {
                        <Pick
                            name="start"
                            value=opening.id()
                            label=words::opening(language, opening)
                            checked=opening == start
                        />
                    }
                })
                .collect_view()}
            <span id="opening-note" class="note only-wrong">
                {say!(language, choice.opening_note, points = Opening::FourCrosses.room())}
            </span>
        </fieldset>
    }
}
