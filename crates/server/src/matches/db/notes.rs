//! Notes of players beside the boards of their matches.

use crate::Error;
use crate::db::Db;
use tochki_protocol::{MatchId, PlayerId};

/// The notes of a player on a match; empty without any.
pub async fn read(db: &Db, id: MatchId, player: PlayerId) -> Result<String, Error> {
    let text = sqlx::query_scalar!(
        "select text from match_notes where match_id = $1 and player_id = $2",
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(text.unwrap_or_default())
}

/// Stores the notes of a player on a match in the place of earlier ones.
pub async fn write(db: &Db, id: MatchId, player: PlayerId, text: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into match_notes (match_id, player_id, text) values ($1, $2, $3)
         on conflict (match_id, player_id) do update set text = excluded.text",
        id.0,
        player.0,
        text
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the notes of a player on a match.
pub async fn delete(db: &Db, id: MatchId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "delete from match_notes where match_id = $1 and player_id = $2",
        id.0,
        player.0
    )
    .execute(db)
    .await?;
    Ok(())
}
