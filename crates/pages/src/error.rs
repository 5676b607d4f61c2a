//! The error of a server function, in the process and in the browser: an [`ApiError`] that Leptos can send and read.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use tochki_protocol::{ApiError, Code};

/// An error as it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorResponse(pub ApiError);

impl Deref for ErrorResponse {
    type Target = ApiError;

    fn deref(&self) -> &ApiError {
        &self.0
    }
}

impl fmt::Display for ErrorResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ErrorResponse {}

impl From<ApiError> for ErrorResponse {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl From<Code> for ErrorResponse {
    fn from(code: Code) -> Self {
        Self(code.into())
    }
}
