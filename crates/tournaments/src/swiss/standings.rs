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
