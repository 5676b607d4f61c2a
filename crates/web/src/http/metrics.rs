//! Prometheus metrics: those of this module and of `tochki_server::metrics`. `metrics_listener` serves them.

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use leptos::server_fn::axum::server_fn_paths;
use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use std::time::Instant;
use tochki_pages::context::failures;

/// Upper bounds of the histograms of durations, in seconds.
const BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 20.0,
];

/// The limit of all connections, as a label.
pub(super) const IN_ALL: &str = "all";

/// The limit of the connections of one address, as a label.
pub(super) const BY_ADDRESS: &str = "address";

/// The limit that a connection has met which was silent for too long.
pub(super) const SILENT: &str = "silent";

/// Collects the metrics of this process from now on.
///
/// # Errors
/// If another recorder is installed.
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
    describe_counter!(
        "requests_refused_total",
        "Requests refused because too many of the client were under way, by the limit that they met"
    );
    describe_gauge!("build_info", "1, with the running version and its commit");
    tochki_server::metrics::describe();
    failures::describe();
    for limit in [IN_ALL, BY_ADDRESS, SILENT] {
        counter!("connections_refused_total", "limit" => limit).absolute(0);
    }
    for limit in ["address", "session"] {
        counter!("streams_refused_total", "limit" => limit).absolute(0);
    }
    for limit in ["downloads", "in_flight", "records"] {
        counter!("requests_refused_total", "limit" => limit).absolute(0);
    }
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("TOCHKI_COMMIT"));
    gauge!("build_info", "version" => version, "commit" => commit).set(1.0);
    Ok(handle)
}

/// Counts the request and how long its answer took.
pub(super) async fn observe_request(request: Request, next: Next) -> Response {
    let route = route(&request);
    let method = method_label(request.method());
    let begun = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_str().to_owned();
    histogram!("http_request_duration_seconds", "route" => route.clone()).record(begun.elapsed());
    counter!("http_requests_total", "route" => route, "method" => method, "status" => status)
        .increment(1);
    response
}

/// Returns the label of a method. A client may invent any, and the label must not grow with the requests of visitors.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        "CONNECT" => "CONNECT",
        "TRACE" => "TRACE",
        _ => "other",
    }
}

/// Counts a connection that was not served.
pub(crate) fn connection_refused(limit: &'static str) {
    counter!("connections_refused_total", "limit" => limit).increment(1);
}

/// Counts a request that was refused because others of its client are under way.
pub(super) fn request_refused(limit: &'static str) {
    counter!("requests_refused_total", "limit" => limit).increment(1);
}

/// Counts a stream that was not opened.
pub(super) fn stream_refused(limit: &'static str) {
    counter!("streams_refused_total", "limit" => limit).increment(1);
}

/// Returns the pattern of the address, of which there are as many as routes: the label must not grow with the requests of
/// visitors.
pub(super) fn route(request: &Request) -> String {
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
