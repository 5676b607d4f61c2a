//! Passkeys: adding, listing and removing them, signing in with one, and setting a new password after that.
//!
//! The JSON of `WebAuthn` that browsers and authenticators exchange is passed through unchanged.

use crate::error::ErrorResponse;
use serde_json::Value;
use tochki_endpoint::endpoint;
use tochki_protocol::{Account, CredentialJson, Passkey, Passkeys};

/// The passkeys of the caller, and whether this browser's address can have any.
#[endpoint(
    name = ReadPasskeys,
    get = "/api/passkeys",
    answers = "`{passkeys: [{id, name, created_at, used_at}, …], available, proven}`",
)]
pub async fn passkeys(app: AppState, player: SessionPlayer) -> Result<Passkeys, ErrorResponse> {
    let party = crate::context::relying_party().ok();
    let accounts = &app.accounts;
    accounts
        .passkeys(&player, &player.token, party.as_ref())
        .await
}

/// Begins to add a passkey: the options for `navigator.credentials.create`. 403 `wrong_password` if `password` is not the
/// caller's.
#[endpoint(
    name = BeginPasskey,
    post = "/api/passkey_begin_registration",
    answers = "options for `navigator.credentials.create`",
    errors(WrongPassword, TooManyPasskeys, PasskeysUnavailable, TooManyAttempts),
)]
pub async fn passkey_begin_registration(
    app: AppState,
    player: SessionPlayer,
    password: String,
) -> Result<Value, ErrorResponse> {
    let party = crate::context::relying_party()?;
    let accounts = &app.accounts;
    accounts
        .begin_passkey(&player, &player.token, &party, &password)
        .await
}

/// Adds the passkey that an authenticator has made.
#[endpoint(
    name = AddPasskey,
    post = "/api/passkey_finish_registration",
    answers = "the passkey: `{id, name, created_at, used_at}`",
    errors(PasskeyRefused, TooManyPasskeys, PasskeysUnavailable),
)]
pub async fn passkey_finish_registration(
    app: AppState,
    player: SessionPlayer,
    credential: CredentialJson,
    name: Option<String>,
) -> Result<Passkey, ErrorResponse> {
    let party = crate::context::relying_party()?;
    let (name, agent) = (name.unwrap_or_default(), crate::context::agent()?);
    let accounts = &app.accounts;
    accounts
        .add_passkey(&player, &player.token, &party, &credential, &name, &agent)
        .await
}

/// Removes a passkey of the caller.
#[endpoint(
    name = RemovePasskey,
    post = "/api/remove_passkey",
    answers = "`null`",
    errors(UnknownPasskey),
)]
pub async fn remove_passkey(
    app: AppState,
    player: Player,
    id: i64,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.accounts.remove_passkey(&player, id).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Begins to sign in with a passkey: the options for `navigator.credentials.get`, and a cookie for which the answer is
/// accepted.
#[endpoint(
    name = BeginPasskeySignIn,
    post = "/api/passkey_begin_sign_in",
    answers = "options for `navigator.credentials.get`, cookie `passkey`",
    errors(PasskeysUnavailable, TooManyAttempts),
)]
pub async fn passkey_begin_sign_in(app: AppState) -> Result<Value, ErrorResponse> {
    let party = crate::context::relying_party()?;
    let client = crate::context::client_address()?;
    let accounts = &app.accounts;
    let (options, token) = accounts.begin_passkey_sign_in(&client, &party).await?;
    crate::context::set_passkey_challenge(&token)?;
    Ok(options)
}

/// Signs in with a passkey. `next` is the path to which a form is redirected.
#[endpoint(
    name = PasskeySignIn,
    post = "/api/passkey_finish_sign_in",
    answers = "Account, session cookie",
    errors(PasskeyRefused, UnknownPasskey, AccountClosed, PasskeysUnavailable),
)]
pub async fn passkey_finish_sign_in(
    app: AppState,
    credential: CredentialJson,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let party = crate::context::relying_party()?;
    let browser = crate::context::browser()?;
    let challenge = crate::context::passkey_challenge()?;
    let signed_in = app
        .accounts
        .passkey_sign_in(&browser, &party, challenge.as_ref(), &credential)
        .await?;
    crate::context::complete_sign_in(&browser, signed_in, next, "/play").await
}

/// Sets a new password without the old one, within ten minutes after signing in with a passkey. Ends all other sessions.
#[endpoint(
    name = ResetPassword,
    post = "/api/reset_password",
    answers = "Account, session cookie; all other sessions end",
    errors(InvalidPassword, PasskeyRefused),
)]
pub async fn reset_password(
    app: AppState,
    player: SessionPlayer,
    new_password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    let accounts = &app.accounts;
    let signed_in = accounts
        .reset_password(&browser, player.account, &player.token, &new_password)
        .await?;
    crate::context::redirect_form(next, "/account");
    crate::context::set_signed_in(signed_in)
}
