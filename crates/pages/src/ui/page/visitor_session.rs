//! The session of the visit, for every part of a page while the server renders it.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::page::load::load;
use leptos::prelude::*;
use tochki_protocol::Account;

/// The session of the visit.
#[derive(Clone, Copy)]
pub(crate) struct VisitorSession(Resource<Result<Option<Account>, ErrorResponse>>);

impl VisitorSession {
    /// Loads it once for the whole document.
    pub(crate) fn provide() {
        provide_context(Self(load(api::whoami)));
    }

    /// The session of this document.
    pub(crate) fn current() -> Self {
        expect_context()
    }

    /// The account, if any. An error counts as signed out; for pages that work without an account.
    pub(crate) async fn account(self) -> Option<Account> {
        self.0.await.ok().flatten()
    }

    /// The account, if any, or the error; for pages that depend on it.
    pub(crate) async fn signed_in(self) -> Result<Option<Account>, ErrorResponse> {
        self.0.await
    }
}
