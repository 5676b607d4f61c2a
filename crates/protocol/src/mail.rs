//! Mail addresses of players.

use serde::{Deserialize, Serialize};

/// The mail address of the caller, which nobody else sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MailStatus {
    /// Whether this site sends mail.
    pub available: bool,
    /// The confirmed address.
    pub address: Option<String>,
    /// An address whose link has not been followed yet.
    pub pending: Option<String>,
    /// Whether sign-ins from new browsers are told.
    pub sign_ins: bool,
}
