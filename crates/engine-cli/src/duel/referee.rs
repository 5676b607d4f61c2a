//! A game between two sides.

use super::adjudicator::Adjudicator;
use super::openings::Opening;
use super::side::{Side, StartError};
use crate::drive::{Fault, Left, Table};
use std::time::Duration;
use tochki_engine::dots;
use tochki_rules::{Ending, Move, MoveError, Position, Seat};

/// A game that is over.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) position: Position,
    /// All moves, those of the opening first.
    pub(crate) moves: Vec<(Seat, Move)>,
    /// The number of moves of the opening.
    pub(crate) opening: usize,
    pub(crate) winner: Option<Seat>,
    pub(crate) how: How,
    /// The times of the moves of each seat.
    pub(crate) times: [Times; 2],
}

/// The way in which a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By its rules.
    Rules(Ending),
    /// By a fault of a side.
    Fault(Seat, Fault),
    /// By the referee, because nothing can change the score any more; the side with more points has won.
    Settled,
    /// By the referee, because both programs agreed about the winner.
    Adjudicated(Seat),
    /// By the referee, after so many plies; the side with more points has won.
    TooLong,
}

/// The bounds at which the referee ends a game before its rules do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    /// The number of plies.
    pub(crate) most_plies: usize,
    /// The lead in points that both programs have to see for the same side.
    pub(crate) adjudicate: Option<f32>,
}

/// Times of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) moves: u32,
    pub(crate) sum: Duration,
    pub(crate) longest: Duration,
}

impl Times {
    fn count(&mut self, time: Duration) {
        self.moves += 1;
        self.sum += time;
        self.longest = self.longest.max(time);
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
    }

    pub(crate) fn average(&self) -> Duration {
        self.sum.checked_div(self.moves).unwrap_or_default()
    }
}

/// Lets two sides play a game from an opening; the first side has the first seat.
pub(crate) fn play(
    sides: [&mut Side<'_>; 2],
    opening: &Opening,
    ends: Ends,
) -> Result<Played, StartError> {
    let mut table = opening.table();
    let opening = table.played.len();
    let mut times = [Times::default(); 2];
    let mut game = Game {
        left: [Left::start(sides[0].limit()), Left::start(sides[1].limit())],
        sides,
        adjudicator: Adjudicator::new(ends.adjudicate),
        times: &mut times,
    };
    for side in &mut game.sides {
        side.start()?;
    }
    let how = match game.play(&mut table, ends.most_plies) {
        Ok(how) => how,
        Err((seat, fault)) => How::Fault(seat, fault),
    };
    let winner = match &how {
        How::Fault(seat, _) => Some(seat.other()),
        How::Adjudicated(seat) => Some(*seat),
        How::Rules(_) => table.position.outcome().and_then(|outcome| outcome.winner),
        How::Settled | How::TooLong => ahead(table.position.score()),
    };
    Ok(Played {
        position: table.position,
        moves: table.played,
        opening,
        winner,
        how,
        times,
    })
}

fn ahead([first, second]: [u32; 2]) -> Option<Seat> {
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(Seat::First),
        std::cmp::Ordering::Less => Some(Seat::Second),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns whether the rest of the game cannot change its score. In Dots that may be a third of all moves.
fn is_settled(position: &Position) -> bool {
    matches!(position, Position::Dots(dots) if dots::is_settled(dots))
}

struct Game<'a, 'b> {
    sides: [&'a mut Side<'b>; 2],
    left: [Left; 2],
    adjudicator: Adjudicator,
    times: &'a mut [Times; 2],
}

impl Game<'_, '_> {
    fn play(&mut self, table: &mut Table, most_plies: usize) -> Result<How, (Seat, Fault)> {
        for seat in Seat::BOTH {
            let left = self.left[seat.index()];
            self.sides[seat.index()]
                .begin(table, &left)
                .map_err(|fault| (seat, fault))?;
        }
        while let Some(seat) = table.position.to_move() {
            if table.played.len() >= most_plies {
                return Ok(How::TooLong);
            }
            let (mv, value) = self.ask(seat, table).map_err(|fault| (seat, fault))?;
            table.play(mv);
            if table.position.to_move().is_none() {
                break;
            }
            if is_settled(&table.position) {
                return Ok(How::Settled);
            }
            if let Some(winner) = self.adjudicator.observe(seat, value) {
                return Ok(How::Adjudicated(winner));
            }
            // First the side that waits, so that it is not blamed for a program that has just ended.
            for told in [seat.other(), seat] {
                self.sides[told.index()]
                    .tell(table, told == seat)
                    .map_err(|fault| (told, fault))?;
            }
        }
        let outcome = table.position.outcome();
        Ok(outcome.map_or(How::TooLong, |outcome| How::Rules(outcome.ending)))
    }

    /// A legal move that came in time, and its value if the program told one.
    fn ask(&mut self, seat: Seat, table: &Table) -> Result<(Move, Option<f32>), Fault> {
        let others = self.left[seat.other().index()].left();
        let side = &mut *self.sides[seat.index()];
        let left = &mut self.left[seat.index()];
        let answer = side.ask(table, &left.beside(others))?;
        let read = table.position.parse_move(&answer.mv);
        let legal = read.and_then(|mv| {
            let mut position = table.position.clone();
            position.play(mv).map(|_| mv)
        });
        let mv = legal.map_err(|error| {
            side.end();
            match error {
                MoveError::Malformed => Fault::Garbled(answer.mv),
                MoveError::Illegal(_) => Fault::Illegal(answer.mv),
            }
        })?;
        left.spend(answer.time);
        self.times[seat.index()].count(answer.time);
        Ok((mv, answer.value))
    }
}
