//! `POST /account/token`: makes a token for a program, and answers the page that shows it once.

use super::caller::SessionCaller;
use super::shown_once;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use leptos::config::LeptosOptions;
use leptos::server_fn::ServerFn as _;
use serde::Deserialize;
use tochki_pages::api::CreateToken;
use tochki_pages::ui::ShownToken;
use tochki_protocol::TokenEnd;
use tochki_server::Arena;

#[derive(Deserialize)]
struct Fields {
    name: String,
    scopes: String,
    end: TokenEnd,
    password: String,
}

pub(super) async fn make(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    let read = shown_once::read::<Fields>(request, &arena).await;
    let (SessionCaller(player, session), fields, head) = match read {
        Ok(read) => read,
        Err(refused) => return refused.into_response(),
    };
    let Fields {
        name,
        scopes,
        end,
        password,
    } = fields;
    let made = arena
        .accounts
        .create_token(&player, &session, &password, &name, &scopes, end)
        .await;
    let made = made.map(|made| ShownToken {
        name: name.trim().to_owned(),
        token: made.token,
    });
    shown_once::answer(made, CreateToken::PATH, head, options, arena).await
}
