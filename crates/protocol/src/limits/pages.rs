//! Pages in a browser.

use super::days;
use std::time::Duration;

/// Interval at which a page without scripts reloads itself.
pub const PAGE_RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// Interval at which the page of an adjourned match renews its state while its players may come to go on live.
pub const ADJOURNMENT_RENEW_INTERVAL: Duration = Duration::from_secs(10);

/// Interval at which the page of a player's games reloads itself without scripts.
pub const OWN_GAMES_RELOAD_INTERVAL: Duration = Duration::from_mins(1);

/// Time-out of a browser's request before it shows a page from its cache, or says that it is offline.
pub const NETWORK_TIMEOUT: Duration = Duration::from_secs(4);

/// Time for which the registration of the service worker waits for the page to be idle.
pub const SERVICE_WORKER_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// Time over which the reloads of the pages of a past release are spread, each at a moment of its own.
pub const RELEASE_RELOAD_SPREAD: Duration = Duration::from_secs(30);

/// Interval at which such a page checks whether it can be loaded again.
pub const RELEASE_RELOAD_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Time without input of the reader after which such a page is loaded again.
pub const RELEASE_RELOAD_IDLE_TIME: Duration = Duration::from_secs(10);

/// Minimum interval between two reloads of a page by itself.
pub const RELEASE_RELOAD_INTERVAL: Duration = Duration::from_mins(10);

/// Time in which the code of a page has to start before the page becomes one without scripts.
pub const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Time after which the code of a page is started though the page is not idle.
pub const START_IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Time after which the code of the front page is fetched though nothing was painted: a page in the background is not.
pub const START_PAINT_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum number of failed pages that an address may report in a minute.
pub const FAILURE_REPORTS_PER_MINUTE: u32 = 60;

/// Number of addresses from which on those without recent reports are forgotten.
pub const FAILURE_REPORTERS: usize = 10_000;

/// Maximum number of characters that are kept of the message of such a report.
pub const FAILURE_MESSAGE_MAX_CHARS: usize = 500;

/// Maximum number of characters that are kept of the kind of its page.
pub const FAILURE_PAGE_MAX_CHARS: usize = 20;

/// Time for which a notice is shown: long enough to read it twice.
pub const NOTICE_DURATION: Duration = Duration::from_secs(10);

/// Remaining time below which a clock shows tenths of a second, is marked as low, and warns its player.
pub const LOW_TIME: Duration = Duration::from_secs(20);

/// Interval at which a running clock of a match is updated.
pub const CLOCK_TICK_INTERVAL: Duration = Duration::from_millis(100);

/// Interval at which the seconds that a countdown has left are computed.
pub const COUNTDOWN_TICK_INTERVAL: Duration = Duration::from_millis(250);

/// Delay beyond which a sound is dropped.
pub const SOUND_MAX_DELAY: Duration = Duration::from_millis(500);

/// Time after the last zoom of a board for which the wheel still does not scroll the page.
pub const WHEEL_TIMEOUT: Duration = Duration::from_millis(300);

/// Time within which a second tap on a board zooms, and places nothing.
pub const DOUBLE_TAP_TIME: Duration = Duration::from_millis(300);

/// Interval of the moves of a finished game that is shown again on the front page.
pub const REPLAY_STEP_INTERVAL: Duration = Duration::from_millis(800);

/// Delay before a page replaces its address once more, where the browser has refused: some allow a hundred changes in half a
/// minute.
pub const ADDRESS_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The longest part of a name in a search field, in characters.
pub const SEARCH_MAX_CHARS: usize = 40;

/// The longest choice that is stored in a cookie, in characters.
pub const CHOICE_MAX_CHARS: usize = 200;

/// Lifetime of settings and choices in a browser.
pub const PREFERENCES_LIFETIME: Duration = days(365);

/// Maximum age of the number of waiting players and the match of the front page. They are read once for all visitors.
pub const FRONT_PAGE_MAX_AGE: Duration = Duration::from_secs(2);
