//! A session, whichever protocol it is of.

use crate::search::{Search, SearchStatus, Searcher};
use std::time::Duration;

/// A session of one protocol. `now` is the time since some beginning, and never goes back.
pub trait Session {
    /// What finds its moves.
    type Searcher: Searcher;

    /// Reads a line and answers it. While the engine thinks it is only given lines that interrupt.
    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>);

    /// Answers a line that is none: too long, or not UTF-8.
    fn refuse(&mut self, why: LineError, answers: &mut Vec<String>);

    /// When a line that comes while the engine thinks is to be read.
    fn precedence(&self, line: &str) -> Precedence;

    /// Its search.
    fn search(&self) -> &Search<Self::Searcher>;

    /// Its search, to be stepped or stopped.
    fn search_mut(&mut self) -> &mut Search<Self::Searcher>;

    /// Answers with what the search has found, if that is to be told.
    fn tell(&mut self, found: Option<SearchStatus>, now: Duration, answers: &mut Vec<String>);

    /// Whether the other side has said that it is over.
    fn has_ended(&self) -> bool;

    /// Whether the engine thinks.
    fn thinks(&self) -> bool {
        self.search().is_running()
    }

    /// Searches for a few milliseconds, and answers when the search has ended.
    fn think(&mut self, now: Duration, answers: &mut Vec<String>) {
        let found = self.search_mut().step(now);
        self.tell(found, now, answers);
    }

    /// Ends the search, and answers with what it has found.
    fn stop(&mut self, now: Duration, answers: &mut Vec<String>) {
        let found = self.search_mut().stop(now);
        self.tell(found, now, answers);
    }

    /// There is no more input: a search that nothing else would end is stopped.
    fn close(&mut self, now: Duration, answers: &mut Vec<String>) {
        if !self.search().will_end() {
            self.stop(now, answers);
        }
    }
}

/// When a line that comes while the engine thinks is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// When the engine has answered, so that what is piped in at once is worked off in its order.
    Timeouts,
    /// While the engine thinks, but after the lines that came before and wait.
    InTurn,
    /// While the engine thinks, before those that wait.
    AtOnce,
}

/// Why what came is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// It is longer than a line of any protocol.
    TooLong,
    /// It is not UTF-8.
    NotText,
}

impl LineError {
    /// In a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLong => "line too long",
            Self::NotText => "not UTF-8",
        }
    }
}
