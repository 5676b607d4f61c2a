//! Decisions of a bot about offers and resignation.

use tochki_engine::Report;
use tochki_play::{Match, OfferKind};
use tochki_rules::{GameKind, Move, Seat};

/// The number of plies below which a bot accepts no draw.
const MIN_PLIES_FOR_DRAW: usize = 20;

/// The evaluation of a match for a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evaluation {
    /// Whether nothing that either side can still do changes the score.
    pub(crate) settled: bool,
    /// The bot's points less the other's, now.
    pub(crate) ahead: i64,
    /// The expected difference at the end, in the same measure; in Gomoku from −1 to 1.
    pub(crate) expected: f32,
}

impl Evaluation {
    /// Evaluates the match by a search of its position, for this seat.
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

/// Returns this seat's points less the other's.
pub(crate) fn ahead(game: &Match, seat: Seat) -> i64 {
    let score = game.score();
    i64::from(score[seat.index()]) - i64::from(score[seat.other().index()])
}

/// Returns whether a bot accepts an offer.
pub(crate) fn accepts(kind: OfferKind, game: &Match, evaluation: Evaluation) -> bool {
    match kind {
        // Between bots a rated game is played as it is; people may learn.
        OfferKind::Takeback => !game.terms().rated,
        // Bots do not adjourn.
        OfferKind::Adjourn => false,
        OfferKind::Finish => accepts_finish(evaluation),
        OfferKind::Draw => accepts_draw(game.terms().setup.kind(), game.plies().len(), evaluation),
    }
}

/// Returns whether a bot accepts to finish: there must be nothing to be gained by playing on. While it is ahead, a person who has
/// pressed by mistake is not to lose by that, unless the score cannot change any more.
fn accepts_finish(evaluation: Evaluation) -> bool {
    evaluation.settled
        || evaluation.ahead <= 0 && evaluation.expected <= evaluation.ahead as f32 + 0.5
}

/// Returns whether a bot accepts a draw, which is fine if it is not ahead and expects no more.
fn accepts_draw(game: GameKind, plies: usize, evaluation: Evaluation) -> bool {
    let equal = if game == GameKind::Gomoku { 0.05 } else { 0.5 };
    evaluation.ahead <= 0
        && (evaluation.settled || plies >= MIN_PLIES_FOR_DRAW && evaluation.expected <= equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(settled: bool, ahead: i64, expected: f32) -> Evaluation {
        Evaluation {
            settled,
            ahead,
            expected,
        }
    }

    #[test]
    fn a_game_is_finished_where_nothing_is_to_be_gained() {
        assert!(accepts_finish(evaluation(true, -3, -3.0)));
        assert!(!accepts_finish(evaluation(false, 2, 1.0)));
        assert!(accepts_finish(evaluation(true, 2, 2.0)));
        assert!(accepts_finish(evaluation(false, -2, -4.0)));
        assert!(!accepts_finish(evaluation(false, -2, 1.0)));
        assert!(!accepts_finish(evaluation(false, 0, 3.0)));
    }

    #[test]
    fn a_draw_is_agreed_on_where_it_is_equal() {
        let dots = |plies, evaluation| accepts_draw(GameKind::Dots, plies, evaluation);
        assert!(dots(40, evaluation(false, 0, 0.25)));
        assert!(!dots(40, evaluation(false, 2, -1.0)));
        assert!(!dots(40, evaluation(false, 17, 0.0)));
        assert!(dots(40, evaluation(false, -3, -1.0)));
        assert!(!dots(40, evaluation(false, 0, 2.0)));
        assert!(!dots(4, evaluation(false, 0, 0.0)));
        assert!(!dots(400, evaluation(true, 1, 1.0)));
        assert!(dots(4, evaluation(true, 0, 0.0)));
        assert!(!accepts_draw(
            GameKind::Gomoku,
            40,
            evaluation(false, 0, 0.25)
        ));
    }
}
