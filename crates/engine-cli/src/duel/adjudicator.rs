//! Ends a game early when both programs agree about the winner.

use tochki_rules::Seat;

/// Number of moves in a row for which each program must see the same winner.
const AGREEING_MOVES: u32 = 6;

/// Watches the values that two programs give their moves.
///
/// A program that stays silent about values, or that sees itself not behind, keeps its game from being adjudicated.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    /// Minimum lead of a side in points; without it no game is adjudicated.
    points: Option<f32>,
    /// The seat that the program of each seat sees ahead, and for how many of its moves it has.
    opinions: [Option<(Seat, u32)>; 2],
}

impl Adjudicator {
    pub(super) const fn new(points: Option<f32>) -> Self {
        Self {
            points,
            opinions: [None; 2],
        }
    }

    /// Takes the value of a move for the mover. Returns the winner, if both programs agree.
    pub(super) fn observe(&mut self, by: Seat, value: Option<f32>) -> Option<Seat> {
        let points = self.points?;
        let ahead = match value {
            Some(value) if value >= points => Some(by),
            Some(value) if value <= -points => Some(by.other()),
            _ => None,
        };
        let opinion = &mut self.opinions[by.index()];
        *opinion = ahead.map(|ahead| match *opinion {
            Some((before, moves)) if before == ahead => (ahead, moves + 1),
            _ => (ahead, 1),
        });
        match self.opinions {
            [Some((one, first)), Some((other, second))] => {
                let agreed = one == other && first.min(second) >= AGREEING_MOVES;
                agreed.then_some(one)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The winner when both programs give these values in turn.
    fn winner(
        points: Option<f32>,
        values: impl IntoIterator<Item = [Option<f32>; 2]>,
    ) -> Option<Seat> {
        let mut adjudicator = Adjudicator::new(points);
        values.into_iter().find_map(|pair| {
            let seats = Seat::BOTH.into_iter().zip(pair);
            seats.fold(None, |won, (seat, value)| {
                won.or(adjudicator.observe(seat, value))
            })
        })
    }

    const AGREED: [Option<f32>; 2] = [Some(-20.0), Some(15.0)];

    #[test]
    fn both_must_agree_for_six_moves() {
        assert_eq!(winner(Some(15.0), [AGREED; 6]), Some(Seat::Second));
        assert_eq!(winner(Some(15.0), [AGREED; 5]), None);
        assert_eq!(winner(Some(16.0), [AGREED; 60]), None);
        assert_eq!(winner(None, [AGREED; 60]), None);
        for disagreeing in [
            [Some(20.0), Some(20.0)],
            [Some(-20.0), Some(-20.0)],
            [Some(-20.0), None],
            [None, Some(20.0)],
            [Some(0.0), Some(20.0)],
        ] {
            assert_eq!(winner(Some(15.0), [disagreeing; 60]), None);
            // A move of another opinion begins the count anew.
            let interrupted = [[AGREED; 5].as_slice(), &[disagreeing], &[AGREED; 5]].concat();
            assert_eq!(winner(Some(15.0), interrupted), None);
        }
    }
}
