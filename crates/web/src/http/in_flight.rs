//! Limits on requests that are being answered. An answer counts until its client has taken all of it, so what waits in memory
//! for clients is bounded as well. Event streams have limits of their own (`stream_limits`).

use super::active_players::ActivePlayers;
use super::metrics;
use super::shares::{Owner, Share, Shares};
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
pub(super) async fn take_turns(
    State(turns): State<Arc<Semaphore>>,
    request: Request,
    next: Next,
) -> Response {
    // The semaphore is never closed. A request that waits for too long is answered by the time-out around this.
    let _turn = turns.acquire_owned().await;
    next.run(request).await
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
