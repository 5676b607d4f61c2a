//! Registration, login and logout.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::Account;

/// Creates an account and a session. `next` is the path to which a form is redirected.
#[server(name = Register, prefix = "/api", endpoint = "register", protocol = Form)]
pub async fn register(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let browser = crate::context::browser()?;
        arena.capacity.check_player(None).await?;
        let signed_in = arena.accounts.register(&browser, &name, &password).await?;
        crate::context::redirect_form(next, "/play");
        crate::context::set_signed_in(signed_in)
    })
    .await
}

/// Signs in. `next` is the path to which a form is redirected.
#[server(name = Login, prefix = "/api", endpoint = "login", protocol = Form)]
pub async fn login(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let browser = crate::context::browser()?;
        let signed_in = arena.accounts.sign_in(&browser, &name, &password).await?;
        crate::context::complete_sign_in(&browser, signed_in, next, "/play").await
    })
    .await
}

/// Ends this session.
#[server(name = Logout, prefix = "/api", endpoint = "logout", protocol = Form)]
pub async fn logout() -> Result<(), ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        if let Some(token) = crate::context::token()? {
            arena.accounts.sign_out(&token).await?;
        }
        crate::context::clear_session()?;
        crate::context::redirect_form(None, "/");
        Ok(())
    })
    .await
}

/// The account of the caller, if signed in.
#[server(name = Whoami, prefix = "/api", endpoint = "whoami", protocol = Query)]
pub async fn whoami() -> Result<Option<Account>, ErrorResponse> {
    crate::context::answer_page(crate::context::caller()).await
}
