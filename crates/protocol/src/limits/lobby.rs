//! Waiting rooms: challenges and tables.

use super::days;
use std::time::Duration;

/// Time for which a challenge is open.
pub const CHALLENGE_TIMEOUT: Duration = Duration::from_secs(15);

/// Time for which a challenge by correspondence is open.
pub const CORRESPONDENCE_CHALLENGE_TIMEOUT: Duration = days(7);

/// Time for which *Your games* lists a request for a rematch by correspondence, from the end of the match. It may be answered later, too.
pub const REMATCH_LISTED: Duration = days(30);

/// Maximum number of open challenges by correspondence from a player.
pub const CORRESPONDENCE_CHALLENGES: i64 = 10;

/// Window of [`CORRESPONDENCE_CHALLENGES_FROM_ONE`] and [`CORRESPONDENCE_CHALLENGES_FROM_ADDRESS`]: closed challenges are kept for as long.
pub const CORRESPONDENCE_CHALLENGE_WINDOW: Duration = CLOSED_LIFETIME;

/// Maximum number of challenges by correspondence to a player from one other player that were not accepted. Each of them is pushed to
/// the player's devices.
pub const CORRESPONDENCE_CHALLENGES_FROM_ONE: i64 = 3;

/// Maximum number of such challenges from the players of one address.
pub const CORRESPONDENCE_CHALLENGES_FROM_ADDRESS: i64 = 10;

/// Time for which a table by correspondence is open, whether its creator is there or not.
pub const SEEK_TIMEOUT: Duration = days(14);

/// Maximum number of open tables by correspondence of a player.
pub const SEEKS_PER_PLAYER: i64 = 10;

/// Maximum number of open tables by correspondence of a guest: who closes the browser for good leaves them there.
pub const SEEKS_PER_GUEST: i64 = 2;

/// Maximum number of running matches by correspondence in which a guest has made no move yet, before the guest sits down at a table by
/// correspondence or opens one: each keeps an opponent waiting for days.
pub const UNBEGUN_GAMES_PER_GUEST: i64 = 3;

/// Maximum number of such matches that guests of one address have begun by sitting down.
pub const UNBEGUN_GAMES_BY_ADDRESS: i64 = 10;

/// Maximum number of tables by correspondence that a waiting room lists.
pub const SEEKS_MAX_LISTED: i64 = 200;

/// Time for which a declined player waits before challenging the same player again.
pub const CHALLENGE_PAUSE: Duration = Duration::from_mins(1);

/// Maximum number of challenges to a player within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW: u32 = 10;

/// Maximum number of challenges to a player from one other player within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW_FROM_ONE: u32 = 3;

/// Window of [`CHALLENGES_PER_WINDOW`].
pub const CHALLENGE_WINDOW: Duration = Duration::from_mins(1);

/// Time for which a quick game pairs nobody with a player who has declined or aborted a game of the two.
pub const QUICK_GAME_PAUSE: Duration = Duration::from_mins(10);

/// Times of waiting for a quick game after which the page proposes something else, each in its turn.
pub const QUICK_GAME_PROPOSALS: [Duration; 4] = [
    Duration::from_secs(20),
    Duration::from_mins(1),
    Duration::from_mins(3),
    Duration::from_mins(10),
];

/// Maximum number of opponents that a request for a quick game tries, if others take them meanwhile.
pub const QUICK_GAME_MAX_ATTEMPTS: usize = 5;

/// Maximum number of waiting players whose quick games one round of the sweeper compares.
pub const QUICK_GAMES_PER_SWEEP: i64 = 100;

/// Maximum number of guests of one address in the list of a waiting room.
pub const GUESTS_LISTED_BY_ADDRESS: i64 = 5;

/// Maximum number of ended challenges that a waiting room shows without scripts: the page reloads before anybody could read more.
pub const ENDED_CHALLENGES_MAX_SHOWN: usize = 3;

/// Time for which a closed challenge and a finished match stay in the state of a waiting room.
pub const LOBBY_HISTORY: Duration = Duration::from_secs(20);

/// Delay before a waiting room is read again, so that many changes are batched into one read.
pub const LOBBY_REFRESH_DELAY: Duration = Duration::from_millis(100);

/// Number of updates of a waiting room that a slow subscriber may be behind before it is sent a new snapshot instead.
pub const LOBBY_CHANNEL_CAPACITY: usize = 256;

/// Shortest interval at which a waiting room sends the scores of its running matches.
pub const SCORES_INTERVAL: Duration = Duration::from_secs(1);

/// Number of the latest running matches of which the front page shows the one with the most events.
pub const FEATURED_MATCH_CANDIDATES: u32 = 50;

/// Number of events from which on a running match is one to watch on the front page.
pub const FEATURED_MATCH_MIN_EVENTS: i32 = 6;

/// The longest name of a table, in characters.
pub const TABLE_NAME_MAX_CHARS: usize = 40;

/// Time for which a table is listed after its creator was last seen. In the schema, for the release before: the view
/// `laid_tables`.
pub const TABLE_LISTING_TIMEOUT: Duration = Duration::from_secs(30);

/// Time for which a table stays open after its creator was last seen. On a phone, sending the link means leaving the page.
pub const TABLE_TIMEOUT: Duration = Duration::from_mins(30);

/// Maximum number of open tables of a player.
pub const TABLES_PER_PLAYER: u32 = 1;

/// Maximum number of open tables of one address.
pub const TABLES_BY_ADDRESS: u32 = 20;

/// Burst of tables that a player may open. Tables at which a match is played do not count.
pub const TABLE_OPENINGS: u32 = 10;

/// Interval at which a player may open another table once [`TABLE_OPENINGS`] are used up.
pub const TABLE_OPENING_PERIOD: Duration = Duration::from_secs(30);

/// Burst of tables that may be opened from one address. Tables at which a match is played do not count.
pub const TABLE_OPENINGS_BY_ADDRESS: u32 = 60;

/// Interval at which another table may be opened from one address once [`TABLE_OPENINGS_BY_ADDRESS`] are used up.
pub const TABLE_OPENING_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(5);

/// Burst of a player's sitting down at tables of others. Seats at which a match is played do not count.
pub const SEAT_CHANGES: u32 = 20;

/// Interval at which a player may sit down again once [`SEAT_CHANGES`] are used up.
pub const SEAT_CHANGE_PERIOD: Duration = Duration::from_secs(10);

/// Maximum number of open tables with a present creator.
pub const TABLES_MAX: u32 = 500;

/// Precision of the stored time at which a player at a table was last seen.
pub const TABLE_SEEN_INTERVAL: Duration = Duration::from_secs(3);

/// Interval at which the presence at open tables is checked.
pub const TABLE_SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of attempts to lock a table and its players when somebody sits down meanwhile.
pub const TABLE_LOCK_MAX_ATTEMPTS: usize = 5;

/// Time for which a player who did not create the table keeps a seat after being last seen.
pub const SEAT_TIMEOUT: Duration = Duration::from_mins(1);

/// Time for which a seated player counts as ready after being last seen.
pub const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// Lifetime of closed challenges and closed tables.
pub const CLOSED_LIFETIME: Duration = days(1);

/// Maximum number of running games with bots that challenges from one address have begun, so that nobody keeps all of them busy.
pub const BOT_GAMES_BY_ADDRESS: u32 = 3;

/// Number of finished matches that a waiting room lists.
pub const JUST_FINISHED_LEN: u32 = 5;

/// Number of the last finished matches of a game whose players a waiting room lists while they have the page of their match open.
pub const MATCHES_LEFT_OPEN: u32 = 100;
