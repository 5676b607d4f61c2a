//! The session of a request, which is read once however many server functions a page calls.

use std::future::Future;
use std::sync::Arc;
use tochki_server::accounts::Session;
use tochki_server::secrets::SessionToken;
use tochki_server::{Arena, Error};
use tokio::sync::OnceCell;

/// The session of the cookie of a request, as an extension of the request.
#[derive(Clone, Default)]
pub struct SessionCell(Arc<Cells>);

#[derive(Default)]
struct Cells {
    session: OnceCell<Option<Session>>,
    renewed: OnceCell<()>,
}

impl SessionCell {
    /// The session, from the database if this is the first who asks. A failure is not kept.
    pub(super) async fn session(
        &self,
        arena: &Arena,
        token: &SessionToken,
    ) -> Result<Option<Session>, Error> {
        let read = || arena.accounts.session(token);
        self.0.session.get_or_try_init(read).await.cloned()
    }

    /// The session, if it has been read and there is one.
    pub fn read_session(&self) -> Option<&Session> {
        self.0.session.get()?.as_ref()
    }

    /// Renews the session, unless that was done for this request before.
    pub(super) async fn renew_once(
        &self,
        renewal: impl Future<Output = Result<(), Error>>,
    ) -> Result<(), Error> {
        self.0.renewed.get_or_try_init(|| renewal).await.copied()
    }
}
