//! `POST /tournaments/new`: makes a tournament of the form of the page, or answers the page that says what is wrong.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use super::rendering::render_page;
use super::shown_once::SecretForm;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use std::time::Duration;
use tochki_pages::context::SessionPlayer;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::ui::{FilledForm, FormatDraft, TournamentDraft};
use tochki_protocol::TournamentId;
use tochki_server::accounts::ClientAddress;
use tochki_server::tournaments::{NewFormat, NewTournament, RoundPace};
use tochki_server::{AppState, Error};

/// `POST /tournaments/new`.
pub(super) const ENDPOINT: Endpoint = Endpoint::handler(
    Method::Post,
    "/tournaments/new",
    caller_of(&make),
    None,
    module_path!(),
);

inventory::submit! { ENDPOINT }

pub(super) async fn make(
    State(app): State<AppState>,
    Extension(options): Extension<LeptosOptions>,
    Extension(client): Extension<ClientAddress>,
    player: SessionPlayer,
    form: SecretForm<Vec<(String, String)>>,
) -> Response {
    let SecretForm { fields, head } = form;
    let mut filled = FilledForm::of(fields);
    if let Some(draft) = filled.read(tochki_server::now()) {
        match create(&app, &player, &client, draft).await {
            Ok(id) => return Redirect::to(&format!("/tournament/{id}")).into_response(),
            Err(error) if error.failure().is_none() => filled.refuse(error.code()),
            Err(error) => return HandlerError::from(error).into_response(),
        }
    }
    let context = move || provide_context(filled.clone());
    let mut response = render_page(head, options, app, context).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

async fn create(
    app: &AppState,
    player: &SessionPlayer,
    client: &ClientAddress,
    draft: TournamentDraft,
) -> Result<TournamentId, Error> {
    let TournamentDraft {
        name,
        description,
        terms,
        format,
        starts_at,
        entry,
        password,
    } = draft;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    let pace = |break_seconds: u32, days: Option<u32>| {
        days.map_or_else(|| RoundPace::Live(seconds(break_seconds)), RoundPace::Days)
    };
    let format = match format {
        FormatDraft::Arena {
            minutes,
            streaks,
            last_games,
            berserk,
        } => NewFormat::Arena {
            minutes,
            streaks,
            last_games,
            berserk,
        },
        FormatDraft::Swiss {
            rounds,
            break_seconds,
            round_days,
        } => NewFormat::Swiss {
            rounds,
            pace: pace(break_seconds, round_days),
        },
        FormatDraft::RoundRobin {
            double,
            break_seconds,
            round_days,
            missed,
        } => NewFormat::RoundRobin {
            double,
            pace: pace(break_seconds, round_days),
            missed,
        },
        FormatDraft::Knockout {
            best_of,
            break_seconds,
        } => NewFormat::Knockout {
            best_of,
            between: seconds(break_seconds),
        },
    };
    let new = NewTournament {
        name,
        description,
        terms,
        format,
        starts_at,
        entry,
        password_hash: None,
    };
    let made = app
        .create_tournament(player, client, new, &password)
        .await?;
    Ok(made.id)
}
