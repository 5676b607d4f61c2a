//! A client: its player, its phase, and its outgoing lines. `lobby` and `game` handle its requests.

use crate::message::{LineError, Message};
use crate::phase::Phase;
use crate::registry::{Registered, Registry};
use std::fmt::Write as _;
use std::io;
use tochki_protocol::{Account, Code};
use tochki_server::accounts::{ClientAddress, LineClient};
use tochki_server::presence::PresenceGuard;
use tochki_server::{AppState, Error};
use tokio::sync::OwnedSemaphorePermit;

/// A client.
pub(crate) struct Client {
    pub(crate) app: AppState,
    pub(crate) registry: Registry,
    pub(crate) address: ClientAddress,
    pub(crate) phase: Phase,
    /// The player, after a login.
    pub(crate) player: Option<LoggedIn>,
    /// The lines to be written before anything else is done.
    pub(crate) out: String,
}

/// The player of a client.
pub(crate) struct LoggedIn {
    pub(crate) account: Account,
    pub(crate) registered: Registered,
    pub(crate) line: LineClient,
    /// The guard of the presence: while it lives, the player is somewhere.
    pub(crate) _here: PresenceGuard,
    /// The permit for a place; a player who comes back is exempt from the limit.
    pub(crate) _permit: Option<OwnedSemaphorePermit>,
}

/// The reason why a connection has ended.
pub(crate) enum Ended {
    /// The client has gone, or is closed.
    Gone,
    /// The server failed.
    Failed(Error),
}

impl From<io::Error> for Ended {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Client {
    /// Returns the player.
    ///
    /// # Errors
    /// If the client is not logged in.
    pub(crate) fn account(&self) -> Result<Account, Error> {
        let player = self.player.as_ref();
        let account = player.map(|player| player.account.clone());
        account.ok_or_else(|| Code::SignedOut.into())
    }

    /// Adds a line to those written next.
    pub(crate) fn push(&mut self, message: &Message) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.out, "{message}");
    }

    /// Answers with the number of a refusal.
    pub(crate) fn refuse(&mut self, error: Error) -> Result<(), Ended> {
        let error = line_error(error)?;
        self.push(&Message::Error(error));
        Ok(())
    }
}

/// Returns the number of a refusal.
///
/// # Errors
/// A failure of the server, which has no number.
pub(crate) fn line_error(error: Error) -> Result<LineError, Error> {
    if error.failure().is_some() {
        return Err(error);
    }
    Ok(match error.code() {
        Code::Unavailable | Code::Internal => return Err(error),
        Code::NameTaken => LineError::NameTaken,
        Code::AlreadyPlaying => LineError::InGame,
        Code::TooManyAttempts
        | Code::PlayersFull
        | Code::MatchesFull
        | Code::TooManyTables
        | Code::TablesFull
        | Code::TableFull => LineError::Limit,
        _ => LineError::Invalid,
    })
}
