//! Open tables: opening one, sitting down, getting ready.

// A server function is asynchronous, even one that only writes an address.
#![allow(clippy::unused_async)]

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{ClockText, Invitation, PlayerId, SetupText, Table, TableId};

/// Opens a table, at which the caller sits down. Without a name it is called after them.
#[server(name = LayTable, prefix = "/api", endpoint = "open_table", protocol = Form)]
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
        let tables = arena.tables;
        let table = tables
            .create(&player, &name, &terms, &mut random_u64)
            .await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}

/// A table by its link, for whoever has it.
#[server(name = ReadTable, prefix = "/api", endpoint = "table", protocol = Query)]
pub async fn table(link: String) -> Result<Table, ErrorResponse> {
    crate::context::answer(async move {
        let tables = crate::context::arena().tables;
        let found = match crate::context::table_link(&link) {
            Ok(link) => tables.table(&link).await,
            Err(error) => Err(error),
        };
        found.inspect_err(crate::context::set_status)
    })
    .await
}

/// The open table at which the caller sits, or which they have opened.
#[server(name = ReadMyTable, prefix = "/api", endpoint = "my_table", protocol = Query)]
pub async fn my_table() -> Result<Option<Table>, ErrorResponse> {
    crate::context::answer(async move {
        let player = crate::context::player().await?;
        crate::context::arena().tables.of_player(&player).await
    })
    .await
}

/// The whole address of a table, as text and as a QR code.
#[server(name = ReadInvitation, prefix = "/api", endpoint = "invitation", protocol = Query)]
pub async fn invitation(link: String) -> Result<Invitation, ErrorResponse> {
    crate::context::answer(async move {
        let tables = crate::context::arena().tables;
        let table = tables.table(&crate::context::table_link(&link)?).await?;
        let address = crate::context::absolute_url(&crate::context::table_page(&table))?;
        tochki_server::tables::invite(address)
    })
    .await
}

/// Sits down at a free chair.
#[server(name = Sit, prefix = "/api", endpoint = "sit", protocol = Form)]
pub async fn sit(table: TableId) -> Result<Table, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let table = arena.tables.sit(&player, table).await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}

/// Gets up. The creator closes the table by it. `next` is where a form goes then.
#[server(name = StandUp, prefix = "/api", endpoint = "stand_up", protocol = Form)]
pub async fn stand_up(table: TableId, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.tables.stand_up(&player, table).await?;
        crate::context::redirect_form(next, "/play");
        Ok(())
    })
    .await
}

/// Says whether the caller is ready. With both ready the match begins, and the answer names it.
#[server(name = GetReady, prefix = "/api", endpoint = "ready", protocol = Form)]
pub async fn ready(table: TableId, ready: bool) -> Result<Table, ErrorResponse> {
    use tochki_server::secrets::random_u64;

    crate::context::as_player(|arena, player| async move {
        let tables = arena.tables;
        let table = tables.ready(&player, table, ready, &mut random_u64).await?;
        match table.match_id {
            Some(id) => crate::context::redirect_form(None, &format!("/match/{id}")),
            None => crate::context::redirect_form(None, &crate::context::table_page(&table)),
        }
        Ok(table)
    })
    .await
}

/// Lets somebody get up who does not get ready. Only for the creator.
#[server(name = RemovePlayer, prefix = "/api", endpoint = "remove_player", protocol = Form)]
pub async fn remove_player(table: TableId, player: PlayerId) -> Result<Table, ErrorResponse> {
    crate::context::as_player(|arena, caller| async move {
        let table = arena.tables.remove(&caller, table, player).await?;
        crate::context::redirect_form(None, &crate::context::table_page(&table));
        Ok(table)
    })
    .await
}
