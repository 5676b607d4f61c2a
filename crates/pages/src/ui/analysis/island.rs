//! The island of the analysis. It reads from the page or the address which game is meant, and needs no server then.

use crate::ui::analysis::address::{KEPT, kept};
use crate::ui::analysis::notation::{self, Read};
use crate::ui::analysis::study::StudyPage;
use crate::ui::analysis::table::AnalysisTable;
use crate::ui::analysis::{
    AnalysisTexts, Engine, FairPlay, MoveTree, NodeId, RunningMatch, Study, filled,
};
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
use tochki_protocol::limits;
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
    /// The rated matches that the reader still plays by correspondence.
    pub(crate) running: Vec<RunningMatch>,
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

/// The game that the page is about.
#[derive(Clone)]
struct LoadedGame {
    tree: MoveTree,
    current: NodeId,
    /// The side to move, if it is not as by the rules.
    turn: Option<Seat>,
    /// The address up to the moves.
    address: String,
    sides: [(String, String); 2],
    /// The origin of the game, as an address and its text.
    origin: (String, String),
    /// The name under which this tab keeps the rest of a tree for which no address has room.
    kept: String,
    /// The parts of the address that could not be read.
    troubles: Vec<String>,
}

/// The game that the address asks for.
#[derive(Clone)]
enum Requested {
    Game(Box<LoadedGame>),
    /// No game: the form beneath stays.
    Nothing,
    /// The game is not in this browser.
    Missing,
    /// The board does not exist.
    Invalid,
}

/// The analysis, once the address is read.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn AnalysisIsland(
    /// The content that is shown until then.
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
                    kept,
                    troubles,
                } = *loaded;
                let fair_play = data.with_value(|data| {
                    let finished = data.game.as_ref().map(|game| (game.setup, &*game.moves));
                    FairPlay::new(&data.running, finished)
                });
                let page = StudyPage {
                    address,
                    kept,
                    texts: texts.get_value(),
                    retries: false,
                    fair_play,
                };
                let study = Study::new(tree, current, turn, page, language);
                let opponent =
                    data.with_value(|data| Opponent::start(&data.worker, data.engines.clone()));
                let engine = Engine::new(study, opponent);
                view! { <AnalysisTable study engine sides origin troubles /> }.into_any()
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

/// The fields of an address.
struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads the fields; those that cannot be read are added to `unread`.
    fn read(query: &str, unread: &mut Vec<String>) -> Self {
        let mut fields = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // Messengers write commas and parentheses as they like.
            match js_sys::decode_uri_component(value) {
                Ok(value) => fields.push((name.to_owned(), String::from(value))),
                Err(_) => unread.push(pair.to_owned()),
            }
        }
        Self(fields)
    }

    fn value(&self, name: &str) -> Option<String> {
        let (_, value) = self.0.iter().find(|(key, _)| key == name)?;
        Some(value.clone())
    }

    /// Returns a field as the address has it.
    fn part(&self, name: &str) -> String {
        format!("{name}={}", self.value(name).unwrap_or_default())
    }
}

/// Reads the page and the address. A tree in the address is taken before the moves of the match, from which it was made.
fn begin(data: &AnalysisData, language: Language) -> Requested {
    let search = window().location().search().unwrap_or_default();
    let search = search.trim_start_matches('?');
    // The parts of the address that could not be read.
    let mut unread = Vec::new();
    let mut troubles = Vec::new();
    let mut fields = Fields::read(search, &mut unread);
    let id = fields.value(KEPT).filter(|id| !id.is_empty());
    if let Some(id) = &id {
        match kept(id) {
            Some(whole) => {
                let (_, query) = whole.split_once('?').unwrap_or_default();
                fields = Fields::read(query, &mut unread);
            }
            None => troubles.push(data.texts.not_kept.clone()),
        }
    }
    let value = |name: &str| fields.value(name);
    let sides = |game: GameKind| {
        Seat::BOTH.map(|seat| (side::colour(language, game, seat).to_owned(), String::new()))
    };
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
        let mut sides = sides(saved.setup.kind());
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
        let (kind, query) = (setup.kind(), games::setup_fields(&setup).query());
        // Where a form has options, another value is taken for the first of them.
        let read = query.split('&').filter_map(|pair| pair.split_once('='));
        let others = read.filter(|(name, read)| {
            let given = value(name).filter(|given| !given.is_empty());
            given.is_some_and(|given| !given.eq_ignore_ascii_case(read))
        });
        unread.extend(others.map(|(name, _)| fields.part(name)));
        let origin = ("/analysis".to_owned(), data.texts.new.clone());
        let address = format!("/analysis?game={kind}{query}");
        (game, (address, sides(kind), origin))
    };
    let tree = MoveTree::of_game(&game, 0);
    let end = tree.main_line().last().copied();
    let (tree, current) = match value("moves").or_else(|| value("placed").map(|_| String::new())) {
        Some(moves) => {
            let placed = value("placed").unwrap_or_default();
            let Read {
                mut tree,
                order,
                unread: left_out,
            } = notation::read(tree.setup(), &placed, &moves);
            match left_out {
                Some(left_out) if left_out.number > 0 => {
                    let number = left_out.number.to_string();
                    let mv = shortened(&left_out.text);
                    let values = [("number", &*number), ("mv", &*mv)];
                    troubles.push(filled(&data.texts.unread_move, &values));
                }
                Some(left_out) => unread.push(format!("placed={}", left_out.text)),
                None => {}
            }
            let notes = value("notes").unwrap_or_default();
            let note = notation::read_notes(&mut tree, &order, &notes);
            unread.extend(note.map(|note| format!("notes={note}")));
            let at = value("at").map(|at| {
                let place = at.parse::<usize>().ok();
                place.and_then(|place| order.get(place).copied())
            });
            if at == Some(None) {
                unread.push(fields.part("at"));
            }
            let end = tree.main_line().last().copied();
            (tree, at.flatten().or(end))
        }
        None => (tree, end),
    };
    let turn = value("turn").map(|seat| {
        Seat::BOTH
            .into_iter()
            .find(|one| seat == one.number().to_string())
    });
    if turn == Some(None) {
        unread.push(fields.part("turn"));
    }
    let unread = unread.iter().map(|part| {
        let part = shortened(part);
        filled(&data.texts.unread, &[("part", &*part)])
    });
    troubles.extend(unread);
    let (address, sides, origin) = page;
    Requested::Game(Box::new(LoadedGame {
        tree,
        current: current.unwrap_or(NodeId::START),
        turn: turn.flatten(),
        address,
        sides,
        origin,
        kept: id.unwrap_or_else(new_id),
        troubles,
    }))
}

/// Returns the beginning of a text that may be as long as an address.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(limits::RECORD_TEXT_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a name that no other analysis of this tab has.
fn new_id() -> String {
    let drawn = js_sys::Math::random() * f64::from(u32::MAX);
    format!("{:x}", drawn as u32)
}
