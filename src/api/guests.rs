//! Playing without an account, and making one of that.

use super::answer::Answer;
use crate::wire::{Account, ApiError, TableId};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Lets the caller play as a guest, and sit down at once where a table is named. Whoever is signed in already stays who
/// they are. `next` is where a form goes then, if not to the table.
#[server(name = BeGuest, prefix = "/api", endpoint = "be_guest", output = Answer)]
pub async fn be_guest(
    name: String,
    table: Option<TableId>,
    next: Option<String>,
) -> Result<Account, ApiError> {
    use crate::door;

    let arena = door::arena();
    let account = match door::caller().await? {
        Some(account) => account,
        None => {
            let (visit, agent) = (door::visit()?, door::agent()?);
            let (account, token) = arena.accounts.be_guest(&visit, &name, &agent).await?;
            door::signed_in(&token);
            account
        }
    };
    if let Some(table) = table {
        let table = arena.open_tables.sit(&account, table).await?;
        door::go_on(None, &door::table_page(&table));
    } else {
        door::go_on(next, "/play");
    }
    Ok(account)
}

/// A name for a guest who has not thought of any.
#[server(name = MakeUpName, prefix = "/api", endpoint = "made_up_name", input = GetUrl, output = Answer)]
pub async fn made_up_name() -> Result<String, ApiError> {
    use crate::server::secrets::chance;

    let accounts = crate::door::arena().accounts;
    accounts.make_up_name(&mut chance).await
}

/// Makes an account of the guest who asks: the same player with a password, under this name or another. `next` is where a
/// form goes then.
#[server(name = KeepAccount, prefix = "/api", endpoint = "keep_account", output = Answer)]
pub async fn keep_account(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ApiError> {
    use crate::door;

    let arena = door::arena();
    let guest = door::player().await?;
    let account = arena.accounts.keep(&guest, &name, &password).await?;
    door::go_on(next, "/play");
    Ok(account)
}
