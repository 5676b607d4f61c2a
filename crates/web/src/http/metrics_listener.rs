//! The listener of the metrics, at `METRICS_ADDR`.

use super::connections::Connections;
use super::listen;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use std::io;
use tochki_protocol::limits;
use tochki_server::AppState;
use tokio::net::TcpListener;

/// Starts serving the metrics, until the server shuts down. The address is for the operator alone, so there is no session.
///
/// # Errors
/// If the listener cannot be used.
pub fn start_metrics(
    listener: TcpListener,
    handle: PrometheusHandle,
    app: &AppState,
) -> io::Result<()> {
    // Of the standard library, because that one can be used again after a panic.
    let listener = listener.into_std()?;
    app.tasks.spawn("metrics", {
        let app = app.clone();
        move || {
            let listener = listener.try_clone().and_then(TcpListener::from_std);
            let (handle, app) = (handle.clone(), app.clone());
            async move {
                match listener {
                    Ok(listener) => serve(listener, handle, app).await,
                    Err(error) => tracing::error!(%error, "the metrics are not served"),
                }
            }
        }
    });
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the routes of another listener are not those of the site"
)]
async fn serve(listener: TcpListener, handle: PrometheusHandle, app: AppState) {
    let shutdown = app.shutdown.clone();
    let connections = Connections::of_metrics(&app.settings);
    let upkeep = handle.clone();
    let router = Router::new()
        .route("/metrics", get(render))
        .with_state((handle, app));
    let upkeep = async {
        let mut interval = tokio::time::interval(limits::METRICS_UPKEEP_INTERVAL);
        loop {
            interval.tick().await;
            upkeep.run_upkeep();
        }
    };
    tokio::select! {
        () = listen::serve(listener, router, connections, shutdown) => {}
        () = upkeep => {}
    }
}

async fn render(State((handle, app)): State<(PrometheusHandle, AppState)>) -> Response {
    // While the database is away, the other metrics are as interesting as ever.
    let _ = tokio::time::timeout(limits::HEALTH_CHECK_TIMEOUT, app.observe()).await;
    let text = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (text, handle.render()).into_response()
}
