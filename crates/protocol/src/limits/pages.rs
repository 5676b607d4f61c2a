//! Pages in a browser.

use super::days;
use std::time::Duration;

/// How often a page without scripts reloads itself.
pub const PAGE_RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// How long a browser waits for the network before it shows a page from its cache, or says that it is offline.
pub const NETWORK_TIMEOUT: Duration = Duration::from_secs(4);

/// How long the registration of the service worker waits for the page to be idle.
pub const SERVICE_WORKER_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// Within which time the pages of a past release are loaded again, each at a moment of its own.
pub const RELEASE_RELOAD_SPREAD: Duration = Duration::from_secs(30);

/// How often such a page checks whether it can be loaded again.
pub const RELEASE_RELOAD_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// For how long the reader has left such a page alone before it is loaded again.
pub const RELEASE_RELOAD_IDLE_TIME: Duration = Duration::from_secs(10);

/// Within which time a page is not loaded again by itself twice.
pub const RELEASE_RELOAD_INTERVAL: Duration = Duration::from_mins(10);

/// How long the code of a page may take to start before the page becomes one without scripts.
pub const START_TIMEOUT: Duration = Duration::from_secs(10);

/// After how long the code of a page is started though the page is not idle.
pub const START_IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// How many failed pages an address may report in a minute.
pub const FAILURE_REPORTS_PER_MINUTE: u32 = 60;

/// From how many addresses on those without recent reports are forgotten.
pub const FAILURE_REPORTERS: usize = 10_000;

/// The most characters that are kept of the message of such a report.
pub const FAILURE_MESSAGE_MAX_CHARS: usize = 500;

/// The most characters that are kept of the kind of its page.
pub const FAILURE_PAGE_MAX_CHARS: usize = 20;

/// How long a notice is shown: long enough to read it twice.
pub const NOTICE_DURATION: Duration = Duration::from_secs(10);

/// Below this time a clock shows tenths of a second, is marked as low, and warns its player.
pub const LOW_TIME: Duration = Duration::from_secs(20);

/// How often a running clock of a match is updated.
pub const CLOCK_TICK_INTERVAL: Duration = Duration::from_millis(100);

/// How often the seconds that a countdown has left are computed.
pub const COUNTDOWN_TICK_INTERVAL: Duration = Duration::from_millis(250);

/// A sound that is later than this is dropped.
pub const SOUND_MAX_DELAY: Duration = Duration::from_millis(500);

/// How long after the last zoom of a board the wheel still does not scroll the page.
pub const WHEEL_TIMEOUT: Duration = Duration::from_millis(300);

/// After which time a page replaces its address once more, where the browser has refused: some allow a hundred changes in half a
/// minute.
pub const ADDRESS_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The longest part of a name in a search field, in characters.
pub const SEARCH_MAX_CHARS: usize = 40;

/// The longest choice that is stored in a cookie, in characters.
pub const CHOICE_MAX_CHARS: usize = 200;

/// How long a browser keeps settings and choices.
pub const PREFERENCES_LIFETIME: Duration = days(365);

/// How old the number of waiting players and the match of the front page may be. They are read once for all visitors.
pub const FRONT_PAGE_MAX_AGE: Duration = Duration::from_secs(2);
