//! The log of what creators and operators did to tournaments.

use crate::Error;
use crate::db::Tx;
use tochki_protocol::{PlayerId, TournamentId};

/// An act on a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A player was removed.
    Removed(PlayerId),
    /// The tournament was cancelled.
    Cancelled,
    /// The entries were closed.
    EntriesClosed,
    /// The entries were opened again.
    EntriesOpened,
}

impl Act {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Removed(_) => "removed",
            Self::Cancelled => "cancelled",
            Self::EntriesClosed => "entries_closed",
            Self::EntriesOpened => "entries_opened",
        }
    }
}

/// Logs an act on a locked tournament, in the transaction that does it.
pub async fn insert(
    tx: &mut Tx,
    id: TournamentId,
    by: PlayerId,
    is_operator: bool,
    act: Act,
) -> Result<(), Error> {
    let player = match act {
        Act::Removed(player) => Some(player.0),
        Act::Cancelled | Act::EntriesClosed | Act::EntriesOpened => None,
    };
    sqlx::query!(
        "insert into tournament_acts (tournament_id, by_id, by_operator, act, player_id) values ($1, $2, $3, $4, $5)",
        id.0,
        by.0,
        is_operator,
        act.as_str(),
        player
    )
    .execute(&mut **tx)
    .await?;
    tracing::info!(
        tournament = id.0,
        by = by.0,
        is_operator,
        ?act,
        "an act on a tournament"
    );
    Ok(())
}
