//! Open tables: opening one, sitting down, getting ready.

// A server function is asynchronous, even one that only writes an address.
#![allow(clippy::unused_async)]

use super::answer::Answer;
use crate::wire::{ApiError, ClockText, Invitation, OpenTable, PlayerId, SetupText, TableId};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Opens a table, at which the caller sits down. Without a name it is called after them.
#[server(name = LayTable, prefix = "/api", endpoint = "open_table", output = Answer)]
pub async fn open_table(
    name: Option<String>,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
) -> Result<OpenTable, ApiError> {
    use crate::door;
    use crate::server::secrets::chance;

    let arena = door::arena();
    let player = door::player().await?;
    let terms = door::terms(&game, setup, clock, rated)?;
    let name = name.unwrap_or_default();
    let tables = arena.open_tables;
    let table = tables.lay(&player, &name, &terms, &mut chance).await?;
    door::go_on(None, &door::table_page(&table));
    Ok(table)
}

/// A table by its link, for whoever has it.
#[server(name = ReadTable, prefix = "/api", endpoint = "table", input = GetUrl, output = Answer)]
pub async fn table(link: String) -> Result<OpenTable, ApiError> {
    use crate::door;

    let tables = door::arena().open_tables;
    let found = match door::table_link(&link) {
        Ok(link) => tables.table(&link).await,
        Err(error) => Err(error),
    };
    found.inspect_err(door::say_status)
}

/// The open table at which the caller sits, or which they have opened.
#[server(name = ReadMyTable, prefix = "/api", endpoint = "my_table", input = GetUrl, output = Answer)]
pub async fn my_table() -> Result<Option<OpenTable>, ApiError> {
    use crate::door;

    let player = door::player().await?;
    door::arena().open_tables.of_player(&player).await
}

/// The whole address of a table, as text and as a QR code.
#[server(name = ReadInvitation, prefix = "/api", endpoint = "invitation", input = GetUrl, output = Answer)]
pub async fn invitation(link: String) -> Result<Invitation, ApiError> {
    use crate::door;

    let tables = door::arena().open_tables;
    let table = tables.table(&door::table_link(&link)?).await?;
    let address = door::address_of(&door::table_page(&table))?;
    crate::server::open_tables::invite(address)
}

/// Sits down at a free chair.
#[server(name = Sit, prefix = "/api", endpoint = "sit", output = Answer)]
pub async fn sit(table: TableId) -> Result<OpenTable, ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    let table = arena.open_tables.sit(&player, table).await?;
    door::go_on(None, &door::table_page(&table));
    Ok(table)
}

/// Gets up. The creator closes the table by it. `next` is where a form goes then.
#[server(name = StandUp, prefix = "/api", endpoint = "stand_up", output = Answer)]
pub async fn stand_up(table: TableId, next: Option<String>) -> Result<(), ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    arena.open_tables.stand_up(&player, table).await?;
    door::go_on(next, "/play");
    Ok(())
}

/// Says whether the caller is ready. With both ready the match begins, and the answer names it.
#[server(name = GetReady, prefix = "/api", endpoint = "ready", output = Answer)]
pub async fn ready(table: TableId, ready: bool) -> Result<OpenTable, ApiError> {
    use crate::door;
    use crate::server::secrets::chance;

    let arena = door::arena();
    let player = door::player().await?;
    let tables = arena.open_tables;
    let table = tables.ready(&player, table, ready, &mut chance).await?;
    match table.match_id {
        Some(id) => door::go_on(None, &format!("/match/{id}")),
        None => door::go_on(None, &door::table_page(&table)),
    }
    Ok(table)
}

/// Lets somebody get up who does not get ready. Only for the creator.
#[server(name = RemovePlayer, prefix = "/api", endpoint = "remove_player", output = Answer)]
pub async fn remove_player(table: TableId, player: PlayerId) -> Result<OpenTable, ApiError> {
    use crate::door;

    let arena = door::arena();
    let caller = door::player().await?;
    let table = arena.open_tables.remove(&caller, table, player).await?;
    door::go_on(None, &door::table_page(&table));
    Ok(table)
}
