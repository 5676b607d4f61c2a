//! The list of puzzles: the one of the day, and for each game one of each step.

use crate::api;
use crate::ui::board::{DiagramCrop, DiagramPosition};
use crate::ui::games;
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::PageTitle;
use crate::ui::puzzles::{position, task};
use crate::ui::text::words;
use crate::ui::text::{Language, language, side, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::{PuzzleOverview, PuzzleRow, PuzzleStep, PuzzleView};
use tochki_rules::GameKind;

/// `/puzzles`, for everyone.
#[component]
pub(crate) fn PuzzlesPage() -> impl IntoView {
    let language = language();
    let overview = load(api::puzzles);
    view! {
        <PageTitle text=t!(language, puzzles.title) description=t!(language, puzzles.about) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match overview.await {
                    Ok(overview) => view! { <Overview overview /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Overview(overview: PuzzleOverview) -> impl IntoView {
    let language = language();
    let PuzzleOverview { daily, rows, mine } = overview;
    let mine = mine.map_or_else(
        || t!(language, puzzles.no_rating).to_owned(),
        |mine| {
            t!(
                language,
                puzzles.mine,
                rating = words::rating(mine.rating),
                tries = mine.tries,
                solved = mine.solved
            )
        },
    );
    let games = GameKind::ALL.iter().map(|&game| {
        let rows = rows.iter().filter(|row| row.game == game);
        let links: Vec<_> = rows.map(|row| step_link(language, row)).collect();
        (!links.is_empty()).then(|| {
            view! {
                <section class="card">
                    <h2>{games::title(language, game)}</h2>
                    <p class="button-row">{links}</p>
                </section>
            }
        })
    });
    view! {
        <div class="computer-setup puzzles">
            <h1>{t!(language, puzzles.title)}</h1>
            <p class="lead">{t!(language, puzzles.about)}</p>
            <p>{mine}</p>
            {daily.map(|puzzle| view! { <DailyPuzzle puzzle /> })}
            {games.collect_view()}
        </div>
    }
}

fn step_link(language: Language, row: &PuzzleRow) -> impl IntoView + use<> {
    let name = match row.step {
        PuzzleStep::Easy => t!(language, puzzles.easy),
        PuzzleStep::Medium => t!(language, puzzles.medium),
        PuzzleStep::Hard => t!(language, puzzles.hard),
    };
    let count = t!(language, puzzles.count, count = row.count);
    view! {
        <a class="button quiet" href=format!("/puzzle/{}", row.next)>
            {name}
            " · "
            {count}
        </a>
    }
}

/// The puzzle of the day, with its board.
#[component]
pub(crate) fn DailyPuzzle(puzzle: PuzzleView) -> impl IntoView {
    let language = language();
    let shown = position::after(puzzle.setup, puzzle.moves.iter().map(String::as_str));
    let markup = DiagramCrop::Whole.before(DiagramPosition {
        position: games::board_position(&shown.position),
        plies: &shown.plies,
        initials: words::initials(language, [""; 2]),
    });
    let address = format!("/puzzle/{}", puzzle.id);
    let stones = side::stones_class(puzzle.setup.kind());
    view! {
        <section class=format!("card puzzle-of-the-day {stones}") aria-labelledby="daily">
            <h2 id="daily">{t!(language, puzzles.daily)}</h2>
            <p>
                {games::title(language, puzzle.setup.kind())}
                " · "
                {task(language, puzzle.setup.kind(), &puzzle.theme, puzzle.seat)}
            </p>
            <div class="puzzle-board" inner_html=markup></div>
            <p class="button-row">
                <a class="button" href=address>
                    {t!(language, puzzles.solve)}
                </a>
            </p>
        </section>
    }
}
