//! Ratings, standings, and conditions of rated matches.

use std::time::Duration;

/// Maximum number of rated matches of two players with each other on one day (UTC).
pub const RATED_MATCHES_PER_PAIR: u32 = 5;

/// Number of aborted matches among a player's last [`ABORTS_WINDOW_LEN`] after which the player waits [`ABORTS_PAUSE`] for a
/// rated one.
pub const ABORTS_MAX: u32 = 3;

/// Number of a player's last matches in which [`ABORTS_MAX`] counts.
pub const ABORTS_WINDOW_LEN: u32 = 10;

/// Pause of rated matches after [`ABORTS_MAX`] aborted ones.
pub const ABORTS_PAUSE: Duration = Duration::from_mins(10);

/// Number of rated matches of a game that make a rating that is shown without a question mark, and ranked, if they were against
/// enough opponents ([`RANKED_OPPONENTS`]).
pub const RANKED_MATCHES: u32 = 5;

/// Number of different opponents in those matches; all others while fewer others play that game.
pub const RANKED_OPPONENTS: u32 = 3;

/// Number of players on a page of the standings.
pub const STANDINGS_PAGE_LEN: u32 = 50;

/// Number of the best players of a game on the front page.
pub const TOP_LEN: u32 = 10;

/// Maximum number of points of a rating graph.
pub const RATING_GRAPH_MAX_POINTS: u32 = 200;
