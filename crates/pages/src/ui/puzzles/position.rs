//! The position of a puzzle from its moves.

use crate::ui::board::Shown;
use crate::ui::games::setup_fields;
use tochki_play::Ply;
use tochki_rules::{Position, Seat, Setup};

/// The position after these moves in turn, as far as the rules allow them.
pub(crate) fn after<'a>(setup: Setup, moves: impl Iterator<Item = &'a str>) -> Shown {
    let mut shown = Shown {
        position: Position::new(&setup),
        plies: Vec::new(),
    };
    for mv in moves {
        if !play(&mut shown, mv) {
            break;
        }
    }
    shown
}

/// Plays a move of the side to move; `false` if that is not possible.
pub(crate) fn play(shown: &mut Shown, mv: &str) -> bool {
    let Some(seat) = shown.position.to_move() else {
        return false;
    };
    let played = shown
        .position
        .parse_move(mv)
        .and_then(|mv| shown.position.play(mv).map(|_| mv));
    if let Ok(mv) = played {
        shown.plies.push(Ply { seat, mv });
    }
    played.is_ok()
}

/// The address of the analysis of a position; `None` on a board that is too small for a match, which no address has.
pub(crate) fn analysis_address(shown: &Shown) -> Option<String> {
    let setup = shown.position.setup().for_match().ok()?;
    let (game, fields) = (setup.kind(), setup_fields(&setup).query());
    let plies = shown.plies.iter();
    let moves: Vec<String> = plies
        .map(|ply| format!("{}.{}", ply.seat.number(), ply.mv))
        .collect();
    Some(format!(
        "/analysis?game={game}{fields}&moves={}",
        moves.join("_")
    ))
}

/// The seat that solves it, for a position after its moves.
pub(crate) fn to_move(shown: &Shown) -> Seat {
    shown.position.to_move().unwrap_or(Seat::First)
}
