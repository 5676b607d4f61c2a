//! The page of the table, and its island. The HTML is the same for all games.

use crate::ui::board::BoardTools;
use crate::ui::computer::opponent::engine_paths;
use crate::ui::computer::table::ComputerTable;
use crate::ui::computer::{ComputerGame, ComputerTexts, Opponent, SavedGame, level};
use crate::ui::fingerprint::versioned_url;
use crate::ui::forms::fields::InvalidFields;
use crate::ui::games;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::preload::{PreloadForWorker, PreloadIsland};
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::query_param;
use crate::ui::page::release::{OfflineScript, Release};
use crate::ui::page::title::PageTitle;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::ev::{popstate, storage};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat};
use wasm_bindgen::JsValue;

/// The worker's script. Its address changes with its content.
const WORKER: &str = include_str!("../../../../../public/engine_worker.js");

/// The script that shows how much of the page is loaded.
const PROGRESS: &str = include_str!("../../../../../public/progress.js");

/// The address of this script.
pub(crate) fn progress_script() -> String {
    versioned_url("/progress.js", PROGRESS)
}

/// The address of the worker's script.
pub(crate) fn worker_path() -> String {
    versioned_url("/engine_worker.js", WORKER)
}

/// `/computer/game`, for everyone.
#[component]
pub(crate) fn ComputerGamePage() -> impl IntoView {
    let language = language();
    let release = use_context::<Release>().unwrap_or_default();
    let data = ComputerData {
        texts: ComputerTexts::new(language),
        worker: worker_path(),
        engines: release.engines.clone(),
    };
    // A new game. Of an older one, the server knows no more than its `id`; its files are in the cache by then.
    let game = query_param("game").and_then(|game| game.parse().ok());
    let engine_files = game.map(|game| {
        let [script, wasm] = engine_paths(game, &release.engines);
        [worker_path(), script, wasm].map(|href| view! { <PreloadForWorker href /> })
    });
    let needs_scripts = t!(language, computer.needs_scripts);
    view! {
        <PageTitle text=t!(language, computer.title) description=t!(language, computer.about) />
        <InfoStylesheet />
        <PreloadIsland island="computer_island" />
        {engine_files}
        <BoardTools />
        <OfflineScript />
        <noscript>
            <p class="card narrow">{needs_scripts}</p>
        </noscript>
        {COMPUTER
            .embed(data, move || {
                view! {
                    <ComputerIsland>
                        <LoadingBoard text=t!(language, computer.loading) />
                    </ComputerIsland>
                }
            })}
    }
}

/// The board until the code of a page runs: how much of it has come, and after a while a link to try again.
#[component]
pub(crate) fn LoadingBoard(text: &'static str) -> impl IntoView {
    let language = language();
    view! {
        <div class="loading with-scripts">
            <p id="loading">{text}</p>
            <progress aria-labelledby="loading"></progress>
            <p class="late">
                {t!(language, engine.late)} " "
                <a class="button quiet" href="">
                    {t!(language, computer.retry)}
                </a>
            </p>
            <script type="module" src=progress_script()></script>
        </div>
    }
}

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
struct ComputerData {
    texts: ComputerTexts,
    /// The address of the worker's script.
    worker: String,
    /// The version of the engines' files.
    engines: String,
}

static COMPUTER: IslandData<ComputerData> = IslandData::new("computer");

/// The game that the address asks for.
#[derive(Clone)]
enum Requested {
    Game(Box<SavedGame>),
    /// The game is not in this browser.
    Missing,
    /// The terms are invalid.
    Invalid,
}

/// The table, once the address is read.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn ComputerIsland(
    /// The content that is shown until then.
    children: Children,
) -> impl IntoView {
    let language = language();
    let data = COMPUTER.read();
    let texts = StoredValue::new(data.texts);
    let requested = RwSignal::new(None::<Requested>);
    let files = StoredValue::new((data.worker, data.engines));
    effect(move || {
        requested.set(Some(read_address()));
        // Back and forward between games, each of which has its own address.
        let _ = window_event_listener(popstate, move |_| requested.set(Some(read_address())));
    });
    let message = move |text: String| {
        view! {
            <section class="card narrow">
                <p>{text}</p>
                <p class="button-row">
                    <a class="button" href="/computer">
                        {texts.with_value(|texts| texts.other.clone())}
                    </a>
                </p>
            </section>
        }
        .into_any()
    };
    let table = move || {
        Some(match requested.get()? {
            Requested::Game(saved) => {
                let (worker, engines) = files.get_value();
                let opponent = Opponent::start(&worker, engines);
                let game = ComputerGame::new(*saved, texts.get_value(), language);
                game.start(opponent);
                let changed = window_event_listener(storage, move |event| {
                    let ours = event.key().is_some_and(|key| game.saved().has_key(&key));
                    if ours && game.is_outdated() {
                        requested.set(Some(read_address()));
                    }
                });
                on_cleanup(move || changed.remove());
                view! { <ComputerTable game=StoredValue::new(game) /> }.into_any()
            }
            Requested::Missing => message(texts.with_value(|texts| texts.no_game.clone())),
            Requested::Invalid => message(texts.with_value(|texts| texts.invalid.clone())),
        })
    };
    view! {
        <div class="computer-room" class:ready=move || requested.with(Option::is_some)>
            {children()}
            {table}
        </div>
    }
}

/// Reads the address. The terms of a new game are replaced by the address of the game.
fn read_address() -> Requested {
    let query = window().location().search().unwrap_or_default();
    let values = |name: &str| {
        let mut pairs = query
            .trim_start_matches('?')
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        let value = pairs.find(|(key, _)| *key == name)?.1;
        Some(value.to_owned())
    };
    if let Some(id) = values("id") {
        let saved = SavedGame::load(&id);
        return saved.map_or(Requested::Missing, |saved| Requested::Game(Box::new(saved)));
    }
    let Some(saved) = new_game(&values) else {
        return Requested::Invalid;
    };
    SavedGame::delete_old();
    if saved.store()
        && let Ok(history) = window().history()
    {
        // A reload goes on with this game.
        let address = saved.address();
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
    Requested::Game(Box::new(saved))
}

/// Creates a game with these terms.
fn new_game(values: &dyn Fn(&str) -> Option<String>) -> Option<SavedGame> {
    let kind = values("game").map_or(Some(GameKind::DEFAULT), |game| game.parse().ok())?;
    let mut invalid = InvalidFields::new();
    let setup = games::read_setup(kind, values, &mut invalid)?;
    let seat = match values("first").as_deref() {
        Some("computer") => Seat::Second,
        Some("lot") if js_sys::Math::random() < 0.5 => Seat::Second,
        _ => Seat::First,
    };
    let level = level::parse(values("level").as_deref());
    Some(SavedGame::begin(setup, level, seat))
}
