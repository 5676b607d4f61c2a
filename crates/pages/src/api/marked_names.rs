//! Marked names (older than the rules about names), for operators.

use crate::codec::Query;
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::MarkedName;

/// The players whose names would be refused today.
#[server(name = ReadMarkedNames, prefix = "/api", endpoint = "marked_names", protocol = Query)]
pub async fn marked_names() -> Result<Vec<MarkedName>, ErrorResponse> {
    crate::context::as_player(
        |arena, player| async move { arena.operators.marked_names(&player).await },
    )
    .await
}
