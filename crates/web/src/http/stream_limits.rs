//! Limits on event streams, of one session and from one address. Each stream costs memory and rows of presence, and a program
//! that reconnects in a loop must not use up the resources of all.

use super::active_players::ActivePlayers;
use super::caller::Parameter;
use super::handler_error::HandlerError;
use super::metrics;
use super::shares::{Owner, Share, Shares};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tochki_pages::context::Credentials;
use tochki_protocol::Code;
use tochki_server::AppState;
use tochki_server::accounts::ClientAddress;
use tochki_server::settings::Settings;

/// The open streams.
#[derive(Clone)]
pub(super) struct StreamLimits {
    by_session: u32,
    by_address: u32,
    shares: Shares,
    players: ActivePlayers,
}

/// An open stream; dropping it makes room for another.
pub(super) struct StreamPermit {
    _share: Share,
}

impl StreamLimits {
    pub(super) fn of(settings: &Settings, players: ActivePlayers) -> Self {
        Self {
            by_session: settings.streams_by_session.get(),
            by_address: settings.streams_by_address.get(),
            shares: Shares::default(),
            players,
        }
    }

    /// Counts a stream of this request.
    ///
    /// # Errors
    /// The name of the limit that has been reached.
    async fn try_open(&self, parts: &Parts, secure: bool) -> Result<StreamPermit, &'static str> {
        let extensions = &parts.extensions;
        let credentials = Credentials::of(&parts.headers, extensions, secure);
        let own = credentials.map(|credentials| match credentials {
            Credentials::Token(token) => Owner::Token(token.id),
            Credentials::Session(token) => Owner::Session(token.digest()),
        });
        let own = own.map(|own| (own, self.by_session));
        let client = extensions.get::<ClientAddress>();
        let of_client = client.map(|client| Owner::of_client(*client, self.by_address));
        let owners = own
            .clone()
            .into_iter()
            .chain(of_client.into_iter().flatten());
        match self.shares.take(owners.collect()) {
            Ok(share) => Ok(StreamPermit { _share: share }),
            Err(Owner::Session(_) | Owner::Token(_)) => Err("session"),
            // A player of a running match would lose it without a stream.
            Err(_) => {
                let player = self.players.playing(&parts.headers, extensions).await;
                let player = player.ok_or("address")?;
                let player = (Owner::Player(player), self.by_session);
                let share = self.shares.take(own.into_iter().chain([player]).collect());
                share
                    .map(|share| StreamPermit { _share: share })
                    .map_err(|_| "session")
            }
        }
    }
}

impl Parameter for StreamPermit {}

impl FromRequestParts<AppState> for StreamPermit {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, HandlerError> {
        let limits = parts.extensions.get::<StreamLimits>().cloned();
        let limits = limits.ok_or(Code::Internal)?;
        let opened = limits.try_open(parts, app.settings.secure()).await;
        opened.map_err(|limit| {
            metrics::stream_refused(limit);
            Code::TooManyStreams.into()
        })
    }
}
