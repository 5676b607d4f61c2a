//! A finished game that is shown move by move, over and over (`public/replayed_game.js`). The server draws every position, so that no
//! rules are needed in the browser.

use crate::ui::board::Shown;
use crate::ui::board_view::Board;
use crate::ui::fingerprint::versioned_url;
use crate::ui::front::built_in_games;
use crate::ui::games::board_position;
use crate::ui::replay::{MoveSequence, read_moves};
use crate::ui::text::names::display_name;
use crate::ui::text::{Language, language, side, t, versus, words};
use crate::ui::view::view;
use crate::ui::widgets::markup_list::MarkupItem;
use leptos::prelude::*;
use serde::Serialize;
use tochki_protocol::Snapshot;
use tochki_rules::{GameKind, Position};

/// The script that shows the moves. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/replayed_game.js");

/// The number of moves from which on a finished match is worth to be shown.
const MIN_MOVES: usize = 20;

/// The number of moves up to which it is shown: every position is drawn for each visitor, and drawn from all marks.
const MAX_MOVES: usize = 200;

/// The position after a move, as the differences from the one before.
#[derive(Serialize)]
struct Frame {
    areas: Changes,
    marks: Changes,
    /// The mark of the last move, as markup.
    last: String,
    score: String,
}

/// The number of elements, and those that are new or others, each with its place, as markup.
#[derive(Serialize)]
struct Changes(usize, Vec<(usize, String)>);

impl Changes {
    fn between<I: MarkupItem>(before: &[I], after: &[I]) -> Self {
        let items = after.iter().enumerate();
        let changed = items.filter(|(place, item)| before.get(*place) != Some(item));
        let changed = changed.map(|(place, item)| (place, item.markup()));
        Self(after.len(), changed.collect())
    }
}

/// Returns the positions of a game, the first one before its first move.
fn frames(language: Language, game: &Shown, names: [&str; 2]) -> Vec<Frame> {
    let initials = words::initials(language, names);
    let setup = game.position.setup();
    let score = |position: &Position| words::score(setup.kind(), position.score());
    let mut position = Position::new(&setup);
    let mut before = None;
    let mut frames = Vec::new();
    for made in 0..=game.plies.len() {
        if let Some(ply) = made.checked_sub(1).and_then(|last| game.plies.get(last))
            && position.play_as(ply.seat, ply.mv).is_err()
        {
            break;
        }
        let picture = board_position(&position).picture(&game.plies[..made], initials);
        let drawn = before.take().unwrap_or_default();
        frames.push(frame(
            &drawn,
            &picture,
            score(&position).unwrap_or_default(),
        ));
        before = Some(picture);
    }
    frames
}

fn frame(
    before: &crate::ui::board::Picture,
    after: &crate::ui::board::Picture,
    score: String,
) -> Frame {
    Frame {
        areas: Changes::between(&before.areas, &after.areas),
        marks: Changes::between(&before.marks, &after.marks),
        last: after.last.clone(),
        score,
    }
}

/// The last match of the arena, else the built-in game of this kind. Without scripts its end is seen.
#[component]
pub(crate) fn FinishedGame(
    /// The match that ended last.
    last: Option<Snapshot>,
    game: GameKind,
) -> impl IntoView {
    let language = language();
    let last = last.filter(|last| (MIN_MOVES..=MAX_MOVES).contains(&last.moves.len()));
    let (shown, names, address) = match last {
        Some(last) => {
            let sequence = MoveSequence::of_match(&last);
            let names = last
                .players
                .map(|player| display_name(language, &player.name));
            let address = format!("/match/{}/replay", last.id);
            (
                read_moves(sequence.setup, &sequence.moves),
                names,
                Some(address),
            )
        }
        None => {
            let level = t!(language, computer.level_6);
            let computer = t!(language, computer.opponent, level);
            (
                built_in_games::finished(game),
                [computer.clone(), computer],
                None,
            )
        }
    };
    let title = versus(&names);
    let caption = match address {
        Some(address) => view! { <a href=address>{title}</a> }.into_any(),
        None => view! { <span>{title}</span> }.into_any(),
    };
    let frames = frames(language, &shown, names.each_ref().map(String::as_str));
    let stones = side::stones_class(shown.position.kind());
    let score = frames.last().map(|last| last.score.clone());
    // The markup has numbers and texts of ours alone, and always serializes.
    let frames = serde_json::to_string(&frames).unwrap_or_default();
    let frames = frames.replace('<', "\\u003c");
    let replay = t!(language, front_board.replay);
    view! {
        <figure class=format!("live replayed {stones}") translate="no">
            <Board shown=Memo::new(move |_| shown.clone()) input=None names />
            <figcaption>
                <span class="sides">{caption} " " <span class="score">{score}</span></span>
                <button
                    type="button"
                    class="quiet with-scripts"
                    data-replay=replay
                    data-pause=t!(language, front_board.pause)
                >
                    {replay}
                </button>
            </figcaption>
        </figure>
        <script type="application/json" id="frames" inner_html=frames></script>
        <script type="module" src=versioned_url("/replayed_game.js", SCRIPT)></script>
    }
}
