//! The page of one puzzle.

use crate::api;
use crate::ui::board::BoardTools;
use crate::ui::games;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::{EscapedTitle, GameLink};
use crate::ui::page::{PageError, query_param};
use crate::ui::puzzles::PuzzleTexts;
use crate::ui::puzzles::island::{PUZZLE, PuzzleData, PuzzleIsland};
use crate::ui::text::{language, t};
use crate::ui::text::{side, words};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use tochki_protocol::{Code, PuzzleId, PuzzleView};

/// `/puzzle/:id`, for everyone: `?moves=5,5+6,6` are the solver's moves, `wrong` and `shown` what a form was answered.
#[component]
pub(crate) fn PuzzlePage() -> impl IntoView {
    let language = language();
    let id = use_params_map().with_untracked(|params| params.get("id")?.parse().ok());
    // Anything but a number becomes 0, which is no puzzle.
    let id = PuzzleId(id.unwrap_or(0));
    let moves = query_param("moves");
    let asked = moves.clone();
    let puzzle = load(move || api::puzzle(id, asked.clone()));
    view! {
        <EscapedTitle text=t!(language, puzzles.one, number = id) />
        <Suspense>
            {move || {
                let moves = moves.clone().unwrap_or_default();
                Suspend::new(async move {
                    match puzzle.await {
                        Ok(puzzle) => view! { <PuzzleTable puzzle moves /> }.into_any(),
                        Err(error) if error.code == Code::NoSuchPuzzle => view! { <NotFound /> }.into_any(),
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn PuzzleTable(puzzle: PuzzleView, moves: String) -> impl IntoView {
    let language = language();
    let number = puzzle.id;
    let terms = games::describe_setup(language, puzzle.setup);
    let rating = t!(
        language,
        puzzles.rated,
        rating = words::rating(puzzle.rating)
    );
    let tried = puzzle.first_try.map(|solved| {
        if solved {
            t!(language, puzzles.was_solved)
        } else {
            t!(language, puzzles.was_failed)
        }
    });
    let words = |text: &str| {
        let words = text.split_ascii_whitespace();
        words.map(str::to_owned).collect::<Vec<String>>()
    };
    // Moves that are not right are left out by the server, all of them.
    let found = if puzzle.line.is_empty() {
        Vec::new()
    } else {
        words(&moves)
    };
    let data = PuzzleData {
        id: puzzle.id,
        setup: puzzle.setup,
        moves: puzzle.moves,
        found,
        line: puzzle.line,
        solved: puzzle.solved,
        wrong: query_param("wrong").is_some(),
        help: words(&query_param("shown").unwrap_or_default()),
        next: puzzle.next,
        texts: PuzzleTexts::new(language, puzzle.setup.kind(), &puzzle.theme, puzzle.seat),
    };
    let task = data.texts.task.clone();
    let title = t!(language, puzzles.one, number);
    let link = format!("{terms} · {task}");
    view! {
        <GameLink title=title.clone() description=link game=puzzle.setup.kind() />
        <InfoStylesheet />
        <PreloadIsland island="puzzle_island" />
        <BoardTools />
        <div class=format!("table replay puzzle {}", side::stones_class(puzzle.setup.kind()))>
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms} " · " {rating}</p>
                <p class="task">{task}</p>
                {tried.map(|tried| view! { <p class="note">{tried}</p> })}
            </header>
            {PUZZLE.embed(data, || view! { <PuzzleIsland /> })}
        </div>
    }
}
