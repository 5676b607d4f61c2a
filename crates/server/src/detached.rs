//! Work that goes on although its caller goes away.

use tracing::Instrument as _;

/// Does this in a task of its own: it comes to its end although the caller is dropped, or is not polled any more. `None` if the
/// runtime shuts down.
///
/// # Panics
/// If the work does.
pub(crate) async fn run_detached<T: Send + 'static>(
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
