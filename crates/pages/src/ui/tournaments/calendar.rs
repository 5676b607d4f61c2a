//! The calendar: the tournaments that run, those to come, and those that are over, of a game or of all.

use crate::api;
use crate::ui::games;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::PageTitle;
use crate::ui::page::{PageError, query_param};
use crate::ui::text::{language, t};
use crate::ui::tournaments::page::page_param;
use crate::ui::tournaments::summary::TournamentCards;
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::limits::TOURNAMENTS_PAGE_LEN;
use tochki_protocol::{Tournament, TournamentState};
use tochki_rules::GameKind;

/// `/tournaments`; `?game=` has those of one game, `?state=` and `?page=` the later pages of a list.
#[component]
pub(crate) fn TournamentsPage() -> impl IntoView {
    let language = language();
    let RenderedAt(now) = use_context().unwrap_or_default();
    let game = query_param("game").and_then(|game| game.parse::<GameKind>().ok());
    let state = query_param("state");
    let page = page_param("page");
    let read = move |state: &'static str| {
        move || {
            api::tournaments(
                Some(state.to_owned()),
                game.map(|game| game.id().to_owned()),
                Some(page - 1),
            )
        }
    };
    let upcoming = load(read("upcoming"));
    let finished = load(read("finished"));
    let shows = move |list: &str| state.as_deref().is_none_or(|state| state == list);
    let [shows_upcoming, shows_finished] = ["upcoming", "finished"].map(shows);
    let title = t!(language, tournaments.title);
    view! {
        <PageTitle text=title description=t!(language, descriptions.tournaments) />
        <InfoStylesheet />
        <article class="info-page">
            <h1>{title}</h1>
            <p class="button-row">
                <a class="button" href=new_address(game)>
                    {t!(language, tournaments.new)}
                </a>
                <a class="button quiet" rel="external" href=file_address(game)>
                    {t!(language, tournaments.add_to_calendar)}
                </a>
                <a href="/leagues">{t!(language, leagues.title)}</a>
            </p>
            <GameFilter here=game />
            <Suspense>
                {move || Suspend::new(async move {
                    let (upcoming, finished) = match (upcoming.await, finished.await) {
                        (Ok(upcoming), Ok(finished)) => (upcoming, finished),
                        (Err(error), _) | (_, Err(error)) => {
                            return view! { <PageError error /> }.into_any();
                        }
                    };
                    let upcoming = if shows_upcoming { upcoming } else { Vec::new() };
                    let finished = if shows_finished { finished } else { Vec::new() };
                    let none = (upcoming.is_empty() && finished.is_empty())
                        .then(|| view! { <p class="card empty">{t!(language, tournaments.none)}</p> });
                    let links = [
                        page_links(game, "upcoming", page, upcoming.len()),
                        page_links(game, "finished", page, finished.len()),
                    ];
                    let [upcoming_links, finished_links] = links;
                    let (running, open): (Vec<Tournament>, Vec<_>) = upcoming
                        .into_iter()
                        .partition(|one| one.state == TournamentState::Running);
                    view! {
                        {none}
                        <TournamentCards title=t!(language, tournaments.running) tournaments=running now />
                        <TournamentCards title=t!(language, tournaments.upcoming) tournaments=open now />
                        {shows_upcoming.then_some(upcoming_links)}
                        <TournamentCards title=t!(language, tournaments.finished) tournaments=finished now />
                        {shows_finished.then_some(finished_links)}
                    }
                        .into_any()
                })}
            </Suspense>
        </article>
    }
}

fn new_address(game: Option<GameKind>) -> String {
    game.map_or_else(
        || "/tournaments/new".to_owned(),
        |game| format!("/tournaments/new?game={game}"),
    )
}

/// Returns the address of the calendar for other programs.
fn file_address(game: Option<GameKind>) -> String {
    game.map_or_else(
        || "/tournaments.ics".to_owned(),
        |game| format!("/tournaments.ics?game={game}"),
    )
}

/// The links to the tournaments of all games, and of each.
#[component]
fn GameFilter(here: Option<GameKind>) -> impl IntoView {
    let language = language();
    let links = GameKind::ALL.iter().map(|&game| {
        view! {
            <a href=format!("/tournaments?game={game}") aria-current=(here == Some(game)).then_some("page")>
                {games::title(language, game)}
            </a>
        }
    });
    view! {
        <nav class="button-row" aria-label=t!(language, tournaments.of_games)>
            <a href="/tournaments" aria-current=here.is_none().then_some("page")>
                {t!(language, tournaments.of_all)}
            </a>
            {links.collect_view()}
        </nav>
    }
}

/// The links to the page before and after one of a list.
fn page_links(
    game: Option<GameKind>,
    state: &'static str,
    page: u32,
    shown: usize,
) -> impl IntoView {
    let language = language();
    let game = game.map_or_else(String::new, |game| format!("&game={game}"));
    let to = |page: u32| format!("/tournaments?state={state}&page={page}{game}");
    let back = (page > 1).then(|| {
        view! {
            <a class="button quiet" rel="prev" href=to(page - 1)>
                {t!(language, pager.previous)}
            </a>
        }
    });
    let more = shown >= usize::try_from(TOURNAMENTS_PAGE_LEN).unwrap_or(usize::MAX);
    let on = more.then(|| {
        view! {
            <a class="button quiet" rel="next" href=to(page + 1)>
                {t!(language, pager.next)}
            </a>
        }
    });
    (back.is_some() || on.is_some()).then(|| {
        view! {
            <nav class="pager button-row" aria-label=t!(language, pager.label)>
                {back}
                {on}
            </nav>
        }
    })
}
