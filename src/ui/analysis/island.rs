//! The island of the analysis. It reads which game is meant from the page or the address, and needs no server then.

use crate::ui::analysis::table::AnalysisTable;
use crate::ui::analysis::{AnalysisTexts, Engine, MoveTree, NodeId, Study, notation};
use crate::ui::board::Shown;
use crate::ui::computer::{Opponent, SavedGame};
use crate::ui::forms::fields::InvalidFields;
use crate::ui::games;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::replay::read_moves;
use crate::ui::text::{Language, language, side};
use crate::ui::view::view;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat, Setup};

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct AnalysisData {
    pub(crate) texts: AnalysisTexts,
    /// The address of the worker's script.
    pub(crate) worker: String,
    /// The version of the engines' files.
    pub(crate) engines: String,
    /// The match of a page of its own.
    pub(crate) game: Option<AnalysedMatch>,
}

/// A finished match.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct AnalysedMatch {
    pub(crate) setup: Setup,
    /// Moves as `MoveSequence` encodes them.
    pub(crate) moves: String,
    /// Name and rating of each side.
    pub(crate) sides: [(String, String); 2],
    /// The address of its page.
    pub(crate) path: String,
}

pub(crate) static ANALYSIS: IslandData<AnalysisData> = IslandData::new("analysed");

/// What the page is about.
#[derive(Clone)]
struct LoadedGame {
    tree: MoveTree,
    current: NodeId,
    /// Whose move the next one is, if it is not as by the rules.
    turn: Option<Seat>,
    /// The address up to the moves.
    address: String,
    sides: [(String, String); 2],
    /// Where the game is from, as an address and its text.
    origin: (String, String),
}

/// What the address asks for.
#[derive(Clone)]
enum Requested {
    Game(Box<LoadedGame>),
    /// No game: the form beneath stays.
    Nothing,
    /// There is no such game in this browser.
    Missing,
    /// There is no such board.
    Invalid,
}

/// The analysis, once the address is read.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn AnalysisIsland(
    /// Shown until then.
    children: Children,
) -> impl IntoView {
    let language = language();
    let data = StoredValue::new(ANALYSIS.read());
    let texts = StoredValue::new(data.with_value(|data| data.texts.clone()));
    let requested = RwSignal::new(None::<Requested>);
    effect(move || requested.set(Some(data.with_value(|data| begin(data, language)))));
    let message = move |text: fn(&AnalysisTexts) -> &str| {
        let (text, new) = texts.with_value(|texts| (text(texts).to_owned(), texts.new.clone()));
        view! {
            <section class="card narrow">
                <p>{text}</p>
                <p class="button-row">
                    <a class="button" href="/analysis">
                        {new}
                    </a>
                </p>
            </section>
        }
        .into_any()
    };
    let table = move || {
        Some(match requested.get()? {
            Requested::Game(loaded) => {
                let LoadedGame {
                    tree,
                    current,
                    turn,
                    address,
                    sides,
                    origin,
                } = *loaded;
                let study = Study::new(tree, current, turn, address, texts.get_value(), language);
                let opponent =
                    data.with_value(|data| Opponent::start(&data.worker, data.engines.clone()));
                let engine = Engine::new(study, opponent);
                view! { <AnalysisTable study engine sides origin /> }.into_any()
            }
            Requested::Nothing => return None,
            Requested::Missing => message(|texts| &texts.no_game),
            Requested::Invalid => message(|texts| &texts.invalid),
        })
    };
    let ready =
        move || requested.with(|requested| !matches!(requested, None | Some(Requested::Nothing)));
    view! {
        <div class="computer-room" class:ready=ready>
            {children()}
            {table}
        </div>
    }
}

/// Reads the page and the address. A tree in the address is taken before the moves of the match, from which it was made.
fn begin(data: &AnalysisData, language: Language) -> Requested {
    let query = window().location().search().unwrap_or_default();
    let value = |name: &str| {
        let mut pairs = query
            .trim_start_matches('?')
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        let value = pairs.find(|(key, _)| *key == name)?.1;
        // Messengers write commas and parentheses as they like.
        js_sys::decode_uri_component(value).ok().map(String::from)
    };
    let sides = Seat::BOTH.map(|seat| (side::colour(language, seat).to_owned(), String::new()));
    let (game, page) = if let Some(found) = &data.game {
        let game = read_moves(found.setup, &found.moves);
        let origin = (found.path.clone(), data.texts.table.clone());
        let address = format!("{}/analysis", found.path);
        (game, (address, found.sides.clone(), origin))
    } else if let Some(id) = value("computer") {
        let Some(saved) = SavedGame::load(&id) else {
            return Requested::Missing;
        };
        let played = saved.to_match();
        let game = Shown {
            position: played.position().clone(),
            plies: played.plies().to_vec(),
        };
        let mut sides = sides;
        let other = saved.seat.other().index();
        sides[other].0.clone_from(&data.texts.computer);
        let origin = (saved.address(), data.texts.table.clone());
        (game, (format!("/analysis?computer={id}"), sides, origin))
    } else {
        let Some(game) = value("game") else {
            return Requested::Nothing;
        };
        let kind = Some(game).and_then(|game| game.parse::<GameKind>().ok());
        let setup =
            kind.and_then(|kind| games::read_setup(kind, &value, &mut InvalidFields::new()));
        let Some(setup) = setup else {
            return Requested::Invalid;
        };
        let game = read_moves(setup, "");
        let (kind, fields) = (setup.kind(), games::setup_fields(&setup).query());
        let origin = ("/analysis".to_owned(), data.texts.new.clone());
        let address = format!("/analysis?game={kind}{fields}");
        (game, (address, sides, origin))
    };
    let tree = MoveTree::of_game(&game, 0);
    let end = tree.main_line().last().copied();
    let (tree, current) = match value("moves") {
        Some(moves) => {
            let placed = value("placed").unwrap_or_default();
            let (mut tree, order) = notation::read(tree.setup(), &placed, &moves);
            notation::read_notes(&mut tree, &order, &value("notes").unwrap_or_default());
            let at = value("at").and_then(|at| at.parse::<usize>().ok());
            let at = at.and_then(|at| order.get(at).copied());
            let end = tree.main_line().last().copied();
            (tree, at.or(end))
        }
        None => (tree, end),
    };
    let turn = value("turn").and_then(|seat| {
        Seat::BOTH
            .into_iter()
            .find(|one| seat == one.number().to_string())
    });
    let (address, sides, origin) = page;
    Requested::Game(Box::new(LoadedGame {
        tree,
        current: current.unwrap_or(NodeId::START),
        turn,
        address,
        sides,
        origin,
    }))
}
