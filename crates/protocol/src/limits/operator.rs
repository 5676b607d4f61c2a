//! Moderation: reports, sanctions, annulments.

use super::days;
use std::time::Duration;

/// How many reported messages are on a page.
pub const REPORTS_PAGE_LEN: u32 = 20;

/// How many reasons of further reports of the same message are shown with a report.
pub const REPORT_MORE_REASONS: u32 = 10;

/// How long reports are kept, also open ones.
pub const REPORT_LIFETIME: Duration = days(180);

/// How many entries of the audit log are on a page.
pub const AUDIT_PAGE_LEN: u32 = 30;

/// How long entries of the audit log are kept.
pub const AUDIT_LIFETIME: Duration = days(365);

/// How many people, and how many running matches, are on a page of the operators.
pub const ACTIVITY_PAGE_LEN: u32 = 50;

/// How many players an operator finds by the beginning of a name.
pub const PLAYER_SEARCH_LEN: u32 = 20;

/// How many players with marked names are listed.
pub const MARKED_NAMES_LEN: u32 = 200;

/// How long a player is muted by the shorter of the two actions that have an end.
pub const MUTE_SHORT: Duration = Duration::from_hours(1);

/// How long a player is muted by the longer one.
pub const MUTE_LONG: Duration = days(1);

/// How long a sanction holds for new names from an address after it was imposed, or after the player was last seen there.
pub const SANCTION_CARRY_OVER: Duration = days(1);

/// How long the addresses of players are kept: long enough for [`SANCTION_CARRY_OVER`] after a sanction.
pub const ADDRESS_LIFETIME: Duration = days(2);

/// How many matches of an account are annulled in one transaction, so that the matches of its opponents that end meanwhile do not
/// wait long.
pub const ANNULMENT_BATCH_LEN: i64 = 100;

/// How many suspected rings are listed.
pub const RINGS_LEN: u32 = 50;

/// How many of the best players of each game are looked at for rings, people and bots each.
pub const RING_CANDIDATES_LEN: i64 = 200;

/// How many rated matches of each of them, the latest.
pub const RING_MATCHES_LEN: i64 = 500;

/// How many opponents are *few*: the points won from those that gave most are added.
pub const RING_FEW_OPPONENTS: i64 = 3;

/// How many opponents are listed for each player.
pub const RING_OPPONENTS_LEN: i64 = 5;

/// Up to which age at the time of a match an account is *young*.
pub const RING_YOUNG_AGE: Duration = days(7);

/// Number of annulment notices that a player gets at once.
pub const ANNULMENT_NOTICES_LEN: u32 = 20;

/// Age up to which instances look for annulments whose notification they have missed.
pub const ANNULMENT_LOOKBACK: Duration = Duration::from_mins(1);

/// How many notices of annulments a slow stream may be behind.
pub const ANNULMENT_CHANNEL_CAPACITY: usize = 64;
