//! Thread pool for the searches of the bots. The threads have the lowest priority, so that requests come first, and time-slice
//! between searches, so that a quick one does not wait for a slow one.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;
use tochki_engine::{AnyEngine, Level, Limits, Progress, Report};
use tochki_protocol::limits;
use tochki_rules::{Move, Position};
use tokio::sync::oneshot;

/// The niceness of the threads, of 0 to 19.
const NICENESS: i32 = 15;

/// The threads, which end when the pool is dropped.
pub(crate) struct SearchPool {
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    /// Held for a moment, never while searching.
    searches: Mutex<Searches>,
    more: Condvar,
}

#[derive(Default)]
struct Searches {
    waiting: VecDeque<Search>,
    closed: bool,
}

/// A search to be done.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) position: Position,
    pub(crate) level: Level,
    /// The largest number of nodes, besides the bounds of the level.
    pub(crate) nodes: u64,
    pub(crate) seed: u64,
    /// The time at which the search stops. There is always one step.
    pub(crate) until: Instant,
}

struct Search {
    task: Task,
    engine: Option<AnyEngine>,
    step_nodes: u64,
    answer: oneshot::Sender<Report<Move>>,
}

/// The error that a search has panicked, or the threads have ended.
#[derive(Debug)]
pub(crate) struct SearchFailed;

impl SearchPool {
    pub(crate) fn start(threads: NonZeroU32) -> Self {
        let queue = Arc::<Queue>::default();
        for number in 0..threads.get() {
            let queue = queue.clone();
            let thread = thread::Builder::new().name(format!("search {number}"));
            if let Err(error) = thread.spawn(move || think(&queue)) {
                tracing::error!(%error, "a thread for the house bots does not start");
            }
        }
        Self { queue }
    }

    /// Searches a position. A search whose caller no longer waits ends.
    pub(crate) async fn search(&self, task: Task) -> Result<Report<Move>, SearchFailed> {
        let (answer, found) = oneshot::channel();
        self.queue.push(Search {
            task,
            engine: None,
            step_nodes: 32,
            answer,
        });
        found.await.map_err(|_| SearchFailed)
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        self.queue.lock().closed = true;
        self.queue.more.notify_all();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Searches> {
        self.searches
            .lock()
            .expect("no panic while the lock is held")
    }

    fn push(&self, search: Search) {
        self.lock().waiting.push_back(search);
        self.more.notify_one();
    }

    /// Waits for the next search whose result is awaited; `None` when the pool is closed.
    fn next(&self) -> Option<Search> {
        let mut searches = self.lock();
        loop {
            if searches.closed {
                return None;
            }
            match searches.waiting.pop_front() {
                Some(search) if search.answer.is_closed() => {}
                Some(search) => return Some(search),
                None => {
                    let woken = self.more.wait(searches);
                    searches = woken.expect("no panic while the lock is held");
                }
            }
        }
    }
}

fn think(queue: &Queue) {
    // On Linux a thread has a niceness of its own; elsewhere it would be that of the server.
    if cfg!(target_os = "linux") {
        let lowered = rustix::process::nice(NICENESS);
        if let Err(error) = lowered {
            tracing::warn!(%error, "the priority of a thread cannot be lowered");
        }
    }
    while let Some(mut search) = queue.next() {
        // The state that it was changing is dropped with it.
        match catch_unwind(AssertUnwindSafe(|| search.run_slice())) {
            Ok(None) => queue.push(search),
            // The caller that waited may have gone.
            Ok(Some(report)) => drop(search.answer.send(report)),
            Err(_) => tracing::error!(game = %search.task.position.kind(), "a search has panicked"),
        }
    }
}

impl Search {
    /// Searches until the slice, the search or its time is over. Returns the report if it is done.
    fn run_slice(&mut self) -> Option<Report<Move>> {
        let Task {
            position,
            level,
            nodes,
            seed,
            until,
        } = &self.task;
        let engine = self.engine.get_or_insert_with(|| {
            let limits = Limits {
                nodes: *nodes,
                memory: if *level == Level::STRONGEST {
                    limits::HOUSE_BOT_STRONGEST_MEMORY_BYTES
                } else {
                    limits::HOUSE_BOT_MEMORY_BYTES
                },
                level: *level,
                ..Limits::NONE
            };
            AnyEngine::new(position, limits, *seed)
        });
        let mut now = Instant::now();
        let slice_end = now + limits::HOUSE_BOT_TIME_SLICE;
        loop {
            if engine.step(self.step_nodes) == Progress::Done {
                return Some(engine.best());
            }
            let before = std::mem::replace(&mut now, Instant::now());
            let took = now - before;
            if took < limits::HOUSE_BOT_STEP_TIME / 2 {
                self.step_nodes = (self.step_nodes * 2).min(limits::HOUSE_BOT_STEP_MAX_NODES);
            } else if took > limits::HOUSE_BOT_STEP_TIME * 2 {
                self.step_nodes = (self.step_nodes / 2).max(1);
            }
            if now >= *until {
                return Some(engine.best());
            }
            if now >= slice_end {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tochki_rules::GameKind;

    fn task(kind: GameKind, level: Level, time: Duration) -> Task {
        Task {
            position: Position::new(&kind.default_setup()),
            level,
            nodes: u64::MAX,
            seed: 1,
            until: Instant::now() + time,
        }
    }

    #[tokio::test]
    async fn every_level_of_every_game_finds_a_move_also_without_time() {
        let search_pool = SearchPool::start(NonZeroU32::MIN);
        for &kind in GameKind::ALL {
            for level in Level::all() {
                let task = task(kind, level, Duration::ZERO);
                let mut position = task.position.clone();
                let report = search_pool.search(task).await.expect("a report");
                let choice = report.choice.expect("a move");
                assert!(position.play(choice).is_ok(), "{kind} {level}");
            }
        }
    }

    #[tokio::test]
    async fn a_quick_search_does_not_wait_for_a_slow_one() {
        let search_pool = Arc::new(SearchPool::start(NonZeroU32::MIN));
        let hours = Duration::from_hours(2);
        let slow = task(GameKind::Dots, Level::STRONGEST, hours);
        let slow = tokio::spawn({
            let search_pool = search_pool.clone();
            async move { search_pool.search(slow).await }
        });
        let quick = task(GameKind::Reversi, Level::WEAKEST, hours);
        assert!(search_pool.search(quick).await.is_ok());
        assert!(!slow.is_finished());
        // A search whose caller no longer waits is cancelled, so the next one has the thread to itself.
        slow.abort();
        let next = task(GameKind::Boxes, Level::WEAKEST, hours);
        assert!(search_pool.search(next).await.is_ok());
    }
}
