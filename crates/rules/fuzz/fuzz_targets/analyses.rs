//! Any text at all as the tree of an address of the analysis, with its comments: what is read is written, and reads back as the
//! same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tochki_rules::GameKind;

// The package of the pages has all of Leptos in it; these two of its modules use nothing but what is beside them here.
#[allow(dead_code)]
#[path = "../../../../crates/pages/src/ui/analysis/move_tree.rs"]
mod move_tree;
#[allow(dead_code)]
#[path = "../../../../crates/pages/src/ui/analysis/notation.rs"]
mod notation;

mod ui {
    pub(crate) mod analysis {
        pub(crate) use crate::move_tree::{MoveTree, NodeId};
    }

    pub(crate) mod board {
        use tochki_play::Ply;
        use tochki_rules::Position;

        /// A position with the moves that led there, as a board shows it.
        pub(crate) struct Shown {
            pub(crate) position: Position,
            pub(crate) plies: Vec<Ply>,
        }
    }
}

fuzz_target!(|input: (u8, &str, &str, &str)| {
    let (which, placed, moves, notes) = input;
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
});
