//! The properties of a game as a whole, which all games share.

use super::source::Source;
use crate::{GameRecord, Place, Warning, date};
use tochki_rules::record::tree::{Damage, GameTree, Node, simple_text, text};
use tochki_rules::record::{GameResult, RecordPlayer};

/// The value of a property as one line, empty if there is none.
pub(super) fn line_of(node: &Node, name: &str) -> String {
    let line = node.first(name).map(simple_text).unwrap_or_default();
    line.trim().to_owned()
}

/// The result, if it is known. Servers of Renju write a draw as `B+Draw`.
fn result_of(node: &Node) -> Option<GameResult> {
    let result = node.first("RE")?;
    let is_draw = result
        .trim()
        .get(1..)
        .is_some_and(|rest| rest.eq_ignore_ascii_case("+draw"));
    if is_draw {
        Some(GameResult::Draw)
    } else {
        GameResult::parse(result)
    }
}

/// Takes names, dates and texts of the root into a record.
pub(super) fn describe(record: &mut GameRecord, root: &Node) {
    record.players = [("PB", "BR"), ("PW", "WR")].map(|(name, rank)| RecordPlayer {
        name: line_of(root, name),
        rank: line_of(root, rank),
    });
    record.event = line_of(root, "EV");
    record.round = line_of(root, "RO");
    record.site = line_of(root, "PC");
    record.date = date::normal(&line_of(root, "DT"));
    record.rules = line_of(root, "RU");
    record.result = result_of(root);
    // The comment on the game, and that on its first position.
    let comments = ["GC", "C"].map(|name| root.first(name).map(text).unwrap_or_default());
    let separator = if comments.iter().any(String::is_empty) {
        ""
    } else {
        "\n"
    };
    record.comment = comments.join(separator);
}

/// Adds a warning where the text of a tree is damaged.
pub(super) fn warn_of_damage(record: &mut GameRecord, tree: &GameTree, source: &Source) {
    record
        .warnings
        .extend(tree.damage.map(|damage| match damage {
            Damage::Skipped(_) => Warning::Skipped(place_of(damage, source)),
            Damage::CutOff(_) => Warning::CutOff(place_of(damage, source)),
        }));
}

/// The place of damage in the input.
pub(super) fn place_of(damage: Damage, source: &Source) -> Place {
    let (Damage::Skipped(at) | Damage::CutOff(at)) = damage;
    source.place_at(at)
}
