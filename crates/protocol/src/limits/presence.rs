//! Presence of players (streams and pages), and heartbeats of the server.

use std::time::Duration;

/// Age beyond which a presence heartbeat's stream counts as dead. In the schema: `is_alive`.
pub const PRESENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for which a closed stream still counts as present, so that a page reload is not an absence. In the schema: `is_alive`.
pub const RELOAD_GRACE: Duration = Duration::from_millis(700);

/// Interval of the heartbeats of open streams.
pub const PRESENCE_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// Least time between two changes of the spectators of a match that its streams are told.
pub const AUDIENCE_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which all presence is read, to find the rows of an instance that has ended.
pub const PRESENCE_READ_INTERVAL: Duration = Duration::from_secs(1);

/// Time for which loading the waiting room counts as presence, for browsers without scripts.
pub const LOBBY_PAGE_PRESENCE: Duration = Duration::from_secs(10);

/// Time for which loading a match or a table counts as presence, for browsers without scripts.
pub const TABLE_PAGE_PRESENCE: Duration = Duration::from_secs(12);

/// Duration of an absence from a match before the opponent is told. In the schema: the view `reported_absences`.
pub const ABSENCE_NOTICE_DELAY: Duration = Duration::from_secs(3);

/// Duration of an absence from a match after which the match is lost.
pub const ABSENCE_TIMEOUT: Duration = Duration::from_secs(30);

/// Total duration of the absences from one match after which it is lost, without the absences that nobody was told of.
pub const TOTAL_ABSENCE_TIMEOUT: Duration = Duration::from_mins(2);

/// Time for which a request about a match counts as presence there, for programs that have never opened its stream: reading the
/// match, or a command. In the schema: `arrival_timeout`.
pub const STREAMLESS_PRESENCE: Duration = Duration::from_mins(2);

/// Least time between two such reads of a match that are written to the database.
pub const STREAMLESS_READ_INTERVAL: Duration = Duration::from_secs(10);

/// Interval of the heartbeats by which instances show that a server runs.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(250);

/// Maximum age of the last heartbeat of an instance that decides something by the clock.
pub const HEARTBEAT_MAX_AGE: Duration = Duration::from_secs(1);

/// Maximum age of the heartbeat of all instances while deadlines are enforced. In the schema: `heartbeat_is_fresh`.
pub const OUTAGE_TOLERANCE: Duration = Duration::from_secs(5);

/// Maximum age of the heartbeat of all instances when an instance starts.
pub const OUTAGE_TOLERANCE_AT_START: Duration = Duration::from_secs(1);

/// Time to a deadline by correspondence below which an outage extends it; a longer outage extends those within its own length, too.
/// Whoever has more time than that left has lost nothing that matters.
pub const OUTAGE_NEAR_DEADLINE: Duration = Duration::from_hours(1);
