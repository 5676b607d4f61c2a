//! Recovery codes. The page that shows new ones is not a server function (`crates/web/src/http/recovery.rs`).

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{Account, RecoveryCodes, RecoveryStatus};

/// Makes ten recovery codes in place of the old ones. 403 `wrong_password` if `password` is not the caller's.
#[server(name = MakeRecoveryCodes, prefix = "/api", endpoint = "recovery_codes", protocol = Form)]
pub async fn make_recovery_codes(password: String) -> Result<RecoveryCodes, ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let accounts = &arena.accounts;
        let codes = accounts
            .make_recovery_codes(&player, &token, &password)
            .await?;
        Ok(RecoveryCodes {
            codes: codes.iter().map(|code| code.expose().to_owned()).collect(),
        })
    })
    .await
}

/// How many recovery codes the caller has left, and whether to offer some.
#[server(name = ReadRecoveryStatus, prefix = "/api", endpoint = "recovery_status", protocol = Query)]
pub async fn recovery_status() -> Result<RecoveryStatus, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.accounts.recovery_status(&player).await
    })
    .await
}

/// Sets a new password with a recovery code, which is used up, ends all other sessions and signs in. `next` is the path to
/// which a form is redirected.
#[server(name = Recover, prefix = "/api", endpoint = "recover", protocol = Form)]
pub async fn recover(
    name: String,
    code: String,
    new_password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let browser = crate::context::browser()?;
        let signed_in = arena
            .accounts
            .recover(&browser, &name, &code, &new_password)
            .await?;
        crate::context::complete_sign_in(&browser, signed_in, next, "/account").await
    })
    .await
}
