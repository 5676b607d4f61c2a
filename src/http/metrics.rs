//! What Prometheus reads at `METRICS_ADDR`: counters and histograms of this module and of `tochki_server::metrics`.

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use leptos::server_fn::axum::server_fn_paths;
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tochki_server::Arena;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Upper bounds of the histograms of durations, in seconds.
const BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 20.0,
];

/// How often the histograms take in what has been recorded.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Collects the metrics of this process from now on.
///
/// # Errors
/// When another recorder is installed.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&BUCKETS)?
        .install_recorder()?;
    describe_counter!(
        "http_requests_total",
        "Requests by route, method and status"
    );
    describe_histogram!(
        "http_request_duration_seconds",
        Unit::Seconds,
        "Time to the head of the response, by route"
    );
    describe_counter!(
        "connections_refused_total",
        "Connections closed unheard, by the limit that they met"
    );
    describe_counter!(
        "streams_refused_total",
        "Event streams refused, by the limit that they met"
    );
    describe_gauge!("build_info", "The running version");
    tochki_server::metrics::describe();
    gauge!("build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    Ok(handle)
}

/// Serves the metrics until `shutdown`. The address is for the operator alone, so there is no limit and no session.
pub async fn serve(
    listener: TcpListener,
    handle: PrometheusHandle,
    arena: Arena,
    shutdown: CancellationToken,
) {
    let upkeep = handle.clone();
    let router = Router::new()
        .route("/metrics", get(render))
        .with_state((handle, arena));
    let serving = axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned());
    let upkeep = async {
        let mut interval = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            interval.tick().await;
            upkeep.run_upkeep();
        }
    };
    tokio::select! {
        served = serving => if let Err(error) = served {
            tracing::error!(%error, "the metrics are no longer served");
        },
        () = upkeep => {}
    }
}

async fn render(State((handle, arena)): State<(PrometheusHandle, Arena)>) -> Response {
    // While the database is away, the other metrics are as interesting as ever.
    let _ = tokio::time::timeout(limits::HEALTH_CHECK_TIMEOUT, arena.observe()).await;
    let text = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (text, handle.render()).into_response()
}

/// Counts the request and how long its answer took.
pub(super) async fn observe_request(request: Request, next: Next) -> Response {
    let route = route(&request);
    let method = request.method().as_str().to_owned();
    let begun = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_str().to_owned();
    histogram!("http_request_duration_seconds", "route" => route.clone()).record(begun.elapsed());
    counter!("http_requests_total", "route" => route, "method" => method, "status" => status)
        .increment(1);
    response
}

/// Counts a connection that was not served.
pub(crate) fn connection_refused(limit: &'static str) {
    counter!("connections_refused_total", "limit" => limit).increment(1);
}

/// Counts a stream that was not opened.
pub(super) fn stream_refused(limit: &'static str) {
    counter!("streams_refused_total", "limit" => limit).increment(1);
}

/// The pattern of the address, of which there are as many as routes: the label must not grow with what visitors ask for.
fn route(request: &Request) -> String {
    let path = request.uri().path();
    if server_fn_paths().any(|(known, _)| known == path) {
        return path.to_owned();
    }
    match request.extensions().get::<MatchedPath>() {
        Some(matched) => matched.as_str().to_owned(),
        None if path.starts_with("/pkg/") => "/pkg/{file}".to_owned(),
        None => "other".to_owned(),
    }
}
