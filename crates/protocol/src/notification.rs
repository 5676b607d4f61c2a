//! Notifications: what players are told of that happened while they were away.

use super::{
    Account, CloseReason, MatchId, ModerationAction, NotificationId, PlayerOutcome, TournamentLink,
};
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;
use tochki_rules::GameKind;

/// The kind of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// The player is on turn in a correspondence match.
    YourTurn,
    /// Another player asks for a game; with a match, for a rematch by correspondence. Or a challenge of the player was declined, or has
    /// expired, or one of the player or to the player has ended because its terms have changed.
    Challenge,
    /// A match has ended.
    GameOver,
    /// A tournament of the player begins soon.
    TournamentSoon,
    /// An operator has done something that concerns the player.
    Operator,
    /// Something was done to a tournament that the player has entered or made.
    Tournament,
}

impl NotificationKind {
    /// All kinds, in the order of their settings.
    pub const ALL: [Self; 6] = [
        Self::YourTurn,
        Self::Challenge,
        Self::GameOver,
        Self::TournamentSoon,
        Self::Operator,
        Self::Tournament,
    ];

    /// Returns the name in JSON, in forms and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::YourTurn => "your_turn",
            Self::Challenge => "challenge",
            Self::GameOver => "game_over",
            Self::TournamentSoon => "tournament_soon",
            Self::Operator => "operator",
            Self::Tournament => "tournament",
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns whether a player who has the page of the match open needs no notification, because the page shows it.
    pub const fn is_for_the_absent(self) -> bool {
        matches!(self, Self::YourTurn | Self::Challenge | Self::GameOver)
    }

    /// Returns whether the player has something to do about it soon.
    pub const fn is_urgent(self) -> bool {
        matches!(
            self,
            Self::YourTurn | Self::Challenge | Self::TournamentSoon
        )
    }
}

/// Something that was done to a tournament, or to a player of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentNotice {
    /// The player was removed.
    Removed,
    /// The tournament was cancelled.
    Cancelled,
    /// An operator has closed the entries of the player's tournament.
    EntriesClosed,
    /// An operator has opened the entries of the player's tournament again.
    EntriesOpened,
    /// The player did not meet a condition any more when the tournament began.
    Unqualified,
    /// A round has begun: the player is to agree with an opponent on a time.
    RoundBegun,
    /// The opponent proposes a time.
    TimeProposed,
    /// A time was agreed on.
    TimeAgreed,
    /// A game by appointment begins in a day.
    GameInADay,
    /// A game by appointment begins in an hour.
    GameInAnHour,
}

impl TournamentNotice {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Removed,
        Self::Cancelled,
        Self::EntriesClosed,
        Self::EntriesOpened,
        Self::Unqualified,
        Self::RoundBegun,
        Self::TimeProposed,
        Self::TimeAgreed,
        Self::GameInADay,
        Self::GameInAnHour,
    ];

    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Cancelled => "cancelled",
            Self::EntriesClosed => "entries_closed",
            Self::EntriesOpened => "entries_opened",
            Self::Unqualified => "unqualified",
            Self::RoundBegun => "round_begun",
            Self::TimeProposed => "time_proposed",
            Self::TimeAgreed => "time_agreed",
            Self::GameInADay => "game_in_a_day",
            Self::GameInAnHour => "game_in_an_hour",
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|notice| notice.as_str() == name)
    }
}

/// A way by which notifications come. Each kind has a switch for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotificationChannel {
    /// The list of notifications, whose unread ones are counted in the header.
    Site,
    /// Web Push.
    Push,
    /// Mail to a confirmed address: of turns before the time runs out, of tournaments before they begin, of all else once a day.
    Mail,
}

impl NotificationChannel {
    /// All channels, in the order of their settings.
    pub const ALL: [Self; 3] = [Self::Site, Self::Push, Self::Mail];

    /// Returns the name in JSON, in forms and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Push => "push",
            Self::Mail => "mail",
        }
    }

    /// Returns whether a kind comes by this channel as long as the player has not changed its switch. A mail is for what has an end
    /// that a player can miss; few read one within the minutes before a tournament.
    pub const fn is_on_unless_changed(self, kind: NotificationKind) -> bool {
        match self {
            Self::Site | Self::Push => true,
            Self::Mail => matches!(
                kind,
                NotificationKind::YourTurn | NotificationKind::Challenge
            ),
        }
    }
}

/// The switches of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotificationSwitches {
    /// The kind.
    pub kind: NotificationKind,
    /// Whether it is listed on the site.
    pub site: bool,
    /// Whether it is pushed to the player's browsers.
    pub push: bool,
    /// Whether it is mailed, where the player has a confirmed address.
    pub mail: bool,
}

/// A notification. Names are those of today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notification {
    /// The notification.
    pub id: NotificationId,
    /// What it tells.
    pub kind: NotificationKind,
    /// The match that it is about.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// The game of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameKind>,
    /// The opponent, the challenger, or who was challenged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Account>,
    /// The outcome of a match that has ended; a match that was aborted has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<PlayerOutcome>,
    /// The act of an operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<ModerationAction>,
    /// Why a challenge of the player ended: it was declined, has expired, or its terms have changed. A challenge to the player has none but
    /// the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<CloseReason>,
    /// The tournament that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentLink>,
    /// What was done to the tournament, or to the player there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<TournamentNotice>,
    /// Whether a turn is the call to an adjourned match, which goes on live now, at the time that was agreed on. Omitted if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// When it happened.
    pub at: Timestamp,
    /// Whether the player has read it.
    pub read: bool,
}

impl Notification {
    /// Returns whether the player has something to do about it soon.
    pub const fn is_urgent(&self) -> bool {
        self.kind.is_urgent() && self.why.is_none()
    }

    /// Returns the address of the page that it leads to.
    pub fn place(&self) -> String {
        if self.kind == NotificationKind::Challenge && self.match_id.is_none() {
            return "/games".to_owned();
        }
        if let Some(tournament) = &self.tournament {
            return format!("/tournament/{}", tournament.id);
        }
        match (self.match_id, self.act) {
            (Some(id), _) => format!("/match/{id}"),
            (None, Some(ModerationAction::Opened) | None) => "/notifications".to_owned(),
            // Where the player may write no more, or again.
            (None, Some(_)) => "/chat".to_owned(),
        }
    }
}

/// A page of the notifications of a player, latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotificationPage {
    /// The notifications.
    pub notifications: Vec<Notification>,
    /// The number of unread ones, of all pages.
    pub unread: u32,
    /// The number of the page, from 1.
    pub page: u32,
    /// Whether there are more pages.
    pub more: bool,
}

/// The number of unread notifications of a player, at most [`UNREAD_COUNTED`](crate::limits::UNREAD_COUNTED).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unread {
    /// The number.
    pub unread: u32,
}

/// `notified {unread, on_turn}`: the numbers that the pages of a player show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notified {
    /// The number of unread notifications, at most [`UNREAD_COUNTED`](crate::limits::UNREAD_COUNTED).
    pub unread: u32,
    /// The number of running matches by correspondence in which it is the player's turn.
    pub on_turn: u32,
}

/// How a browser subscribes to pushes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PushKey {
    /// The public key of the server in base64url; `None` where there are no pushes.
    pub key: Option<String>,
    /// Whether the browser that asks has subscribed in this session.
    pub subscribed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_json() {
        for kind in NotificationKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(NotificationKind::parse(kind.as_str()), Some(kind));
        }
        for channel in NotificationChannel::ALL {
            assert_eq!(serde_json::to_value(channel).unwrap(), channel.as_str());
        }
        for notice in TournamentNotice::ALL {
            assert_eq!(serde_json::to_value(notice).unwrap(), notice.as_str());
            assert_eq!(TournamentNotice::parse(notice.as_str()), Some(notice));
        }
    }
}
