//! Traces over OTLP: with `OTEL_EXPORTER_OTLP_ENDPOINT`, each request is a span that is sent there, with the spans of
//! `tochki_server::traces` below it. Without it nothing is started, and no span is created.
//!
//! A thread of the SDK exports spans from a bounded queue; when it is full, spans are dropped. So a collector that is slow or
//! unreachable costs spans, and delays no request. The SDK reads its own variables (`OTEL_SERVICE_NAME`,
//! `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`), which are for the operator to set.

use super::metrics::route;
use anyhow::{Context as _, bail, ensure};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{
    OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tochki_server::traces::TARGET;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::field::Empty;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::registry::LookupSpan;

/// The name of the instrumentation scope, and of the service unless `OTEL_SERVICE_NAME` says another.
const NAME: &str = "tochki";

/// The exporter of spans to a collector.
pub struct Traces {
    provider: SdkTracerProvider,
    collector: Uri,
}

impl Traces {
    /// Starts the exporter that the environment asks for; `None` if it names no collector. Behind proxies of our own, a request
    /// belongs to the trace that they name.
    ///
    /// # Errors
    /// If the address or the protocol is not supported.
    pub fn from_env(behind_proxy: bool) -> anyhow::Result<Option<Self>> {
        let Some(collector) = collector(variable)? else {
            return Ok(None);
        };
        let otlp = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .build()
            .context("cannot send traces")?;
        let exporter = Exporter {
            otlp,
            runtime: Builder::new_current_thread().enable_all().build()?,
            warned_at: Mutex::new(None),
        };
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource())
            .build();
        if behind_proxy {
            global::set_text_map_propagator(TraceContextPropagator::new());
        }
        Ok(Some(Self {
            provider,
            collector,
        }))
    }

    /// Returns the host and port of the collector, for logs: without credentials and path.
    pub fn collector(&self) -> &str {
        let address = self.collector.authority().map_or("", |a| a.as_str());
        address.rsplit('@').next().unwrap_or_default()
    }

    /// Returns the layer that collects the spans of requests. It sees no other spans, and no log lines.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + 'static
    where
        S: Subscriber + Send + Sync + for<'a> LookupSpan<'a>,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer(NAME))
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO))
    }

    /// Sends the spans that are left, for as long as [`limits::TRACES_FLUSH_TIMEOUT`] allows.
    pub async fn close(self) {
        let (done, closed) = oneshot::channel();
        // A thread of its own, because nothing waits for it when the process ends.
        std::thread::spawn(move || {
            let _ = done.send(
                self.provider
                    .shutdown_with_timeout(limits::TRACES_FLUSH_TIMEOUT),
            );
        });
        if !matches!(
            timeout(limits::TRACES_FLUSH_TIMEOUT, closed).await,
            Ok(Ok(Ok(())))
        ) {
            tracing::warn!("the last spans were not sent in time");
        }
    }
}

/// Returns a variable that is set, and not to nothing.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the address that spans are sent to, if there is one.
fn collector(variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<Option<Uri>> {
    let first_of = |names: [&'static str; 2]| {
        let mut names = names.into_iter();
        names.find_map(|name| Some((name, variable(name)?)))
    };
    let Some((name, address)) = first_of([
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
        OTEL_EXPORTER_OTLP_ENDPOINT,
    ]) else {
        return Ok(None);
    };
    let uri = address.parse::<Uri>();
    let Some(uri) = uri
        .ok()
        .filter(|uri| uri.scheme_str() == Some("http") && uri.host().is_some())
    else {
        // The address may have a password in it, so it is not repeated.
        bail!(
            "{name} is expected to be an address like http://127.0.0.1:4318: spans are sent by HTTP without TLS, so let a \
             collector in the same network pass them on"
        );
    };
    if let Some((name, protocol)) = first_of([
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
        OTEL_EXPORTER_OTLP_PROTOCOL,
    ]) {
        ensure!(
            protocol.eq_ignore_ascii_case("http/protobuf"),
            "{name} is expected to be http/protobuf, which is what spans are sent by"
        );
    }
    Ok(Some(uri))
}

/// Returns the resource that the spans are of: this service and release, unless the environment says otherwise.
fn resource() -> Resource {
    let resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", NAME),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ])
        .with_detectors(&[
            Box::new(TelemetryResourceDetector),
            Box::new(EnvResourceDetector::new()),
        ]);
    match variable("OTEL_SERVICE_NAME") {
        Some(name) => resource.with_service_name(name).build(),
        None => resource.build(),
    }
}

/// An exporter that sends spans, and logs failures now and then.
#[derive(Debug)]
struct Exporter {
    otlp: opentelemetry_otlp::SpanExporter,
    /// The runtime of the SDK's thread alone: neither requests nor the end of the process wait for the sending.
    runtime: Runtime,
    /// The time of the last warning in the log. Held for a moment.
    warned_at: Mutex<Option<Instant>>,
}

impl Exporter {
    /// Returns whether a failure is logged, as one is in [`limits::TRACES_WARNING_INTERVAL`].
    fn may_warn(&self) -> bool {
        let mut last = self.warned_at.lock().expect("no panic while it is set");
        let may = last.is_none_or(|at| at.elapsed() >= limits::TRACES_WARNING_INTERVAL);
        if may {
            *last = Some(Instant::now());
        }
        may
    }
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let sent = self.runtime.block_on(self.otlp.export(batch));
        if let Err(error) = &sent
            && self.may_warn()
        {
            tracing::warn!(%error, spans, "spans were not sent, and are lost");
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.otlp.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.otlp.set_resource(resource);
    }
}

/// Opens the span of a request; where nobody collects traces, it is disabled.
pub(super) fn request_span(request: &Request, id: &str) -> Span {
    let span = tracing::info_span!(
        target: TARGET,
        "request",
        otel.name = Empty,
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = Empty,
        http.route = Empty,
        http.response.status_code = Empty,
        request.id = id,
    );
    if span.is_disabled() {
        return span;
    }
    let (method, route) = (method(request.method()), route(request));
    span.record("http.request.method", method);
    span.record("http.route", &*route);
    span.record("otel.name", format!("{method} {route}"));
    // It finds nothing where nobody has set a propagator.
    let parent = global::get_text_map_propagator(|w3c| w3c.extract(&Parent(request.headers())));
    if parent.span().span_context().is_valid() {
        // Refused only to a span that has begun.
        let _ = span.set_parent(parent);
    }
    span
}

/// Records the status of the answer.
pub(super) fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}

/// Returns the method, if it is a known one: anybody can make up others.
fn method(method: &Method) -> &'static str {
    const KNOWN: [(Method, &str); 9] = [
        (Method::GET, "GET"),
        (Method::POST, "POST"),
        (Method::HEAD, "HEAD"),
        (Method::PUT, "PUT"),
        (Method::DELETE, "DELETE"),
        (Method::OPTIONS, "OPTIONS"),
        (Method::PATCH, "PATCH"),
        (Method::CONNECT, "CONNECT"),
        (Method::TRACE, "TRACE"),
    ];
    let known = KNOWN.iter().find(|(known, _)| known == method);
    known.map_or("_OTHER", |(_, name)| name)
}

/// The headers of a request, of which only the trace is read: `tracestate` would be text that somebody made up.
struct Parent<'a>(&'a HeaderMap);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let header = self.0.get(key).filter(|_| key == "traceparent");
        header.and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the address that spans go to with these variables; `Err` if the server does not start with them.
    fn collector_of(set: &[(&str, &str)]) -> Result<Option<String>, String> {
        let variable = |name: &str| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let found = collector(variable).map_err(|error| error.to_string())?;
        Ok(found.map(|uri| uri.to_string()))
    }

    #[test]
    fn the_collector_is_asked_for_by_http_without_tls() {
        const GENERAL: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        const OWN: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
        const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
        let (near, far) = ("http://10.0.0.5:4318/", "http://10.0.0.6/spans");
        assert_eq!(collector_of(&[]), Ok(None));
        assert_eq!(collector_of(&[(GENERAL, near)]), Ok(Some(near.into())));
        assert_eq!(
            collector_of(&[(GENERAL, near), (OWN, far)]),
            Ok(Some(far.into()))
        );
        for odd in ["https://ann:secret@a", "10.0.0.5:4318", "http://", "a b"] {
            let refused = collector_of(&[(GENERAL, odd)]).unwrap_err();
            assert!(
                refused.starts_with(GENERAL) && !refused.contains("secret"),
                "{refused}"
            );
        }
        for (protocol, spoken) in [("http/protobuf", true), ("grpc", false)] {
            let told = collector_of(&[(GENERAL, near), (PROTOCOL, protocol)]);
            assert_eq!(told.is_ok(), spoken, "{told:?}");
        }
    }

    #[test]
    fn a_made_up_method_is_not_repeated() {
        assert_eq!(method(&Method::POST), "POST");
        assert_eq!(method(&Method::from_bytes(b"SECRET").unwrap()), "_OTHER");
    }
}
