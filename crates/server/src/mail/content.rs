//! What a mail tells, and a mail in words.

use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// What a mail tells. As JSON it waits in the database.
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
}

impl Mail {
    /// The kind, as the database has it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Confirm { .. } => "confirm",
            Self::Changed { .. } => "changed",
            Self::Reset { .. } => "reset",
            Self::SignIn { .. } => "sign_in",
        }
    }

    /// The end of the link that ends mails of this kind, if they can be ended.
    pub(super) fn unsubscribe(&self) -> Option<&str> {
        match self {
            Self::SignIn { unsubscribe, .. } => Some(unsubscribe),
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
    /// The same as a document of HTML.
    pub html: String,
}

/// Writes a mail in the language of this code. Links begin with the origin.
pub type Compose = fn(mail: &Mail, language: &str, origin: &str) -> Letter;
