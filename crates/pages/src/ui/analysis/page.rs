//! The pages of the analysis: the form with which it begins, a game of the address, and a finished match.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::analysis::island::{ANALYSIS, AnalysedMatch, AnalysisData, AnalysisIsland};
use crate::ui::analysis::own_board::OwnBoard;
use crate::ui::analysis::{AnalysisTexts, RunningMatch};
use crate::ui::board::BoardTools;
use crate::ui::computer::{LoadingBoard, worker_path};
use crate::ui::games;
use crate::ui::games::{GameFields, GameRow};
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::release::{OfflineScript, Release};
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, match_id, query_param};
use crate::ui::replay::MoveSequence;
use crate::ui::text::names::display_name;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_params_map;
use leptos_router::params::ParamsMap;
use tochki_protocol::{Code, LastChoices, OwnGames, OwnMatch, Pace, Status};
use tochki_rules::{GameKind, Seat};

/// `/analysis`, for everyone: a form, or the game of `?game=dots&board=20x20&moves=5,5_6,6` or `?computer=ID`.
#[component]
pub(crate) fn AnalysisPage() -> impl IntoView {
    let last = use_context::<LastChoices>().and_then(|choices| choices.game());
    let game = last.unwrap_or(GameKind::DEFAULT);
    let begun = ["game", "computer"]
        .iter()
        .any(|name| query_param(name).is_some());
    if begun {
        let own = load(api::my_match);
        let running = load(api::my_games);
        view! {
            <Suspense>
                {move || Suspend::new(async move {
                    let running = running_matches(running.await);
                    view! { <ForbidDuringRatedMatch own=own.await running game=None /> }
                })}
            </Suspense>
        }
        .into_any()
    } else if query_param("offline").is_some() {
        // The copy for use offline is shown at every address of this page.
        view! { <Analysis game=None running=Vec::new() start=Some(game) /> }.into_any()
    } else {
        view! { <Start game /> }.into_any()
    }
}

/// `/analysis/:game`, for everyone: the form.
#[component]
pub(crate) fn AnalysisStartPage() -> impl IntoView {
    let game = use_params_map().with_untracked(|params| params.get("game")?.parse().ok());
    match game {
        Some(game) => view! { <Start game /> }.into_any(),
        None => view! { <NotFound /> }.into_any(),
    }
}

/// Shows the analysis, but not to a player of a rated match: they are sent back to it.
#[component]
fn ForbidDuringRatedMatch(
    /// The running match of the visitor. The page has loaded it, because a resource must not be made inside of a `Suspense`.
    own: Result<Option<OwnMatch>, ErrorResponse>,
    running: Vec<RunningMatch>,
    game: Option<AnalysedMatch>,
) -> impl IntoView {
    let language = language();
    match own {
        Ok(Some(OwnMatch {
            match_id,
            rated: true,
        })) => view! {
            <Title text=t!(language, analysis.title) />
            <InfoStylesheet />
            <section class="card narrow">
                <h1>{t!(language, analysis.title)}</h1>
                <p>{t!(language, analysis.while_rated)}</p>
                <p class="button-row">
                    <a class="button" href=format!("/match/{match_id}")>
                        {t!(language, replay.table)}
                    </a>
                </p>
            </section>
        }
        .into_any(),
        Ok(_) => view! { <Analysis game running start=None /> }.into_any(),
        Err(error) => view! { <PageError error /> }.into_any(),
    }
}

/// The form and the text around it.
#[component]
fn Start(game: GameKind) -> impl IntoView {
    let language = language();
    view! {
        <PageTitle text=t!(language, analysis.title) description=t!(language, analysis.about) />
        <InfoStylesheet />
        <OfflineScript />
        <StartForm game />
    }
}

/// The form.
#[component]
fn StartForm(game: GameKind) -> impl IntoView {
    let language = language();
    view! {
        <div class="computer-setup">
            <GameRow
                label=t!(language, analysis.games)
                here=game
                to=|game| format!("/analysis/{game}")
            />
            <h1>{t!(language, analysis.title)}</h1>
            <p class="lead">{t!(language, analysis.about)}</p>
            <form class="choice card computer-choice" method="get" action="/analysis">
                <h2>{games::title(language, game)}</h2>
                <input type="hidden" name="game" value=game.id() />
                <div class="fields">
                    <GameFields game values=ParamsMap::new() invalid=Vec::new() />
                </div>
                <p class="button-row">
                    <button type="submit" class="with-scripts">
                        {t!(language, analysis.start)}
                    </button>
                    <a href="/sgf">{t!(language, analysis.from_sgf)}</a>
                </p>
                <noscript>
                    <p>{t!(language, analysis.needs_scripts)}</p>
                </noscript>
            </form>
        </div>
    }
}

/// Returns the matches that no engine may look at; none for visitors.
fn running_matches(own: Result<OwnGames, ErrorResponse>) -> Vec<RunningMatch> {
    own.map_or_else(|_| Vec::new(), |own| RunningMatch::of(&own))
}

/// `/match/:id/analysis`, for everyone. A running match redirects to its page: nobody gets an analysis of it, and its players a board
/// without an engine when it is by correspondence.
#[component]
pub(crate) fn MatchAnalysisPage() -> impl IntoView {
    let language = language();
    let id = match_id();
    let snapshot = load(move || api::match_snapshot(id, None));
    let own = load(api::my_match);
    let running = load(api::my_games);
    let session = VisitorSession::current();
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                // All before the first view: what is loaded later would render the page anew, and dispose of its board meanwhile.
                let (own, running) = (own.await, running_matches(running.await));
                let me = session.account().await.map(|account| account.id);
                match snapshot.await {
                    Ok(snapshot) if snapshot.status == Status::Running => {
                        let plays = |seat: &Seat| Some(snapshot.players[seat.index()].id) == me;
                        let slow = snapshot.time_control.pace() == Pace::Correspondence;
                        let seat = Seat::BOTH.into_iter().find(plays).filter(|_| slow);
                        match seat {
                            Some(seat) => view! { <OwnBoard snapshot seat /> }.into_any(),
                            None => view! { <Redirect path=format!("/match/{id}") /> }.into_any(),
                        }
                    }
                    Ok(snapshot) => {
                        let sides = Seat::BOTH.map(|seat| {
                            let player = &snapshot.players[seat.index()];
                            (display_name(language, &player.name), words::rating_of(language, player))
                        });
                        let sequence = MoveSequence::of_match(&snapshot);
                        let game = AnalysedMatch {
                            setup: sequence.setup,
                            moves: sequence.moves,
                            sides,
                            path: format!("/match/{}", snapshot.id),
                        };
                        view! { <ForbidDuringRatedMatch own running game=Some(game) /> }.into_any()
                    }
                    Err(error) if error.code == Code::NoSuchMatch => view! { <NotFound /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// The island with its data.
#[component]
fn Analysis(
    game: Option<AnalysedMatch>,
    running: Vec<RunningMatch>,
    /// The game of the form that is shown where the address has no game.
    start: Option<GameKind>,
) -> impl IntoView {
    let language = language();
    let release = use_context::<Release>().unwrap_or_default();
    let data = AnalysisData {
        texts: AnalysisTexts::new(language),
        worker: worker_path(),
        engines: release.engines.clone(),
        game,
        running,
    };
    view! {
        <PageTitle text=t!(language, analysis.title) description=t!(language, analysis.about) />
        <InfoStylesheet />
        <PreloadIsland island="analysis_island" />
        <BoardTools />
        <OfflineScript />
        <noscript>
            <p class="card narrow">{t!(language, analysis.needs_scripts)}</p>
        </noscript>
        {ANALYSIS
            .embed(data, move || {
                view! {
                    <AnalysisIsland>
                        {match start {
                            Some(game) => view! { <StartForm game /> }.into_any(),
                            None => view! { <LoadingBoard text=t!(language, analysis.loading) /> }.into_any(),
                        }}
                    </AnalysisIsland>
                }
            })}
    }
}
