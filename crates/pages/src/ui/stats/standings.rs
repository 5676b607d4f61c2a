//! The standings of a game: everybody with enough rated matches against enough opponents, by rating.

use crate::api;
use crate::ui::games;
use crate::ui::games::GameRow;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, query_param};
use crate::ui::stats::{Pager, StandingsTable};
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_params_map;
use tochki_protocol::LastChoices;
use tochki_protocol::limits::{RANKED_MATCHES, RANKED_OPPONENTS, RATED_MATCHES_PER_PAIR};
use tochki_protocol::{Pace, PlayerId, StandingsEntry};
use tochki_rules::GameKind;

/// `/standings`: the game last played in this browser.
#[component]
pub(crate) fn StandingsPage() -> impl IntoView {
    let last = use_context::<LastChoices>().and_then(|choices| choices.game());
    view! { <StandingsOf game=last.unwrap_or(GameKind::DEFAULT) /> }
}

/// `/standings/:game`. An unknown game redirects to `/standings`.
#[component]
pub(crate) fn GameStandingsPage() -> impl IntoView {
    let game =
        use_params_map().with_untracked(|params| params.get("game")?.parse::<GameKind>().ok());
    match game {
        Some(game) => view! { <StandingsOf game /> }.into_any(),
        None => view! { <Redirect path="/standings" /> }.into_any(),
    }
}

#[component]
fn StandingsOf(game: GameKind) -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let page = query_param("page");
    let bots = query_param("bots").as_deref() == Some("true");
    let slow = query_param("pace").as_deref() == Some(Pace::Correspondence.as_str());
    let pace = slow.then_some(Pace::Correspondence);
    let standings =
        load(move || api::standings(game.id().to_owned(), pace, Some(bots), page.clone()));
    let title = t!(
        language,
        standings.title,
        game = games::title(language, game)
    );
    let description = t!(
        language,
        descriptions.standings,
        game = games::title(language, game)
    );
    view! {
        <PageTitle text=title.clone() description />
        <InfoStylesheet />
        <article class="info-page">
            <h1>{title}</h1>
            <GameRow
                label=t!(language, standings.games_of)
                here=game
                to=if bots {
                    |game| format!("/standings/{game}?bots=true")
                } else {
                    |game| format!("/standings/{game}")
                }
            />
            <nav class="button-row" aria-label=t!(language, bots.standings)>
                <a href=format!("/standings/{game}") aria-current=(!bots && !slow).then_some("page")>
                    {t!(language, bots.people)}
                </a>
                <a
                    href=format!("/standings/{game}?pace=correspondence")
                    aria-current=slow.then_some("page")
                >
                    {t!(language, paces.days_title)}
                </a>
                <a href=format!("/standings/{game}?bots=true") aria-current=bots.then_some("page")>
                    {t!(language, bots.bots)}
                </a>
            </nav>
            <Suspense>
                {move || Suspend::new(async move {
                    match standings.await {
                        Ok(standings) => {
                            let me = session.account().await.map(|me| me.id);
                            view! { <StandingsView standings bots me /> }.into_any()
                        }
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })}
            </Suspense>
        </article>
    }
}

#[component]
fn StandingsView(
    standings: tochki_protocol::Standings,
    bots: bool,
    me: Option<PlayerId>,
) -> impl IntoView {
    let language = language();
    let tochki_protocol::Standings {
        game,
        pace,
        players,
        page,
        pages,
        total,
        mine,
    } = standings;
    let kind = match pace {
        Pace::Correspondence => "&pace=correspondence",
        Pace::Live if bots => "&bots=true",
        Pace::Live => "",
    };
    let to = move |page: u32| format!("/standings/{game}?page={page}{kind}");
    let mine = mine
        .map(|(placed, page)| view! { <OwnPlace placed total to=format!("{}#me", to(page)) /> });
    let list = if players.is_empty() && page == 1 {
        let none = t!(
            language,
            standings.none,
            game = games::title(language, game),
            few = RANKED_MATCHES,
            met = RANKED_OPPONENTS
        );
        view! { <p class="card empty">{none}</p> }.into_any()
    } else if players.is_empty() {
        view! { <p class="card empty">{t!(language, standings.no_such_page)}</p> }.into_any()
    } else {
        view! {
            <div class="card">
                <StandingsTable entries=players me />
            </div>
        }
        .into_any()
    };
    view! {
        {mine}
        {list}
        <Pager page pages to />
        <p class="note">
            {t!(
                language,
                standings.who,
                few = RANKED_MATCHES,
                met = RANKED_OPPONENTS,
                all = RANKED_OPPONENTS + 1
            )} " "
            {t!(language, standings.pair, most = RATED_MATCHES_PER_PAIR)}
        </p>
    }
}

/// The visitor's place, with a link to it.
#[component]
fn OwnPlace(placed: StandingsEntry, total: u32, to: String) -> impl IntoView {
    let language = language();
    let StandingsEntry { place, player, .. } = placed;
    view! {
        <p class="card mine">
            <span>
                {t!(language, standings.mine, place = place, total = total)} " · "
                <span class="rating">{words::rating(player.rating)}</span>
            </span>
            <a href=to>{t!(language, standings.show_me)}</a>
        </p>
    }
}
