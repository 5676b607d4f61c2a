//! The computer in a page: games against it, analysis, puzzles.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The levels of the engines.
pub const LEVELS: RangeInclusive<u8> = 1..=8;

/// The least time of the computer for a move: people want to see it come.
pub const COMPUTER_MIN_MOVE_TIME: Duration = Duration::from_millis(300);

/// The most time of the computer for a move. Only the strongest level uses it up; the others are bounded by nodes.
pub const COMPUTER_MAX_MOVE_TIME: Duration = Duration::from_secs(3);

/// The time without an answer after which a page offers to load the engine anew.
pub const ENGINE_LOAD_TIMEOUT: Duration = Duration::from_secs(8);

/// The memory that a search in a page may use, in bytes: a phone gives a page 64 MB without complaint.
pub const COMPUTER_MEMORY_BYTES: u32 = 32 << 20;

/// Interval at which the search in a page reports its result so far.
pub const SEARCH_REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Time of the search for a hint.
pub const HINT_TIME: Duration = Duration::from_millis(1500);

/// The longest search of a position that is analysed.
pub const ANALYSIS_TIME: Duration = Duration::from_secs(10);

/// Time of the search of each position when a game is reviewed.
pub const REVIEW_MOVE_TIME: Duration = Duration::from_millis(300);

/// Maximum number of key moments that the review of a game names.
pub const REVIEW_MAX_KEY_MOMENTS: usize = 3;

/// Number of wrong moves that end a try at a puzzle.
pub const PUZZLE_TRIES: u8 = 3;

/// Maximum number of games against the computer that a browser saves. Beyond it, the oldest finished ones are deleted.
pub const SAVED_GAMES_MAX: usize = 50;

/// Maximum number of games against the computer that a player can keep.
pub const COMPUTER_GAMES_MAX: u32 = 1_000;

/// The longest list of moves of such a game, in bytes: all points of the largest board, with their separators.
pub const COMPUTER_GAME_MAX_BYTES: usize = 32 * 1024;
