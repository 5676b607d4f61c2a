//! The moves with their variations: the main line as a list, and in it, after the move that they replace, the variations.

use crate::ui::analysis::{MoveTree, NodeId, Study, Verdict};
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::steps::{Step, scroll_into_view};
use crate::ui::text::side;
use crate::ui::text::{Language, language, t};
use crate::ui::view::{live, view};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;
use std::fmt::Write;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The list. A click on a move shows its position; the arrow keys step.
#[component]
pub(crate) fn TreeList(
    study: Study,
    /// The verdicts on moves.
    verdicts: Signal<Vec<(NodeId, Verdict)>>,
) -> impl IntoView {
    let language = language();
    let list = NodeRef::<Div>::new();
    let markup = Memo::new(move |_| {
        let verdicts = verdicts.get();
        study.tree.with(|tree| {
            study.with_texts(|texts| {
                let list = List {
                    tree,
                    language,
                    variation: &texts.variation,
                    verdicts: verdicts
                        .iter()
                        .map(|(node, verdict)| (*node, *verdict, texts.verdict(*verdict)))
                        .collect(),
                };
                list.markup()
            })
        })
    });
    // The current move is marked by an attribute, so that a step renders nothing again.
    effect(move || {
        markup.track();
        let current = study.current.get().number();
        let Some(list) = list.get() else { return };
        if let Ok(Some(before)) = list.query_selector("[aria-current]") {
            let _ = before.remove_attribute("aria-current");
        }
        let selector = format!("[data-node='{current}']");
        if let Ok(Some(link)) = list.query_selector(&selector) {
            let _ = link.set_attribute("aria-current", "step");
            scroll_into_view(&link);
        }
    });
    let choose = move |click: MouseEvent| {
        if let Some(node) = clicked_node(&click) {
            click.prevent_default();
            study.go(node);
        }
    };
    let press = move |key: KeyboardEvent| {
        if let Some(step) = Step::of_key(&key) {
            key.prevent_default();
            study.step(step);
        }
    };
    let none = move || markup.with(String::is_empty);
    view! {
        <p class="empty" class:unused=move || !none()>
            {t!(language, table.no_moves)}
        </p>
        // It scrolls by keyboard, so it is focusable and has a name.
        <div class="moves-box tree" {..live()} tabindex="0" role="region" aria-labelledby="moves" on:keydown=press>
            <div node_ref=list inner_html=move || markup.get() on:click=choose></div>
        </div>
    }
}

/// The list with its tree.
struct List<'a> {
    tree: &'a MoveTree,
    language: Language,
    /// The name of a variation.
    variation: &'a str,
    verdicts: Vec<(NodeId, Verdict, &'a str)>,
}

impl List<'_> {
    /// The list, empty without moves.
    fn markup(&self) -> String {
        let mut markup = String::new();
        if self.tree.children(NodeId::START).is_empty() {
            return markup;
        }
        let end = "</ol>";
        markup.push_str("<ol>");
        let mut pending = vec![Pending::Markup(end), Pending::Next(NodeId::START, 1)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Next(node, number) => {
                    if let [first, others @ ..] = self.tree.children(node) {
                        self.open(*first, number, &mut markup);
                        pending.push(Pending::Next(*first, number + 1));
                        pending.push(Pending::Markup("</li>"));
                        let others = others.iter().rev();
                        pending.extend(others.map(|other| Pending::Variation(*other, number)));
                    }
                }
                Pending::Variation(node, number) => {
                    // Writing into a string cannot fail.
                    let _ = write!(markup, r#"<ol aria-label="{}">"#, self.variation);
                    self.open(node, number, &mut markup);
                    markup.push_str("</li>");
                    pending.extend([Pending::Markup(end), Pending::Next(node, number + 1)]);
                }
                Pending::Markup(text) => markup.push_str(text),
            }
        }
        markup
    }

    /// Opens the item of a move, which stays open for the variations that replace it. The link is no tab stop: there may be a
    /// thousand.
    fn open(&self, node: NodeId, number: usize, markup: &mut String) {
        let Some(ply) = self.tree.ply(node) else {
            return;
        };
        let setup = self.tree.setup();
        let colour = side::colour(self.language, setup.kind(), ply.seat);
        let side = side::class(ply.seat);
        let mv = games::move_text(setup, ply.mv);
        let id = node.number();
        // Writing into a string cannot fail.
        let _ = write!(
            markup,
            r##"<li class="{side}"><a href="#moves" tabindex="-1" data-node="{id}"><span class="number">{number}.</span> <span class="hidden">{colour} </span>{mv}"##
        );
        let verdict = self.verdicts.iter().find(|(at, ..)| *at == node);
        if let Some((_, verdict, name)) = verdict {
            let sign = verdict.sign();
            let _ = write!(
                markup,
                r#"<b class="verdict" title="{name}" aria-hidden="true">{sign}</b><span class="hidden"> {name}</span>"#
            );
        }
        markup.push_str("</a>");
        let comment = self.tree.comment(node);
        if !comment.is_empty() {
            let _ = write!(markup, " <q>{}</q>", escaped(comment));
        }
    }
}

/// The parts still to be listed, the next one last. A list and no recursion: variations are as deep as somebody likes.
enum Pending {
    /// The moves after a node, of which the first has this number.
    Next(NodeId, usize),
    /// A variation that begins with this move of this number.
    Variation(NodeId, usize),
    /// A piece of markup.
    Markup(&'static str),
}

/// Escapes a text for markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Returns the node of a clicked move.
fn clicked_node(click: &MouseEvent) -> Option<NodeId> {
    let clicked = click.target()?.unchecked_into::<Element>();
    let link = clicked.closest("a").ok().flatten()?;
    let number = link.get_attribute("data-node")?.parse().ok()?;
    Some(NodeId::from_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::analysis::notation;
    use tochki_rules::GameKind;

    #[test]
    fn variations_follow_the_move_that_they_replace() {
        let setup = GameKind::Gomoku.default_setup();
        let notation::Read {
            mut tree, order, ..
        } = notation::read(setup, "", "5,5_6,6(7,7_8,8)_9,9");
        tree.set_comment(order[2], "a < b & c".into());
        let list = List {
            tree: &tree,
            language: Language::En,
            variation: "Variation",
            verdicts: vec![(order[5], Verdict::Blunder, "blunder")],
        };
        let markup = list.markup();
        let mut texts = String::new();
        let mut inside = false;
        for c in markup.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => texts.push(c),
                _ => {}
            }
        }
        assert_eq!(
            texts,
            "1. Black F142. White G13 a &lt; b &amp; c2. White H123. Black I113. Black J10?? blunder"
        );
        assert_eq!(markup.matches("<ol").count(), 2);
        assert_eq!(
            markup.matches("<ol").count(),
            markup.matches("</ol>").count()
        );
        assert_eq!(
            markup.matches("<li").count(),
            markup.matches("</li>").count()
        );
    }
}
