//! Records of games: uploads, addresses of analyses, downloads, the archive.

use super::days;
use std::time::Duration;

/// The largest uploaded record, in bytes. The longest game with a clock time for each move has a fifth of it.
pub const RECORD_MAX_BYTES: usize = 256 * 1024;

/// The largest form with a record, in bytes: URL encoding can triple the size of the record.
pub const RECORD_FORM_MAX_BYTES: usize = 3 * RECORD_MAX_BYTES + 4096;

/// Maximum number of games of an uploaded collection that are listed.
pub const RECORD_GAMES_LISTED: usize = 200;

/// Maximum number of characters of a record's text that are shown in one place.
pub const RECORD_TEXT_MAX_CHARS: usize = 40;

/// Maximum length of the address of an analysis with variations and comments, in bytes: nginx takes lines of 8 KiB unless told
/// otherwise. The main line alone is at most twice as long.
pub const ANALYSIS_ADDRESS_MAX_BYTES: usize = 7500;

/// Number of finished matches on a page of the history.
pub const HISTORY_PAGE_LEN: u32 = 30;

/// Number of finished matches on a page of a profile.
pub const PROFILE_PAGE_LEN: u32 = 20;

/// Number of matches of a download that are read at once.
pub const DOWNLOAD_BATCH_LEN: u32 = 20;

/// Number of matches, or of games against the computer, that the download of all data of a player reads at once.
pub const MY_DATA_BATCH_LEN: usize = 20;

/// Number of other rows that this download reads at once.
pub const MY_DATA_ROWS_BATCH_LEN: usize = 500;

/// Minimum pause between two batches of the download of all data of a player.
pub const MY_DATA_BATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Total size of forms with records that are read and shown at once, in bytes. Others wait for their turn.
pub const RECORD_FORMS_AT_ONCE_BYTES: usize = 2 * RECORD_FORM_MAX_BYTES;

/// Size that the smallest form with a record counts for there, in bytes.
pub const RECORD_FORM_MIN_COST_BYTES: usize = RECORD_FORM_MAX_BYTES / 2;

/// Maximum number of records from one address that are read, or wait for their turn.
pub const RECORDS_AT_ONCE_BY_ADDRESS: u32 = 8;

/// Time for which an address gets no rating for a puzzle whose solution it was shown.
pub const PUZZLE_SHOWN_LIFETIME: Duration = days(2);

/// Number of games that the search for puzzles reads at once.
pub const PUZZLE_SEARCH_BATCH_LEN: u32 = 20;

/// Number of matches that `tochki verify` reads at once.
pub const VERIFY_BATCH_LEN: i64 = 100;

/// Time after its end for which a game is not packed. A move that is sent again gets its first answer until then.
pub const PACKING_DELAY: Duration = Duration::from_hours(1);

/// Number of games that are packed, or unpacked, by one transaction.
pub const PACKING_BATCH_LEN: usize = 50;

/// Interval at which games to be packed are looked for.
pub const PACKING_INTERVAL: Duration = Duration::from_mins(1);

/// Pause between two batches of games that are packed while a server runs, so that they delay no move.
pub const PACKING_PAUSE: Duration = Duration::from_millis(100);

/// Duration of the lease by which an instance packs games.
pub const PACKING_LEASE: Duration = Duration::from_mins(3);

/// Delay after its end before a game is in the archive: longer than a transaction that ends a game takes.
pub const ARCHIVE_DELAY: Duration = Duration::from_secs(10);

/// Number of games of the archive that are read at once.
pub const ARCHIVE_PAGE_LEN: u32 = 50;

/// Minimum wait of a reader of the archive for the next page.
pub const ARCHIVE_PAGE_INTERVAL: Duration = Duration::from_millis(250);

/// Number of pictures of matches and games that an instance keeps for the previews of links. Each has less than 100,000 bytes.
pub const CARDS_KEPT: usize = 64;
