//! Taking an analysis along: a link with the whole tree, and a file.

use crate::ui::analysis::{Addresses, LeftOut, MoveTree, NodeId, Study};
use crate::ui::computer::data_address;
use crate::ui::games::setup_fields;
use crate::ui::islands::effect::effect;
use crate::ui::view::view;
use js_sys::{Function, Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_play::Ply;
use tochki_rules::record::{PlacedDot, Record, RecordPlayer, Variation, Variations};
use tochki_rules::{Move, Setup};
use wasm_bindgen::{JsCast, JsValue};

/// The link with its button, and the file.
#[component]
pub(crate) fn Share(study: Study, names: [String; 2]) -> impl IntoView {
    // The server does not know the address of the site.
    let origin = RwSignal::new(String::new());
    effect(move || origin.set(window().location().origin().unwrap_or_default()));
    let addresses = Memo::new(move |_| study.addresses());
    let link = Memo::new(move |_| origin.get() + &addresses.with(|all| all.short.clone()));
    let left_out = move || {
        let left_out = addresses.with(|all| all.left_out)?;
        let text = study.text(match left_out {
            LeftOut::Comments => |texts| &texts.without_comments,
            LeftOut::Variations => |texts| &texts.without_variations,
        });
        Some(view! { <p class="note">{text}</p> })
    };
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let text = link.get_untracked();
        spawn_local(async move {
            let done = copy_text(&text).await;
            if link.try_get_untracked() == Some(text) {
                copied.set(Some(done));
            }
        });
    };
    // The clipboard then has another position.
    effect(move || {
        link.track();
        copied.set(None);
    });
    let told = move || {
        copied.get().map(|copied| {
            study.text(if copied {
                |texts| &texts.copied
            } else {
                |texts| &texts.not_copied
            })
        })
    };
    let names = StoredValue::new(names);
    let file = move || {
        let sgf = study.tree.with(|tree| sgf(tree, names.get_value()))?;
        let address = data_address("application/x-go-sgf", &sgf);
        let text = study.text(|texts| &texts.sgf);
        Some(view! {
            <a href=address download="tochki-analysis.sgf">
                {text}
            </a>
        })
    };
    view! {
        <section class="card share-game" aria-labelledby="share-game">
            <h2 id="share-game">{study.text(|texts| &texts.share)}</h2>
            <div class="field">
                <label for="link">{study.text(|texts| &texts.address)}</label>
                <input id="link" type="text" readonly spellcheck="false" prop:value=move || link.get() />
            </div>
            {left_out}
            <p class="button-row">
                <button type="button" class="quiet" on:click=copy>
                    {study.text(|texts| &texts.copy)}
                </button>
                {file}
                <span role="status">{told}</span>
            </p>
        </section>
    }
}

/// Copies a text; false where the browser has no clipboard for this page, or refuses to write to it.
async fn copy_text(text: &str) -> bool {
    let write = || {
        let navigator = Reflect::get(&js_sys::global(), &JsValue::from_str("navigator")).ok()?;
        let clipboard = Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
        let write = Reflect::get(&clipboard, &JsValue::from_str("writeText")).ok()?;
        let write: Function = write.dyn_into().ok()?;
        let written = write.call1(&clipboard, &JsValue::from_str(text)).ok()?;
        written.dyn_into::<Promise>().ok()
    };
    match write() {
        Some(written) => written.await.is_ok(),
        None => false,
    }
}

/// The addresses of the analysis of a record with its variations; `None` on a board that is too small for a match, which no
/// address has.
pub(crate) fn record_addresses(record: &Record, variations: &Variations) -> Option<Addresses> {
    let setup = Setup::Dots(record.setup);
    setup.for_match().ok()?;
    let tree = MoveTree::of_record(record, variations);
    let (game, fields) = (setup.kind(), setup_fields(&setup).query());
    let end = tree.main_line().last().copied();
    let page = format!("/analysis?game={game}{fields}");
    let end = end.unwrap_or(NodeId::START);
    Some(Addresses::new(&page, &tree, end, None))
}

/// The tree as SGF, if it is one of Dots.
fn sgf(tree: &MoveTree, names: [String; 2]) -> Option<String> {
    let Setup::Dots(setup) = tree.setup() else {
        return None;
    };
    let dot = |ply: Ply| match ply.mv {
        Move::Dots(point) => Some(PlacedDot {
            seat: ply.seat,
            point,
        }),
        _ => None,
    };
    let record = Record {
        setup,
        start: tree.placed().iter().copied().filter_map(dot).collect(),
        plies: Vec::new(),
        players: names.map(|name| RecordPlayer {
            name,
            rank: String::new(),
        }),
        result: None,
        date: String::new(),
        comment: tree.comment(NodeId::START).to_owned(),
    };
    let places = |node: NodeId| {
        let children = tree.children(node).iter();
        children.map(|child| child.number() - 1).collect::<Vec<_>>()
    };
    // Deleted nodes are in the list, but nothing leads to them.
    let moves = tree.nodes().skip(1).filter_map(|node| {
        Some(Variation {
            dot: dot(tree.ply(node)?)?,
            comment: tree.comment(node).to_owned(),
            next: places(node),
        })
    });
    Some(record.with_variations(&Variations {
        moves: moves.collect(),
        first: places(NodeId::START),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::analysis::notation;
    use leptos_router::location::Url;
    use tochki_rules::GameKind;
    use tochki_rules::record;

    #[test]
    fn a_record_is_analysed_with_its_variations_and_comments() {
        let address = |sgf| {
            let record = record::parse(sgf).unwrap().record;
            let variations = record::parse_variations(sgf).unwrap();
            record_addresses(&record, &variations).map(|addresses| Url::unescape(&addresses.whole))
        };
        assert_eq!(
            address("(;GM[40]SZ[9]AB[aa]AW[ii];B[ba];W[bb][cc];B[ab])").as_deref(),
            Some(
                "/analysis?game=dots&board=9x9&start=empty&placed=1.0,0_2.8,8&moves=1,0_1,1_2.2,2_0,1"
            )
        );
        assert_eq!(
            address("(;GM[40]SZ[9]C[Cup];B[ba](;W[bb])(;W[cc];B[dd]C[late]))").as_deref(),
            Some(
                "/analysis?game=dots&board=9x9&start=empty&moves=1,0_1,1(2,2_3,3)&notes=0.Cup_4.late"
            )
        );
        assert_eq!(address("(;GM[40]SZ[3];B[ba])"), None);
    }

    #[test]
    fn a_tree_of_dots_is_written_with_its_comments() {
        let setup = GameKind::Dots.default_setup();
        let notation::Read {
            mut tree, order, ..
        } = notation::read(setup, "1.0,0", "5,5_6,6(7,7)_8,8");
        tree.set_comment(order[3], "better".into());
        tree.delete(order[4]);
        let text = sgf(&tree, ["Ann".into(), "Bob".into()]).unwrap();
        assert!(
            text.contains("PB[Ann]") && text.contains("AB[aa]"),
            "{text}"
        );
        assert!(
            text.ends_with(";W[ff]\n(;B[gg])\n(;B[hh]C[better]))\n"),
            "{text}"
        );
        let gomoku = MoveTree::new(GameKind::Gomoku.default_setup(), Vec::new());
        assert_eq!(sgf(&gomoku, Default::default()), None);
    }
}
