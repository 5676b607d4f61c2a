//! Log of security events. The name of the event is the target of its log line: `auth.failed`, `auth.limited`,
//! `rate.limited`, and `operator.act` (`tochki_server::moderation`). The request's span has the client's address.
//!
//! No line contains a name or a password from user input.

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::LazyLock;
use tochki_protocol::{Code, limits};

/// The number of log lines per second of each kind.
const LINES_PER_SECOND: NonZeroU32 =
    NonZeroU32::new(limits::SECURITY_LOG_LINES_PER_SECOND).unwrap();

type Lines = LazyLock<DefaultDirectRateLimiter>;

static FAILED: Lines = LazyLock::new(|| RateLimiter::direct(Quota::per_second(LINES_PER_SECOND)));
static LIMITED: Lines = LazyLock::new(|| RateLimiter::direct(Quota::per_second(LINES_PER_SECOND)));
static RATE: Lines = LazyLock::new(|| RateLimiter::direct(Quota::per_second(LINES_PER_SECOND)));

/// Logs a refusal, if its code is of a security event.
pub fn note_refusal(code: Code) {
    let name = code.as_str();
    match code {
        Code::BadCredentials | Code::WrongPassword | Code::BadToken | Code::PasskeyRefused
            if FAILED.check().is_ok() =>
        {
            tracing::warn!(target: "auth.failed", code = name, "authentication failed");
        }
        Code::TooManyAttempts if LIMITED.check().is_ok() => {
            tracing::warn!(target: "auth.limited", code = name, "too many attempts");
        }
        Code::TooManyRequests | Code::TooManyStreams if RATE.check().is_ok() => {
            tracing::warn!(target: "rate.limited", code = name, "too many requests");
        }
        _ => {}
    }
}
