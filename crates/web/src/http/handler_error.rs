//! The error type of handlers other than server functions.

use axum::response::{IntoResponse, Response};
use std::fmt;
use tochki_pages::context;
use tochki_server::Error;

/// An error of the server on its way into a response.
#[derive(Debug)]
pub(super) struct HandlerError(Error);

impl<E: Into<Error>> From<E> for HandlerError {
    #[track_caller]
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl IntoResponse for HandlerError {
    fn into_response(self) -> Response {
        context::report(self.0).into_response()
    }
}

/// Logs a failure in the middle of a body: the status has been sent, so all that is left is to break the connection off.
pub(super) fn log_broken_body(error: &Error) {
    if let Some(failure) = error.failure() {
        tracing::error!(%failure, "response body aborted");
    }
}
