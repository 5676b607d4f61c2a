//! Turns at reading records. A record of some hundred kilobytes takes milliseconds to read and to show, so records are read on
//! threads beside those of the runtime, only so many bytes at once, and few for one address: moves and heartbeats do not wait
//! for them.

use super::metrics;
use super::shares::{Owner, Shares};
use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use std::future::Future;
use std::sync::Arc;
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, limits};
use tochki_server::accounts::ClientAddress;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tracing::Instrument as _;

/// The records that are being read.
#[derive(Clone)]
pub(super) struct RecordTurns {
    bytes: Arc<Semaphore>,
    shares: Shares,
}

impl Default for RecordTurns {
    fn default() -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(limits::RECORD_FORMS_AT_ONCE_BYTES)),
            shares: Shares::default(),
        }
    }
}

impl RecordTurns {
    /// Answers a form with a record, whose body has been read, on a thread of its own once it has its turn. The request around
    /// it has a time-out.
    pub(super) async fn answer<F: Future<Output = Response> + Send + 'static>(
        &self,
        request: Request,
        open: impl FnOnce(Request) -> F + Send + 'static,
    ) -> Response {
        let client = request.extensions().get::<ClientAddress>().copied();
        let limit = limits::RECORDS_AT_ONCE_BY_ADDRESS;
        let owners = client.map(|client| Owner::of_client(client, limit));
        let Ok(share) = self.shares.take(owners.unwrap_or_default()) else {
            metrics::request_refused("records");
            security::note_refusal(Code::TooManyRequests);
            return ErrorResponse::from(Code::TooManyRequests).into_response();
        };
        let cost = cost(&request);
        // It is never closed.
        let turn = self.bytes.clone().acquire_many_owned(cost).await;
        let (runtime, span) = (Handle::current(), tracing::Span::current());
        let answering = tokio::task::spawn_blocking(move || {
            // Also when nobody waits for the answer any more.
            let _kept = (share, turn);
            runtime.block_on(open(request).instrument(span))
        });
        match answering.await {
            Ok(response) => response,
            Err(failure) => std::panic::resume_unwind(failure.into_panic()),
        }
    }
}

/// Returns the work that a request asks for, in bytes: the length of its body, and at least the cost of the page.
fn cost(request: &Request) -> u32 {
    let sent = request.body().size_hint().lower() as usize;
    sent.clamp(
        limits::RECORD_FORM_MIN_COST_BYTES,
        limits::RECORD_FORM_MAX_BYTES,
    ) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;
    use tokio::sync::Barrier;
    use tokio::time::timeout;

    /// The longest wait of a test; a longer one is a fault.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// Answers a record of `len` bytes, which takes until `read` is over.
    async fn send(
        turns: &RecordTurns,
        address: &str,
        len: usize,
        read: impl Future<Output = ()> + Send + 'static,
    ) -> u16 {
        let mut request = Request::new(Body::from(vec![b'x'; len]));
        let address = address.parse().expect("an address");
        request.extensions_mut().insert(ClientAddress { address });
        let open = move |_| async move {
            timeout(PATIENCE, read).await.expect("the reading ends");
            Response::default()
        };
        turns.answer(request, open).await.status().as_u16()
    }

    #[tokio::test]
    async fn large_records_are_read_two_at_a_time_and_small_ones_four() {
        for (len, together) in [(limits::RECORD_FORM_MAX_BYTES, 2), (1, 4)] {
            let turns = RecordTurns::default();
            let met = Arc::new(Barrier::new(together));
            let (reading, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let addresses: Vec<String> = (0..20).map(|n| format!("192.0.2.{n}")).collect();
            let all = addresses.iter().map(|address| {
                let (met, reading, most) = (met.clone(), reading.clone(), most.clone());
                send(&turns, address, len, async move {
                    most.fetch_max(reading.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    met.wait().await;
                    reading.fetch_sub(1, Ordering::SeqCst);
                })
            });
            let answers = futures::future::join_all(all).await;
            assert!(answers.iter().all(|status| *status == 200), "{answers:?}");
            assert_eq!(most.load(Ordering::SeqCst), together);
        }
    }

    #[tokio::test]
    async fn an_address_has_a_bounded_number_of_records() {
        let (turns, gate) = (RecordTurns::default(), Arc::new(Semaphore::new(0)));
        let all = (0..20).map(|_| {
            let gate = gate.clone();
            send(&turns, "192.0.2.1", 1, async move {
                gate.acquire().await.expect("an open semaphore").forget();
            })
        });
        // All have asked before the first one is read.
        let (answers, ()) = futures::future::join(futures::future::join_all(all), async {
            gate.add_permits(20);
        })
        .await;
        let answered = answers.iter().filter(|status| **status == 200).count();
        assert_eq!(answered, limits::RECORDS_AT_ONCE_BY_ADDRESS as usize);
        let refused = answers.iter().filter(|status| **status == 429).count();
        assert_eq!(answered + refused, answers.len());
        let after = send(&turns, "192.0.2.1", 1, std::future::ready(())).await;
        assert_eq!(after, 200);
    }
}
