//! Cancellation-safe work: it runs in a task of its own, so that a cancelled request does not interrupt it.

use crate::Error;
use tochki_protocol::Code;
use tracing::Instrument as _;

/// Runs a future in a task of its own, so that it completes even if the caller is dropped or no longer polled.
///
/// # Errors
/// Those of the work; `unavailable` if the runtime shuts down.
///
/// # Panics
/// If the work does.
pub(crate) async fn run_detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let done = join_detached(work).await;
    done.unwrap_or_else(|| Err(Code::Unavailable.into()))
}

/// Does the same as [`run_detached`] for other results. `None` if the runtime shuts down.
///
/// # Panics
/// If the work does.
pub(crate) async fn join_detached<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    match tokio::spawn(work.in_current_span()).await {
        Ok(done) => Some(done),
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => None,
        },
    }
}
