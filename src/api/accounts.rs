//! Registering, signing in and out.

use super::answer::Answer;
use crate::wire::{Account, ApiError};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Opens an account and signs it in. `next` is where a form goes then.
#[server(name = Register, prefix = "/api", endpoint = "register", output = Answer)]
pub async fn register(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ApiError> {
    use crate::door;

    let arena = door::arena();
    let (account, token) = arena
        .accounts
        .register(&name, &password, &door::agent()?)
        .await?;
    door::signed_in(&token);
    door::go_on(next, "/play");
    Ok(account)
}

/// Signs in. `next` is where a form goes then.
#[server(name = Login, prefix = "/api", endpoint = "login", output = Answer)]
pub async fn login(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ApiError> {
    use crate::door;

    let arena = door::arena();
    let (visit, agent) = (door::visit()?, door::agent()?);
    let (account, token) = arena
        .accounts
        .sign_in(&visit, &name, &password, &agent)
        .await?;
    door::signed_in(&token);
    door::go_on(next, "/play");
    Ok(account)
}

/// Ends this session.
#[server(name = Logout, prefix = "/api", endpoint = "logout", output = Answer)]
pub async fn logout() -> Result<(), ApiError> {
    use crate::door;

    let arena = door::arena();
    if let Some(token) = door::token()? {
        arena.accounts.sign_out(&token).await?;
    }
    door::signed_out();
    door::go_on(None, "/");
    Ok(())
}

/// Who is signed in here, if anybody.
#[server(name = Whoami, prefix = "/api", endpoint = "whoami", input = GetUrl, output = Answer)]
pub async fn whoami() -> Result<Option<Account>, ApiError> {
    let caller = crate::door::caller().await;
    caller.inspect_err(crate::door::say_status)
}
