//! Any text at all as the tree of an address of the analysis, with its comments: a tree that was read is written, and reads back
//! the same.

use tochki_rules::GameKind;

// The package of the pages has all of Leptos in it; these two of its modules use nothing but their neighbours here.
#[allow(dead_code)]
#[path = "../../pages/src/ui/analysis/move_tree.rs"]
pub(crate) mod move_tree;
#[allow(dead_code)]
#[path = "../../pages/src/ui/analysis/notation.rs"]
mod notation;

pub(crate) fn run((which, placed, moves, notes): (u8, &str, &str, &str)) {
    let setup = GameKind::ALL[usize::from(which) % GameKind::ALL.len()].default_setup();
    let mut read = notation::read(setup, placed, moves);
    notation::read_notes(&mut read.tree, &read.order, notes);
    let last = read.order[read.order.len() - 1];
    let written = notation::write(&read.tree, last);
    let placed = notation::write_placed(&read.tree);
    let mut again = notation::read(setup, &placed, &written.moves);
    notation::read_notes(&mut again.tree, &again.order, &written.notes);
    assert_eq!(again.unread, None);
    let rewritten = notation::write(&again.tree, again.order[again.order.len() - 1]);
    assert_eq!(
        (&rewritten.moves, &rewritten.notes),
        (&written.moves, &written.notes)
    );
}
