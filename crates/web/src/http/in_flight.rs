//! Limits on requests that are being answered. An answer counts until its client has taken all of it, so what waits in memory
//! for clients is bounded as well. Event streams have limits of their own (`stream_limits`).

use super::active_players::ActivePlayers;
use super::shares::{Owner, Share, Shares};
use super::{guard, metrics};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, limits};
use tochki_server::accounts::ClientAddress;
use tokio::sync::Semaphore;
use tracing::Span;

/// The requests that are being answered.
#[derive(Clone)]
pub(super) struct InFlight {
    shares: Shares,
    by_address: u32,
    players: ActivePlayers,
}

impl InFlight {
    pub(super) fn new(by_address: u32, players: ActivePlayers) -> Self {
        Self {
            shares: Shares::default(),
            by_address,
            players,
        }
    }

    /// The share of a player of a running match, where others have used up those of the address.
    async fn take_as_player(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<Share> {
        let player = self.players.playing(headers, extensions).await?;
        let own = (Owner::Player(player), limits::REQUESTS_AT_ONCE_BY_PLAYER);
        self.shares.take(vec![own]).ok()
    }
}

/// Refuses a request of a client that has too many.
pub(super) async fn limit_in_flight(
    State(limit): State<InFlight>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddress>().copied();
    let Some(client) = client.filter(|_| !is_stream(request.uri().path())) else {
        return next.run(request).await;
    };
    let by_address = limit
        .shares
        .take(Owner::of_client(client, limit.by_address));
    if let Ok(share) = by_address {
        return hold(next.run(request).await, share);
    }
    let (parts, body) = request.into_parts();
    let by_player = limit
        .take_as_player(&parts.headers, &parts.extensions)
        .await;
    let Some(share) = by_player else {
        metrics::request_refused("in_flight");
        security::note_refusal(Code::TooManyRequests);
        return ErrorResponse::from(Code::TooManyRequests).into_response();
    };
    hold(next.run(Request::from_parts(parts, body)).await, share)
}

fn is_stream(path: &str) -> bool {
    path == "/events" || path.starts_with("/events/")
}

/// Lets pages wait for each other: their work must not delay moves, however many are asked for at once.
///
/// A page whose turn has come is made to its end, also when its reader has left. Leptos walks over its parts in tasks of their own,
/// which panic where the page is dropped meanwhile. It keeps its turn, so readers who leave cause no more work at once than others.
pub(super) async fn take_turns(
    State(turns): State<Arc<Semaphore>>,
    request: Request,
    next: Next,
) -> Response {
    // The semaphore is never closed. A request that waits for too long is answered by the time-out around this.
    let turn = turns.acquire_owned().await;
    let making = async move {
        let _turn = turn;
        // That time-out does not reach the task, and a page that never ends must not keep its turn for ever.
        let made = tokio::time::timeout(limits::RESPONSE_TIMEOUT, next.run(request)).await;
        made.unwrap_or_else(|_| ErrorResponse::from(Code::Unavailable).into_response())
    };
    // No page has spans in its trace.
    guard::run_to_end(making, Span::none()).await
}

/// An answer that keeps something until its client has taken it, or has gone.
pub(super) fn hold<T: Send + Unpin + 'static>(response: Response, held: T) -> Response {
    if response.status() == StatusCode::NOT_MODIFIED || response.body().is_end_stream() {
        return response;
    }
    response.map(|body| Body::new(HoldingBody { body, _held: held }))
}

/// The body of such an answer.
struct HoldingBody<T> {
    body: Body,
    _held: T,
}

impl<T: Unpin> HttpBody for HoldingBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tokio::sync::Notify;
    use tokio::time::timeout;
    use tower::ServiceExt as _;

    #[expect(clippy::disallowed_methods, reason = "a router of this test alone")]
    #[tokio::test]
    async fn a_page_whose_reader_has_left_is_made_to_its_end_and_keeps_its_turn() {
        let begun = Arc::new(Notify::new());
        let go_on = Arc::new(Notify::new());
        let turns = Arc::new(Semaphore::new(1));
        let page = {
            let (begun, go_on) = (begun.clone(), go_on.clone());
            move || async move {
                begun.notify_one();
                go_on.notified().await;
                begun.notify_one();
            }
        };
        let router = Router::new()
            .route("/", get(page))
            .layer(from_fn_with_state(turns.clone(), take_turns));
        let request = Request::get("/").body(Body::empty()).unwrap();

        let reader = tokio::spawn(router.oneshot(request));
        begun.notified().await;
        reader.abort();
        assert!(reader.await.unwrap_err().is_cancelled());
        assert_eq!(turns.available_permits(), 0);

        go_on.notify_one();
        let ended = timeout(limits::RESPONSE_TIMEOUT, begun.notified()).await;
        ended.expect("the page is made to its end");
        let turn = timeout(limits::RESPONSE_TIMEOUT, turns.acquire()).await;
        let _turn = turn.expect("the turn is free").unwrap();
    }
}
