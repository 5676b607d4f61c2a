//! The content of a mail, and a mail in words.

use serde::{Deserialize, Serialize};
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{MatchId, Notification, TournamentId};

/// A mail that waits in the database, as JSON. A notice names only what it is about. Both are read anew before they are sent: what is out
/// of date by then is not sent, and names are those of that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Waiting {
    /// A mail whose content is there. It is sent with the name that the player has then, if there is a reason for it still.
    Ready(Mail),
    /// A notice.
    Notice(Notice),
}

/// A mail that is read anew before it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub(super) enum Notice {
    /// A turn whose time is running out.
    Turn {
        /// The match.
        match_id: MatchId,
        /// The deadline of the turn.
        deadline_at: Timestamp,
    },
    /// A tournament that begins soon.
    Tournament {
        /// The tournament.
        tournament: TournamentId,
        /// The start.
        starts_at: Timestamp,
    },
    /// The notifications that were marked as told by a digest at this time.
    Digest {
        /// The time in microseconds, as exact as the column.
        at: i64,
    },
}

/// The content of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Mail {
    /// A link that confirms the address.
    Confirm {
        /// The name of the player.
        name: String,
        /// The end of the link.
        token: String,
    },
    /// To the former address: it is no longer that of the player.
    Changed {
        /// The name of the player.
        name: String,
    },
    /// A link for a new password.
    Reset {
        /// The name of the player.
        name: String,
        /// The end of the link.
        token: String,
    },
    /// A sign-in from a browser that was not known.
    SignIn {
        /// The name of the player.
        name: String,
        /// The browser, such as `Firefox, Linux`; empty if unknown.
        agent: String,
        /// When it was.
        at: Timestamp,
        /// The end of the link that ends these notices.
        unsubscribe: String,
    },
    /// A turn whose time is running out.
    YourTurn {
        /// The name of the player.
        name: String,
        /// The notification of the turn.
        notification: Notification,
        /// The time left.
        left: Millis,
        /// The time at which it runs out.
        until: Timestamp,
        /// The end of the link that ends mails of turns.
        unsubscribe: String,
    },
    /// A tournament that begins soon.
    TournamentSoon {
        /// The name of the player.
        name: String,
        /// The notification of the tournament.
        notification: Notification,
        /// The start.
        at: Timestamp,
        /// The end of the link that ends mails of tournaments.
        unsubscribe: String,
    },
    /// The unread notifications of a day.
    Digest {
        /// The name of the player.
        name: String,
        /// The notifications, latest first.
        notifications: Vec<Notification>,
        /// Their number, with those that are not named.
        count: u32,
        /// The end of the link that ends these mails.
        unsubscribe: String,
    },
}

impl Mail {
    /// The kind, as the database has it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Confirm { .. } => "confirm",
            Self::Changed { .. } => "changed",
            Self::Reset { .. } => "reset",
            Self::SignIn { .. } => "sign_in",
            Self::YourTurn { .. } => "your_turn",
            Self::TournamentSoon { .. } => "tournament_soon",
            Self::Digest { .. } => "digest",
        }
    }

    /// The mail with another name of the player.
    #[must_use]
    pub(super) fn with_name(mut self, current: String) -> Self {
        match &mut self {
            Self::Confirm { name, .. }
            | Self::Changed { name }
            | Self::Reset { name, .. }
            | Self::SignIn { name, .. }
            | Self::YourTurn { name, .. }
            | Self::TournamentSoon { name, .. }
            | Self::Digest { name, .. } => *name = current,
        }
        self
    }

    /// The end of the link that ends mails of this kind, if they can be ended.
    pub(super) fn unsubscribe(&self) -> Option<&str> {
        match self {
            Self::SignIn { unsubscribe, .. }
            | Self::YourTurn { unsubscribe, .. }
            | Self::TournamentSoon { unsubscribe, .. }
            | Self::Digest { unsubscribe, .. } => Some(unsubscribe),
            Self::Confirm { .. } | Self::Changed { .. } | Self::Reset { .. } => None,
        }
    }
}

/// A mail in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The subject, in one line.
    pub subject: String,
    /// The text.
    pub plain: String,
    /// The text as a document of HTML.
    pub html: String,
}

/// Writes a mail in the language of this code. Links begin with the origin.
pub type Compose = fn(mail: &Mail, language: &str, origin: &str) -> Letter;
