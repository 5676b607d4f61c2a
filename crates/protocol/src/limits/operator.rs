//! Moderation: reports, sanctions, annulments.

use super::days;
use std::time::Duration;

/// Number of reported messages on a page.
pub const REPORTS_PAGE_LEN: u32 = 20;

/// Number of reasons of further reports of the same message that are shown with a report.
pub const REPORT_MORE_REASONS: u32 = 10;

/// Lifetime of reports, open ones too.
pub const REPORT_LIFETIME: Duration = days(180);

/// Number of entries of the audit log on a page.
pub const AUDIT_PAGE_LEN: u32 = 30;

/// Lifetime of entries of the audit log.
pub const AUDIT_LIFETIME: Duration = days(365);

/// Number of people, and of running matches, on a page of the operators.
pub const ACTIVITY_PAGE_LEN: u32 = 50;

/// Maximum number of players in an operator's search by the beginning of a name.
pub const PLAYER_SEARCH_LEN: u32 = 20;

/// Maximum number of players with marked names that are listed.
pub const MARKED_NAMES_LEN: u32 = 200;

/// Duration of a mute by the shorter of the two actions that have an end.
pub const MUTE_SHORT: Duration = Duration::from_hours(1);

/// Duration of a mute by the longer of the two.
pub const MUTE_LONG: Duration = days(1);

/// Time for which a sanction holds for new names from an address after it was imposed, or after the player was last seen there.
pub const SANCTION_CARRY_OVER: Duration = days(1);

/// Lifetime of the stored addresses of players: long enough for [`SANCTION_CARRY_OVER`] after a sanction.
pub const ADDRESS_LIFETIME: Duration = days(2);

/// Number of matches of an account that are annulled in one transaction, so that the matches of its opponents that end meanwhile
/// do not wait long.
pub const ANNULMENT_BATCH_LEN: i64 = 100;

/// Maximum number of groups of accounts that are listed, each of which entered a tournament at one address.
pub const SHARED_ADDRESSES_LEN: u32 = 50;

/// Maximum number of accounts that are listed of such a group.
pub const SHARED_ADDRESS_PLAYERS: u32 = 10;

/// Time for which it is known that accounts entered a tournament at one address.
pub const SHARED_ADDRESS_LIFETIME: Duration = days(30);

/// Maximum number of suspected rings that are listed.
pub const RINGS_LEN: u32 = 50;

/// Number of the best players of each game that are checked for rings, people and bots each.
pub const RING_CANDIDATES_LEN: i64 = 200;

/// Number of the latest rated matches of each of these players that are checked.
pub const RING_MATCHES_LEN: i64 = 500;

/// Number of opponents that are *few*: the points won from those that gave most are added.
pub const RING_FEW_OPPONENTS: i64 = 3;

/// Maximum number of opponents that are listed for each player.
pub const RING_OPPONENTS_LEN: i64 = 5;

/// Maximum age of a *young* account at the time of a match.
pub const RING_YOUNG_AGE: Duration = days(7);

/// Number of annulment notices that a player gets at once.
pub const ANNULMENT_NOTICES_LEN: u32 = 20;

/// Age up to which instances look for annulments whose notification they have missed.
pub const ANNULMENT_LOOKBACK: Duration = Duration::from_mins(1);

/// Number of notices of annulments that a slow stream may be behind.
pub const ANNULMENT_CHANNEL_CAPACITY: usize = 64;
