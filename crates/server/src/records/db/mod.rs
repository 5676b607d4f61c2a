//! All finished games in the order in which they ended. Aborted matches are no games.

pub mod verify;

use crate::Error;
use crate::db::Db;
use tochki_protocol::{HistoryFilter, MatchId, PlayerId, PlayerOutcome, limits};
use tochki_rules::GameKind;

/// A place in that order: just behind a game, or before the first.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// When the game ended, as the database writes it.
    finished_at: String,
    /// The game.
    id: i64,
}

impl Cursor {
    /// Before the first game.
    pub fn start() -> Self {
        Self {
            finished_at: "-infinity".into(),
            id: 0,
        }
    }

    /// The game before it.
    pub const fn game(&self) -> MatchId {
        MatchId(self.id)
    }
}

/// The place behind this game. `None` if there is no such finished game.
pub async fn behind(db: &Db, id: MatchId) -> Result<Option<Cursor>, Error> {
    let found = sqlx::query_scalar!(
        r#"select finished_at::text as "finished_at!" from matches
           where id = $1 and finished_at is not null and winner is not null"#,
        id.0
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(|finished_at| Cursor {
        finished_at,
        id: id.0,
    }))
}

/// The next games behind `from` that ended at least [`limits::ARCHIVE_DELAY`] ago.
pub async fn page(
    db: &Db,
    game: Option<GameKind>,
    from: &Cursor,
    limit: u32,
) -> Result<Vec<Cursor>, Error> {
    Ok(sqlx::query_as!(
        Cursor,
        r#"select id, finished_at::text as "finished_at!" from matches
           where finished_at is not null and winner is not null and ($1::text is null or game = $1)
               and (finished_at, id) > ($2::text::timestamptz, $3)
               and finished_at <= now() - $4::interval
           order by finished_at, id limit $5"#,
        game.map(GameKind::id),
        from.finished_at,
        from.id,
        limits::ARCHIVE_DELAY as _,
        i64::from(limit)
    )
    .fetch_all(db)
    .await?)
}

/// A page of one player's games that match the filter. `opponent` is a part of the key of a name.
pub async fn page_of_player(
    db: &Db,
    player: PlayerId,
    filter: &HistoryFilter,
    from: &Cursor,
    limit: u32,
) -> Result<Vec<Cursor>, Error> {
    Ok(sqlx::query_as!(
        Cursor,
        r#"select match_id as "id!", finished_at::text as "finished_at!" from filter_results($1, $2, $3, $4)
           where (finished_at, match_id) > ($5::text::timestamptz, $6)
               and finished_at <= now() - $7::interval
           order by finished_at, match_id limit $8"#,
        player.0,
        filter.game.map(GameKind::id),
        filter.outcome.map(PlayerOutcome::number),
        filter.opponent,
        from.finished_at,
        from.id,
        limits::ARCHIVE_DELAY as _,
        i64::from(limit)
    )
    .fetch_all(db)
    .await?)
}
