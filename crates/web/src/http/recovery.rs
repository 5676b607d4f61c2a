//! `POST /account/codes`: makes recovery codes, and answers the page that shows them once.

use super::caller::SessionCaller;
use super::shown_once;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use leptos::config::LeptosOptions;
use leptos::server_fn::ServerFn as _;
use serde::Deserialize;
use tochki_pages::api::MakeRecoveryCodes;
use tochki_pages::ui::NewRecoveryCodes;
use tochki_server::Arena;

#[derive(Deserialize)]
struct Fields {
    password: String,
}

pub(super) async fn make(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    let read = shown_once::read(request, &arena).await;
    let (SessionCaller(player, token), Fields { password }, head) = match read {
        Ok(read) => read,
        Err(refused) => return refused.into_response(),
    };
    let made = arena
        .accounts
        .make_recovery_codes(&player, &token, &password)
        .await;
    let made = made.map(|codes| NewRecoveryCodes {
        name: player.name,
        codes: codes.iter().map(|code| code.expose().to_owned()).collect(),
    });
    shown_once::answer(made, MakeRecoveryCodes::PATH, head, options, arena).await
}
