//! The error of a server function, in the process and in the browser: an [`ApiError`] that Leptos can send and read.

use crate::codec::Encoding;
use leptos::server_fn::Decodes as _;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
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

impl FromServerFnError for ErrorResponse {
    type Encoder = Encoding;

    /// Reads an error answer, in a browser. What is none of ours comes from something between us that answered in our
    /// place, such as a proxy while the server starts anew.
    fn de(data: leptos::server_fn::Bytes) -> Self {
        Encoding::decode(data).unwrap_or_else(|_| Self(ApiError::of_code(Code::Unavailable)))
    }

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(what)
            | ServerFnErrorErr::MissingArg(what)
            | ServerFnErrorErr::Deserialization(what) => {
                Self(ApiError::from(Code::BadRequest).saying(what))
            }
            // The browser could not reach us.
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Response(_) => {
                Code::Unavailable.into()
            }
            _ => Code::Internal.into(),
        }
    }
}
