//! A search in a session: stepped between two looks at the input, stopped by nodes, by time or by a word.

use crate::time::{Bounds, TimeBudget};
use std::time::Duration;
use thiserror::Error;
use tochki_engine::{Limits, Progress, Report};
use tochki_rules::{Move, Position};

/// The most memory of an engine, in bytes: a referee that names all of a large machine's memory does not want it filled.
pub(crate) const MAX_MEMORY: usize = 2 << 30;

/// A searcher, which finds moves: the engines, or in a test something simpler.
pub trait Searcher {
    /// Forgets the results of earlier searches, because another game begins.
    fn forget(&mut self);

    /// Begins the search of a position.
    ///
    /// # Errors
    ///
    /// If the searcher does not play the game.
    fn begin(
        &mut self,
        position: &Position,
        limits: Limits,
        seed: u64,
    ) -> Result<(), NoEngineError>;

    /// Searches further as [`tochki_engine::Engine::step`] does.
    fn step(&mut self, budget: u64) -> Progress;

    /// Returns the result so far as [`tochki_engine::Engine::best`] does; there is no choice before the first
    /// [`Searcher::begin`].
    fn best(&self) -> Report<Move>;
}

/// The error that there is no engine for this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no engine for this game")]
pub struct NoEngineError;

/// The options of an engine's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Memory and level.
    pub limits: Limits,
    /// The seed of every search.
    pub seed: u64,
    /// The bounds of a search for which the protocol gives none.
    pub bounds: Bounds,
}

/// An engine, and its search while there is one.
#[derive(Debug)]
pub struct Search<T> {
    searcher: T,
    options: SearchOptions,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    began: Duration,
    bounds: Bounds,
    time: Option<TimeBudget>,
    step_budget: StepBudget,
    /// The choice, and the time since which it stands.
    choice: (Option<Move>, Duration),
    /// When the last line about the search was written.
    told: Duration,
}

/// The result of a search, at its end or before.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStatus {
    /// The report of the engine.
    pub report: Report<Move>,
    /// The time that the search took.
    pub time: Duration,
    /// Whether the search has ended.
    pub ended: bool,
}

/// The interval of lines about a search that goes on.
const INTERVAL: Duration = Duration::from_secs(1);

impl<T: Searcher> Search<T> {
    /// An engine that plays with these options.
    pub const fn new(searcher: T, options: SearchOptions) -> Self {
        Self {
            searcher,
            options,
            running: None,
        }
    }

    /// The options of the engine.
    pub const fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Sets the bound of the engine's memory, in bytes, clamped between [`Limits::MIN_MEMORY`] and [`MAX_MEMORY`].
    pub(crate) fn set_memory(&mut self, bytes: usize) {
        self.options.limits.memory = bytes.clamp(Limits::MIN_MEMORY, MAX_MEMORY);
    }

    /// Forgets the results of earlier searches.
    pub(crate) fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Begins to search the position.
    ///
    /// # Errors
    ///
    /// If there is no engine for the game.
    pub(crate) fn begin(
        &mut self,
        position: &Position,
        bounds: Bounds,
        now: Duration,
    ) -> Result<(), NoEngineError> {
        let limits = bounds.limits(self.options.limits);
        self.searcher.begin(position, limits, self.options.seed)?;
        self.running = Some(Running {
            began: now,
            bounds,
            time: bounds.time_budget(position),
            step_budget: StepBudget::START,
            choice: (self.searcher.best().choice, now),
            told: now,
        });
        Ok(())
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns whether the search will end without a word from outside.
    pub(crate) fn will_end(&self) -> bool {
        self.running
            .as_ref()
            .is_none_or(|running| running.bounds.end())
    }

    /// Searches for a few milliseconds. Returns the result when the search has ended, and about once a second.
    pub(crate) fn step(&mut self, now: Duration) -> Option<SearchStatus> {
        let running = self.running.as_mut()?;
        // However short the time, there is one step.
        if running.step_budget.last.is_some() && running.is_over(now) {
            return self.stop(now);
        }
        let budget = running.step_budget.next(now);
        if self.searcher.step(budget) == Progress::Done {
            return self.stop(now);
        }
        // Only a clock asks for the time since which the choice stands, and a report is not free.
        let tells = now.saturating_sub(running.told) >= INTERVAL;
        if !tells && !running.watches_choice(now) {
            return None;
        }
        let report = self.searcher.best();
        if report.choice != running.choice.0 {
            running.choice = (report.choice, now);
        }
        tells.then(|| {
            running.told = now;
            SearchStatus {
                report,
                time: now.saturating_sub(running.began),
                ended: false,
            }
        })
    }

    /// Ends the search; nothing if there is none.
    pub(crate) fn stop(&mut self, now: Duration) -> Option<SearchStatus> {
        let running = self.running.take()?;
        Some(SearchStatus {
            report: self.searcher.best(),
            time: now.saturating_sub(running.began),
            ended: true,
        })
    }
}

impl Running {
    fn is_over(&self, now: Duration) -> bool {
        let Some(TimeBudget { aim, most }) = self.time else {
            return false;
        };
        // One more step would end that much later, and no sooner than if it takes as long as the last one.
        let last = self.step_budget.last.map(|last| now.saturating_sub(last));
        let spent = now.saturating_sub(self.began) + StepBudget::STEP.max(last.unwrap_or_default());
        let stands = now.saturating_sub(self.choice.1);
        spent >= most || spent >= aim && stands >= aim / 4
    }

    /// Returns whether the choice is watched: in the second half of the time, where the time depends on it.
    fn watches_choice(&self, now: Duration) -> bool {
        self.time.is_some_and(|TimeBudget { aim, most }| {
            aim < most && now.saturating_sub(self.began) >= aim / 2
        })
    }
}

/// The number of nodes that take a few milliseconds, found out while searching.
#[derive(Debug)]
struct StepBudget {
    budget: u64,
    last: Option<Duration>,
}

impl StepBudget {
    const START: Self = Self {
        budget: 32,
        last: None,
    };
    /// Maximum of the budget. Where nodes are quick, as at the end of Reversi, a step is still short when they become ten times
    /// slower.
    const MOST: u64 = 1 << 14;
    /// Intended time of a step: with less, looking at the input costs more than it is worth.
    const STEP: Duration = Duration::from_millis(2);

    fn next(&mut self, now: Duration) -> u64 {
        if let Some(last) = self.last.replace(now) {
            let took = now.saturating_sub(last);
            if took < Self::STEP / 2 {
                self.budget = (self.budget * 2).min(Self::MOST);
            } else if took > Self::STEP * 2 {
                self.budget = (self.budget / 2).max(1);
            }
        }
        self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing::{RandomMover, options};
    use crate::time::{Clock, Time};
    use tochki_rules::GameKind;

    const MS: Duration = Duration::from_millis(1);

    /// The time of a search if every step takes a millisecond.
    #[track_caller]
    fn takes(bounds: Bounds) -> Duration {
        let position = Position::new(&GameKind::Reversi.default_setup());
        let mut search = Search::new(RandomMover::default(), options());
        search.begin(&position, bounds, 7 * MS).unwrap();
        let mut now = 7 * MS;
        for _ in 0..100_000 {
            if let Some(found) = search.step(now)
                && found.ended
            {
                assert!(!search.is_running());
                return found.time;
            }
            now += MS;
        }
        panic!("the search does not end");
    }

    #[test]
    fn a_search_takes_its_time() {
        assert_eq!(takes(Bounds::time(200 * MS)), 198 * MS);
        assert_eq!(takes(Bounds::time(Duration::ZERO)), MS);
        let clock = |own: u32| Bounds {
            time: Some(Time::Clock(Clock {
                own: own * MS,
                increment: 5 * MS,
                ..Clock::default()
            })),
            ..Bounds::default()
        };
        assert!(takes(clock(6000)) >= 100 * MS && takes(clock(6000)) <= 1000 * MS);
        assert!(takes(clock(10)) <= 10 * MS);
    }

    #[test]
    fn nodes_end_a_search() {
        assert!(takes(Bounds::nodes(100)) <= 100 * MS);
    }

    #[test]
    fn a_search_without_bounds_is_stopped_and_tells_meanwhile() {
        let position = Position::new(&GameKind::Reversi.default_setup());
        let mut search = Search::new(RandomMover::default(), options());
        assert_eq!(search.stop(MS), None);
        search.begin(&position, Bounds::default(), MS).unwrap();
        assert!(!search.will_end());
        let told = (0..3000).filter_map(|ms| search.step(ms * MS)).count();
        assert_eq!(told, 2);
        let found = search.stop(3000 * MS).unwrap();
        assert!(found.ended && found.report.choice.is_some());
    }
}
