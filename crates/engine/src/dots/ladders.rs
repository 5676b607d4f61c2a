//! Ladders: captures by a chain of threats, each of which the other side must answer.
//!
//! The attacker places a dot that threatens to capture with one more. The answers are to take the point that completes the
//! capture, or to capture something first. If there is an answer to each threat the attacker goes on next to the last
//! dots. A ladder works if every answer loses dots in the end.

use super::{
    field::Field,
    place::{GAPS, Place},
    trajectories::{Generator, Trajectory},
};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Threats in a row at most.
const LONGEST_LADDER: u8 = 30;

/// Dots placed for one ladder at most.
const EFFORT: u32 = 6000;

/// The search for ladders with its buffers.
#[derive(Clone, Debug)]
pub struct Ladders {
    generator: Generator,
    trajectories: Vec<Trajectory>,
    effort: u32,
    spent: u64,
}

impl Default for Ladders {
    fn default() -> Self {
        Self::new()
    }
}

impl Ladders {
    /// A search that has not begun.
    pub fn new() -> Self {
        Self {
            generator: Generator::new(),
            trajectories: Vec::with_capacity(512),
            effort: 0,
            spent: 0,
        }
    }

    /// Dots placed so far by all searches.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Finds a move that captures, or begins a ladder that works, or else saves dots from the other side's ladder.
    pub fn best_move(&mut self, dots: &Dots) -> Option<Point> {
        let seat = dots.to_move()?;
        let mut field = Field::new(dots);
        let attack = self.attack(&mut field, seat);
        let threat = self.attack(&mut field, seat.other());
        let own = attack.map_or(0, |(_, gain)| gain);
        let Some((first, loss)) = threat.filter(|&(_, loss)| loss >= own) else {
            return attack.map(|(place, _)| place.point());
        };
        let mut tried = vec![first];
        tried.extend(attack.map(|(place, _)| place));
        self.trajectories.clear();
        let (generator, list) = (&mut self.generator, &mut self.trajectories);
        generator.find(&mut field, seat.other(), 2, 20_000, list);
        for trajectory in &self.trajectories {
            if trajectory.places().contains(&first) || trajectory.places().len() == 1 {
                tried.extend_from_slice(trajectory.places());
            }
        }
        tried.extend(
            first
                .neighbours()
                .into_iter()
                .filter(|&at| field.is_free(at)),
        );
        tried.dedup();
        let mut best = (-loss, None);
        let lead = field.lead(seat);
        for at in tried {
            field.play(seat, at);
            let loss = self
                .attack(&mut field, seat.other())
                .map_or(0, |(_, loss)| loss);
            let value = field.lead(seat) - lead - loss;
            field.undo();
            if value > best.0 {
                best = (value, Some(at));
            }
        }
        best.1.map(Place::point)
    }

    /// The points where a capture or ladder of the side to move may begin, with the gain at least, if there is any.
    pub fn gains(&mut self, dots: &Dots) -> Vec<(Point, i32)> {
        let Some(seat) = dots.to_move() else {
            return Vec::new();
        };
        let mut field = Field::new(dots);
        let mut begins = Vec::new();
        self.list_begins(&mut field, seat, &mut begins);
        let gains = (begins.into_iter()).map(|at| (at.point(), self.gain(&mut field, seat, &[at])));
        gains.filter(|&(_, gain)| gain > 0).collect()
    }

    /// The seat's best capture or ladder, with the gain at least.
    fn attack(&mut self, field: &mut Field, seat: Seat) -> Option<(Place, i32)> {
        let mut begins = Vec::new();
        self.list_begins(field, seat, &mut begins);
        let mut best: Option<(Place, i32)> = None;
        for at in begins {
            let gain = self.gain(field, seat, &[at]);
            if gain > best.map_or(0, |best| best.1) {
                best = Some((at, gain));
            }
        }
        best
    }

    /// Lists the points where a capture or ladder of the seat may begin: the points of trajectories of one or two dots.
    pub(crate) fn list_begins(&mut self, field: &mut Field, seat: Seat, begins: &mut Vec<Place>) {
        self.trajectories.clear();
        self.generator
            .find(field, seat, 2, 20_000, &mut self.trajectories);
        self.spent += u64::from(self.generator.spent());
        begins.clear();
        begins.extend(self.trajectories.iter().flat_map(Trajectory::places));
        begins.sort_unstable();
        begins.dedup();
    }

    /// The seat's gain at least by a capture or ladder that begins on the best of these points, or 0.
    pub(crate) fn gain(&mut self, field: &mut Field, seat: Seat, begins: &[Place]) -> i32 {
        let lead = field.lead(seat);
        self.effort = EFFORT;
        let mut gain = 0;
        for &at in begins {
            if field.is_free(at) && self.effort > 0 {
                gain = gain.max(self.threaten(field, seat, at, LONGEST_LADDER) - lead);
            }
        }
        self.spent += u64::from(EFFORT - self.effort);
        gain
    }

    /// The attacker's lead if it goes on with threats near the last dots, or stops.
    fn go_on(&mut self, field: &mut Field, seat: Seat, last: [Place; 2], depth: u8) -> i32 {
        let lead = field.lead(seat);
        if depth == 0 {
            return lead;
        }
        for at in near(&last) {
            if self.effort == 0 {
                break;
            }
            if field.is_free(at) && field.ring(at, seat) != 0 {
                let value = self.threaten(field, seat, at, depth - 1);
                if value > lead {
                    return value;
                }
            }
        }
        lead
    }

    /// The attacker's lead after this dot and the best answer to its threats.
    fn threaten(&mut self, field: &mut Field, seat: Seat, at: Place, depth: u8) -> i32 {
        let before = field.lead(seat);
        self.effort = self.effort.saturating_sub(1);
        let captor = field.play(seat, at);
        if captor.is_some() {
            let lead = field.lead(seat);
            field.undo();
            return lead;
        }
        let mut threats = [Place::NONE; 8];
        let mut count = 0;
        for point in near(&[at]) {
            if count < threats.len() && self.captures(field, seat, point) {
                threats[count] = point;
                count += 1;
            }
        }
        let mut worst = if count == 0 { before } else { i32::MAX };
        if count > 0 {
            let mut around = [at; 9];
            around[1..=count].copy_from_slice(&threats[..count]);
            let mut answers = [Place::NONE; 24];
            let mut answer_count = count;
            answers[..count].copy_from_slice(&threats[..count]);
            for point in near(&around[..=count]) {
                if answer_count < answers.len()
                    && self.captures(field, seat.other(), point)
                    && !answers[..answer_count].contains(&point)
                {
                    answers[answer_count] = point;
                    answer_count += 1;
                }
            }
            for &answer in &answers[..answer_count] {
                self.effort = self.effort.saturating_sub(1);
                field.play(seat.other(), answer);
                let mut value = field.lead(seat);
                for &threat in &threats[..count] {
                    if self.captures(field, seat, threat) {
                        field.play(seat, threat);
                        value = value.max(field.lead(seat));
                        field.undo();
                    }
                }
                if value <= before && self.effort > 0 {
                    value = value.max(self.go_on(field, seat, [at, answer], depth));
                }
                field.undo();
                worst = worst.min(value);
                if worst <= before {
                    break;
                }
            }
        }
        field.undo();
        worst
    }

    /// Returns whether a dot of the seat on the point captures something.
    fn captures(&mut self, field: &mut Field, seat: Seat, at: Place) -> bool {
        if !field.is_free(at) || GAPS[usize::from(field.ring(at, seat))] < 2 {
            return false;
        }
        self.effort = self.effort.saturating_sub(1);
        field.play_captures(seat, at) > 0
    }
}

/// The places at most two steps from one of these, each once.
fn near(places: &[Place]) -> impl Iterator<Item = Place> + use<'_> {
    places.iter().enumerate().flat_map(move |(index, &place)| {
        place
            .square()
            .filter(move |&at| places[..index].iter().all(|&other| other.distance(at) > 2))
    })
}
