//! The own account: its password, its sessions, its end. What is kept about a player is at `/api/my_data`, which is no
//! server function, because it has no bound (`door/my_data.rs`).

use super::answer::Answer;
use crate::wire::{ApiError, SessionCard};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Gives the account another password; its other sessions end. 403 `wrong_password` where `password` is not the old one.
#[server(name = ChangePassword, prefix = "/api", endpoint = "change_password", output = Answer)]
pub async fn change_password(
    password: String,
    new_password: String,
    next: Option<String>,
) -> Result<(), ApiError> {
    use crate::door;

    let (player, token) = door::player_in_session().await?;
    let accounts = door::arena().accounts;
    accounts
        .change_password(&door::visit()?, &player, &token, &password, &new_password)
        .await?;
    door::go_on(next, "/account");
    Ok(())
}

/// The open sessions, this one first.
#[server(name = ReadSessions, prefix = "/api", endpoint = "sessions", input = GetUrl, output = Answer)]
pub async fn sessions() -> Result<Vec<SessionCard>, ApiError> {
    use crate::door;

    let read = async {
        let (player, token) = door::player_in_session().await?;
        door::arena().accounts.sessions_of(&player, &token).await
    };
    read.await.inspect_err(door::say_status)
}

/// Ends one session with its streams, or without an `id` all but this one.
#[server(name = EndSession, prefix = "/api", endpoint = "end_session", output = Answer)]
pub async fn end_session(id: Option<i64>, next: Option<String>) -> Result<(), ApiError> {
    use crate::door;

    let (player, token) = door::player_in_session().await?;
    let accounts = door::arena().accounts;
    accounts.end_sessions(&player, &token, id).await?;
    door::go_on(next, "/account");
    Ok(())
}

/// Deletes the account. A running match is resigned; finished ones stay under a name that is nobody's. A guest needs no
/// `password`.
#[server(name = DeleteAccount, prefix = "/api", endpoint = "delete_account", output = Answer)]
pub async fn delete_account(password: Option<String>) -> Result<(), ApiError> {
    use crate::door;

    let player = door::player().await?;
    let password = password.unwrap_or_default();
    door::arena()
        .delete_account(&door::visit()?, &player, &password)
        .await?;
    door::signed_out();
    door::go_on(None, "/");
    Ok(())
}
