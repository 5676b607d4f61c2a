//! Records of games: uploads, addresses of analyses, downloads, the archive.

use super::days;
use std::time::Duration;

/// The largest uploaded record, in bytes. The longest game with a clock time for each move has a fifth of it.
pub const RECORD_MAX_BYTES: usize = 256 * 1024;

/// The largest form with a record, in bytes: URL encoding can triple the size of the record.
pub const RECORD_FORM_MAX_BYTES: usize = 3 * RECORD_MAX_BYTES + 4096;

/// How many games of an uploaded collection are listed.
pub const RECORD_GAMES_LISTED: usize = 200;

/// How many characters of a record's text are shown in one place.
pub const RECORD_TEXT_MAX_CHARS: usize = 40;

/// How long an address of an analysis may become by variations and comments, in bytes: nginx takes lines of 8 KiB unless told
/// otherwise. The main line alone is at most twice as long.
pub const ANALYSIS_ADDRESS_MAX_BYTES: usize = 7500;

/// How many finished matches are on a page of the history.
pub const HISTORY_PAGE_LEN: u32 = 30;

/// How many finished matches are on a page of a profile.
pub const PROFILE_PAGE_LEN: u32 = 20;

/// How many matches of a download are read at once.
pub const DOWNLOAD_BATCH_LEN: u32 = 20;

/// How many matches, or games against the computer, of the download of all data of a player are read at once.
pub const MY_DATA_BATCH_LEN: usize = 20;

/// How many other rows of it are read at once.
pub const MY_DATA_ROWS_BATCH_LEN: usize = 500;

/// How long the download of all data of a player waits between two batches at least.
pub const MY_DATA_BATCH_INTERVAL: Duration = Duration::from_millis(10);

/// The bytes of forms with records that are read and shown at once. Others wait for their turn.
pub const RECORD_FORMS_AT_ONCE_BYTES: usize = 2 * RECORD_FORM_MAX_BYTES;

/// As how large the smallest form with a record counts there, in bytes.
pub const RECORD_FORM_MIN_COST_BYTES: usize = RECORD_FORM_MAX_BYTES / 2;

/// How many records from one address are read, or wait for their turn.
pub const RECORDS_AT_ONCE_BY_ADDRESS: u32 = 8;

/// For how long an address gets no rating for a puzzle whose solution it was shown.
pub const PUZZLE_SHOWN_LIFETIME: Duration = days(2);

/// How many games are read at once in the search for puzzles.
pub const PUZZLE_SEARCH_BATCH_LEN: u32 = 20;

/// How many matches `tochki verify` reads at once.
pub const VERIFY_BATCH_LEN: i64 = 100;

/// How long after its end a game is in the archive: longer than a transaction that ends one takes.
pub const ARCHIVE_DELAY: Duration = Duration::from_secs(10);

/// How many games of the archive are read at once.
pub const ARCHIVE_PAGE_LEN: u32 = 50;

/// How long a reader of the archive waits for the next page at least.
pub const ARCHIVE_PAGE_INTERVAL: Duration = Duration::from_millis(250);
