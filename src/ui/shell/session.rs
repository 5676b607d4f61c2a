//! Who is signed in, as every part of a page may ask while the server renders it.

use crate::api;
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::Account;

/// The session of the visit that a page is rendered for.
#[derive(Clone, Copy)]
pub(crate) struct Session(Resource<Result<Option<Account>, ErrorResponse>>);

impl Session {
    /// Asks once for the whole document.
    pub(crate) fn provide() {
        provide_context(Self(Resource::new_blocking(|| (), |()| api::whoami())));
    }

    /// The session of this document.
    pub(crate) fn current() -> Self {
        expect_context()
    }

    /// Who is signed in, where a page can do without knowing: a session that cannot be read is none.
    pub(crate) async fn account(self) -> Option<Account> {
        self.0.await.ok().flatten()
    }

    /// Who is signed in, where a page must know.
    pub(crate) async fn signed_in(self) -> Result<Option<Account>, ErrorResponse> {
        self.0.await
    }
}
