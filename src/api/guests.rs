//! Playing without an account, and making one of that.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{Account, TableId};

/// Lets the caller play as a guest, and sit down at once where a table is named. Whoever is signed in already stays who
/// they are. `next` is where a form goes then, if not to the table.
#[server(name = BeGuest, prefix = "/api", endpoint = "be_guest", protocol = Form)]
pub async fn be_guest(
    name: String,
    table: Option<TableId>,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena();
        let account = match crate::context::caller().await? {
            Some(account) => account,
            None => {
                let (visit, agent) = (crate::context::client_address()?, crate::context::agent()?);
                let (account, token) = arena.accounts.create_guest(&visit, &name, &agent).await?;
                crate::context::set_session(&token);
                account
            }
        };
        if let Some(table) = table {
            let table = arena.tables.sit(&account, table).await?;
            crate::context::redirect_form(None, &crate::context::table_page(&table));
        } else {
            crate::context::redirect_form(next, "/play");
        }
        Ok(account)
    })
    .await
}

/// A name for a guest who has not thought of any.
#[server(name = MakeUpName, prefix = "/api", endpoint = "made_up_name", protocol = Query)]
pub async fn made_up_name() -> Result<String, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    crate::context::answer(async move {
        let accounts = crate::context::arena().accounts;
        accounts.suggest_name(&mut random_u64).await
    })
    .await
}

/// Makes an account of the guest who asks: the same player with a password, under this name or another. `next` is where a
/// form goes then.
#[server(name = KeepAccount, prefix = "/api", endpoint = "keep_account", protocol = Form)]
pub async fn keep_account(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena();
        let guest = crate::context::player().await?;
        let account = arena
            .accounts
            .register_guest_account(&guest, &name, &password)
            .await?;
        crate::context::redirect_form(next, "/play");
        Ok(account)
    })
    .await
}
