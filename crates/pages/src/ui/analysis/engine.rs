//! The engine in its worker: it searches the position that is shown, or all positions in turn for a review of the game.

use crate::ui::analysis::{
    Evaluation, Gains, Judgement, MoveTree, NodeId, Study, Verdict, chains, decisive, judge,
    of_first,
};
use crate::ui::computer::{Candidate, Opponent, Report, SHOWN_MOVES, SearchLimits, overlay};
use crate::ui::islands::effect::effect;
use leptos::prelude::*;
use std::cell::Cell;
use tochki_protocol::limits;
use tochki_rules::Seat;

/// The level that searches: the strongest.
const LEVEL: u8 = *limits::LEVELS.end();

/// The seed of the searches: the same position gives much the same values again.
const SEED: u32 = 1;

/// The state of the search for the position that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// No search: the engine is off, or reviews the game.
    Idle,
    /// The search runs.
    Running,
    /// The search has come to its end.
    Done,
    /// Nobody moves in this position.
    Over,
    /// The position is one of a rated match that the reader plays.
    Forbidden,
    /// The engine could not be loaded.
    Failed,
}

/// The engine of the page.
#[derive(Clone, Copy)]
pub(crate) struct Engine {
    study: Study,
    opponent: Opponent,
    /// Whether the engine searches the position that is shown.
    pub(crate) on: RwSignal<bool>,
    /// The state of the search.
    pub(crate) search: RwSignal<Search>,
    /// The report of the search, with its node and the side to move if out of turn.
    found: RwSignal<Option<(NodeId, Option<Seat>, Report)>>,
    /// The rank of the move that is pointed at in the list, from 0.
    pub(crate) pointed: RwSignal<usize>,
    /// The progress of a review.
    pub(crate) progress: RwSignal<Progress>,
    /// The last review, which grows while it is made.
    pub(crate) review: RwSignal<Option<Review>>,
}

/// The progress of a review of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// No review runs.
    Idle,
    /// The position that is searched now, from 1 on, and the number of all.
    At(usize, usize),
    /// The review could not be made.
    Failed,
    /// The game leads through a position of a rated match that the reader plays.
    Forbidden,
}

impl Progress {
    /// Returns whether a review runs.
    pub(crate) const fn is_running(&self) -> bool {
        matches!(self, Self::At(..))
    }
}

/// The result of a review of a whole game, or of its first moves while it is made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Review {
    /// The main line as it was.
    pub(crate) line: Vec<NodeId>,
    /// The chances of the first side before the first move and after each move.
    pub(crate) chances: Vec<f32>,
    /// The moves that were not the best.
    judgements: Vec<Judgement>,
}

impl Review {
    fn new(study: Study, line: Vec<NodeId>, evaluations: &[Evaluation]) -> Self {
        study.tree.with_untracked(|tree| {
            let game = tree.setup().kind();
            let plies: Vec<_> = line.iter().filter_map(|node| tree.ply(*node)).collect();
            let chances = evaluations
                .iter()
                .map(|found| found.chance(game, Seat::First));
            Self {
                chances: chances.collect(),
                judgements: judge(game, &plies, evaluations),
                line,
            }
        })
    }

    /// Returns the moves with verdicts.
    pub(crate) fn verdicts(&self) -> Vec<(NodeId, Verdict)> {
        let judged = self.judgements.iter().filter_map(|judged| {
            let node = self.line.get(judged.number - 1)?;
            Some((*node, judged.verdict()?))
        });
        judged.collect()
    }

    /// Returns the verdict on a move.
    fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let mut verdicts = self.verdicts().into_iter();
        verdicts.find_map(|(of, verdict)| (of == node).then_some(verdict))
    }

    /// Returns the moments that decided the game.
    pub(crate) fn moments(&self) -> Vec<Judgement> {
        decisive(&self.judgements, limits::REVIEW_MAX_KEY_MOMENTS)
    }

    /// Returns the node before a move.
    pub(crate) fn before(&self, number: usize) -> NodeId {
        let before = number.checked_sub(2);
        before.map_or(NodeId::START, |place| self.line[place])
    }
}

impl Engine {
    /// Creates an engine that is off. For browsers.
    pub(crate) fn new(study: Study, opponent: Opponent) -> Self {
        let engine = Self {
            study,
            opponent,
            on: RwSignal::new(false),
            search: RwSignal::new(Search::Idle),
            found: RwSignal::new(None),
            pointed: RwSignal::new(0),
            progress: RwSignal::new(Progress::Idle),
            review: RwSignal::new(None),
        };
        let reviewing = Memo::new(move |_| engine.progress.with(Progress::is_running));
        effect(move || {
            let node = study.current.get();
            study.turn.track();
            if reviewing.get() {
                engine.search.set(Search::Idle);
            } else if engine.on.get() {
                engine.search_shown(node);
            } else {
                engine.opponent.cancel();
                engine.search.set(Search::Idle);
            }
        });
        engine
    }

    /// Searches the position that is shown, which is at this node.
    pub(crate) fn search_shown(self, node: NodeId) {
        let limits = SearchLimits {
            level: LEVEL,
            least_ms: 0,
            most_ms: limits::ANALYSIS_TIME.as_millis() as u32,
            info_ms: limits::SEARCH_REPORT_INTERVAL.as_millis() as u32,
        };
        self.opponent.cancel();
        if self.study.running_match(node).is_some() {
            self.search.set(Search::Forbidden);
            return;
        }
        if untrack(|| {
            self.study
                .shown
                .with(|shown| shown.position.to_move().is_none())
        }) {
            self.search.set(Search::Over);
            return;
        }
        self.search.set(Search::Running);
        let (setup, moves) = (self.study.setup(), self.moves(node));
        let turn = self.study.turn.get_untracked();
        self.opponent
            .search(setup, &moves, turn, SEED, limits, move |answer| {
                let state = match (answer.kind.as_str(), &answer.report) {
                    ("info", _) => Search::Running,
                    (_, Some(_)) => Search::Done,
                    (_, None) => Search::Failed,
                };
                if let Some(report) = answer.report {
                    self.found.set(Some((node, turn, report)));
                }
                self.search.set(state);
            });
    }

    fn moves(self, node: NodeId) -> Vec<String> {
        self.study
            .tree
            .with_untracked(|tree| tree.engine_moves(node))
    }

    /// Returns the report on the position that is shown.
    pub(crate) fn report(self) -> Option<Report> {
        let here = (self.study.current.get(), self.study.turn.get());
        let found = self.found.get().filter(|_| self.on.get());
        found.and_then(|(node, turn, report)| ((node, turn) == here).then_some(report))
    }

    /// Draws the overlay of the board: the moves found, and above them the verdict on the move that is shown.
    pub(crate) fn overlay(self) -> String {
        let found = if self.on.get() {
            self.found_markup()
        } else {
            String::new()
        };
        found + &self.verdict_markup()
    }

    /// Draws the sign of a move that was not the best, at its place.
    fn verdict_markup(self) -> String {
        let node = self.study.current.get();
        let verdict = self.review.with(|review| review.as_ref()?.verdict(node));
        let ply = self.study.tree.with(|tree| tree.ply(node));
        let (Some(verdict), Some(ply)) = (verdict, ply) else {
            return String::new();
        };
        self.study
            .shown
            .with(|shown| overlay::sign(&shown.position, ply.mv, verdict.sign()))
    }

    /// Draws the best moves, with the gains of the one that is pointed at, and with the chains of the position.
    fn found_markup(self) -> String {
        let report = self.report();
        let pointed = self.pointed.get();
        self.study.shown.with(|shown| {
            if self.search.get() == Search::Forbidden {
                return String::new();
            }
            let mut markup = chains::markup(&chains(&shown.position));
            let Some(report) = report else { return markup };
            let moves = report.moves.iter().take(SHOWN_MOVES);
            let line = moves.clone().nth(pointed).map(|one| &*one.pv);
            markup += &Gains::of_line(&shown.position, line.unwrap_or_default()).areas;
            markup += &overlay::ranks(&shown.position, moves.map(|one| one.mv.as_str()));
            markup
        })
    }

    /// Returns the evaluation of the position that is shown by a move that was found.
    pub(crate) fn evaluation(self, candidate: &Candidate) -> Evaluation {
        let mover = self.study.shown.with(|shown| shown.position.to_move());
        let mover = mover.unwrap_or(Seat::First);
        evaluation(mover, candidate)
    }

    /// Starts a review, which looks at each position of the main line. A review that runs is given up.
    pub(crate) fn start_review(self) {
        let line = self.study.tree.with_untracked(MoveTree::main_line);
        let end = line.last().copied().unwrap_or(NodeId::START);
        if self.study.running_match(end).is_some() {
            self.progress.set(Progress::Forbidden);
            return;
        }
        let count = line.len() + 1;
        self.review_next(line, Vec::with_capacity(count));
    }

    /// Looks at the next position.
    fn review_next(self, line: Vec<NodeId>, mut evaluations: Vec<Evaluation>) {
        let at = evaluations.len();
        let count = line.len() + 1;
        // Its marks come as they are found.
        self.review
            .set(Some(Review::new(self.study, line.clone(), &evaluations)));
        if at == count {
            self.progress.set(Progress::Idle);
            return;
        }
        self.progress.set(Progress::At(at + 1, count));
        let node = at.checked_sub(1).map_or(NodeId::START, |place| line[place]);
        let known = self.study.tree.with_untracked(|tree| {
            // A line that is deleted meanwhile ends the review.
            let mut position = tree.has(node).then(|| tree.shown(node).position)?;
            // The side that moved next, if need be out of turn, is judged.
            let next = line.get(at).and_then(|next| tree.ply(*next));
            let turn = next.map(|ply| ply.seat);
            let turn = turn.filter(|seat| position.to_move() != Some(*seat));
            if let Some(seat) = turn {
                position.give_turn(seat);
            }
            Some((position, turn))
        });
        let Some((position, turn)) = known else {
            self.progress.set(Progress::Idle);
            return;
        };
        let Some(mover) = position.to_move() else {
            evaluations.push(Evaluation::of_end(&position));
            self.review_next(line, evaluations);
            return;
        };
        let limits = SearchLimits {
            level: LEVEL,
            least_ms: 0,
            most_ms: limits::REVIEW_MOVE_TIME.as_millis() as u32,
            info_ms: 0,
        };
        // A search that runs its time has one answer.
        let state = Cell::new(Some((line, evaluations)));
        let (setup, moves) = (position.setup(), self.moves(node));
        self.opponent
            .search(setup, &moves, turn, SEED, limits, move |answer| {
                let Some((line, mut evaluations)) = state.take() else {
                    return;
                };
                let best = answer
                    .report
                    .and_then(|report| report.moves.into_iter().next());
                let Some(best) = best else {
                    self.progress.set(Progress::Failed);
                    return;
                };
                evaluations.push(evaluation(mover, &best));
                self.review_next(line, evaluations);
            });
    }

    /// Gives the review up.
    pub(crate) fn cancel_review(self) {
        self.opponent.cancel();
        self.progress.set(Progress::Idle);
    }
}

fn evaluation(mover: Seat, candidate: &Candidate) -> Evaluation {
    Evaluation {
        value: of_first(mover, candidate.value),
        exact: candidate.exact,
        line: candidate.pv.clone(),
    }
}
