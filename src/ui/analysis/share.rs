//! Taking an analysis along: a link with the whole tree, and a file.

use crate::ui::analysis::{MoveTree, NodeId, Study};
use crate::ui::computer::data_address;
use crate::ui::islands::effect::effect;
use js_sys::{Function, Reflect};
use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::record::{PlacedDot, Record, RecordPlayer, Variation};
use tochki_rules::{Move, Setup};
use wasm_bindgen::{JsCast, JsValue};

/// The link with its button, and the file.
#[component]
pub(crate) fn Share(study: Study, names: [String; 2]) -> impl IntoView {
    // The server does not know the address of the site.
    let origin = RwSignal::new(String::new());
    effect(move || origin.set(window().location().origin().unwrap_or_default()));
    let link = Memo::new(move |_| origin.get() + &study.address());
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| copied.set(Some(copy_text(&link.get_untracked())));
    // What is in the clipboard is another position then.
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

/// Copies a text; false where the browser has no clipboard for this page.
fn copy_text(text: &str) -> bool {
    let write = || {
        let navigator = Reflect::get(&js_sys::global(), &JsValue::from_str("navigator")).ok()?;
        let clipboard = Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
        let write = Reflect::get(&clipboard, &JsValue::from_str("writeText")).ok()?;
        let write: Function = write.dyn_into().ok()?;
        write.call1(&clipboard, &JsValue::from_str(text)).ok()
    };
    write().is_some()
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
    Some(record.with_variations(&moves.collect::<Vec<_>>(), &places(NodeId::START)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::analysis::notation;
    use tochki_rules::GameKind;

    #[test]
    fn a_tree_of_dots_is_written_with_its_comments() {
        let setup = GameKind::Dots.default_setup();
        let (mut tree, order) = notation::read(setup, "1.0,0", "5,5_6,6(7,7)_8,8");
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
