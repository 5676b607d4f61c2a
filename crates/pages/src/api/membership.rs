//! Management of the caller's account: password, sessions, deletion. The download of all data, `/api/my_data`, is not a
//! server function, because it is streamed (`crates/web/src/http/my_data.rs`).

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::SessionSummary;

/// Changes the password and ends the other sessions. This one gets a new token. 403 `wrong_password` if `password` is not the old one.
#[server(name = ChangePassword, prefix = "/api", endpoint = "change_password", protocol = Form)]
pub async fn change_password(
    password: String,
    new_password: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let accounts = &arena.accounts;
        let token = accounts
            .change_password(&player, &token, &password, &new_password)
            .await?;
        crate::context::set_session(&token)?;
        crate::context::redirect_form(next, "/account");
        Ok(())
    })
    .await
}

/// The open sessions, this one first.
#[server(name = ReadSessions, prefix = "/api", endpoint = "sessions", protocol = Query)]
pub async fn sessions() -> Result<Vec<SessionSummary>, ErrorResponse> {
    crate::context::answer_page(async move {
        let (player, token) = crate::context::player_in_session().await?;
        crate::context::arena()?
            .accounts
            .sessions_of(&player, &token)
            .await
    })
    .await
}

/// Ends one session with its streams, or without an `id` all except this one.
#[server(name = EndSession, prefix = "/api", endpoint = "end_session", protocol = Form)]
pub async fn end_session(id: Option<i64>, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let accounts = &arena.accounts;
        accounts.end_sessions(&player, &token, id).await?;
        crate::context::redirect_form(next, "/account");
        Ok(())
    })
    .await
}

/// Deletes the account. A running match is resigned; finished ones stay without the name. A guest needs no `password`.
#[server(name = DeleteAccount, prefix = "/api", endpoint = "delete_account", protocol = Form)]
pub async fn delete_account(password: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::in_session(|arena, player, token| async move {
        let password = password.unwrap_or_default();
        let client = crate::context::client_address()?;
        // A sanction outlives the account, for a day from here.
        arena.sanctions.note(player.id, client.address).await?;
        arena.delete_account(&player, &token, &password).await?;
        crate::context::clear_session()?;
        crate::context::redirect_form(None, "/");
        Ok(())
    })
    .await
}
