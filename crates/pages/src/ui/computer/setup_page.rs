//! The page where a game against the computer is chosen, with the games that this browser keeps.

use crate::ui::computer::opponent::engine_paths;
use crate::ui::computer::saved_games::{SAVED_GAMES, SavedGamesIsland};
use crate::ui::computer::{ComputerTexts, level, worker_path};
use crate::ui::forms::fields::RadioButton;
use crate::ui::games;
use crate::ui::games::{GameFields, GameRow};
use crate::ui::islands::preload::{Prefetch, PrefetchIsland, PreloadIsland};
use crate::ui::page::OnPhone;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::release::{OfflineScript, Release};
use crate::ui::page::title::PageTitle;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use leptos_router::params::ParamsMap;
use tochki_protocol::LastChoices;
use tochki_protocol::limits::SAVED_GAMES_MAX;
use tochki_rules::GameKind;

/// `/computer`: the game last played in this browser.
#[component]
pub(crate) fn ComputerPage() -> impl IntoView {
    let last = use_context::<LastChoices>().and_then(|choices| choices.game());
    view! { <Setup game=last.unwrap_or(GameKind::DEFAULT) /> }
}

/// `/computer/:game`.
#[component]
pub(crate) fn ComputerSetupPage() -> impl IntoView {
    let game = use_params_map().with_untracked(|params| params.get("game")?.parse().ok());
    match game {
        Some(game) => view! { <Setup game /> }.into_any(),
        None => view! { <NotFound /> }.into_any(),
    }
}

/// Returns the values that the form begins with. Who has not chosen a board of Dots yet gets a small one, which a phone shows whole.
fn first_values(game: GameKind) -> ParamsMap {
    let mut values = ParamsMap::new();
    let chosen = use_context::<LastChoices>().is_some_and(|choices| choices.of(game).is_some());
    if game == GameKind::Dots && !chosen {
        let OnPhone(on_phone) = use_context().unwrap_or_default();
        let board = if on_phone { "13x13" } else { "20x20" };
        values.insert("board", board.to_owned());
    }
    values
}

#[component]
fn Setup(game: GameKind) -> impl IntoView {
    let language = language();
    let Release { engines, .. } = use_context().unwrap_or_default();
    let engine_files = engine_paths(game, &engines).map(|href| view! { <Prefetch href /> });
    let levels = (1..).zip(level::names(language)).map(|(number, name)| {
        view! {
            <option value=number selected=number == level::DEFAULT>
                {number}
                ". "
                {name}
            </option>
        }
    });
    view! {
        <PageTitle text=t!(language, computer.title) description=t!(language, computer.about) />
        <InfoStylesheet />
        <PreloadIsland island="saved_games_island" />
        <OfflineScript />
        <PrefetchIsland island="computer_island" />
        <Prefetch href=worker_path() />
        {engine_files}
        <div class="computer-setup">
        <GameRow label=t!(language, computer.games) here=game to=|game| format!("/computer/{game}") />
        <h1>{t!(language, computer.title)}</h1>
        <p class="lead">{t!(language, computer.about)}</p>
        <form class="choice card computer-choice" method="get" action="/computer/game">
            <h2>{games::title(language, game)}</h2>
            <input type="hidden" name="game" value=game.id() />
            <div class="fields">
                <GameFields game values=first_values(game) invalid=Vec::new() />
                <fieldset>
                    <legend>
                        <label for="level">{t!(language, computer.level)}</label>
                    </legend>
                    <select id="level" name="level">
                        {levels.collect_view()}
                    </select>
                </fieldset>
                <fieldset>
                    <legend>{t!(language, computer.first)}</legend>
                    <RadioButton name="first" value="me" label=t!(language, computer.first_me) checked=true />
                    <RadioButton
                        name="first"
                        value="computer"
                        label=t!(language, computer.first_computer)
                        checked=false
                    />
                    <RadioButton name="first" value="lot" label=t!(language, computer.first_lot) checked=false />
                </fieldset>
            </div>
            <p class="button-row">
                <button type="submit" class="with-scripts">
                    {t!(language, computer.start)}
                </button>
            </p>
            <noscript>
                <p>{t!(language, computer.needs_scripts)}</p>
            </noscript>
        </form>
        <section class="card saved-games with-scripts" aria-labelledby="saved-games">
            <h2 id="saved-games">{t!(language, computer.saved)}</h2>
            <p class="note">{t!(language, computer.saved_about, most = SAVED_GAMES_MAX)}</p>
            {SAVED_GAMES.embed(ComputerTexts::new(language), || view! { <SavedGamesIsland /> })}
        </section>
        </div>
    }
}
