//! Forms of the account page that answer with a page that shows a secret once. The secret is in no URL and no cookie, so that
//! nothing stores it. The endpoints are in `new_token` and `new_codes`.

use super::caller::Parameter;
use super::handler_error::HandlerError;
use super::rendering::render_page;
use axum::Form;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse as _, Redirect, Response};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use leptos::server_fn::error::ServerFnUrlError;
use serde::de::DeserializeOwned;
use tochki_pages::context;
use tochki_protocol::Code;
use tochki_server::{AppState, Error};

/// The fields of such a form, and the request without its body.
pub(super) struct SecretForm<T> {
    pub(super) fields: T,
    pub(super) head: Request,
}

impl<T> Parameter for SecretForm<T> {}

impl<T: DeserializeOwned> FromRequest<AppState> for SecretForm<T> {
    type Rejection = HandlerError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, HandlerError> {
        let (parts, body) = request.into_parts();
        let head = Request::from_parts(parts.clone(), Body::empty());
        let form = Form::<T>::from_request(Request::from_parts(parts, body), app).await;
        let Form(fields) = form.map_err(|_| Code::BadRequest)?;
        Ok(Self { fields, head })
    }
}

/// Answers with the page of the new secrets, or leads back to the account page with the error of the server function at this
/// path.
pub(super) async fn answer<T: Clone + Send + Sync + 'static>(
    made: Result<T, Error>,
    function: &str,
    head: Request,
    options: LeptosOptions,
    app: AppState,
) -> Response {
    match made {
        Ok(made) => render_page(head, options, app, move || provide_context(made.clone())).await,
        Err(error) if error.failure().is_none() => {
            let error = ServerFnUrlError::new(function, context::report(error));
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
