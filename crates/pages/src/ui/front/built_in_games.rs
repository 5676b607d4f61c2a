//! Games that our engines have played against themselves, one of each kind, on the boards of the front page.

use crate::ui::board::Shown;
use tochki_play::Ply;
use tochki_rules::{GameKind, Position, Setup, boxes, dots, gomoku};

/// The longer side of the board of Dots.
const DOTS_SIDE: u8 = 13;

/// The boxes each way.
const BOXES_SIDE: u8 = 5;

/// The side of the board of Gomoku, on which it is played most.
const GOMOKU_SIDE: u8 = 15;

/// Returns the board of a game on the front page: one that is soon played to the end, and has room on a phone.
pub(super) fn setup(game: GameKind) -> Setup {
    let small = match game {
        // With the cross there is something to capture from the first move on.
        GameKind::Dots => dots::Setup::new(DOTS_SIDE, DOTS_SIDE, dots::Opening::Cross)
            .ok()
            .map(Setup::Dots),
        GameKind::Gomoku => gomoku::Setup::new(GOMOKU_SIDE, gomoku::Setup::DEFAULT.rule())
            .ok()
            .map(Setup::Gomoku),
        GameKind::Boxes => boxes::Setup::new(BOXES_SIDE, BOXES_SIDE)
            .ok()
            .map(Setup::Boxes),
        GameKind::Reversi => None,
    };
    small.unwrap_or(game.default_setup())
}

/// Returns the moves of the built-in game, as far as the rules allow them: all of them, as a test checks.
pub(super) fn finished(game: GameKind) -> Shown {
    let mut position = Position::new(&setup(game));
    let mut plies = Vec::new();
    for text in moves(game).split_ascii_whitespace() {
        let (Some(seat), Ok(mv)) = (position.to_move(), position.parse_move(text)) else {
            break;
        };
        if position.play(mv).is_err() {
            break;
        }
        plies.push(Ply { seat, mv });
    }
    Shown { position, plies }
}

const fn moves(game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => include_str!("built_in_games/dots.txt"),
        GameKind::Boxes => include_str!("built_in_games/boxes.txt"),
        GameKind::Gomoku => include_str!("built_in_games/gomoku.txt"),
        GameKind::Reversi => include_str!("built_in_games/reversi.txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_played_to_its_end() {
        for &game in GameKind::ALL {
            assert_eq!(setup(game).for_match(), Ok(setup(game)), "{game}");
            let Shown { position, plies } = finished(game);
            let written = moves(game).split_ascii_whitespace().count();
            assert_eq!(plies.len(), written, "every move of {game} is legal");
            let score = position.score();
            let is_settled = game == GameKind::Dots && score.iter().sum::<u32>() > 0;
            assert!(
                is_settled || position.to_move().is_none(),
                "{game}: {score:?}"
            );
        }
    }
}
