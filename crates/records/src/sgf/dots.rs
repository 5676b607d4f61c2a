//! Dots in SGF, by the reader of `tochki_rules`.

use super::root::{describe, place_of, warn_of_damage};
use super::source::Source;
use crate::error::ErrorKind;
use crate::{Form, GameRecord, Place, Placed, RecordError, RecordMove, Stop, Warning};
use tochki_rules::record::tree::GameTree;
use tochki_rules::record::{Collection, FullRecord, PlacedDot, SgfError, Variations, is_no_move};
use tochki_rules::{Move, Setup};

/// Reads a tree of Dots.
pub(super) fn read(tree: &GameTree, source: &Source) -> Result<GameRecord, RecordError> {
    let full = Collection::read(source.text).and_then(|collection| collection.parse(0));
    let full = full.map_err(|error| refused(error, tree, source))?;
    let FullRecord {
        record,
        invalid_move,
        variations,
        damage: _,
        other_rules,
        is_shortened,
    } = full;
    let mut read = GameRecord::new(Setup::Dots(record.setup));
    if let Some(root) = tree.nodes.first() {
        describe(&mut read, root);
    }
    read.start = record.start.iter().copied().map(placed).collect();
    read.main_line = record.plies.len();
    read.moves = moves(variations);
    read.stop = invalid_move.map(|invalid| Stop {
        number: invalid.number,
        place: place_of_move(tree, invalid.number, source),
        why: invalid.why.into(),
    });
    warn_of_damage(&mut read, tree, source);
    if let Some(other) = other_rules {
        if !other.named.is_empty() {
            read.warnings.push(Warning::OtherRules(other.named));
        }
        read.warnings
            .extend(other.from_move.map(Warning::OtherCaptures));
    }
    if is_shortened {
        read.warnings.push(Warning::LeftOutVariations);
    }
    Ok(read)
}

pub(super) const fn placed(dot: PlacedDot) -> Placed {
    Placed {
        seat: dot.seat,
        mv: Move::Dots(dot.point),
    }
}

/// The same moves, each with the place of the move before it. The order is that of the text, so the main line comes first.
fn moves(variations: Variations) -> Vec<RecordMove> {
    let mut after = vec![None; variations.moves.len()];
    for (place, variation) in variations.moves.iter().enumerate() {
        for &next in &variation.next {
            after[next] = Some(place);
        }
    }
    let dots = variations.moves.into_iter().zip(after);
    dots.map(|(variation, after)| {
        let Placed { seat, mv } = placed(variation.dot);
        RecordMove {
            seat,
            mv,
            after,
            time: None,
            comment: variation.comment,
        }
    })
    .collect()
}

fn refused(error: SgfError, tree: &GameTree, source: &Source) -> RecordError {
    let place = source.place;
    match error {
        SgfError::NotSgf => ErrorKind::NotThisForm(Form::Sgf).at(place),
        SgfError::Syntax { .. } => {
            let place = tree.damage.map_or(place, |damage| place_of(damage, source));
            ErrorKind::Expected("a node of SGF").at(place)
        }
        SgfError::OtherGame => ErrorKind::OtherGame(String::new()).at(place),
        SgfError::InvalidSize => ErrorKind::InvalidSize.at(place),
    }
}

/// The place of the move of this number on the main line, as far as moves alone are counted; else of the tree.
fn place_of_move(tree: &GameTree, number: usize, source: &Source) -> Place {
    let nodes = tree.nodes[..tree.main_line].iter();
    let name = if number == 0 {
        ["AB", "AW"]
    } else {
        ["B", "W"]
    };
    let values = nodes
        .flat_map(|node| &node.0)
        .filter(|property| name.contains(&&*property.name))
        .flat_map(|property| property.values.iter().copied());
    let mut moves = values.filter(|value| !is_no_move(value));
    let value = moves.nth(number.saturating_sub(1));
    value.map_or(source.place, |value| source.place_of(value))
}
