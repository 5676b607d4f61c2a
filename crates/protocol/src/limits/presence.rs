//! Presence of players (streams and pages), and heartbeats of the server.

use std::time::Duration;

/// How old a presence heartbeat may be before its stream counts as dead. In the schema: `is_alive`.
pub const PRESENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a closed stream still counts as present, so that a page reload is not an absence. In the schema: `is_alive`.
pub const RELOAD_GRACE: Duration = Duration::from_millis(700);

/// Interval of the heartbeats of open streams.
pub const PRESENCE_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// Least time between two changes of the spectators of a match that its streams are told.
pub const AUDIENCE_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which all presence is read, to find the rows of an instance that has ended.
pub const PRESENCE_READ_INTERVAL: Duration = Duration::from_secs(1);

/// How long loading the waiting room counts as presence, for browsers without scripts.
pub const LOBBY_PAGE_PRESENCE: Duration = Duration::from_secs(10);

/// How long loading a match or a table counts as presence, for browsers without scripts.
pub const TABLE_PAGE_PRESENCE: Duration = Duration::from_secs(12);

/// How long an absence from a match lasts before the opponent is told. In the schema: the view `reported_absences`.
pub const ABSENCE_NOTICE_DELAY: Duration = Duration::from_secs(3);

/// How long a player may be absent from a match before it is lost.
pub const ABSENCE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a player may be absent from one match in all, not counting absences that nobody was told of.
pub const TOTAL_ABSENCE_TIMEOUT: Duration = Duration::from_mins(2);

/// How long a request about a match counts as presence there, for programs that have never opened its stream: reading the match,
/// or a command. In the schema: `welcome`.
pub const STREAMLESS_PRESENCE: Duration = Duration::from_mins(2);

/// Least time between two such reads of a match that are written to the database.
pub const STREAMLESS_READ_INTERVAL: Duration = Duration::from_secs(10);

/// Interval of the heartbeats by which instances show that a server runs.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(250);

/// How old the last heartbeat of an instance may be when it decides something by the clock.
pub const HEARTBEAT_MAX_AGE: Duration = Duration::from_secs(1);

/// How old the heartbeat of all instances may be while deadlines are enforced. In the schema: `heartbeat_is_fresh`.
pub const OUTAGE_TOLERANCE: Duration = Duration::from_secs(5);

/// How old the heartbeat of all instances may be when an instance starts.
pub const OUTAGE_TOLERANCE_AT_START: Duration = Duration::from_secs(1);
