//! Recovery codes. The page that shows new ones is not a server function (`crates/web/src/http/recovery.rs`).

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{Account, RecoveryCodes, RecoveryStatus};

/// Makes ten recovery codes in place of the old ones. 403 `wrong_password` if `password` is not the caller's.
#[endpoint(
    name = MakeRecoveryCodes,
    post = "/api/recovery_codes",
    answers = "`{codes: […]}`: ten, in place of all older ones",
    errors(WrongPassword, TooManyAttempts),
)]
pub async fn make_recovery_codes(
    app: AppState,
    player: SessionPlayer,
    password: String,
) -> Result<RecoveryCodes, ErrorResponse> {
    let accounts = &app.accounts;
    let codes = accounts
        .make_recovery_codes(&player, &player.token, &password)
        .await?;
    Ok(RecoveryCodes {
        codes: codes.iter().map(|code| code.expose().to_owned()).collect(),
    })
}

/// The number of recovery codes that the caller has left, and whether to offer some.
#[endpoint(
    name = ReadRecoveryStatus,
    get = "/api/recovery_status",
    answers = "`{left, offered}`: codes that can still be used; `offered` after the first rated match until some are made",
)]
pub async fn recovery_status(
    app: AppState,
    player: Player,
) -> Result<RecoveryStatus, ErrorResponse> {
    app.accounts.recovery_status(&player).await
}

/// Sets a new password with a recovery code, which is used up, ends all other sessions and signs in. `next` is the path to
/// which a form is redirected.
#[endpoint(
    name = Recover,
    post = "/api/recover",
    answers = "Account, session cookie; the code is used up, all other sessions end",
    errors(InvalidPassword, BadCredentials, AccountClosed, TooManyAttempts),
)]
pub async fn recover(
    app: AppState,
    name: String,
    code: String,
    new_password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    let signed_in = app
        .accounts
        .recover(&browser, &name, &code, &new_password)
        .await?;
    crate::context::complete_sign_in(&browser, signed_in, next, "/account").await
}
