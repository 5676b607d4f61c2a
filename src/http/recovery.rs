//! `POST /account/codes`: makes recovery codes, and answers the page that shows them once. They are in no address and no
//! cookie, so that nothing keeps them.

use super::caller::SessionCaller;
use super::handler_error::HandlerError;
use super::router::page_with;
use crate::api::MakeRecoveryCodes;
use crate::context;
use crate::ui::NewRecoveryCodes;
use axum::Form;
use axum::body::Body;
use axum::extract::{FromRequest as _, FromRequestParts as _, Request};
use axum::response::{IntoResponse as _, Redirect, Response};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use leptos::server_fn::ServerFn as _;
use leptos::server_fn::error::ServerFnUrlError;
use serde::Deserialize;
use tochki_protocol::Code;
use tochki_server::Arena;

#[derive(Deserialize)]
struct Fields {
    password: String,
}

pub(super) async fn make(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    let (mut parts, body) = request.into_parts();
    let caller = match SessionCaller::from_request_parts(&mut parts, &arena).await {
        Ok(caller) => caller,
        Err(refused) => return refused.into_response(),
    };
    let SessionCaller(player, token) = caller;
    let head = Request::from_parts(parts.clone(), Body::empty());
    let form = Form::<Fields>::from_request(Request::from_parts(parts, body), &()).await;
    let Ok(Form(Fields { password })) = form else {
        return HandlerError::from(Code::BadRequest).into_response();
    };
    let made = arena
        .accounts
        .make_recovery_codes(&player, &token, &password);
    match made.await {
        Ok(codes) => {
            let new = NewRecoveryCodes {
                name: player.name,
                codes: codes.iter().map(|code| code.expose().to_owned()).collect(),
            };
            page_with(head, options, arena, move || provide_context(new.clone())).await
        }
        Err(error) if error.failure().is_none() => {
            let error = ServerFnUrlError::new(MakeRecoveryCodes::PATH, context::report(error));
            match error.to_url("http://localhost/account") {
                Ok(url) => {
                    let query = url.query().unwrap_or_default();
                    Redirect::to(&format!("/account?{query}")).into_response()
                }
                Err(_) => Redirect::to("/account").into_response(),
            }
        }
        Err(error) => HandlerError::from(error).into_response(),
    }
}
