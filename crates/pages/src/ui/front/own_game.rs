//! The visitor's own game on the front page, against the computer.

use crate::ui::board::{BoardTools, DiagramCrop, DiagramPosition};
use crate::ui::board_view::Board;
use crate::ui::computer::{
    ComputerGame, ComputerTexts, DEFAULT_LEVEL, Opponent, SavedGame, worker_path,
};
use crate::ui::fingerprint::versioned_url;
use crate::ui::front::built_in_games;
use crate::ui::games::{GameRow, board_position, describe_board};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::match_page::{Announcer, Hint, TurnIndicator};
use crate::ui::page::release::Release;
use crate::ui::text::{language, side, t, versus, words};
use crate::ui::view::{live, view};
use leptos::ev::{focusin, pageshow, pointerover, storage, visibilitychange};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat, Setup};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, Storage};

/// The script that repeats an early press. Its address changes with its content.
const EARLY_PRESS: &str = include_str!("../../../../../public/early_press.js");

/// The number of the visitor's moves after which the page says how the game stands, and what to do next.
const MOVES_BEFORE_NEXT: usize = 3;

/// The prefix of the keys in `sessionStorage` under which the id of the game of each kind is kept.
const KEY_PREFIX: &str = "front-game:";

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
struct OwnGameData {
    setup: Setup,
    texts: ComputerTexts,
    /// `{score}`
    lead: String,
    behind: String,
    even: String,
    aim: String,
    go_on: String,
    /// The address of the worker's script.
    worker: String,
    /// The version of the engines' files.
    engines: String,
}

static OWN_GAME: IslandData<OwnGameData> = IslandData::new("own-game-data");

/// The board with the choice of the game. Without scripts it is a picture.
#[component]
pub(crate) fn OwnGame(game: GameKind) -> impl IntoView {
    let language = language();
    let release = use_context::<Release>().unwrap_or_default();
    let score = "{score}";
    let data = OwnGameData {
        setup: built_in_games::setup(game),
        texts: ComputerTexts::of_front_page(language),
        lead: t!(language, front_board.lead, score),
        behind: t!(language, front_board.behind, score),
        even: t!(language, front_board.even, score),
        aim: t!(language, front_board.aim).into(),
        go_on: t!(language, front_board.go_on).into(),
        worker: worker_path(),
        engines: release.engines,
    };
    let ways = view! { <OtherWays game /> };
    view! {
        <PreloadIsland island="own_game_island" />
        <section class=format!("own-game {}", side::stones_class(game)) aria-label=t!(language, front_board.title)>
            <GameRow label=t!(language, front_board.games) here=game to=|game| format!("/?game={game}") />
            // It comes before the board: patterns of a drawing that is not shown are drawn nowhere.
            <noscript>
                <GamePicture game />
            </noscript>
            <div class="with-scripts">
                {OWN_GAME.embed(data, || view! { <OwnGameIsland>{ways}</OwnGameIsland> })}
            </div>
            <BoardTools />
            <script type="module" src=versioned_url("/early_press.js", EARLY_PRESS)></script>
        </section>
    }
}

/// The links to people and to the rules.
#[component]
fn OtherWays(game: GameKind) -> impl IntoView {
    let language = language();
    view! {
        <a class="button quiet" href=format!("/play?game={game}")>
            {t!(language, front_board.person)}
        </a>
        <a class="button quiet" href=format!("/rules/{game}")>
            {t!(language, front_board.rules)}
        </a>
    }
}

/// The end of a game, for visitors without scripts.
#[component]
fn GamePicture(game: GameKind) -> impl IntoView {
    let language = language();
    let shown = built_in_games::finished(game);
    let markup = DiagramCrop::Whole.before(DiagramPosition {
        position: board_position(&shown.position),
        plies: &shown.plies,
        initials: words::initials(language, [""; 2]),
    });
    let described = describe_board(language, &shown.position);
    view! {
        <figure class="own-picture">
            <div class="puzzle-board" role="img" aria-label=described inner_html=markup></div>
            <figcaption>
                <p>{t!(language, front_board.needs_scripts)}</p>
                <p class="button-row">
                    <OtherWays game />
                </p>
            </figcaption>
        </figure>
    }
}

/// The game.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn OwnGameIsland(
    /// Rendered by the server only: where to go from here.
    children: Children,
) -> impl IntoView {
    let language = language();
    let OwnGameData {
        setup,
        texts,
        lead,
        behind,
        even,
        aim,
        go_on,
        worker,
        engines,
    } = OWN_GAME.read();
    let me = Seat::First;
    let (failed, late) = (texts.failed.clone(), texts.late.clone());
    let (retry, again) = (texts.retry.clone(), texts.again.clone());
    let unstarted = SavedGame::unstarted(setup, DEFAULT_LEVEL, me);
    let game = ComputerGame::new(unstarted, texts, language);
    let controller = game.controller;
    let names = Seat::BOTH.map(|seat| controller.name(seat));
    let title = versus(&names);
    let key = format!("{KEY_PREFIX}{}", setup.kind());
    let resumed = key.clone();
    let plies = move || controller.game.with(|game| game.confirmed().plies().len());
    let has_begun = Memo::new(move |_| plies() > 0);
    effect(move || {
        if has_begun.get() {
            SavedGame::delete_old();
            // A browser that keeps nothing has another game at the next visit.
            let _ = session().map(|session| session.set_item(&key, &game.saved().id));
        }
    });
    let result = move || controller.game.with(|game| game.result().cloned());
    let is_next = move || {
        let own = controller.game.with(|game| {
            let plies = game.confirmed().plies();
            plies.iter().filter(|ply| ply.seat == me).count()
        });
        own >= MOVES_BEFORE_NEXT || result().is_some()
    };
    let told = move || {
        if let Some(result) = result() {
            return words::headline(language, &result, Some(me), |seat| controller.name(seat));
        }
        let [own, other] = controller.score();
        let Some(score) = words::score(setup.kind(), [own, other]) else {
            return aim.clone();
        };
        let sentence = match own.cmp(&other) {
            std::cmp::Ordering::Greater => &lead,
            std::cmp::Ordering::Less => &behind,
            std::cmp::Ordering::Equal => &even,
        };
        sentence.replace("{score}", &score)
    };
    let address = move || {
        if result().is_some() {
            return String::new();
        }
        // Another page finds only what the browser keeps.
        if !game.kept.get() {
            return format!("/computer/{}", setup.kind());
        }
        // The id is another one when the game is.
        let _ = plies();
        game.saved().address()
    };
    let go = move || {
        if result().is_some() {
            again.clone()
        } else {
            go_on.clone()
        }
    };
    let hint = RwSignal::new(None);
    let announcement = RwSignal::new(String::new());
    let stuck = move || {
        game.is_stuck().then(|| {
            let reason = if game.failed.get() { &failed } else { &late };
            view! {
                <p role="alert" class="refusal">
                    {reason.clone()}
                    " "
                    <button type="button" class="quiet" on:click=move |_| game.retry()>
                        {retry.clone()}
                    </button>
                </p>
            }
        })
    };
    let board = view! {
        <p class="own-names">
            {title} " "
            <span class="score" {..live()}>
                {move || words::score(setup.kind(), controller.score())}
            </span>
        </p>
        <div class="status" {..live()}>
            <TurnIndicator controller me=Some(me) />
            <Hint controller hint />
        </div>
        <Board shown=controller.shown() input=Some(game.input(hint, announcement)) names />
        <Announcer controller me=Some(me) text=announcement />
        {stuck}
        <div class="own-next" class:waiting=move || !is_next() {..live()}>
            <p role="status">{move || is_next().then(&told)}</p>
            <p class="button-row">
                <a class="button" href=address>
                    {go}
                </a>
                {children()}
            </p>
        </div>
    };
    // After the effects of the board, which take the first position that they see for the one that is drawn.
    effect(move || {
        let opponent = Opponent::start(&worker, engines.clone());
        game.wait(opponent);
        // Fetched once a pointer or the focus comes to the board: most visitors go on without a move.
        let is_asked = StoredValue::new(false);
        let load = move |event: &Event| {
            if !is_asked.get_value() && is_at_board(event) {
                is_asked.set_value(true);
                game.load_engine();
            }
        };
        let _ = window_event_listener(pointerover, move |event| load(&event));
        let _ = window_event_listener(focusin, move |event| load(&event));
        let kept = session().and_then(|session| session.get_item(&resumed).ok()?);
        let kept = kept.and_then(|id| SavedGame::load(&id));
        let running =
            kept.filter(|kept| kept.result.is_none() && kept.setup == setup && kept.seat == me);
        game.replace(running.unwrap_or_else(|| SavedGame::begin(setup, DEFAULT_LEVEL, me)));
        // The computer's page may have gone on with it, in another tab, or in this one before the visitor came back.
        let follow = move || {
            // A page that nobody sees would search beside the one that is played on.
            if document().hidden() {
                return;
            }
            let saved = game.saved();
            if let Some(newer) = SavedGame::load(&saved.id).filter(|_| game.is_outdated()) {
                game.replace(newer);
            }
        };
        let _ = window_event_listener(storage, move |event| {
            if event.key().is_some_and(|key| game.saved().has_key(&key)) {
                follow();
            }
        });
        let _ = window_event_listener(pageshow, move |_| follow());
        let _ = window_event_listener(visibilitychange, move |_| follow());
    });
    board
}

/// Returns whether an event happened in the board.
fn is_at_board(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into().ok());
    target.is_some_and(|target: Element| {
        target
            .closest(".board-frame")
            .is_ok_and(|frame| frame.is_some())
    })
}

/// Returns the storage of this tab, or `None` where the browser forbids it.
fn session() -> Option<Storage> {
    window().session_storage().ok()?
}
