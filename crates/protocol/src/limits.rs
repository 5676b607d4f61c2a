//! Durations and limits that users can notice, or that two parts of the code must agree on.
//!
//! The server passes them to the database as parameters. The functions and views of the schema have their own copies, and
//! so have the scripts in `public/`; `tests/server/limits.rs` compares those with these constants, and
//! `tests/server/stated_limits.rs` what pages and documents say.

use std::ops::RangeInclusive;
use std::time::Duration;
use tochki_play::Millis;

/// How old a presence heartbeat may be before its stream counts as dead. In the schema: `is_alive`.
pub const PRESENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a closed stream still counts as present, so that a page reload is not an absence. In the schema: `is_alive`.
pub const RELOAD_GRACE: Duration = Duration::from_millis(700);

/// How often an instance writes that its streams are open.
pub const PRESENCE_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// How long loading the waiting room counts as presence, for browsers without scripts.
pub const LOBBY_PAGE_PRESENCE: Duration = Duration::from_secs(10);

/// How long loading a match or a table counts as presence, for browsers without scripts.
pub const TABLE_PAGE_PRESENCE: Duration = Duration::from_secs(12);

/// How often a page without scripts reloads itself.
pub const PAGE_RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// How long an absence from a match lasts before the opponent is told. In the schema: the view `away`.
pub const ABSENCE_NOTICE_DELAY: Duration = Duration::from_secs(3);

/// How long a player may be absent from a match before it is lost.
pub const ABSENCE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a player may be absent from one match in all, not counting absences that nobody was told of.
pub const ABSENCES_TIMEOUT: Duration = Duration::from_mins(2);

/// How long a player on turn has for their first move in a match.
pub const FIRST_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::FIRST_MOVE_TIMEOUT.0 as u64);

/// How long each move may take in a rated match without a clock.
pub const UNTIMED_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::UNTIMED_MOVE_TIMEOUT.0 as u64);

/// How long before the end of [`UNTIMED_MOVE_TIMEOUT`] both players are told.
pub const UNTIMED_MOVE_NOTICE: Duration = Duration::from_mins(2);

/// How many rated matches two players may have with each other on one day (UTC).
pub const RATED_MATCHES_PER_PAIR: u32 = 5;

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

/// Whoever aborts this many of their last [`ABORTS_OF`] matches waits [`ABORTS_PAUSE`] for a rated one.
pub const ABORTS_MAX: u32 = 3;

/// See [`ABORTS_MAX`].
pub const ABORTS_OF: u32 = 10;

/// See [`ABORTS_MAX`].
pub const ABORTS_PAUSE: Duration = Duration::from_mins(10);

/// How long a player has for coming to a match at first. In the schema: `welcome`.
pub const ARRIVAL_TIMEOUT: Duration = Duration::from_mins(2);

/// How often each instance writes that a server is running.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(250);

/// How old the heartbeat of all instances may be while deadlines are enforced. In the schema: `time_is_kept`.
pub const OUTAGE_TOLERANCE: Duration = Duration::from_secs(5);

/// How old the heartbeat of all instances may be when an instance starts.
pub const OUTAGE_TOLERANCE_AT_START: Duration = Duration::from_secs(1);

/// How long a challenge is open.
pub const CHALLENGE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a player who was declined waits before asking the same player again.
pub const CHALLENGE_PAUSE: Duration = Duration::from_mins(1);

/// How many challenges a player gets within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW: u32 = 10;

/// How many challenges a player gets from one other player within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW_FROM_ONE: u32 = 3;

/// See [`CHALLENGES_PER_WINDOW`].
pub const CHALLENGE_WINDOW: Duration = Duration::from_mins(1);

/// How long a closed challenge and a finished match stay in the state of a waiting room.
pub const LOBBY_HISTORY: Duration = Duration::from_secs(20);

/// How long an offer in a match is open.
pub const OFFER_TIMEOUT: Duration = Duration::from_millis(tochki_play::OFFER_TIMEOUT.0 as u64);

/// How long a table is listed after its creator was last seen. In the schema: the view `laid_tables`.
pub const TABLE_LISTING_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a table stays open after its creator was last seen. On a phone, sending the link means leaving the page.
pub const TABLE_TIMEOUT: Duration = Duration::from_mins(30);

/// How many open tables a player may have.
pub const TABLES_PER_PLAYER: u32 = 1;

/// How many open tables one address may have.
pub const TABLES_BY_ADDRESS: u32 = 20;

/// How many open tables there may be whose creator is there.
pub const TABLES_IN_ALL: u32 = 500;

/// How long a player who did not create the table keeps a seat after being last seen.
pub const SEAT_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a seated player counts as ready after being last seen.
pub const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// How old the time may be at which a player at a table was last seen.
pub const TABLE_SEEN_INTERVAL: Duration = Duration::from_secs(3);

/// The longest pause on an event stream: then a comment is sent.
pub const STREAM_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// How long a client waits for anything on an event stream before it checks the connection.
pub const STREAM_IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// How often a client checks whether the stream is idle for [`STREAM_IDLE_TIMEOUT`].
pub const STREAM_IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// How long a client waits before it opens a stream again that has ended.
pub const STREAM_RETRY_DELAY: Duration = Duration::from_secs(2);

/// The same when the server has ended it to shut down.
pub const STREAM_SHUTDOWN_RETRY_DELAY: Duration = Duration::from_millis(500);

/// The longest delay between attempts of a page to reconnect its stream. With it, players are back before they count as
/// absent when a server restarts.
pub const MAX_STREAM_BACKOFF: Duration = Duration::from_secs(10);

/// How long a new stream takes at most for its first events of the status of a match.
pub const STREAM_STATUS_TIMEOUT: Duration = Duration::from_secs(1);

/// How far the displayed clocks of a match may be from the server's before its page asks for the time again.
pub const MAX_CLOCK_ERROR: Duration = Duration::from_millis(100);

/// How long a page waits before it asks for the time again.
pub const CLOCK_SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// How often a page asks for the time again: on a slow line, more does not help.
pub const MAX_CLOCK_SYNCS: u32 = 10;

/// How long the page of a table waits before it loads again, when its event stream has been refused.
pub const STREAM_REFUSED_RELOAD_DELAY: Duration = Duration::from_secs(5);

/// How long a browser waits for the network before it shows a page from its cache, or says that it is offline.
pub const NETWORK_TIMEOUT: Duration = Duration::from_secs(4);

/// Within which time the pages of a past release are loaded again, each at a moment of its own.
pub const RELEASE_RELOAD_SPREAD: Duration = Duration::from_secs(30);

/// How often such a page checks whether it can be loaded again.
pub const RELEASE_RELOAD_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// For how long the reader has left such a page alone before it is loaded again.
pub const RELEASE_RELOAD_IDLE_TIME: Duration = Duration::from_secs(10);

/// Within which time a page is not loaded again by itself twice.
pub const RELEASE_RELOAD_INTERVAL: Duration = Duration::from_mins(10);

/// How long a notice is shown: long enough to read it twice.
pub const NOTICE_DURATION: Duration = Duration::from_secs(10);

/// Below this time a clock shows tenths of a second, is marked as low, and warns its player.
pub const LOW_TIME: Duration = Duration::from_secs(20);

/// A sound that is later than this is dropped.
pub const SOUND_MAX_DELAY: Duration = Duration::from_millis(500);

/// How often a waiting room tells the scores of its running matches at most.
pub const SCORES_INTERVAL: Duration = Duration::from_secs(1);

/// How long a waiting room waits before it is read again, so that many changes are told after one reading.
pub const LOBBY_REFRESH_DELAY: Duration = Duration::from_millis(100);

/// How often an instance polls the database for changes by other instances.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How often an instance polls for sessions that have ended.
pub const SESSION_POLL_INTERVAL: Duration = Duration::from_secs(3);

/// How long a session that was read stands for whoever moves. It is forgotten as soon as a session ends.
pub const SESSION_CACHE_LIFETIME: Duration = Duration::from_secs(3);

/// How often deadlines are looked for.
pub const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// How many overdue matches are ended in one round.
pub const OVERDUE_MATCHES_PER_SWEEP: u32 = 100;

/// How often old rows are deleted and idle rate limits forgotten.
pub const CLEANUP_INTERVAL: Duration = Duration::from_mins(10);

/// How many wrong passwords for one name may come in a row from one address or browser.
pub const SIGN_IN_BY_NAME: u32 = 10;

/// How often another wrong password for one name is allowed from one address or browser once the burst is used up.
pub const SIGN_IN_PERIOD_BY_NAME: Duration = Duration::from_secs(10);

/// How many sign-in attempts may come in a row from one address.
pub const SIGN_IN_BY_ADDRESS: u32 = 100;

/// How often another sign-in attempt from one address is allowed once the burst is used up.
pub const SIGN_IN_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(1);

/// How many wrong passwords for one name are allowed in a day, from all addresses together.
pub const GUESSES_PER_DAY: u32 = 1000;

/// How many registrations may come in a row from one address.
pub const REGISTRATIONS_BY_ADDRESS: u32 = 5;

/// How often another registration from one address is allowed once the burst is used up.
pub const REGISTRATION_PERIOD_BY_ADDRESS: Duration = Duration::from_mins(10);

/// How many guests may come in a row from one address.
pub const GUESTS_BY_ADDRESS: u32 = 30;

/// How often another guest from one address is allowed once the burst is used up.
pub const GUEST_PERIOD_BY_ADDRESS: Duration = Duration::from_mins(1);

/// How long a request waits until its password can be hashed.
pub const HASHING_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a session lives without being used.
pub const SESSION_LIFETIME: Duration = days(30);

/// How long after its beginning a session ends, however much it is used.
pub const SESSION_MAX_LIFETIME: Duration = days(180);

/// How long a browser that was signed in keeps a count of wrong passwords of its own.
pub const DEVICE_LIFETIME: Duration = days(365);

/// How long an annulment is looked for by instances that were not told of it.
pub const ANNULMENT_LOOKBACK: Duration = Duration::from_mins(1);

/// How old the last renewal of a session may be before using the session renews it.
pub const SESSION_RENEWAL_INTERVAL: Duration = Duration::from_hours(1);

/// How long a browser keeps settings and choices.
pub const PREFERENCES_LIFETIME: Duration = days(365);

/// How long a guest exists after the last visit.
pub const GUEST_LIFETIME: Duration = days(30);

/// The shortest name of a player, in characters.
pub const NAME_MIN_CHARS: usize = 2;

/// The longest name of a player, in characters.
pub const NAME_MAX_CHARS: usize = 20;

/// The shortest password, in characters.
pub const PASSWORD_MIN_CHARS: usize = 8;

/// The longest password, in characters.
pub const PASSWORD_MAX_CHARS: usize = 128;

/// How many recovery codes are made at once.
pub const RECOVERY_CODES: u32 = 10;

/// The longest text in the field of a recovery code, in characters.
pub const RECOVERY_CODE_MAX_CHARS: usize = 64;

/// How many tokens a player has at most.
pub const TOKENS_PER_PLAYER: u32 = 20;

/// The longest name of a token, in characters.
pub const TOKEN_NAME_MAX_CHARS: usize = 40;

/// How long a token with the end `month` lives.
pub const TOKEN_MONTH: Duration = days(30);

/// How long a token with the end `year` lives.
pub const TOKEN_YEAR: Duration = days(365);

/// How many requests to `/api` and new streams may come in a row from one address.
pub const REQUESTS_BY_ADDRESS: u32 = 3000;

/// How many pages, and files that belong to them, may be asked for in a row from one address.
pub const PAGES_BY_ADDRESS: u32 = 600;

/// How many requests a token is good for in a second.
pub const REQUESTS_BY_TOKEN: u32 = 100;

/// How many moves may be sent to one match in a second.
pub const MOVES_PER_SECOND: u32 = 20;

/// How long after its end a game is in the archive: longer than a transaction that ends one takes.
pub const ARCHIVE_DELAY: Duration = Duration::from_secs(10);

/// How many games of the archive are read at once.
pub const ARCHIVE_PAGE_LEN: u32 = 50;

/// How long a reader of the archive waits for the next page at least.
pub const ARCHIVE_PAGE_INTERVAL: Duration = Duration::from_millis(250);

/// How old the noted last use of a token may be before using it notes it again.
pub const TOKEN_USE_INTERVAL: Duration = Duration::from_mins(1);

/// How many passkeys an account has at most.
pub const PASSKEYS_MAX: u32 = 20;

/// The longest name of a passkey, in characters.
pub const PASSKEY_NAME_MAX_CHARS: usize = TABLE_NAME_MAX_CHARS;

/// How long a browser has to answer the challenge of a passkey.
pub const PASSKEY_CHALLENGE_TIMEOUT: Duration = Duration::from_mins(5);

/// How long a page offers passkeys with the same challenge.
pub const PASSKEY_OFFER_LIFETIME: Duration = Duration::from_mins(4);

const _: () = assert!(
    PASSKEY_OFFER_LIFETIME.as_secs() < PASSKEY_CHALLENGE_TIMEOUT.as_secs(),
    "time is left for answering a challenge that is nearly renewed"
);

/// How many challenges of passkeys are open at once; beyond that the oldest are given up.
pub const PASSKEY_CHALLENGES_MAX: u32 = 10_000;

/// How long after signing in with a passkey a new password can be set without the old one.
pub const PASSKEY_RESET_TIMEOUT: Duration = Duration::from_mins(10);

/// How long nobody else can have the name of a deleted account.
pub const NAME_QUARANTINE: Duration = days(90);

/// The longest part of a name in a search field, in characters.
pub const SEARCH_MAX_CHARS: usize = 40;

/// The largest uploaded record, in bytes. The longest game with a clock time for each move has a fifth of it.
pub const RECORD_MAX_BYTES: usize = 256 * 1024;

/// The longest choice that is stored in a cookie, in characters.
pub const CHOICE_MAX_CHARS: usize = 200;

/// The longest name of a table, in characters.
pub const TABLE_NAME_MAX_CHARS: usize = 40;

/// How many finished matches are on a page of a profile.
pub const PROFILE_PAGE_LEN: u32 = 20;

/// How many games against the computer a player can keep.
pub const COMPUTER_GAMES_MAX: u32 = 1_000;

/// The longest list of moves of such a game, in bytes: all points of the largest board, with their separators.
pub const COMPUTER_GAME_MAX_BYTES: usize = 32 * 1024;

/// How many finished matches are on a page of the history.
pub const HISTORY_PAGE_LEN: u32 = 30;

/// How many players are on a page of the standings.
pub const STANDINGS_PAGE_LEN: u32 = 50;

/// How many of the best players of a game the front page shows.
pub const TOP_LEN: u32 = 10;

/// Of how many of the latest running matches the front page shows the one with the most events.
pub const SHOWCASE_CANDIDATES: u32 = 50;

/// How many points a rating graph has at most.
pub const RATING_GRAPH_MAX_POINTS: u32 = 200;

/// How many entries of the audit log are on a page.
pub const AUDIT_PAGE_LEN: u32 = 30;

/// How many people, and how many running matches, are on a page of the operators.
pub const ACTIVITY_PAGE_LEN: u32 = 50;

/// How many reported messages are on a page.
pub const REPORTS_PAGE_LEN: u32 = 20;

/// How many reasons of further reports of the same message are shown with a report.
pub const REPORT_MORE_REASONS: u32 = 10;

/// How many players an operator finds by the beginning of a name.
pub const PLAYER_SEARCH_LEN: u32 = 20;

/// How many players with marked names are listed.
pub const MARKED_NAMES_LEN: u32 = 200;

/// How many annulments a player is told of at once.
pub const ANNULMENT_NOTICES_LEN: u32 = 20;

/// How long reports are kept, also open ones.
pub const REPORT_LIFETIME: Duration = days(180);

/// How long entries of the audit log are kept.
pub const AUDIT_LIFETIME: Duration = days(365);

/// How long a player is muted by the shorter of the two actions that have an end.
pub const MUTE_SHORT: Duration = Duration::from_hours(1);

/// How long a player is muted by the longer one.
pub const MUTE_LONG: Duration = days(1);

/// How long a sanction holds for new names from an address after it was imposed, or after the player was last seen there.
pub const SANCTION_CARRY_OVER: Duration = days(1);

/// How long the addresses of players are kept: long enough for [`SANCTION_CARRY_OVER`] after a sanction.
pub const ADDRESS_LIFETIME: Duration = days(2);

/// How many messages of a chat are loaded with a page.
pub const CHAT_HISTORY_LEN: u32 = 50;

/// How many messages of a chat an open page keeps.
pub const CHAT_PAGE_MAX_MESSAGES: u32 = 200;

/// How many muted players are listed.
pub const MUTED_PLAYERS_LEN: u32 = 200;

/// How often a match fetches the chat of the waiting rooms while that is open.
pub const LOBBY_CHAT_REFRESH_INTERVAL: Duration = Duration::from_secs(4);

/// How long messages in the waiting rooms are kept.
pub const LOBBY_MESSAGE_LIFETIME: Duration = days(30);

/// How long closed challenges and closed tables are kept.
pub const CLOSED_LIFETIME: Duration = days(1);

/// The longest chat message, and the longest reason of a report, in characters.
pub const MESSAGE_MAX_CHARS: usize = 300;

/// From how many characters on the field of a chat message says how many are left.
pub const MESSAGE_COUNTDOWN_CHARS: usize = 250;

/// How many messages a player may send within [`MESSAGE_WINDOW`].
pub const MESSAGES_PER_WINDOW: u32 = 5;

/// See [`MESSAGES_PER_WINDOW`].
pub const MESSAGE_WINDOW: Duration = Duration::from_secs(10);

/// How many connections to the database an instance has.
pub const DATABASE_CONNECTIONS: u32 = 16;

/// How long a request waits for a connection to the database.
pub const DB_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a health check waits for the database.
pub const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// How long the answer to whether the database takes changes holds.
pub const READINESS_INTERVAL: Duration = Duration::from_millis(500);

/// How far the clock of an instance may be off that of the database.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(250);

/// How many matches an instance has in memory before it gives up those that nobody uses.
pub const MATCHES_IN_MEMORY: usize = 2_000;

/// How long a match is suspended after a panic in it.
pub const MATCH_SUSPENSION: Duration = Duration::from_secs(5);

/// How long a request may take to be answered.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a client may take to send the body of a request.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may take to send the head of a request.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a listener waits after a connection that it could not accept.
pub const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// How many connections one address may have open.
pub const CONNECTIONS_BY_ADDRESS: u32 = 64;

/// How many times what one address may do a whole site of IPv6, a /48, may do.
pub const SITE_FACTOR: u32 = 8;

/// The maximum number of open event streams of a session or token, unless the operator sets another.
pub const STREAMS_BY_SESSION: u32 = 8;

/// The maximum number of open event streams of an address, unless the operator sets another.
pub const STREAMS_BY_ADDRESS: u32 = 32;

/// How many files the process keeps for other things than connections: the database, the site, the log.
pub const RESERVED_FILES: u64 = 256;

/// After how long the database gives up a statement.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// After how long the database gives up waiting for a lock.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// After how long the database ends a transaction in which nothing is asked.
pub const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

/// The largest body of a request to `/api`, in bytes.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// How long a peer may leave bytes unacknowledged before its connection is closed.
pub const PEER_TIMEOUT: Duration = Duration::from_secs(6);

/// How long requests may go on once the server shuts down.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(7);

/// How long the database connections may take to close after that.
pub const POOL_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// A server that is told to stop has stopped within this time.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

const _: () = assert!(
    DRAIN_TIMEOUT.as_secs() + POOL_CLOSE_TIMEOUT.as_secs() < SHUTDOWN_TIMEOUT.as_secs(),
    "time is left for the process to end"
);

/// The longest line of a client of the line protocol, in bytes, with its end.
pub const LINE_MAX_BYTES: usize = 256;

/// After so many lines in a row that cannot be read, a line is closed.
pub const LINE_UNREADABLE_MAX: u32 = 20;

/// How many lines a client of the line protocol may send at once, before it is read more slowly.
pub const LINES_BURST: u32 = 40;

/// How often another line is read once [`LINES_BURST`] is used up.
pub const LINES_PERIOD: Duration = Duration::from_millis(50);

/// After how long without a line a client of the line protocol is sent a ping.
pub const LINE_PING_AFTER: Duration = Duration::from_secs(5);

/// How long it has for answering.
pub const LINE_PONG_TIMEOUT: Duration = Duration::from_secs(6);

/// How often an instance writes that its lines are open.
pub const LINE_TOUCH_INTERVAL: Duration = Duration::from_secs(5);

/// How long ago that may be for a line that counts as open.
pub const LINE_ALIVE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a lost line is remembered, so that its player can come back.
pub const LINE_MEMORY: Duration = Duration::from_hours(1);

/// The longest name of a game of the line protocol.
pub const LINE_GAME_NAME_MAX_CHARS: usize = 20;

/// How many players may be connected by lines to one instance.
pub const LINE_MAX_PLAYERS: u32 = 1000;

/// How many games of theirs there may be at one instance.
pub const LINE_MAX_GAMES: u32 = 500;

/// The levels of the engines.
pub const LEVELS: RangeInclusive<u8> = 1..=8;

/// How many games against the computer a browser keeps. When there are more, the oldest finished ones are deleted.
pub const SAVED_GAMES_MAX: usize = 50;

/// The least time of the computer for a move: people want to see it come.
pub const COMPUTER_MIN_MOVE_TIME: Duration = Duration::from_millis(300);

/// The most time of the computer for a move. Only the strongest level uses it up; the others are bounded by nodes.
pub const COMPUTER_MAX_MOVE_TIME: Duration = Duration::from_secs(3);

/// How long a hint is searched.
pub const HINT_TIME: Duration = Duration::from_millis(1500);

/// The longest search of a position that is analysed.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(10);

/// How long each position of a game that is reviewed is searched.
pub const REVIEW_MOVE_TIME: Duration = Duration::from_millis(300);

/// How often the computer says in a page what it has found so far.
pub const SEARCH_REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// How many wrong moves end a try at a puzzle.
pub const PUZZLE_TRIES: u8 = 3;

/// How many games the house bots play at once.
pub const HOUSE_BOT_GAMES: u32 = 16;

/// The number of threads on which they think.
pub const HOUSE_BOT_THREADS: u32 = 1;

/// How long an instance may play for the house bots without saying again that it does.
pub const HOUSE_BOT_LEASE: Duration = Duration::from_secs(6);

/// How often it says so.
pub const HOUSE_BOT_LEASE_RENEWAL: Duration = Duration::from_secs(2);

/// The least time of a house bot for a move, as far as its clock allows: people want to see what has happened.
pub const HOUSE_BOT_MIN_MOVE_TIME: Duration = Duration::from_millis(500);

/// The most time of a house bot for a move. Only the strongest needs it.
pub const HOUSE_BOT_MAX_MOVE_TIME: Duration = Duration::from_millis(1500);

/// How long a house bot stays at a finished match for a rematch.
pub const HOUSE_BOT_REMATCH_TIMEOUT: Duration = Duration::from_mins(1);

/// A limit as the duration type of matches, rounded down to milliseconds.
pub const fn in_millis(limit: Duration) -> Millis {
    Millis(limit.as_secs() as i64 * 1000 + limit.subsec_millis() as i64)
}

const fn days(count: u64) -> Duration {
    Duration::from_hours(count * 24)
}
