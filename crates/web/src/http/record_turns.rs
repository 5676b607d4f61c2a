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

/// How many bytes of work a request is: what was sent, and at least what the page costs.
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

    async fn send(
        turns: &RecordTurns,
        at_once: &Arc<[AtomicUsize; 2]>,
        address: &str,
        len: usize,
    ) -> u16 {
        let mut request = Request::new(Body::from(vec![b'x'; len]));
        let address = address.parse().expect("an address");
        request.extensions_mut().insert(ClientAddress { address });
        let at_once = at_once.clone();
        let open = move |_| async move {
            let [now, most] = &*at_once;
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // On a thread of its own, which may be blocked.
            std::thread::sleep(Duration::from_millis(5));
            now.fetch_sub(1, Ordering::SeqCst);
            Response::default()
        };
        turns.answer(request, open).await.status().as_u16()
    }

    #[tokio::test]
    async fn large_records_are_read_two_at_a_time_and_small_ones_four() {
        for (len, at_most) in [(limits::RECORD_FORM_MAX_BYTES, 2), (1, 4)] {
            let (turns, at_once) = (RecordTurns::default(), Arc::default());
            let addresses: Vec<String> = (0..20).map(|n| format!("192.0.2.{n}")).collect();
            let all = addresses
                .iter()
                .map(|address| send(&turns, &at_once, address, len));
            let answers = futures::future::join_all(all).await;
            assert!(answers.iter().all(|status| *status == 200), "{answers:?}");
            assert_eq!(at_once[1].load(Ordering::SeqCst), at_most);
        }
    }

    #[tokio::test]
    async fn an_address_has_a_bounded_number_of_records() {
        let (turns, at_once) = (RecordTurns::default(), Arc::default());
        let all = (0..20).map(|_| send(&turns, &at_once, "192.0.2.1", 1));
        let answers = futures::future::join_all(all).await;
        let answered = answers.iter().filter(|status| **status == 200).count();
        assert_eq!(answered, limits::RECORDS_AT_ONCE_BY_ADDRESS as usize);
        let refused = answers.iter().filter(|status| **status == 429).count();
        assert_eq!(answered + refused, answers.len());
        assert_eq!(send(&turns, &at_once, "192.0.2.1", 1).await, 200);
    }
}
