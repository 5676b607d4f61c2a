//! Games of Reversi in the Generic Game Format, as far as `NBoard` needs it: the usual start and its moves.

use super::spelling::{NAME, algebraic};
use crate::moves;
use std::fmt::Write as _;
use tochki_rules::{GameKind, Move, Position, Seat};

/// The usual start.
pub(super) fn start() -> Position {
    Position::new(&GameKind::Reversi.default_setup())
}

/// The board of the start as GGF has it, blanks left out: rows from the top, `*` black and `O` white, then the side to move.
const START: &str = "---------------------------O*------*O---------------------------*";

/// Parses a game in GGF: the position after its moves, and whether the side to move there has been passed over by our rules.
pub(super) fn game_of(ggf: &str) -> Result<(Position, bool), &'static str> {
    let mut position = start();
    let mut owes_pass = false;
    let mut rest = ggf;
    let mut has_board = false;
    while let Some((before, after)) = rest.split_once('[') {
        let (value, next) = after.split_once(']').ok_or("the game ends in a bracket")?;
        rest = next;
        match before
            .trim_start_matches(|letter: char| !letter.is_ascii_uppercase())
            .trim()
        {
            "BO" => {
                let board: String = value
                    .trim_start()
                    .trim_start_matches('8')
                    .split_whitespace()
                    .collect();
                if board != START {
                    return Err("only the usual start is supported");
                }
                has_board = true;
            }
            "B" => owes_pass = play(&mut position, owes_pass, Some(Seat::First), value)?,
            "W" => owes_pass = play(&mut position, owes_pass, Some(Seat::Second), value)?,
            _ => {}
        }
    }
    if has_board {
        Ok((position, owes_pass))
    } else {
        Err("the game has no board")
    }
}

/// Plays `F5/1.5/0.2` or `PA`. Returns whether the other side owes a pass then.
pub(super) fn play(
    position: &mut Position,
    owes_pass: bool,
    seat: Option<Seat>,
    text: &str,
) -> Result<bool, &'static str> {
    let word = text.split('/').next().unwrap_or_default().trim();
    if word.eq_ignore_ascii_case("pa") || word.eq_ignore_ascii_case("pass") {
        let by = seat.or_else(|| position.to_move().map(Seat::other));
        return match by {
            Some(seat) if owes_pass && !moves::has_move(position, seat) => Ok(false),
            // At the end both sides may be said to pass.
            _ if position.to_move().is_none() => Ok(false),
            _ => Err("there is a move, so nobody passes"),
        };
    }
    let mv = position.parse_move(word).map_err(|_| "unreadable move")?;
    let turn = position.to_move().ok_or("the game is over")?;
    position
        .play_as(seat.unwrap_or(turn), mv)
        .map_err(|_| "illegal move")?;
    Ok(position.passed())
}

/// The game so far in GGF.
pub(crate) fn game_in_ggf(moves: &[(Seat, Move)]) -> String {
    let mut text = format!(
        "(;GM[Othello]PC[{NAME}]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {} {}]",
        &START[..64],
        &START[64..]
    );
    let mut last = None;
    for &(seat, mv) in moves {
        let letter = |seat| match seat {
            Seat::First => 'B',
            Seat::Second => 'W',
        };
        if last == Some(seat) {
            let _ = write!(text, "{}[PA]", letter(seat.other()));
        }
        if let Move::Reversi(point) = mv {
            let point = algebraic(point).to_ascii_uppercase();
            let _ = write!(text, "{}[{point}]", letter(seat));
        }
        last = Some(seat);
    }
    text + ";)"
}
