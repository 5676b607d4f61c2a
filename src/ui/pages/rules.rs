//! How a game is played.

use crate::rules::Kind;
use crate::ui::games;
use crate::ui::rules::RulesPage;
use crate::ui::texts::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_params_map;

/// `/rules`: the rules of the game that is offered first.
#[component]
pub(crate) fn RulesOfFirst() -> impl IntoView {
    view! { <Redirect path=format!("/rules/{}", Kind::ALL[0]) /> }
}

/// `/rules/:game`. Who looks for a game that is not played here finds one that is.
#[component]
pub(crate) fn Rules() -> impl IntoView {
    let language = language();
    let game = use_params_map().with_untracked(|params| params.get("game")?.parse().ok());
    let Some(game) = game else {
        return view! { <RulesOfFirst /> }.into_any();
    };
    view! {
        <Title text=say!(language, rules.title, game = games::name(language, game)) />
        <RulesPage game />
    }
    .into_any()
}
