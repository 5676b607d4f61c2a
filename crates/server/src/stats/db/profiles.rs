//! Public profiles of players.

use crate::Error;
use crate::db::Db;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId};

/// A player whose account is not deleted.
pub struct StoredProfile {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Whether it is a guest.
    pub guest: bool,
    /// Whether an engine plays for it.
    pub bot: bool,
    /// Whether an operator has closed the account.
    pub closed: bool,
    /// When the player registered.
    pub since: Timestamp,
    /// Their running match.
    pub playing: Option<MatchId>,
}

/// The player with this key of their name.
pub async fn by_name(db: &Db, key: &str) -> Result<Option<StoredProfile>, Error> {
    let row = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, p.closed_at is not null as "closed!", ms(p.created_at) as "since!",
                  (select match_id from playing where player_id = p.id) as playing
           from players p where p.name_key = $1 and p.deleted_at is null"#,
        key
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredProfile {
        id: PlayerId(row.id),
        name: row.name,
        guest: row.guest,
        bot: row.bot,
        closed: row.closed,
        since: Timestamp(row.since),
        playing: row.playing.map(MatchId),
    }))
}
