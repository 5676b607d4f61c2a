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

/// How many rated matches of a game make a rating that is shown without a question mark, and ranked.
pub const RANKED_MATCHES: u32 = 5;

/// How many points games against players who are not established may lift a rating, besides what was lost to them.
pub const NEWCOMER_GAIN_MAX: f64 = tochki_play::NEWCOMER_GAIN_MAX;

/// Against how many different established players a player is established in a game after rated matches, of which at least
/// one was not lost.
pub const ESTABLISHING_OPPONENTS: u32 = 5;

/// As long as fewer players of a game are established, so is whoever has played often enough: [`FOUNDING_MATCHES`] rated
/// matches against [`FOUNDING_OPPONENTS`] different players on [`FOUNDING_DAYS`] different days (UTC). Bots, whose matches
/// with people are not rated, are counted by themselves.
pub const FOUNDERS: u32 = 20;

/// See [`FOUNDERS`].
pub const FOUNDING_MATCHES: u32 = 30;

/// See [`FOUNDERS`].
pub const FOUNDING_OPPONENTS: u32 = 10;

/// See [`FOUNDERS`].
pub const FOUNDING_DAYS: u32 = 10;

/// How many players are on a page of the standings.
pub const STANDINGS_PAGE_LEN: u32 = 50;

/// How many of the best players of a game the front page shows.
pub const TOP_LEN: u32 = 10;

/// How many points a rating graph has at most.
pub const RATING_GRAPH_MAX_POINTS: u32 = 200;
