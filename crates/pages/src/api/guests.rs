//! Guests, and turning a guest into an account.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{Account, TableId};

/// Creates a guest and a session, and takes a seat at `table` if given, with its `link` if it is not listed. A caller who is signed in keeps their account.
/// `next` is the path to which a form without a table is redirected.
#[server(name = CreateGuest, prefix = "/api", endpoint = "be_guest", protocol = Form)]
pub async fn create_guest(
    name: String,
    table: Option<TableId>,
    link: Option<String>,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let account = match crate::context::caller().await? {
            Some(account) => account,
            None => {
                let browser = crate::context::browser()?;
                arena.capacity.check_player(None).await?;
                let signed_in = arena.accounts.create_guest(&browser, &name).await?;
                crate::context::set_signed_in(signed_in)?
            }
        };
        if let Some(table) = table {
            let table = arena.tables.sit(&account, table, link.as_deref()).await?;
            crate::context::redirect_form(None, &crate::context::table_page(&table));
        } else {
            crate::context::redirect_form(next, "/play");
        }
        Ok(account)
    })
    .await
}

/// Suggests a name for a guest.
#[server(name = SuggestName, prefix = "/api", endpoint = "made_up_name", protocol = Query)]
pub async fn suggest_name() -> Result<String, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let accounts = &arena.accounts;
        accounts.suggest_name(&mut random_u64).await
    })
    .await
}

/// Turns the calling guest into an account: the same player with a password, under this name. `next` is the path to which
/// a form is redirected.
#[server(name = KeepAccount, prefix = "/api", endpoint = "keep_account", protocol = Form)]
pub async fn keep_account(
    name: String,
    password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    crate::context::in_session(|arena, guest, token| async move {
        let browser = crate::context::browser()?;
        let signed_in = arena
            .accounts
            .register_guest_account(&browser, &guest, &token, &name, &password)
            .await?;
        // What others have agreed to with the guest is over, and they are told.
        arena.lobbies.refresh_all();
        crate::context::redirect_form(next, "/play");
        crate::context::set_signed_in(signed_in)
    })
    .await
}
