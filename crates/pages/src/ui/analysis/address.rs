//! The address of an analysis. The address has the whole tree where every server and proxy takes it; where it would be too long,
//! it has less, and the storage of the browser's tab has the rest.

use crate::ui::analysis::{MoveTree, NodeId, notation};
use leptos_router::location::Url;
use tochki_protocol::limits;
use tochki_rules::Seat;
use web_sys::Storage;

/// The addresses of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Addresses {
    /// The address with everything, however long it is.
    pub(crate) whole: String,
    /// The address that is short enough for every server and proxy, except for the main line, which it always has.
    pub(crate) short: String,
    /// The parts that the short address lacks.
    pub(crate) left_out: Option<LeftOut>,
}

/// The parts of a tree that do not fit into an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// The comments.
    Comments,
    /// The variations, and the comments if there are any.
    Variations,
}

impl Addresses {
    /// Writes the addresses of a tree, from the address of the page up to the moves:
    /// `/analysis?game=dots&board=20x20&start=empty`. `turn` is the side to move, if it is not as by the rules.
    pub(crate) fn new(page: &str, tree: &MoveTree, current: NodeId, turn: Option<Seat>) -> Self {
        let written = notation::write(tree, current);
        let notes = Url::escape(&written.notes);
        let last = tree.main_line().last().copied();
        let is_last = last == Some(current);
        let address = |moves: &str, place: usize, is_last: bool, notes: &str| {
            let mut address = page.to_owned();
            let mut add = |name: &str, value: &str| {
                if !value.is_empty() {
                    add_field(&mut address, name, value);
                }
            };
            add("placed", &notation::write_placed(tree));
            add("moves", moves);
            if !moves.is_empty() && !is_last {
                add("at", &place.to_string());
            }
            if let Some(seat) = turn {
                add("turn", &seat.number().to_string());
            }
            add("notes", notes);
            address
        };
        let fits = |address: &str| address.len() <= limits::ANALYSIS_ADDRESS_MAX_BYTES;
        let whole = address(&written.moves, written.place, is_last, &notes);
        let (short, left_out) = if fits(&whole) {
            (whole.clone(), None)
        } else {
            let moves = address(&written.moves, written.place, is_last, "");
            let main = notation::write_main_line(tree, current);
            if fits(&moves) {
                (moves, Some(LeftOut::Comments))
            } else if main.moves != written.moves {
                let is_last = is_last || main.place == tree.main_line().len();
                let line = address(&main.moves, main.place, is_last, "");
                (line, Some(LeftOut::Variations))
            } else {
                let left_out = (!notes.is_empty()).then_some(LeftOut::Comments);
                (moves, left_out)
            }
        };
        Self {
            whole,
            short,
            left_out,
        }
    }

    /// Returns the short address, with the name under which the tab has the whole address.
    pub(crate) fn with_kept(&self, id: &str) -> String {
        let mut address = self.short.clone();
        add_field(&mut address, KEPT, id);
        address
    }
}

/// The field with the name under which the tab has the rest of an analysis.
pub(crate) const KEPT: &str = "kept";

fn add_field(address: &mut String, name: &str, value: &str) {
    address.push(if address.contains('?') { '&' } else { '?' });
    address.push_str(name);
    address.push('=');
    address.push_str(value);
}

/// Keeps a whole address in the storage of this tab; false where the browser refuses. `public/keep_study.js` does the same.
pub(crate) fn keep(id: &str, whole: &str) -> bool {
    let kept = storage().map(|storage| storage.set_item(&key(id), whole));
    matches!(kept, Some(Ok(())))
}

/// Returns the whole address that this tab has under a name.
pub(crate) fn kept(id: &str) -> Option<String> {
    storage()?.get_item(&key(id)).ok()?
}

fn key(id: &str) -> String {
    format!("study-{id}")
}

/// Returns the storage, or `None` where the browser forbids it.
fn storage() -> Option<Storage> {
    leptos::prelude::window().session_storage().ok()?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::analysis::notation::Read;
    use tochki_rules::GameKind;

    fn read(moves: &str) -> Read {
        notation::read(GameKind::Gomoku.default_setup(), "", moves)
    }

    #[test]
    fn an_address_has_the_tree_with_its_comments() {
        let Read {
            mut tree, order, ..
        } = read("5,5_6,6(7,7)");
        tree.set_comment(order[3], "a_b & c".into());
        let page = "/analysis?game=gomoku";
        // Browser and server escape different letters.
        let unescaped = |page, node| {
            let addresses = Addresses::new(page, &tree, node, None);
            assert_eq!(
                (&addresses.whole, addresses.left_out),
                (&addresses.short, None)
            );
            Url::unescape(&addresses.whole)
        };
        assert_eq!(
            unescaped(page, order[3]),
            "/analysis?game=gomoku&moves=5,5_6,6(7,7)&at=3&notes=3.a~-b & c"
        );
        assert_eq!(
            unescaped("/match/7/analysis", order[2]),
            "/match/7/analysis?moves=5,5_6,6(7,7)&notes=3.a~-b & c"
        );
        let of_blue = Addresses::new(page, &tree, order[3], Some(Seat::Second));
        assert!(!of_blue.whole.contains("& c"));
        assert!(of_blue.whole.contains("&at=3&turn=2&"));
        assert!(of_blue.with_kept("a1").ends_with("&kept=a1"));
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_told() {
        let page = "/analysis?game=gomoku";
        let long = "ы".repeat(limits::ANALYSIS_ADDRESS_MAX_BYTES / 6);
        let Read {
            mut tree, order, ..
        } = read("5,5_6,6(7,7)");
        tree.set_comment(order[3], long.clone());
        let addresses = Addresses::new(page, &tree, order[3], None);
        assert_eq!(
            addresses.short,
            "/analysis?game=gomoku&moves=5,5_6,6(7,7)&at=3"
        );
        assert_eq!(addresses.left_out, Some(LeftOut::Comments));
        assert!(addresses.whole.len() > limits::ANALYSIS_ADDRESS_MAX_BYTES);
        assert_eq!(
            addresses.with_kept("a1"),
            "/analysis?game=gomoku&moves=5,5_6,6(7,7)&at=3&kept=a1"
        );

        // More variations than fit.
        let points = (0..19).flat_map(|x| (0..19).map(move |y| format!("{x},{y}")));
        let points: Vec<_> = points.skip(2).collect();
        let variations = points
            .iter()
            .flat_map(|point| ["(", point, "_0,2_0,3_0,4_0,5)"]);
        let variations: String = variations.collect();
        let Read { tree, order, .. } = read(&format!("0,0_0,1{variations}_0,2"));
        let end = order[order.len() - 1];
        let addresses = Addresses::new(page, &tree, end, None);
        let of_line = "/analysis?game=gomoku&moves=0,0_0,1_0,2";
        assert_eq!(
            (&*addresses.short, addresses.left_out),
            (of_line, Some(LeftOut::Variations))
        );
        // In a variation: the position from which it goes off.
        let addresses = Addresses::new(page, &tree, order[order.len() - 2], None);
        assert_eq!(addresses.short, format!("{of_line}&at=1"));

        // The main line is never left out: on the largest board it is longer than that.
        let setup = "board=50x50";
        let moves: Vec<_> = (10..40)
            .flat_map(|x| (10..50).map(move |y| format!("{x},{y}")))
            .collect();
        let kind = GameKind::Dots.default_setup();
        let tall = notation::read(kind, "", "");
        assert_eq!(tall.unread, None);
        let Read { mut tree, .. } = tall;
        let mut at = NodeId::START;
        for mv in moves {
            let mv = tree.start().parse_move(&mv).expect("a point");
            at = tree.add(
                at,
                tochki_play::Ply {
                    seat: Seat::First,
                    mv,
                },
            );
        }
        let page = format!("/analysis?game=dots&{setup}");
        let addresses = Addresses::new(&page, &tree, at, None);
        assert!(addresses.short.len() > limits::ANALYSIS_ADDRESS_MAX_BYTES);
        assert_eq!(
            (&addresses.whole, addresses.left_out),
            (&addresses.short, None)
        );
        tree.set_comment(at, "x".into());
        let addresses = Addresses::new(&page, &tree, at, None);
        assert_eq!(addresses.left_out, Some(LeftOut::Comments));
    }
}
