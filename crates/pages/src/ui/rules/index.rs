//! The routes of the rules pages.

use crate::ui::games::GameCards;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::title::PageTitle;
use crate::ui::rules::RulesView;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_params_map;
use tochki_rules::GameKind;

/// `/rules`: all games, with links to their rules.
#[component]
pub(crate) fn RulesIndexPage() -> impl IntoView {
    let language = language();
    view! {
        <PageTitle text=t!(language, rules.all) description=t!(language, rules.choose) />
        <InfoStylesheet />
        <article class="rules">
            <h1>{t!(language, rules.all)}</h1>
            <p class="lead">{t!(language, rules.choose)}</p>
            <GameCards to=|game| format!("/rules/{game}") />
            <section class="card" aria-labelledby="fair-title">
                <h2 id="fair-title">{t!(language, bots.fair_title)}</h2>
                <p>{t!(language, bots.fair)}</p>
            </section>
            <p>
                <a href="/keys">{t!(language, keys.title)}</a>
            </p>
        </article>
    }
}

/// `/rules/:game`. An unknown game redirects to all games.
#[component]
pub(crate) fn RulesPage() -> impl IntoView {
    let game =
        use_params_map().with_untracked(|params| params.get("game")?.parse::<GameKind>().ok());
    let Some(game) = game else {
        return view! { <Redirect path="/rules" /> }.into_any();
    };
    view! {
        <InfoStylesheet />
        <RulesView game />
    }
    .into_any()
}
