//! Winning chances, and the costs of moves by them.
//!
//! A value of an engine (points, in Gomoku a number from −1 to 1) becomes a chance by a logistic curve,
//! `1 / (1 + exp(−k × value))`, because half a point matters in an even game and hardly in a won one. A proven value is no
//! matter of chance: it wins, draws or loses.

use tochki_play::Ply;
use tochki_rules::{GameKind, Position, Seat};

/// Returns the steepness of the curve of a game.
///
/// The steepness is fitted by maximum likelihood to games of the engines against themselves: every second move (in Dots every
/// sixth) was judged by the strongest level, and the judgements compared with how the games ended; positions that it could prove
/// were left out. The players had level 6. Between weaker players a point weighs less: with level 4 the numbers were 0.09, 0.35
/// (3 × 3), 1.1 and 0.06. That of Dots and Boxes is not fitted but chosen between the fits to two boards, which differ much:
/// early on the larger board a value says little.
///
/// | game | games | positions | nodes of a judgement | k |
/// |---|---|---|---|---|
/// | Dots, 20 × 20, cross | 30 | 1,862 | 1,500 | 0.097 |
/// | Dots and Boxes, 3 × 3 | 300 | 929 | 5,000 | 0.79 |
/// | Dots and Boxes, 5 × 5 | 60 | 862 | 5,000 | 0.14 |
/// | Gomoku, its usual board | 80 | 1,799 | 20,000 | 2.7 |
/// | Reversi | 60 | 1,398 | 20,000 | 0.107 |
///
/// The positions of one game are not independent, so with so few games the second digit is not certain.
const fn steepness(game: GameKind) -> f32 {
    match game {
        GameKind::Dots => 0.097,
        GameKind::Boxes => 0.3,
        GameKind::Gomoku => 2.7,
        GameKind::Reversi => 0.107,
    }
}

/// The verdict on a move by the chance that its side has lost. The bounds are chosen, not measured: those that players of chess
/// are used to, widened because the searches are short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Ten percent.
    Inaccuracy,
    /// Twenty percent.
    Mistake,
    /// Thirty percent.
    Blunder,
}

impl Verdict {
    /// Returns the verdict on a move that cost so much.
    pub(crate) fn of_loss(loss: f32) -> Option<Self> {
        match loss {
            _ if loss >= 0.3 => Some(Self::Blunder),
            _ if loss >= 0.2 => Some(Self::Mistake),
            _ if loss >= 0.1 => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Returns the sign behind a move.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The evaluation of a position by a search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evaluation {
    /// The gain of the first side by the end of the game.
    pub(crate) value: f32,
    /// Whether the value is proven.
    pub(crate) exact: bool,
    /// The line that is expected, the best move first; empty when the game is over.
    pub(crate) line: Vec<String>,
}

impl Evaluation {
    /// Returns the evaluation of a position in which nobody moves.
    pub(crate) fn of_end(position: &Position) -> Self {
        let [first, second] = position.score();
        let value = match (position.kind(), position.outcome()) {
            (GameKind::Gomoku, Some(outcome)) => {
                outcome.winner.map_or(0.0, |winner| of_first(winner, 1.0))
            }
            _ => first as f32 - second as f32,
        };
        Self {
            value,
            exact: true,
            line: Vec::new(),
        }
    }

    /// Returns the chance of a side to win.
    pub(crate) fn chance(&self, game: GameKind, seat: Seat) -> f32 {
        let value = of_first(seat, self.value);
        match self.exact {
            true if value > 0.0 => 1.0,
            true if value < 0.0 => 0.0,
            _ => 1.0 / (1.0 + (-steepness(game) * value).exp()),
        }
    }
}

/// Turns the value of a side into that of the first side, and back.
pub(crate) const fn of_first(seat: Seat, value: f32) -> f32 {
    match seat {
        Seat::First => value,
        Seat::Second => -value,
    }
}

/// A move that was judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judgement {
    /// The number of the move, from 1 on.
    pub(crate) number: usize,
    /// The move.
    pub(crate) ply: Ply,
    /// The chance of its side before it and after it.
    pub(crate) chances: [f32; 2],
    /// The cost of the move in value; negative if the search before it was too short.
    pub(crate) cost: f32,
    /// The better move, with the expected moves after it.
    pub(crate) better: Vec<String>,
}

impl Judgement {
    /// Returns the chance that the move has lost.
    pub(crate) fn loss(&self) -> f32 {
        self.chances[0] - self.chances[1]
    }

    /// Returns the verdict on the move.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        Verdict::of_loss(self.loss())
    }
}

/// Judges the moves of a game by the evaluations of its positions, of which the first is that before the first move.
pub(crate) fn judge(game: GameKind, plies: &[Ply], evaluations: &[Evaluation]) -> Vec<Judgement> {
    let moves = plies.iter().zip(evaluations.windows(2)).enumerate();
    let judgements = moves.filter_map(|(place, (&ply, around))| {
        let [before, after] = around else { return None };
        // The best move costs nothing, even if a second look sees what the first one did not.
        let is_best = before.line.first() == Some(&ply.mv.to_string());
        let chances = [before, after].map(|found| found.chance(game, ply.seat));
        (!is_best).then(|| Judgement {
            number: place + 1,
            ply,
            chances,
            cost: of_first(ply.seat, before.value - after.value),
            better: before.line.clone(),
        })
    });
    judgements.collect()
}

/// Returns the moves that decided a game: those that cost most, at most `count`, in the order in which they were made.
pub(crate) fn decisive(judgements: &[Judgement], count: usize) -> Vec<Judgement> {
    let costly = judgements.iter().filter(|one| one.verdict().is_some());
    let mut costly: Vec<_> = costly.cloned().collect();
    costly.sort_by(|one, other| other.loss().total_cmp(&one.loss()));
    costly.truncate(count);
    costly.sort_by_key(|one| one.number);
    costly
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::{Move, Point};

    fn found(value: f32, exact: bool, best: &str) -> Evaluation {
        Evaluation {
            value,
            exact,
            line: vec![best.to_owned()],
        }
    }

    #[test]
    fn a_chance_grows_with_the_value_and_both_add_up_to_one() {
        for &game in GameKind::ALL {
            let chance = |value, seat| found(value, false, "").chance(game, seat);
            assert!((chance(0.0, Seat::First) - 0.5).abs() < 1e-6);
            assert!(chance(0.2, Seat::First) > 0.5 && chance(0.9, Seat::First) < 1.0);
            let sum = chance(0.7, Seat::First) + chance(0.7, Seat::Second);
            assert!((sum - 1.0).abs() < 1e-6, "{game}: {sum}");
            assert!((found(-1.0, true, "").chance(game, Seat::Second) - 1.0).abs() < 1e-6);
            assert!((found(0.0, true, "").chance(game, Seat::Second) - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn moves_are_judged_by_what_their_side_loses() {
        let ply = |seat, x| Ply {
            seat,
            mv: Move::Gomoku(Point::new(x, 0)),
        };
        let plies = [
            ply(Seat::First, 0),
            ply(Seat::Second, 1),
            ply(Seat::First, 2),
        ];
        let evaluations = [
            found(0.0, false, "0,0"),
            found(-0.9, false, "9,9"),
            found(1.0, true, "8,8"),
            found(-1.0, true, "7,7"),
        ];
        let judged = judge(GameKind::Gomoku, &plies, &evaluations);
        let numbers: Vec<_> = judged.iter().map(|one| one.number).collect();
        assert_eq!(numbers, [2, 3], "the first move was the best one");
        assert_eq!(judged[1].verdict(), Some(Verdict::Blunder));
        assert_eq!(judged[1].better, ["8,8"]);
        assert!((judged[1].cost - 2.0).abs() < 1e-6);
        let worst = decisive(&judged, 1);
        assert_eq!(worst[0].number, 3);
        let all: Vec<_> = decisive(&judged, 3).iter().map(|one| one.number).collect();
        assert_eq!(all, [2, 3]);
    }

    #[test]
    fn a_verdict_has_bounds() {
        for (loss, verdict) in [
            (-0.5, None),
            (0.09, None),
            (0.1, Some(Verdict::Inaccuracy)),
            (0.2, Some(Verdict::Mistake)),
            (1.0, Some(Verdict::Blunder)),
        ] {
            assert_eq!(Verdict::of_loss(loss), verdict, "{loss}");
        }
        assert!(Verdict::Blunder > Verdict::Inaccuracy);
    }
}
