//! Ratings, standings, and conditions of rated matches.

use std::time::Duration;

/// How many rated matches two players may have with each other on one day (UTC).
pub const RATED_MATCHES_PER_PAIR: u32 = 5;

/// Whoever aborts this many of their last [`ABORTS_WINDOW_LEN`] matches waits [`ABORTS_PAUSE`] for a rated one.
pub const ABORTS_MAX: u32 = 3;

/// See [`ABORTS_MAX`].
pub const ABORTS_WINDOW_LEN: u32 = 10;

/// See [`ABORTS_MAX`].
pub const ABORTS_PAUSE: Duration = Duration::from_mins(10);

/// How many rated matches of a game make a rating that is shown without a question mark, and ranked, if they were against
/// enough opponents ([`RANKED_OPPONENTS`]).
pub const RANKED_MATCHES: u32 = 5;

/// Against how many different opponents those matches have to be; against all others while fewer others play that game.
pub const RANKED_OPPONENTS: u32 = 3;

/// How many players are on a page of the standings.
pub const STANDINGS_PAGE_LEN: u32 = 50;

/// How many of the best players of a game the front page shows.
pub const TOP_LEN: u32 = 10;

/// How many points a rating graph has at most.
pub const RATING_GRAPH_MAX_POINTS: u32 = 200;
