//! Passkeys: adding, listing and removing them, signing in with one, and setting a new password after that.
//!
//! The JSON of `WebAuthn` that browsers and authenticators exchange is passed through unchanged.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use serde_json::Value;
use tochki_protocol::{Account, CredentialJson, Passkey, Passkeys};

/// The passkeys of the caller, and whether this browser's address can have any.
#[server(name = ReadPasskeys, prefix = "/api", endpoint = "passkeys", protocol = Query)]
pub async fn passkeys() -> Result<Passkeys, ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let party = crate::context::relying_party().ok();
        let accounts = &arena.accounts;
        accounts.passkeys(&player, &token, party.as_ref()).await
    })
    .await
}

/// Begins to add a passkey: the options for `navigator.credentials.create`. 403 `wrong_password` if `password` is not the
/// caller's.
#[server(name = BeginPasskey, prefix = "/api", endpoint = "passkey_begin_registration", protocol = Form)]
pub async fn passkey_begin_registration(password: String) -> Result<Value, ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let party = crate::context::relying_party()?;
        let accounts = &arena.accounts;
        accounts
            .begin_passkey(&player, &token, &party, &password)
            .await
    })
    .await
}

/// Adds the passkey that an authenticator has made.
#[server(name = AddPasskey, prefix = "/api", endpoint = "passkey_finish_registration", protocol = Form)]
pub async fn passkey_finish_registration(
    credential: CredentialJson,
    name: Option<String>,
) -> Result<Passkey, ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let party = crate::context::relying_party()?;
        let (name, agent) = (name.unwrap_or_default(), crate::context::agent()?);
        let accounts = &arena.accounts;
        accounts
            .add_passkey(&player, &token, &party, &credential, &name, &agent)
            .await
    })
    .await
}

/// Removes a passkey of the caller.
#[server(name = RemovePasskey, prefix = "/api", endpoint = "remove_passkey", protocol = Form)]
pub async fn remove_passkey(id: i64, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.accounts.remove_passkey(&player, id).await?;
        crate::context::redirect_form(next, "/account");
        Ok(())
    })
    .await
}

/// Begins to sign in with a passkey: the options for `navigator.credentials.get`, and a cookie for which the answer is
/// accepted.
#[server(name = BeginPasskeySignIn, prefix = "/api", endpoint = "passkey_begin_sign_in", protocol = Form)]
pub async fn passkey_begin_sign_in() -> Result<Value, ErrorResponse> {
    crate::context::answer(async move {
        let party = crate::context::relying_party()?;
        let client = crate::context::client_address()?;
        let arena = crate::context::arena()?;
        let accounts = &arena.accounts;
        let (options, token) = accounts.begin_passkey_sign_in(&client, &party).await?;
        crate::context::set_passkey_challenge(&token)?;
        Ok(options)
    })
    .await
}

/// Signs in with a passkey. `next` is the path to which a form is redirected.
#[server(name = PasskeySignIn, prefix = "/api", endpoint = "passkey_finish_sign_in", protocol = Form)]
pub async fn passkey_finish_sign_in(
    credential: CredentialJson,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let party = crate::context::relying_party()?;
        let (arena, browser) = (crate::context::arena()?, crate::context::browser()?);
        let challenge = crate::context::passkey_challenge()?;
        let signed_in = arena
            .accounts
            .passkey_sign_in(&browser, &party, challenge.as_ref(), &credential)
            .await?;
        crate::context::complete_sign_in(&browser, signed_in, next, "/play").await
    })
    .await
}

/// Sets a new password without the old one, within ten minutes after signing in with a passkey. Ends all other sessions.
#[server(name = ResetPassword, prefix = "/api", endpoint = "reset_password", protocol = Form)]
pub async fn reset_password(
    new_password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let browser = crate::context::browser()?;
        let accounts = &arena.accounts;
        let signed_in = accounts
            .reset_password(&browser, player, &token, &new_password)
            .await?;
        crate::context::redirect_form(next, "/account");
        crate::context::set_signed_in(signed_in)
    })
    .await
}
