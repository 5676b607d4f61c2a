//! Open tables: opening, joining, getting ready, leaving.

// A server function is asynchronous, even one that only writes an address.
#![allow(clippy::unused_async)]

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{ClockText, Invitation, PlayerId, SetupText, Table, TableId};

/// Opens a table and takes a seat at it. By default its name is that of the caller.
#[server(name = CreateTable, prefix = "/api", endpoint = "open_table", protocol = Form)]
pub async fn open_table(
    name: Option<String>,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
) -> Result<Table, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    crate::context::as_player(|arena, player| async move {
        let terms = crate::context::terms(&game, setup, clock, rated)?;
        let name = name.unwrap_or_default();
        let client = crate::context::client_address()?;
        let tables = &arena.tables;
        let table = tables
            .create(&player, &client, &name, &terms, &mut random_u64)
            .await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}

/// A table by its link.
#[server(name = ReadTable, prefix = "/api", endpoint = "table", protocol = Query)]
pub async fn table(link: String) -> Result<Table, ErrorResponse> {
    crate::context::answer_page(async move {
        let (arena, link) = (crate::context::arena()?, crate::context::table_link(&link)?);
        let viewer = crate::context::caller().await?.map(|viewer| viewer.id);
        arena.tables.table_for(&link, viewer).await
    })
    .await
}

/// The open table at which the caller has a seat, or which they have opened.
#[server(name = ReadMyTable, prefix = "/api", endpoint = "my_table", protocol = Query)]
pub async fn my_table() -> Result<Option<Table>, ErrorResponse> {
    crate::context::as_player(|arena, player| async move { arena.tables.of_player(&player).await })
        .await
}

/// The URL of a table, as text and as a QR code.
#[server(name = ReadInvitation, prefix = "/api", endpoint = "invitation", protocol = Query)]
pub async fn invitation(link: String) -> Result<Invitation, ErrorResponse> {
    crate::context::answer(async move {
        // Both are asked of the request's context before the first wait: when the visitor leaves meanwhile, it goes.
        let arena = crate::context::arena()?;
        let tables = &arena.tables;
        let origin = crate::context::origin()?;
        let table = tables.table(&crate::context::table_link(&link)?).await?;
        tochki_server::tables::invite(origin + &crate::context::table_page(&table))
    })
    .await
}

/// Takes a free seat. A table that is not listed needs its `link`.
#[server(name = Sit, prefix = "/api", endpoint = "sit", protocol = Form)]
pub async fn sit(table: TableId, link: Option<String>) -> Result<Table, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let table = arena.tables.sit(&player, table, link.as_deref()).await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}

/// Leaves the seat. If the caller is the creator, the table is closed. `next` is the path to which a form is redirected.
#[server(name = StandUp, prefix = "/api", endpoint = "stand_up", protocol = Form)]
pub async fn stand_up(table: TableId, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.tables.stand_up(&player, table).await?;
        crate::context::redirect_form(next, "/play");
        Ok(())
    })
    .await
}

/// Sets whether the caller is ready, for the `agreement` that they have seen, if it is given. When both are, the match starts,
/// and the answer contains its id.
#[server(name = SetReady, prefix = "/api", endpoint = "ready", protocol = Form)]
pub async fn ready(
    table: TableId,
    ready: bool,
    agreement: Option<String>,
) -> Result<Table, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    crate::context::as_player(|arena, player| async move {
        let tables = &arena.tables;
        let table = tables
            .ready(&player, table, ready, agreement.as_deref(), &mut random_u64)
            .await?;
        match table.match_id {
            Some(id) => crate::context::redirect_form(None, &format!("/match/{id}")),
            None => crate::context::redirect_form(None, &crate::context::table_page(&table)),
        }
        Ok(table)
    })
    .await
}

/// Removes a player from their seat. Only for the creator.
#[server(name = RemovePlayer, prefix = "/api", endpoint = "remove_player", protocol = Form)]
pub async fn remove_player(table: TableId, player: PlayerId) -> Result<Table, ErrorResponse> {
    crate::context::as_player(|arena, caller| async move {
        let table = arena.tables.remove(&caller, table, player).await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}
