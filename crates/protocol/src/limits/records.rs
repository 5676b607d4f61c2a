//! Records of games: uploads, addresses of analyses, downloads, the archive.

use super::days;
use std::time::Duration;

/// The largest uploaded record, in bytes. The longest game with a clock time for each move has a fifth of it.
pub const RECORD_MAX_BYTES: usize = 256 * 1024;

/// The largest form with a record, in bytes: URL encoding can triple the size of the record.
pub const RECORD_FORM_MAX_BYTES: usize = 3 * RECORD_MAX_BYTES + 4096;

/// How many characters of a record's text are shown in one place.
pub const RECORD_TEXT_MAX_CHARS: usize = 40;

/// The longest address of an analysis, in bytes: browsers and servers take this much.
pub const ANALYSIS_ADDRESS_MAX_BYTES: usize = 32_000;

/// How many finished matches are on a page of the history.
pub const HISTORY_PAGE_LEN: u32 = 30;

/// How many finished matches are on a page of a profile.
pub const PROFILE_PAGE_LEN: u32 = 20;

/// How many matches of a download are read at once.
pub const DOWNLOAD_BATCH_LEN: u32 = 20;

/// How many matches of the download of all data of a player are read at once.
pub const MY_DATA_BATCH_LEN: usize = 50;

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
