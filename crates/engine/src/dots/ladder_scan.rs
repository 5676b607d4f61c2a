//! The search for ladders of both sides at the root, in parts of which none takes long.
//!
//! The tactical search sees ladders of a few threats; this search sees ladders across the board.

use super::{field::Field, ladders::Ladders, place::Place};
use tochki_rules::Seat;

/// The next part of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Lists the points where a ladder of the seat may begin.
    List(Seat),
    /// Tries whether a ladder from each point works.
    Try(Seat),
    /// Finds the moves that save the dots from the other side's ladder.
    Save,
    Done,
}

/// The search with its results.
#[derive(Clone, Debug)]
pub(crate) struct LadderScan {
    ladders: Ladders,
    seat: Seat,
    stage: Stage,
    /// Points to try in this stage, the last one first.
    points: Vec<Place>,
    /// The points where the seat's ladders begin that gain most, and their gain.
    attacks: Vec<Place>,
    gain: i32,
    /// The point where the other side's best ladder begins, and its gain.
    threat: (Place, i32),
    saves: Vec<Place>,
    least_loss: i32,
}

impl LadderScan {
    pub(crate) fn new() -> Self {
        Self {
            ladders: Ladders::new(),
            seat: Seat::First,
            stage: Stage::Done,
            points: Vec::with_capacity(1024),
            attacks: Vec::with_capacity(64),
            gain: 0,
            threat: (Place::NONE, 0),
            saves: Vec::with_capacity(64),
            least_loss: 0,
        }
    }

    /// Begins at a position in which the seat moves.
    pub(crate) fn begin(&mut self, seat: Seat) {
        self.seat = seat;
        self.stage = Stage::List(seat);
        self.attacks.clear();
        self.saves.clear();
        self.gain = 0;
        self.threat = (Place::NONE, 0);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Returns whether the other side's best ladder takes more than the seat's gains.
    pub(crate) fn is_threatened(&self) -> bool {
        self.is_done() && self.threat.1 > self.gain
    }

    /// The moves that gain most, or save most where the other side threatens more; none if there is no ladder.
    pub(crate) fn moves(&self) -> &[Place] {
        match self.stage {
            Stage::Done if self.is_threatened() => &self.saves,
            Stage::Done => &self.attacks,
            _ => &[],
        }
    }

    /// Does the next part. Returns the number of dots that it placed.
    pub(crate) fn advance(&mut self, field: &mut Field) -> u64 {
        let before = self.ladders.spent();
        match self.stage {
            Stage::List(seat) => {
                self.ladders.list_begins(field, seat, &mut self.points);
                self.stage = Stage::Try(seat);
            }
            Stage::Try(seat) => match self.points.pop() {
                Some(at) => self.try_attack(field, seat, at),
                None if seat == self.seat => self.stage = Stage::List(seat.other()),
                None => self.list_saves(field),
            },
            Stage::Save => match self.points.pop() {
                Some(at) => self.try_save(field, at),
                None => self.stage = Stage::Done,
            },
            Stage::Done => {}
        }
        self.ladders.spent() - before + 1
    }

    fn try_attack(&mut self, field: &mut Field, seat: Seat, at: Place) {
        let gain = self.ladders.gain(field, seat, &[at]);
        if seat == self.seat {
            if gain > self.gain {
                self.gain = gain;
                self.attacks.clear();
            }
            if gain > 0 && gain == self.gain {
                self.attacks.push(at);
            }
        } else if gain > self.threat.1 {
            self.threat = (at, gain);
        }
    }

    /// Lists the moves that may answer the other side's ladder.
    fn list_saves(&mut self, field: &Field) {
        let (first, loss) = self.threat;
        self.stage = Stage::Done;
        if loss > self.gain {
            self.stage = Stage::Save;
            self.least_loss = loss;
            self.points.clear();
            self.points
                .extend(first.square().filter(|&at| field.is_free(at)));
        }
    }

    fn try_save(&mut self, field: &mut Field, at: Place) {
        let lead = field.lead(self.seat);
        field.play(self.seat, at);
        let own = field.lead(self.seat) - lead;
        let again: [Place; 25] = {
            let mut points = self.threat.0.square();
            std::array::from_fn(|_| points.next().unwrap_or(Place::NONE))
        };
        let loss = self.ladders.gain(field, self.seat.other(), &again) - own;
        field.undo();
        if loss < self.least_loss {
            self.least_loss = loss;
            self.saves.clear();
        }
        if loss < self.threat.1 && loss == self.least_loss {
            self.saves.push(at);
        }
    }
}
