//! Errors of the server: a refusal, which is the client's, or a failure, which is the server's.
//!
//! Nothing is logged here. The code where an error ends logs it once: the HTTP layer for a request, a background
//! task for its round ([`LogFailure`]).

use crate::metrics;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::panic::Location;
use std::sync::{LazyLock, Mutex};
use std::time::Instant;
use tochki_play::{EncodeError, InvalidLine, Refusal};
use tochki_protocol::{
    ApiError, ChallengeId, Code, EntryCondition, MatchId, PlayerId, TableId, TournamentId, limits,
};
use tochki_rules::InvalidSetup;

/// The error of everything in this crate.
#[derive(Debug)]
pub enum Error {
    /// The request is refused, with a reason for the client.
    Refused(ApiError),
    /// There have been too many attempts; after so many seconds there may be another.
    Limited(Code, u32),
    /// Something failed that is no fault of the client.
    Failed(Box<Failure>),
}

/// A failure, its place in the code and its subject.
#[derive(Debug)]
pub struct Failure {
    cause: Cause,
    location: &'static Location<'static>,
    subject: Option<Subject>,
}

/// A failure of the server.
#[derive(Debug, thiserror::Error)]
enum Cause {
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    #[error("{0}")]
    Invariant(Cow<'static, str>),
    /// The stored events of a match are not those of a match.
    #[error("a stored match is broken: {0}")]
    Record(String),
}

/// The subject of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A match.
    Match(MatchId),
    /// A player.
    Player(PlayerId),
    /// A challenge.
    Challenge(ChallengeId),
    /// A table at which no match has begun.
    Table(TableId),
    /// A tournament.
    Tournament(TournamentId),
}

impl Error {
    /// Something that should always hold does not: stored data that cannot be read, a task that has panicked.
    #[track_caller]
    pub fn invariant(broken: impl Into<Cow<'static, str>>) -> Self {
        Self::failed(Cause::Invariant(broken.into()), Location::caller())
    }

    /// The stored events of a match cannot be read, or cannot have happened in it.
    #[track_caller]
    pub fn broken_record(id: MatchId, broken: impl fmt::Display) -> Self {
        Self::failed(Cause::Record(broken.to_string()), Location::caller()).with_subject(id)
    }

    fn failed(cause: Cause, location: &'static Location<'static>) -> Self {
        Self::Failed(Box::new(Failure {
            cause,
            location,
            subject: None,
        }))
    }

    /// The code that the client is answered with.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(error) => error.code,
            Self::Limited(code, _) => *code,
            Self::Failed(failure) if failure.is_temporary() => Code::Unavailable,
            Self::Failed(failure) if matches!(failure.cause, Cause::Record(_)) => {
                Code::BrokenRecord
            }
            Self::Failed(_) => Code::Internal,
        }
    }

    /// The error for the client. A failure is reduced to its code.
    pub fn into_api_error(self) -> ApiError {
        match self {
            Self::Refused(error) => error,
            Self::Limited(..) | Self::Failed(_) => self.code().into(),
        }
    }

    /// After how many seconds to try again, if that is known.
    pub fn retry_after(&self) -> Option<u32> {
        match self {
            Self::Limited(_, seconds) => Some(*seconds),
            Self::Refused(_) | Self::Failed(_) => None,
        }
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Refused(_) | Self::Limited(..) => None,
            Self::Failed(failure) => Some(failure),
        }
    }

    /// Returns whether a statement about many rows failed because of one of them, so that the others may succeed without it: a
    /// constraint, a value, a lock that another transaction holds. All else (a time-out, a lost connection, a full disk)
    /// befalls every statement, and more statements only make it worse.
    pub(crate) fn is_of_one_row(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Limited(..) => true,
            Self::Failed(failure) => failure.is_of_one_row(),
        }
    }

    /// Adds the subject to the error. A subject that is known already is kept, because it is closer to the cause.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<Subject>) -> Self {
        if let Self::Failed(failure) = &mut self {
            failure.subject.get_or_insert(subject.into());
        }
        self
    }
}

/// The error codes of Postgres when the disk takes nothing: 53100: it is full; 58030: it cannot be read or written.
const DISK_FAILURES: [&str; 2] = ["53100", "58030"];

impl Failure {
    /// Returns whether asking again may well succeed: the connection is at fault, or another transaction came in between.
    fn is_temporary(&self) -> bool {
        match &self.cause {
            Cause::Database(
                sqlx::Error::Io(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed,
            ) => true,
            // 57P0x: Postgres is shutting down or starting; 08xxx: the connection broke; 53300: too many connections;
            // 40P01, 40001: a deadlock, or a snapshot that could not be kept; 57014, 55P03, 25P03: a statement, a lock or
            // an idle transaction that took too long; 53200, 53000: no memory, or no file can be opened.
            Cause::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|code| {
                code.starts_with("57P0")
                    || code.starts_with("08")
                    || DISK_FAILURES.contains(&&*code)
                    || matches!(
                        &*code,
                        "53300"
                            | "40P01"
                            | "40001"
                            | "57014"
                            | "55P03"
                            | "25P03"
                            | "53200"
                            | "53000"
                    )
            }),
            _ => false,
        }
    }

    /// See [`Error::is_of_one_row`].
    fn is_of_one_row(&self) -> bool {
        match &self.cause {
            Cause::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|code| {
                // 21: a row twice; 22: a value; 23: a constraint; 55P03: a lock; P0: raised by a trigger.
                ["21", "22", "23", "P0"].contains(&code.get(..2).unwrap_or_default())
                    || code == "55P03"
            }),
            _ => false,
        }
    }

    /// Returns whether this instance had closed its database connections, because it is shutting down.
    fn is_shutdown(&self) -> bool {
        matches!(self.cause, Cause::Database(sqlx::Error::PoolClosed))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::Limited(code, _) => f.write_str(code.message()),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at {}", self.cause, self.location)?;
        if let Some(subject) = self.subject {
            write!(f, ", {subject}")?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match(id) => write!(f, "match {id}"),
            Self::Player(id) => write!(f, "player {id}"),
            Self::Challenge(id) => write!(f, "challenge {id}"),
            Self::Table(id) => write!(f, "table {id}"),
            Self::Tournament(id) => write!(f, "tournament {id}"),
        }
    }
}

impl From<MatchId> for Subject {
    fn from(id: MatchId) -> Self {
        Self::Match(id)
    }
}

impl From<PlayerId> for Subject {
    fn from(id: PlayerId) -> Self {
        Self::Player(id)
    }
}

impl From<ChallengeId> for Subject {
    fn from(id: ChallengeId) -> Self {
        Self::Challenge(id)
    }
}

impl From<TableId> for Subject {
    fn from(id: TableId) -> Self {
        Self::Table(id)
    }
}

impl From<TournamentId> for Subject {
    fn from(id: TournamentId) -> Self {
        Self::Tournament(id)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self::Refused(code.into())
    }
}

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<InvalidLine> for Error {
    fn from(invalid: InvalidLine) -> Self {
        Self::Refused(invalid.into())
    }
}

impl From<EntryCondition> for Error {
    fn from(condition: EntryCondition) -> Self {
        Self::Refused(condition.into())
    }
}

impl From<InvalidSetup> for Error {
    fn from(invalid: InvalidSetup) -> Self {
        Self::Refused(invalid.into())
    }
}

impl From<EncodeError> for Error {
    #[track_caller]
    fn from(error: EncodeError) -> Self {
        Self::invariant(error.to_string())
    }
}

/// A named constraint of the schema becomes the refusal that it stands for; all else is a failure of the query at the
/// place of the `?`. It is counted here and not where it is reported, because it may be dropped with its request before, and
/// [`crate::readiness`] has to know of each statement that failed because of the disk.
impl From<sqlx::Error> for Error {
    #[track_caller]
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            metrics::database_timed_out();
        }
        let code = error
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code);
        if code.is_some_and(|code| DISK_FAILURES.contains(&&*code)) {
            metrics::disk_failed();
        }
        let constraint = error
            .as_database_error()
            .and_then(|error| error.constraint());
        match constraint {
            // `players_look_unique` is of `name_look`, which has the same skeletons for the release before.
            Some(
                "players_name_unique" | "players_name_skeleton_unique" | "players_look_unique",
            ) => Code::NameTaken.into(),
            Some("challenges_one_open" | "challenges_one_by_correspondence") => {
                Code::AlreadyChallenging.into()
            }
            Some("playing_pkey") => Code::AlreadyPlaying.into(),
            Some(constraint) if is_of_caller(constraint) => Code::SignedOut.into(),
            _ => Self::failed(Cause::Database(error), Location::caller()),
        }
    }
}

/// Returns whether this constraint says that the player who asks exists. Guests are deleted once they are old, and accounts by
/// their owners, also while a request of theirs is on its way.
fn is_of_caller(constraint: &str) -> bool {
    constraint.ends_with("_player_id_fkey")
        || matches!(
            constraint,
            "challenges_from_id_fkey" | "open_tables_creator_id_fkey" | "reports_reporter_id_fkey"
        )
}

/// Names the subject of an error.
pub trait WithSubject {
    /// Adds the subject to a failure.
    #[must_use]
    fn with_subject(self, subject: impl Into<Subject>) -> Self;
}

impl<T> WithSubject for Result<T, Error> {
    fn with_subject(self, subject: impl Into<Subject>) -> Self {
        self.map_err(|error| error.with_subject(subject))
    }
}

/// The key by which the log deduplicates failures: task, query, subject.
type LogKey = (&'static str, &'static Location<'static>, Option<Subject>);

/// Times at which each failure of a background task was last logged.
#[derive(Default)]
struct LogTimes(HashMap<LogKey, Instant>);

impl LogTimes {
    /// Returns whether a failure is to be logged now; if so, it counts as logged.
    fn is_due(&mut self, key: LogKey, now: Instant) -> bool {
        self.0
            .retain(|_, at| now.duration_since(*at) < limits::FAILURE_LOG_INTERVAL);
        if self.0.contains_key(&key) {
            return false;
        }
        self.0.insert(key, now);
        true
    }
}

/// The failures that this process has logged. The lock is held for a lookup.
static LOG_TIMES: LazyLock<Mutex<LogTimes>> = LazyLock::new(Mutex::default);

/// Ends the path of an error in a background task.
pub trait LogFailure<T> {
    /// Logs a failure with the work of the task. A refusal is not logged, and neither is a failure at the same query
    /// with the same subject within the next ten seconds, or one in a round that goes on while the instance shuts down.
    fn log_failure(self, doing: &'static str) -> Option<T>;
}

impl<T> LogFailure<T> for Result<T, Error> {
    fn log_failure(self, doing: &'static str) -> Option<T> {
        self.inspect_err(|error| {
            if let Some(failure) = error.failure()
                && !failure.is_shutdown()
                && LOG_TIMES
                    .lock()
                    .expect("no panic while looking up")
                    .is_due((doing, failure.location, failure.subject), Instant::now())
            {
                tracing::error!(%failure, "failed while {doing}");
            }
        })
        .ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_query_and_its_subject() {
        fn query() -> Result<(), Error> {
            Err(sqlx::Error::RowNotFound)?;
            Ok(())
        }
        let error = query()
            .with_subject(MatchId(7))
            .with_subject(PlayerId(3))
            .unwrap_err();
        assert_eq!(error.code(), Code::Internal);
        let said = error.to_string();
        assert!(
            said.contains("error.rs") && said.contains("match 7"),
            "{said}"
        );
        assert!(!said.contains("player"), "{said}");
        assert_eq!(error.into_api_error(), Code::Internal.into());
    }

    #[test]
    fn a_failure_is_logged_again_after_the_interval() {
        let key: LogKey = ("testing the interval", Location::caller(), None);
        let start = Instant::now();
        let mut times = LogTimes::default();
        assert!(times.is_due(key, start));
        assert!(!times.is_due(key, start + limits::FAILURE_LOG_INTERVAL / 2));
        assert!(times.is_due(key, start + limits::FAILURE_LOG_INTERVAL));
    }

    #[test]
    fn a_database_that_is_away_is_unavailable() {
        let error = Error::from(sqlx::Error::PoolTimedOut);
        assert_eq!(error.code(), Code::Unavailable);
        assert!(Error::from(Code::NameTaken).failure().is_none());
    }
}
