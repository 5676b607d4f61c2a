//! `/leagues`: all leagues.

use crate::api;
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::PageTitle;
use crate::ui::terms::describe_terms;
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::League;

/// `/leagues`, for everybody.
#[component]
pub(crate) fn LeaguesPage() -> impl IntoView {
    let language = language();
    let leagues = load(api::leagues);
    let title = t!(language, leagues.title);
    view! {
        <PageTitle text=title />
        <InfoStylesheet />
        <article class="info-page">
            <h1>{title}</h1>
            <Suspense>
                {move || Suspend::new(async move {
                    match leagues.await {
                        Ok(leagues) if leagues.is_empty() => {
                            view! { <p class="card empty">{t!(language, leagues.none)}</p> }.into_any()
                        }
                        Ok(leagues) => {
                            let cards = leagues.into_iter().map(|league| view! { <LeagueCard league /> });
                            view! { <ul class="tournaments">{cards.collect_view()}</ul> }.into_any()
                        }
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })}
            </Suspense>
        </article>
    }
}

#[component]
fn LeagueCard(league: League) -> impl IntoView {
    let language = language();
    let terms = describe_terms(language, league.setup, league.clock, league.rated);
    let members = t!(language, leagues.members, number = league.members);
    let (id, name) = (league.id, league.name.clone());
    view! {
        <li class="card">
            <a class="whole-link" href=format!("/league/{id}")>
                <bdi>{name}</bdi>
            </a>
            <p>{terms}</p>
            <p class="note">
                <SeasonNote league /> " · " {members}
            </p>
        </li>
    }
}

/// The season that runs or was the last, and the start of the next one.
#[component]
pub(super) fn SeasonNote(league: League) -> impl IntoView {
    let language = language();
    let season = (league.season > 0).then(|| t!(language, leagues.season, number = league.season));
    let next = if league.ended {
        t!(language, leagues.ended).into_any()
    } else {
        view! {
            {t!(language, leagues.next_season)}
            " "
            <DateTime at=league.next_at />
        }
        .into_any()
    };
    view! {
        {season.map(|season| format!("{season} · "))}
        {next}
    }
}
