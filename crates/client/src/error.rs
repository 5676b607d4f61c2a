//! Errors of calls and streams.

use tochki_protocol::{ApiError, Code};

/// The error of everything in this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server has refused: its code and its words.
    #[error("refused: {} ({})", .0.message, .0.code.as_str())]
    Refused(ApiError),
    /// The server could not be reached, or not for as long as the client tries.
    #[error("the server cannot be reached: {0}")]
    Lost(#[from] reqwest::Error),
    /// There are no certificates to verify a server by, or they cannot be read.
    #[error("certificates: {0}")]
    Certificates(String),
    /// The answer is not one of Tochki.
    #[error("an answer that does not read: {0}")]
    Unreadable(String),
}

impl Error {
    /// Returns the code of a refusal.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused(error) => Some(error.code),
            Self::Lost(_) | Self::Certificates(_) | Self::Unreadable(_) => None,
        }
    }

    /// Returns whether the error is about too many requests, streams or attempts, which have status 429.
    pub(crate) fn is_too_many(&self) -> bool {
        matches!(
            self.code(),
            Some(Code::TooManyRequests | Code::TooManyStreams)
        )
    }
}
