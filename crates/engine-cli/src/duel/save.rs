//! Games of a duel as they are kept: SGF where the game has a form in it, or one JSON object a line.

use super::referee::{How, Played};
use serde_json::{Value, json};
use tochki_rules::record::{self, GameResult, PlacedDot, Record, RecordPlayer};
use tochki_rules::{Ending, Move, Seat, Setup};

/// A game as SGF, if it is one of Dots.
pub(crate) fn sgf(game: &Played, names: [&str; 2]) -> Option<String> {
    let Setup::Dots(setup) = game.position.setup() else {
        return None;
    };
    let plies = game.moves.iter().filter_map(|&(seat, mv)| match mv {
        Move::Dots(point) => Some(PlacedDot { seat, point }),
        _ => None,
    });
    let record = Record {
        setup,
        start: Vec::new(),
        plies: plies.collect(),
        players: names.map(|name| RecordPlayer {
            name: name.into(),
            rank: String::new(),
        }),
        result: Some(result(game)),
        date: String::new(),
        comment: match &game.how {
            How::Fault(seat, fault) => format!("{} {fault}.", names[seat.index()]),
            How::Settled => "Nothing can change the score any more.".into(),
            How::Adjudicated(_) => "Both programs saw the winner far ahead.".into(),
            How::TooLong => "Ended by the referee.".into(),
            How::Rules(_) => String::new(),
        },
    };
    Some(record.to_string())
}

fn result(game: &Played) -> GameResult {
    let Some(by) = game.winner else {
        return GameResult::Draw;
    };
    let [first, second] = game.position.score();
    let how = match &game.how {
        How::Rules(_) | How::Settled | How::TooLong => {
            record::WinReason::Points(first.abs_diff(second).into())
        }
        How::Adjudicated(_) | How::Fault(_, crate::drive::Fault::Resigned) => {
            record::WinReason::Resignation
        }
        How::Fault(_, crate::drive::Fault::Late { .. }) => record::WinReason::Time,
        How::Fault(..) => record::WinReason::Forfeit,
    };
    GameResult::Won { by, how }
}

/// A game as a record that `tochki replay` reads, with the programs by their seats, the winner (0 is a draw), the reason of the
/// end, the score, and the number of moves of the opening.
pub(crate) fn json(game: &Played, names: [&str; 2]) -> Value {
    let setup = game.position.setup();
    let moves: Vec<_> = game.moves.iter().map(|(_, mv)| mv.to_string()).collect();
    let (reason, told) = match &game.how {
        How::Rules(ending) => (word(*ending), None),
        How::Fault(seat, fault) => {
            let told = format!("{} {fault}", names[seat.index()]);
            (fault.code(), Some(told))
        }
        How::Settled => ("settled", None),
        How::Adjudicated(_) => ("adjudicated", None),
        How::TooLong => ("most_plies", None),
    };
    let mut line = json!({
        "game": setup.kind(),
        "setup": setup.fields().unwrap_or_default(),
        "moves": moves,
        "opening": game.opening,
        "players": names,
        "winner": game.winner.map_or(0, Seat::number),
        "reason": reason,
        "score": game.position.score(),
    });
    if let Some(told) = told {
        line["fault"] = told.into();
    }
    line
}

const fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::BoardFull => "board_full",
        Ending::FiveInRow => "five_in_row",
        Ending::NoMoves => "no_moves",
        Ending::AllBoxes => "all_boxes",
    }
}
