//! Sessions, whatever their protocols.

use crate::search::{Search, SearchStatus, Searcher};
use std::time::Duration;

/// A session of one protocol. `now` is the time since some beginning, and never goes back.
pub trait Session {
    /// The searcher, which finds the moves.
    type Searcher: Searcher;

    /// Reads a line and answers it. While the engine thinks it is only given lines that interrupt.
    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>);

    /// Answers bytes that are no line: too long, or not UTF-8.
    fn refuse(&mut self, why: LineError, answers: &mut Vec<String>);

    /// The time at which a line that comes while the engine thinks is read.
    fn precedence(&self, line: &str) -> Precedence;

    /// The search.
    fn search(&self) -> &Search<Self::Searcher>;

    /// The search, to be stepped or stopped.
    fn search_mut(&mut self) -> &mut Search<Self::Searcher>;

    /// Answers with the result of the search, if that is to be told.
    fn tell(&mut self, found: Option<SearchStatus>, now: Duration, answers: &mut Vec<String>);

    /// Returns whether the other side has ended the session.
    fn has_ended(&self) -> bool;

    /// Returns whether the engine thinks.
    fn thinks(&self) -> bool {
        self.search().is_running()
    }

    /// Searches for a few milliseconds, and answers when the search has ended.
    fn think(&mut self, now: Duration, answers: &mut Vec<String>) {
        let found = self.search_mut().step(now);
        self.tell(found, now, answers);
    }

    /// Ends the search, and answers with its result.
    fn stop(&mut self, now: Duration, answers: &mut Vec<String>) {
        let found = self.search_mut().stop(now);
        self.tell(found, now, answers);
    }

    /// Ends the input: a search that nothing else would end is stopped.
    fn close(&mut self, now: Duration, answers: &mut Vec<String>) {
        if !self.search().will_end() {
            self.stop(now, answers);
        }
    }
}

/// The time at which a line that comes while the engine thinks is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// When the engine has answered, so that lines that are piped in at once are answered in their order.
    Timeouts,
    /// While the engine thinks, but after the lines that came before and wait.
    InTurn,
    /// While the engine thinks, before the lines that wait.
    AtOnce,
}

/// The reason why bytes are no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The line is longer than a line of any protocol.
    TooLong,
    /// The line is not UTF-8.
    NotText,
}

impl LineError {
    /// The reason in a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLong => "line too long",
            Self::NotText => "not UTF-8",
        }
    }
}
