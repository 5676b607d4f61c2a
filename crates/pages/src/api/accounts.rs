//! Registration, login and logout.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::Account;

/// Creates an account and a session. `next` is the path to which a form is redirected.
#[endpoint(
    name = Register,
    post = "/api/register",
    answers = "Account, session cookie",
    errors(InvalidName, InvalidPassword, NameTaken, TooManyAttempts, AddressClosed, PlayersFull),
)]
pub async fn register(
    app: AppState,
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    app.capacity.check_player(None).await?;
    let signed_in = app.accounts.register(&browser, &name, &password).await?;
    crate::context::redirect_form(next, "/play");
    crate::context::set_signed_in(signed_in)
}

/// Signs in. `next` is the path to which a form is redirected.
#[endpoint(
    name = Login,
    post = "/api/login",
    answers = "Account, session cookie",
    errors(BadCredentials, AccountClosed, TooManyAttempts),
)]
pub async fn login(
    app: AppState,
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    let signed_in = app.accounts.sign_in(&browser, &name, &password).await?;
    crate::context::complete_sign_in(&browser, signed_in, next, "/play").await
}

/// Ends this session.
#[endpoint(
    name = Logout,
    post = "/api/logout",
    answers = "`null`; the session and its streams end",
)]
pub async fn logout(app: AppState) -> Result<(), ErrorResponse> {
    if let Some(token) = crate::context::token()? {
        app.accounts.sign_out(&token).await?;
    }
    crate::context::clear_session()?;
    crate::context::redirect_form(None, "/");
    Ok(())
}

/// The account of the caller, if signed in.
#[endpoint(
    name = Whoami,
    get = "/api/whoami",
    scope = Read,
    answers = "Account or `null`",
    page,
)]
pub async fn whoami(caller: Option<Player>) -> Result<Option<Account>, ErrorResponse> {
    Ok(caller.map(|player| player.0))
}
