//! `POST /account/codes`: makes recovery codes, and answers the page that shows them once.

use super::caller::caller_of;
use super::shown_once::{self, SecretForm};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use leptos::config::LeptosOptions;
use leptos::server_fn::ServerFn as _;
use serde::Deserialize;
use tochki_pages::api::MakeRecoveryCodes;
use tochki_pages::context::SessionPlayer;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::ui::NewRecoveryCodes;
use tochki_server::AppState;

/// `POST /account/codes`.
pub(super) const ENDPOINT: Endpoint = Endpoint::handler(
    Method::Post,
    "/account/codes",
    caller_of(&make),
    None,
    module_path!(),
);

inventory::submit! { ENDPOINT }

#[derive(Deserialize)]
pub(super) struct Fields {
    password: String,
}

pub(super) async fn make(
    State(app): State<AppState>,
    Extension(options): Extension<LeptosOptions>,
    player: SessionPlayer,
    form: SecretForm<Fields>,
) -> Response {
    let made = app
        .accounts
        .make_recovery_codes(&player, &player.token, &form.fields.password)
        .await;
    let made = made.map(|codes| NewRecoveryCodes {
        name: player.account.name,
        codes: codes.iter().map(|code| code.expose().to_owned()).collect(),
    });
    shown_once::answer(made, MakeRecoveryCodes::PATH, form.head, options, app).await
}
