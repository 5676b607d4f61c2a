//! Management of the caller's account: password, sessions, deletion. The download of all data, `/api/my_data`, is not a
//! server function, because it is streamed (`crates/web/src/http/my_data.rs`).

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::SessionSummary;

/// Changes the password and ends the other sessions. This one gets a new token. 403 `wrong_password` if `password` is not the old one.
#[endpoint(
    name = ChangePassword,
    post = "/api/change_password",
    answers = "`null`, session cookie; all other sessions end",
    errors(InvalidPassword, WrongPassword, TooManyAttempts),
)]
pub async fn change_password(
    app: AppState,
    player: SessionPlayer,
    password: String,
    new_password: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    let accounts = &app.accounts;
    let token = accounts
        .change_password(&player, &player.token, &password, &new_password)
        .await?;
    crate::context::set_session(&token)?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// The open sessions, this one first.
#[endpoint(
    name = ReadSessions,
    get = "/api/sessions",
    answers = "`[{id, agent, address, since, seen_at, current}, …]`, this one first; `address` is a part of the network address of the last use",
    page,
)]
pub async fn sessions(
    app: AppState,
    player: SessionPlayer,
) -> Result<Vec<SessionSummary>, ErrorResponse> {
    app.accounts.sessions_of(&player, &player.token).await
}

/// Ends one session with its streams, or without an `id` all except this one.
#[endpoint(
    name = EndSession,
    post = "/api/end_session",
    answers = "`null`; without `id` all but this one end",
    errors(NoSuchSession),
)]
pub async fn end_session(
    app: AppState,
    player: SessionPlayer,
    id: Option<i64>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    let accounts = &app.accounts;
    accounts.end_sessions(&player, &player.token, id).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Deletes the account. A running match is resigned; finished ones stay without the name. A guest needs no `password`.
#[endpoint(
    name = DeleteAccount,
    post = "/api/delete_account",
    answers = "`null`; a running match is resigned, or aborted if it has not begun",
    errors(WrongPassword, TooManyAttempts),
)]
pub async fn delete_account(
    app: AppState,
    player: SessionPlayer,
    password: Option<String>,
) -> Result<(), ErrorResponse> {
    let password = password.unwrap_or_default();
    let client = crate::context::client_address()?;
    // A sanction outlives the account, for a day from here.
    app.sanctions.note(player.id, client.address).await?;
    app.delete_account(&player, &player.token, &password)
        .await?;
    crate::context::clear_session()?;
    crate::context::redirect_form(None, "/");
    Ok(())
}
