//! The session of a request, which is read once however many server functions a page calls.

use std::future::Future;
use std::sync::Arc;
use tochki_protocol::Account;
use tochki_server::accounts::{Session, SignedIn};
use tochki_server::secrets::SessionToken;
use tochki_server::{AppState, Error};
use tokio::sync::OnceCell;

/// The session of the cookie of a request, as an extension of the request.
#[derive(Clone, Default)]
pub struct SessionCell(Arc<Cells>);

#[derive(Default)]
struct Cells {
    session: OnceCell<Option<Session>>,
    renewed: OnceCell<()>,
    signed_in: OnceCell<NewSession>,
}

/// A session that a request has opened.
pub struct NewSession {
    /// The player.
    pub account: Account,
    /// The digests of the tokens by which the player is known from now on: of the session, and of the browser.
    pub digests: Vec<Vec<u8>>,
}

impl SessionCell {
    /// The session, from the database if this is the first who asks. A failure is not kept.
    pub(super) async fn session(
        &self,
        app: &AppState,
        token: &SessionToken,
    ) -> Result<Option<Session>, Error> {
        let read = || app.accounts.session(token);
        self.0.session.get_or_try_init(read).await.cloned()
    }

    /// The session, if it has been read and there is one.
    pub fn read_session(&self) -> Option<&Session> {
        self.0.session.get()?.as_ref()
    }

    /// Notes the session that the request has opened.
    pub(super) fn note_signed_in(&self, signed_in: &SignedIn) {
        let tokens = [Some(&signed_in.session), signed_in.device.as_ref()];
        let digests = tokens.into_iter().flatten().map(SessionToken::digest);
        // A request opens one.
        let _ = self.0.signed_in.set(NewSession {
            account: signed_in.account.clone(),
            digests: digests.collect(),
        });
    }

    /// The session that the request has opened.
    pub fn signed_in(&self) -> Option<&NewSession> {
        self.0.signed_in.get()
    }

    /// Renews the session, unless that was done for this request before.
    pub(super) async fn renew_once(
        &self,
        renewal: impl Future<Output = Result<(), Error>>,
    ) -> Result<(), Error> {
        self.0.renewed.get_or_try_init(|| renewal).await.copied()
    }
}
