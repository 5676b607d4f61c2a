//! The standings of a Swiss.

use crate::score_table::TieBreakKind;
use crate::{Bye, Game, ScoreTable, Standing};
use tochki_rules::GameKind;

/// Returns the tie-breaks of a game, in the order in which they decide.
pub const fn tie_breaks(game: GameKind) -> &'static [TieBreakKind] {
    use TieBreakKind::{Buchholz, BuchholzCut1, Direct, Discs, MedianBuchholz, SonnebornBerger};
    match game {
        GameKind::Dots | GameKind::Boxes => &[BuchholzCut1, Buchholz, SonnebornBerger],
        GameKind::Gomoku => &[MedianBuchholz, Buchholz, Direct],
        GameKind::Reversi => &[Discs, Buchholz],
    }
}

/// Returns the standings.
pub fn standings(kind: GameKind, players: usize, games: &[Game], byes: &[Bye]) -> Vec<Standing> {
    let mut table = ScoreTable::new(players, 1);
    for game in games {
        table.add_game(game);
    }
    for bye in byes {
        table.add_bye(bye);
    }
    table.standings(tie_breaks(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat;

    #[test]
    fn each_game_has_its_tie_breaks() {
        let game = |first, second, winner, score| Game {
            players: [first, second],
            winner: Some(winner),
            round: 1,
            forfeit: false,
            score,
        };
        let games = [
            game(0, 1, Seat::First, [34, 30]),
            game(2, 3, Seat::First, [60, 4]),
        ];
        let order = |kind| -> Vec<_> {
            standings(kind, 4, &games, &[])
                .iter()
                .map(|row| row.player)
                .collect()
        };
        assert_eq!(order(GameKind::Reversi), [2, 0, 1, 3]);
        assert_eq!(order(GameKind::Dots), [0, 2, 1, 3]);
        for kind in GameKind::ALL {
            let rows = standings(*kind, 4, &games, &[]);
            assert!(
                rows.iter()
                    .all(|row| row.tie_breaks.len() == tie_breaks(*kind).len())
            );
        }
    }
}
