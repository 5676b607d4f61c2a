//! Limits on downloads: answers that grow with the amount of stored data, and so cost more than others. They are streamed, some
//! rows at a time, and few at once.

use super::in_flight::hold;
use super::metrics;
use super::my_data;
use super::rate_limits::{prune_rate_limit, too_many_requests};
use super::shares::{Owner, Shares};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;
use tochki_pages::context;
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, PlayerId, limits};
use tochki_server::AppState;
use tochki_server::accounts::ClientAddress;

/// The number of downloads of all data of a player that may begin in an hour.
const MY_DATA_PER_HOUR: NonZeroU32 = NonZeroU32::new(limits::MY_DATA_PER_HOUR).unwrap();

/// The downloads that are under way.
#[derive(Clone)]
pub(super) struct DownloadLimits {
    app: AppState,
    shares: Shares,
    all_data: Arc<DefaultKeyedRateLimiter<PlayerId>>,
}

impl DownloadLimits {
    pub(super) fn open(app: &AppState) -> Self {
        let all_data = Arc::new(RateLimiter::keyed(Quota::per_hour(MY_DATA_PER_HOUR)));
        app.tasks.spawn("download limits", {
            let (all_data, shutdown) = (all_data.clone(), app.shutdown.clone());
            move || prune_rate_limit(all_data.clone(), shutdown.clone())
        });
        Self {
            app: app.clone(),
            shares: Shares::default(),
            all_data,
        }
    }
}

/// Refuses a download to a player or an address that has others under way, and all data of a player more than a few times an
/// hour.
pub(super) async fn limit_downloads(
    State(limit): State<DownloadLimits>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    // The handler refuses a visitor whose session cannot be read.
    let session = context::session_of(&limit.app, &parts.headers, &parts.extensions).await;
    let request = Request::from_parts(parts, body);
    let player = session.ok().flatten().map(|session| session.account.id);
    let by_player = player.map(|id| (Owner::Player(id), limits::DOWNLOADS_BY_PLAYER));
    let client = request.extensions().get::<ClientAddress>();
    let by_address = client.map(|client| Owner::of_client(*client, limits::DOWNLOADS_BY_ADDRESS));
    let owners = by_player
        .into_iter()
        .chain(by_address.into_iter().flatten());
    let Ok(share) = limit.shares.take(owners.collect()) else {
        metrics::request_refused("downloads");
        security::note_refusal(Code::TooManyRequests);
        return ErrorResponse::from(Code::TooManyRequests).into_response();
    };
    if request.uri().path() == my_data::ENDPOINT.path
        && let Some(player) = player
        && let Err(until) = limit.all_data.check_key(&player)
    {
        return too_many_requests(&until);
    }
    hold(next.run(request).await, share)
}
