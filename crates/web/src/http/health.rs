//! `/healthz`: whether the background tasks run. `/readyz`: whether this instance can serve.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use std::fmt::Write as _;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{ApiError, Code};
use tochki_server::AppState;

/// Answers 200 and `ok` while all tasks run, else 503. A line for each task that does not run or was started again.
pub(super) async fn alive(State(app): State<AppState>) -> Response {
    let states = app.tasks.states();
    let all_run = states.iter().all(|(_, state)| state.running);
    let status = if all_run {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let mut text = if all_run { "ok\n" } else { "not ok\n" }.to_owned();
    for (name, state) in states.iter().filter(|(_, state)| state.restarts > 0) {
        let now = if state.running {
            "runs"
        } else {
            "does not run"
        };
        let _ = writeln!(
            text,
            "{name}: {now}, started again {} times",
            state.restarts
        );
    }
    (status, text).into_response()
}

/// Answers 200 while this instance can serve, else 503 with the reason.
pub(super) async fn ready(State(app): State<AppState>) -> Response {
    match app.readiness.check().await {
        Ok(()) => "ready\n".into_response(),
        Err(why) => ErrorResponse(ApiError {
            code: Code::Unavailable,
            message: why.to_string(),
            ..Code::Unavailable.into()
        })
        .into_response(),
    }
}
