//! The request of a running server function, as a task-local value.

use axum::http::request::Parts;
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use std::future::Future;
use std::sync::Arc;
use tochki_protocol::Code;
use tochki_server::{AppState, Error};

tokio::task_local! {
    static REQUEST: Request;
}

/// A request, and the headers of its response.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) app: AppState,
    pub(super) parts: Arc<Parts>,
    pub(super) response: ResponseOptions,
}

impl Request {
    /// The request that is being answered.
    ///
    /// # Errors
    /// `internal` outside of one.
    pub(super) fn current() -> Result<Self, Error> {
        REQUEST
            .try_with(Self::clone)
            .ok()
            .or_else(Self::of_leptos)
            .ok_or_else(|| Code::Internal.into())
    }

    fn of_leptos() -> Option<Self> {
        Some(Self {
            app: use_context()?,
            parts: Arc::new(use_context()?),
            response: use_context()?,
        })
    }

    /// Runs `work` within the current request.
    ///
    /// Leptos keeps the context of a page only while the page is rendered. Server functions that the page has called still
    /// run when its visitor leaves; so the context is read once, before the first wait.
    pub(super) async fn keep<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let request = Self::current()?;
        REQUEST.scope(request, work).await
    }
}
