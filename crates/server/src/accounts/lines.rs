//! Players of the line protocol: guests by their name alone, accounts by a token, and both again after a lost connection.
//!
//! The name of such a guest is free again when they are not connected and play nothing (`db::line_connections`).

use super::{Accounts, Browser, ClientAddress, StreamCaller, TokenSession};
use crate::Error;
use crate::accounts::db;

use crate::secrets::{ApiToken, SessionToken};
use tochki_names::{InvalidName, Name, NameKey};
use tochki_protocol::{Account, Code, PlayerId, Scope};

pub use crate::accounts::db::line_connections::RecentLineClient;

/// The user agent shown in the list of sessions.
const AGENT: &str = "line protocol";

/// A player connected by the line protocol.
pub struct LineClient {
    /// The player with the session or token; its end closes the connection.
    pub caller: StreamCaller,
    /// The session of a guest, which ends with the connection. An account has its token.
    pub session: Option<SessionToken>,
}

impl Accounts {
    /// Creates a guest who connects by the line protocol.
    ///
    /// # Errors
    /// `invalid_name`, `name_taken` (also for a reserved name), or `too_many_attempts`.
    pub async fn line_guest(
        &self,
        client: &ClientAddress,
        name: &str,
    ) -> Result<LineClient, Error> {
        if Name::read(name) == Err(InvalidName::Reserved) {
            return Err(Code::NameTaken.into());
        }
        let signed_in = self.create_guest(&line(client), name).await?;
        self.line_session(signed_in.session).await
    }

    /// The player of a token that may play.
    ///
    /// # Errors
    /// `bad_token`, or `out_of_scope`.
    pub async fn line_account(&self, token: &str) -> Result<LineClient, Error> {
        let found: TokenSession = self.token_session(&ApiToken::from_header(token)).await?;
        if !found.allows(Scope::Play) {
            return Err(Code::OutOfScope.into());
        }
        Ok(LineClient {
            caller: self.token_stream_caller(&found),
            session: None,
        })
    }

    /// Counts a probe of the connection that a player has already. False once there were too many.
    pub async fn may_probe_line(&self, player: PlayerId) -> Result<bool, Error> {
        match self.attempts.probe_line(player).await {
            Ok(()) => Ok(true),
            Err(error) if error.failure().is_none() => Ok(false),
            Err(failed) => Err(failed),
        }
    }

    /// A guest who comes back after a lost connection.
    pub async fn line_guest_again(
        &self,
        client: &ClientAddress,
        guest: Account,
    ) -> Result<LineClient, Error> {
        let signed_in = self.open_session(&line(client), guest).await?;
        self.line_session(signed_in.session).await
    }

    /// The guest of this name, or this account, if they were connected by the line protocol lately.
    pub async fn recent_line_client(
        &self,
        account: Option<PlayerId>,
        name: &str,
    ) -> Result<Option<RecentLineClient>, Error> {
        db::line_connections::recent_client(&self.db, account, NameKey::of(name).as_str()).await
    }

    async fn line_session(&self, session: SessionToken) -> Result<LineClient, Error> {
        let caller = self.stream_caller(&session).await?;
        Ok(LineClient {
            caller: caller.ok_or(Code::SignedOut)?,
            session: Some(session),
        })
    }
}

fn line(client: &ClientAddress) -> Browser {
    Browser {
        client: *client,
        agent: AGENT.to_owned(),
        device: None,
        session: None,
    }
}
