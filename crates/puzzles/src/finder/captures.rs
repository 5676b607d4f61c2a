//! Captures, combinations, ladders and rescues in Dots: one move gains clearly more than any other.
//!
//! The tactical search of the engine tells the moves that gain most over passing; ladders that go beyond its depth are looked for
//! where it finds nothing. A puzzle needs one such move, and every other move to be worse by [`MIN_MARGIN`] dots.

use super::game_finder::{GameFinder, OnlyMove, SearchBudget};
use crate::Theme;
use tochki_engine::dots::ladders::Ladders;
use tochki_engine::dots::tactics::{Ended, Field, TacticalResult, Tactics};
use tochki_rules::{Game, Move, Point, Position, Seat, dots::Dots};

/// The move's gain over passing at least, in dots, and its gain over every other move.
const MIN_GAIN: i32 = 3;
const MIN_MARGIN: i32 = 2;

/// Nodes of one step of the tactical search, and steps for a depth at most.
const NODES_PER_STEP: u64 = 2_000;
const MAX_STEPS: u32 = 20;

/// Steps from a dot within which another move may gain as much.
const SEARCH_RADIUS: u8 = 2;

/// Plies after the line within which the capture must have come.
const MAX_REST_PLIES: usize = 12;

/// Free points that a position has at least: with fewer there is little to look at.
const MIN_FREE_POINTS: u16 = 20;

/// The searches of the engine.
#[derive(Debug)]
pub(super) struct Captures {
    budget: SearchBudget,
    tactics: Tactics,
    ladders: Ladders,
}

/// The best move by the tactical search.
struct Best {
    point: Point,
    /// The gain over passing.
    gain: i32,
    /// The lead after the move.
    lead: i32,
    /// The depth in plies at which the move was first seen.
    depth: u8,
}

impl Captures {
    pub(super) fn new(budget: SearchBudget) -> Self {
        Self {
            budget,
            tactics: Tactics::new(1 << 14),
            ladders: Ladders::new(),
        }
    }

    /// Searches deeper and deeper, and lets `look` see each result. It ends early where there is nothing more to search.
    fn search(
        &mut self,
        dots: &Dots,
        seat: Seat,
        depth: u8,
        mut look: impl FnMut(&TacticalResult),
    ) -> TacticalResult {
        let mut field = Field::new(dots);
        let mut result = TacticalResult::default();
        let mut last = TacticalResult::default();
        (last.best, last.pass) = (lead(dots, seat), lead(dots, seat));
        self.tactics.reset();
        for depth in 1..=depth {
            let mut steps = 0;
            let ended = loop {
                let tactics = &mut self.tactics;
                let ended = tactics.search(&mut field, seat, depth, NODES_PER_STEP, &mut result);
                steps += 1;
                if ended != Ended::Aborted || steps == MAX_STEPS {
                    break ended;
                }
            };
            if ended != Ended::Complete {
                break;
            }
            look(&result);
            last = result.clone();
        }
        last
    }

    /// The one move that gains most, by the tactical search.
    fn best(&mut self, dots: &Dots, seat: Seat, depth: u8) -> Option<Best> {
        let mut seen: Option<(Point, u8)> = None;
        let result = self.search(dots, seat, depth, |result| {
            let mut moves = result.moves();
            match (moves.next(), moves.next()) {
                (Some(point), None) if seen.is_none_or(|(before, _)| before != point) => {
                    seen = Some((point, result.depth));
                }
                (Some(_), None) => {}
                _ => seen = None,
            }
        });
        let gain = result.best - result.pass;
        let (point, depth) = seen.filter(|_| gain >= MIN_GAIN)?;
        Some(Best {
            point,
            gain,
            lead: result.best,
            depth,
        })
    }

    /// Returns whether every other move near the dots leads to clearly less.
    fn others_fail(&mut self, dots: &Dots, seat: Seat, best: &Best) -> bool {
        let others = points_near(dots, best.point);
        others.into_iter().all(|point| {
            let mut after = dots.clone();
            if after.play(point).is_err() || after.to_move().is_none() {
                return true;
            }
            let depth = self.budget.depth - 1;
            let answer = self.search(&after, seat.other(), depth, |_| {});
            -answer.best <= best.lead - MIN_MARGIN
        })
    }

    /// The only beginning of a ladder that works.
    fn ladder(&mut self, dots: &Dots) -> Option<(Point, i32)> {
        let mut gains = self.ladders.gains(dots);
        gains.sort_by_key(|&(point, gain)| (-gain, point));
        let (point, gain) = *gains.first()?;
        let second = gains.get(1).map_or(0, |&(_, gain)| gain);
        (gain >= MIN_GAIN && second <= gain - MIN_MARGIN).then_some((point, gain))
    }
}

impl GameFinder for Captures {
    fn only_move(&mut self, position: &Position, first: bool) -> Option<OnlyMove> {
        let Position::Dots(dots) = position else {
            return None;
        };
        let seat = dots.to_move()?;
        if dots.free_count() < MIN_FREE_POINTS {
            return None;
        }
        let before = lead(dots, seat);
        let Some(best) = self.best(dots, seat, self.budget.depth) else {
            // A ladder is searched only where the tactics see nothing to do for either side.
            let quiet = self.search(dots, seat, self.budget.depth, |_| {});
            if first && quiet.best > quiet.pass {
                return None;
            }
            let (point, gain) = self.ladder(dots)?;
            let last = captures(dots, point) >= gain;
            return (!first || !last).then(|| OnlyMove {
                mv: Move::Dots(point),
                theme: Theme::Ladder,
                difficulty: 1300,
                expected: vec![Move::Dots(point)],
                last,
            });
        };
        if !self.others_fail(dots, seat, &best) {
            return None;
        }
        let taken = captures(dots, best.point);
        let saves = best.lead <= before;
        let theme = match taken {
            0 if saves => Theme::Rescue,
            0 => Theme::Combination,
            _ => Theme::Capture,
        };
        let difficulty = match theme {
            Theme::Capture => 750,
            Theme::Rescue => 1000,
            _ => 1100,
        };
        // A large gain is seen sooner.
        let seen = 25 * best.gain.min(10) as u16;
        Some(OnlyMove {
            mv: Move::Dots(best.point),
            theme,
            difficulty: difficulty + 120 * u16::from(best.depth) - seen,
            expected: vec![Move::Dots(best.point)],
            last: taken > 0 || saves,
        })
    }

    fn answer(&mut self, position: &Position) -> Option<Move> {
        let Position::Dots(dots) = position else {
            return None;
        };
        let seat = dots.to_move()?;
        let own = self.search(dots, seat, self.budget.depth - 1, |_| {});
        if let Some(point) = own.moves().next() {
            return Some(Move::Dots(point));
        }
        // Nothing helps: defend where the solver would take at once, or play next.
        let taking = |point: &Point| captures_of(dots, *point, seat.other());
        let taken = dots
            .free_points()
            .max_by_key(|point| (taking(point), std::cmp::Reverse(*point)));
        if let Some(point) = taken.filter(|point| taking(point) > 0) {
            return Some(Move::Dots(point));
        }
        let solver = self.search(dots, seat.other(), self.budget.depth, |_| {});
        solver.moves().next().map(Move::Dots)
    }

    fn rest(&mut self, start: &Position, end: &Position, last: &OnlyMove) -> Option<Vec<Move>> {
        let seat = start.to_move()?;
        let (Position::Dots(start), Position::Dots(end)) = (start, end) else {
            return None;
        };
        let mut rest = Vec::new();
        if last.theme == Theme::Rescue {
            return Some(rest);
        }
        // The capture must come, whatever the other side tries.
        let mut end = end.clone();
        let wanted = lead(start, seat) + MIN_MARGIN;
        while lead(&end, seat) < wanted {
            if rest.len() >= MAX_REST_PLIES {
                return None;
            }
            let position = Position::Dots(end.clone());
            let mv = if end.to_move()? == seat {
                let best = self.search(&end, seat, self.budget.depth, |_| {});
                let ladder = self.ladder(&end).map(|(point, _)| point);
                Move::Dots(best.moves().next().or(ladder)?)
            } else {
                self.answer(&position)?
            };
            let Move::Dots(point) = mv else { return None };
            end.play(point).ok()?;
            rest.push(mv);
        }
        Some(rest)
    }
}

fn lead(dots: &Dots, seat: Seat) -> i32 {
    let score = dots.score();
    score[seat.index()] as i32 - score[seat.other().index()] as i32
}

/// The number of dots that the side to move would capture there.
fn captures(dots: &Dots, point: Point) -> i32 {
    dots.to_move()
        .map_or(0, |seat| captures_of(dots, point, seat))
}

fn captures_of(dots: &Dots, point: Point, seat: Seat) -> i32 {
    let mut after = dots.clone();
    let before = lead(dots, seat);
    match after.play_as(seat, point) {
        Ok(_) => lead(&after, seat) - before,
        Err(_) => 0,
    }
}

/// The other free points near dots.
fn points_near(dots: &Dots, only: Point) -> Vec<Point> {
    let stones: Vec<Point> = (dots.setup().points())
        .filter(|&point| dots.at(point).dot.is_some())
        .collect();
    let near = |point: Point| {
        let close = |a: u8, b: u8| a.abs_diff(b) <= SEARCH_RADIUS;
        stones
            .iter()
            .any(|stone| close(stone.x, point.x) && close(stone.y, point.y))
    };
    let free = dots.free_points();
    free.filter(|&point| point != only && near(point)).collect()
}
