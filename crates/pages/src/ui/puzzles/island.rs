//! The island of a puzzle: the board, what is said of the moves, and the buttons.

use crate::api;
use crate::ui::board::BoardInput;
use crate::ui::board_view::Board;
use crate::ui::games;
use crate::ui::islands::data::IslandData;
use crate::ui::puzzles::{Feedback, PuzzleTexts, Solving, position};
use crate::ui::replay::ReplaySide;
use crate::ui::text::words;
use crate::ui::text::{language, side, t};
use crate::ui::view::{live, view};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use serde::{Deserialize, Serialize};
use tochki_protocol::PuzzleId;
use tochki_rules::{Seat, Setup};

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PuzzleData {
    pub(crate) id: PuzzleId,
    pub(crate) setup: Setup,
    /// The moves that led to the puzzle.
    pub(crate) moves: Vec<String>,
    /// The solver's moves that are right, and with them the moves of both sides.
    pub(crate) found: Vec<String>,
    pub(crate) line: Vec<String>,
    pub(crate) solved: bool,
    /// The last move, posted without scripts, was wrong.
    pub(crate) wrong: bool,
    /// Moves that were asked for without scripts.
    pub(crate) help: Vec<String>,
    pub(crate) next: PuzzleId,
    pub(crate) texts: PuzzleTexts,
}

pub(crate) static PUZZLE: IslandData<PuzzleData> = IslandData::new("puzzle");

/// The puzzle.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn PuzzleIsland() -> impl IntoView {
    let language = language();
    let data = PUZZLE.read();
    let start = position::after(data.setup, data.moves.iter().map(String::as_str));
    let whole = data.help.len() > 1;
    let feedback = match data.help.first() {
        _ if data.solved => Feedback::Solved,
        Some(_) if whole => Feedback::Shown,
        Some(mv) => Feedback::Hint(mv.clone()),
        None if data.wrong => Feedback::Wrong,
        None if data.found.is_empty() => Feedback::Nothing,
        None => Feedback::Right(None),
    };
    let line = if whole { data.help } else { data.line };
    let texts = data.texts;
    let solving = Solving::new(
        (data.id, start),
        (data.found, line),
        feedback,
        texts,
        language,
    );
    let Solving { shown, seat, .. } = solving;
    let game = data.setup.kind();
    let announcement = RwSignal::new(String::new());
    let hint = RwSignal::new(None);
    let score = Memo::new(move |_| shown.with(|shown| shown.position.score()));
    let input = BoardInput {
        seat: Signal::derive(move || solving.can_move().then_some(seat)),
        play: Callback::new(move |mv| solving.play(mv)),
        hint,
        announcement,
        score: Callback::new(move |()| {
            let turn = if untrack(|| solving.can_move()) {
                t!(language, turn.yours)
            } else {
                t!(language, turn.opponents)
            };
            words::score_and_turn(language, game, score.get_untracked(), turn)
        }),
        clocks: Callback::new(move |()| t!(language, clocks.none).to_owned()),
    };
    let names = Seat::BOTH.map(|seat| side::colour(language, game, seat).to_owned());
    let solver = solving.text(|texts| &texts.solver);
    let [red, blue] = Seat::BOTH.map(|side| {
        let role = if side == seat {
            solver.clone()
        } else {
            String::new()
        };
        (names[side.index()].clone(), role)
    });
    let overlay = Box::new(move || solving.overlay());
    let rating = move || {
        let (before, after) = solving.rating.get()?;
        let (before, after) = (words::rating(before), words::rating(after));
        Some(
            solving
                .texts
                .with_value(|texts| texts.rating_now(&before, &after)),
        )
    };
    let refused = move || {
        solving
            .feedback
            .with(|feedback| matches!(feedback, Feedback::Wrong | Feedback::Refused(_)))
    };
    view! {
        <ReplaySide game seat=Seat::First side=red score />
        <div class="middle">
            <div class="status" {..live()}>
                <p class="turn puzzle-said" role="status" class:refusal=refused>
                    {move || solving.feedback_text()}
                </p>
                <p id="hint" class="hint">
                    {move || hint.get()}
                </p>
            </div>
            <Board shown input=Some(input) names overlay />
            <p class="hidden" aria-live="polite">
                {announcement}
            </p>
        </div>
        <ReplaySide game seat=Seat::Second side=blue score />
        <div class="below">
            <p role="status">{rating}</p>
            <Actions solving next=data.next />
        </div>
    }
}

/// The field for a typed move, help, and where to go from here. The forms work without scripts, too.
#[component]
fn Actions(solving: Solving, next: PuzzleId) -> impl IntoView {
    let language = language();
    let field = NodeRef::<leptos::html::Input>::new();
    let example = solving
        .shown
        .with_untracked(|shown| games::example_move(&shown.position));
    let submit = move |submit: SubmitEvent| {
        submit.prevent_default();
        let Some(field) = field.get_untracked() else {
            return;
        };
        solving.play_text(field.value().trim());
        field.set_value("");
    };
    let hint = move |submit: SubmitEvent| {
        submit.prevent_default();
        solving.hint();
    };
    let solution = move |submit: SubmitEvent| {
        submit.prevent_default();
        solving.solution();
    };
    let over = move || solving.is_over();
    let (id, found) = (solving.id.0, solving.found());
    let here = format!("/puzzle/{id}");
    let analysis = move || {
        let wrong = solving
            .feedback
            .with(|feedback| *feedback == Feedback::Wrong);
        let label = if wrong {
            solving.text(|texts| &texts.why)
        } else {
            solving.text(|texts| &texts.analyse)
        };
        (wrong || solving.is_over())
            .then(|| solving.shown.with(position::analysis_address))
            .flatten()
            .map(|address| view! { <a href=address>{label}</a> })
    };
    let again = move |click: leptos::ev::MouseEvent| {
        click.prevent_default();
        solving.restart();
    };
    view! {
        <div class="card actions puzzle-actions">
            <div class="button-row" hidden=over>
                <form action=api::HelpPuzzle::url() method="post" on:submit=hint>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="moves" value=found.clone() />
                    <button type="submit" class="quiet" aria-describedby="help-counts">
                        {solving.text(|texts| &texts.hint)}
                    </button>
                </form>
                <form action=api::HelpPuzzle::url() method="post" on:submit=solution>
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="whole" value="true" />
                    <button type="submit" class="quiet" aria-describedby="help-counts">
                        {solving.text(|texts| &texts.solution)}
                    </button>
                </form>
            </div>
            <p id="help-counts" class="note" hidden=over>
                {solving.text(|texts| &texts.help_counts)}
            </p>
            <details class="typed-move" hidden=over>
                <summary>{t!(language, table.type_move)}</summary>
                <form
                    class="entry"
                    action=api::TryPuzzle::url()
                    method="post"
                    on:submit=submit
                >
                    <input type="hidden" name="id" value=id />
                    <input type="hidden" name="moves" value=found />
                    <label for="mv">{t!(language, table.type_move)}</label>
                    <input
                        id="mv"
                        name="mv"
                        size="7"
                        autocomplete="off"
                        required
                        placeholder=example
                        aria-describedby="hint"
                        node_ref=field
                    />
                    <button type="submit">{t!(language, table.place)}</button>
                </form>
            </details>
            <p class="button-row">
                <a class="button quiet" href=here on:click=again>
                    {solving.text(|texts| &texts.again)}
                </a>
                <a class="button" href=format!("/puzzle/{next}")>
                    {solving.text(|texts| &texts.next)}
                </a>
                {analysis}
                <a href="/puzzles">{solving.text(|texts| &texts.all)}</a>
            </p>
        </div>
    }
}
