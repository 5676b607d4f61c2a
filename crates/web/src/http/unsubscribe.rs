//! `POST /mail/unsubscribe/{token}`: the one click of a mail program (RFC 8058), which knows no cookies and follows no redirects. For
//! people there is a page at the same address.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_protocol::Code;
use tochki_server::AppState;

/// `POST /mail/unsubscribe/{token}`.
pub(super) const ENDPOINT: Endpoint = Endpoint::handler(
    Method::Post,
    "/mail/unsubscribe/{token}",
    caller_of(&end),
    None,
    module_path!(),
);

inventory::submit! { ENDPOINT }

/// Ends the notices by mail to whoever has this link.
pub(super) async fn end(
    State(app): State<AppState>,
    token: Result<Path<String>, PathRejection>,
) -> Result<&'static str, HandlerError> {
    let Path(token) = token.map_err(|_| Code::BadLink)?;
    app.accounts.unsubscribe(&token).await?;
    Ok("unsubscribed")
}
