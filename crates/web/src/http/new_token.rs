//! `POST /account/token`: makes a token for a program, and answers the page that shows it once.

use super::caller::caller_of;
use super::shown_once::{self, SecretForm};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use leptos::config::LeptosOptions;
use leptos::server_fn::ServerFn as _;
use serde::Deserialize;
use tochki_pages::api::CreateToken;
use tochki_pages::context::SessionPlayer;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::ui::ShownToken;
use tochki_protocol::TokenEnd;
use tochki_server::AppState;

/// `POST /account/token`.
pub(super) const ENDPOINT: Endpoint = Endpoint::handler(
    Method::Post,
    "/account/token",
    caller_of(&make),
    None,
    module_path!(),
);

inventory::submit! { ENDPOINT }

#[derive(Deserialize)]
pub(super) struct Fields {
    name: String,
    scopes: String,
    end: TokenEnd,
    password: String,
}

pub(super) async fn make(
    State(app): State<AppState>,
    Extension(options): Extension<LeptosOptions>,
    player: SessionPlayer,
    form: SecretForm<Fields>,
) -> Response {
    let SecretForm { fields, head } = form;
    let Fields {
        name,
        scopes,
        end,
        password,
    } = fields;
    let made = app
        .accounts
        .create_token(&player, &player.token, &password, &name, &scopes, end)
        .await;
    let made = made.map(|made| ShownToken {
        name: name.trim().to_owned(),
        token: made.token,
    });
    shown_once::answer(made, CreateToken::PATH, head, options, app).await
}
