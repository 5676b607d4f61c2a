//! Decisions of a bot about offers and resignation.

use tochki_engine::Report;
use tochki_play::{Match, OfferKind};
use tochki_rules::{GameKind, Move, Seat};

/// With fewer moves a bot accepts no draw.
const MIN_PLIES_FOR_DRAW: usize = 20;

/// How a match stands for a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// Nothing that either side can still do changes the score.
    pub(crate) settled: bool,
    /// The bot's points less the other's, now.
    pub(crate) ahead: i64,
    /// What it expects of the end, in the same measure; in Gomoku from −1 to 1.
    pub(crate) expected: f32,
}

impl Standing {
    /// What a search of the position of the match has found, seen from this seat.
    pub(crate) fn of(game: &Match, seat: Seat, report: &Report<Move>) -> Self {
        let ahead = ahead(game, seat);
        let of_mover = report.moves.first().map(|best| best.value);
        let expected = match (of_mover, game.to_move()) {
            (Some(value), Some(mover)) if mover == seat => value,
            (Some(value), Some(_)) => -value,
            _ => ahead as f32,
        };
        Self {
            settled: report.settled,
            ahead,
            expected,
        }
    }
}

/// This seat's points less the other's.
pub(crate) fn ahead(game: &Match, seat: Seat) -> i64 {
    let score = game.score();
    i64::from(score[seat.index()]) - i64::from(score[seat.other().index()])
}

/// Whether a bot accepts an offer.
pub(crate) fn accepts(kind: OfferKind, game: &Match, standing: Standing) -> bool {
    match kind {
        // Between bots a rated game is played as it is; people may learn.
        OfferKind::Takeback => !game.terms().rated,
        OfferKind::Finish => is_finish_fine(standing),
        OfferKind::Draw => is_draw_fine(game.terms().setup.kind(), game.plies().len(), standing),
    }
}

/// Who is ahead wins by it; otherwise there must be nothing to be gained by playing on.
fn is_finish_fine(standing: Standing) -> bool {
    standing.settled || standing.ahead > 0 || standing.expected <= standing.ahead as f32 + 0.5
}

/// A draw is fine for who expects no more.
fn is_draw_fine(game: GameKind, plies: usize, standing: Standing) -> bool {
    let equal = if game == GameKind::Gomoku { 0.05 } else { 0.5 };
    if standing.settled {
        return standing.ahead <= 0;
    }
    plies >= MIN_PLIES_FOR_DRAW && standing.expected <= equal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(settled: bool, ahead: i64, expected: f32) -> Standing {
        Standing {
            settled,
            ahead,
            expected,
        }
    }

    #[test]
    fn a_game_is_finished_where_nothing_is_to_be_gained() {
        assert!(is_finish_fine(standing(true, -3, -3.0)));
        assert!(is_finish_fine(standing(false, 2, 1.0)));
        assert!(is_finish_fine(standing(false, -2, -4.0)));
        assert!(!is_finish_fine(standing(false, -2, 1.0)));
        assert!(!is_finish_fine(standing(false, 0, 3.0)));
    }

    #[test]
    fn a_draw_is_agreed_on_where_it_is_equal() {
        let dots = |plies, standing| is_draw_fine(GameKind::Dots, plies, standing);
        assert!(dots(40, standing(false, 0, 0.25)));
        assert!(dots(40, standing(false, 2, -1.0)));
        assert!(!dots(40, standing(false, 0, 2.0)));
        assert!(!dots(4, standing(false, 0, 0.0)));
        assert!(!dots(400, standing(true, 1, 1.0)));
        assert!(dots(4, standing(true, 0, 0.0)));
        assert!(!is_draw_fine(
            GameKind::Gomoku,
            40,
            standing(false, 0, 0.25)
        ));
    }
}
