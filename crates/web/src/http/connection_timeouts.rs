//! Timeouts of connections that wait for their clients.

use std::time::Duration;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

/// The timeouts of a connection. Tests shorten them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionTimeouts {
    /// The timeout of the first bytes, which say the version of HTTP, and of a whole head.
    pub(super) head: Duration,
    /// The timeout of a client that takes nothing of an answer of HTTP/2.
    pub(super) stalled: Duration,
    /// The timeout of a wait for the next request of HTTP/2.
    pub(super) idle: Duration,
    /// The timeout of answers of HTTP/2 that are on their way when the connection is being closed.
    pub(super) closing: Duration,
    /// The timeout of a client that still sends when it has been answered and the connection is being closed.
    pub(super) linger: Duration,
}

impl ConnectionTimeouts {
    /// The limits of [`tochki_protocol::limits`].
    pub(super) const DEFAULT: Self = Self {
        head: limits::HEAD_TIMEOUT,
        stalled: limits::STALLED_RESPONSE_TIMEOUT,
        idle: limits::HTTP2_IDLE_TIMEOUT,
        closing: limits::HTTP2_CLOSING_TIMEOUT,
        linger: limits::LINGER_TIMEOUT,
    };

    /// Takes the timeouts from the settings.
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            head: settings.head_timeout,
            stalled: settings.stalled_response_timeout,
            idle: settings.http2_idle_timeout,
            closing: settings.http2_idle_timeout.min(Self::DEFAULT.closing),
            ..Self::DEFAULT
        }
    }
}
