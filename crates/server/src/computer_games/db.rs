//! Games against the computer that players keep.

use crate::Error;
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use tochki_play::{ClockRule, MatchResult, Terms, Timestamp};
use tochki_protocol::{ComputerGameEntry, ComputerGameId, PlayerId};
use tochki_rules::Seat;

/// A game to be kept.
pub struct NewComputerGame<'a> {
    /// The browser's key of the game.
    pub key: &'a str,
    /// Everything but the moves. The id is not looked at.
    pub entry: &'a ComputerGameEntry,
    /// The moves, separated by blanks.
    pub moves: &'a str,
}

/// The number of games of a player who stays locked until the transaction ends, so that no two requests keep the last one,
/// and the game with this key.
pub async fn count_locked(
    tx: &mut Tx,
    player: PlayerId,
    key: &str,
) -> Result<(u32, Option<ComputerGameId>), Error> {
    sqlx::query!("select from players where id = $1 for update", player.0)
        .fetch_optional(&mut **tx)
        .await?;
    let row = sqlx::query!(
        r#"select count(*) as "count!", max(id) filter (where key = $2) as known
           from computer_games where player_id = $1"#,
        player.0,
        key
    )
    .fetch_one(&mut **tx)
    .await?;
    let count = u32::try_from(row.count).unwrap_or(u32::MAX);
    Ok((count, row.known.map(ComputerGameId)))
}

/// Keeps a game.
pub async fn insert(
    tx: &mut Tx,
    player: PlayerId,
    game: &NewComputerGame<'_>,
) -> Result<ComputerGameId, Error> {
    let NewComputerGame { key, entry, moves } = game;
    let terms = StoredTerms::of(&Terms {
        setup: entry.setup,
        clock: ClockRule::None,
        rated: false,
    })?;
    let result = serde_json::to_value(&entry.result)
        .map_err(|error| Error::invariant(format!("a result cannot be encoded: {error}")))?;
    let [score1, score2] = entry.score.map(u32::cast_signed);
    let id = sqlx::query_scalar!(
        "insert into computer_games (player_id, key, game, setup, level, seat, moves, result, score1, score2,
             started_at, finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, at_ms($11), at_ms($12))
         returning id",
        player.0,
        key,
        terms.game,
        terms.setup,
        i16::from(entry.level),
        i16::from(entry.seat.number()),
        moves,
        result,
        score1,
        score2,
        entry.started_at.0,
        entry.finished_at.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(ComputerGameId(id))
}

/// Number of saved games of a player.
pub async fn count(db: &Db, player: PlayerId) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from computer_games where player_id = $1"#,
        player.0
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Some games of a player, the latest first.
pub async fn list(
    db: &Db,
    player: PlayerId,
    skip: i64,
    limit: u32,
) -> Result<Vec<ComputerGameEntry>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id, game, setup, level, seat, result, score1, score2,
                  ms(started_at) as "started_at!", ms(finished_at) as "finished_at!"
           from computer_games where player_id = $1
           order by finished_at desc, id desc offset $2 limit $3"#,
        player.0,
        skip,
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Row::entry).collect()
}

/// A game of a player with its moves.
pub async fn read(
    db: &Db,
    player: PlayerId,
    id: ComputerGameId,
) -> Result<Option<(ComputerGameEntry, String)>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, game, setup, level, seat, result, score1, score2,
                  ms(started_at) as "started_at!", ms(finished_at) as "finished_at!"
           from computer_games where player_id = $1 and id = $2"#,
        player.0,
        id.0
    )
    .fetch_optional(db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    // It may have been deleted meanwhile.
    let moves = sqlx::query_scalar!("select moves from computer_games where id = $1", id.0)
        .fetch_optional(db)
        .await?;
    let Some(moves) = moves else { return Ok(None) };
    Ok(Some((row.entry()?, moves)))
}

/// Deletes a game of a player; false if there is none.
pub async fn delete(db: &Db, player: PlayerId, id: ComputerGameId) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from computer_games where player_id = $1 and id = $2",
        player.0,
        id.0
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected() > 0)
}

struct Row {
    id: i64,
    game: String,
    setup: serde_json::Value,
    level: i16,
    seat: i16,
    result: serde_json::Value,
    score1: i32,
    score2: i32,
    started_at: i64,
    finished_at: i64,
}

impl Row {
    /// The game. It was written by this server, so a failure is a bug.
    fn entry(self) -> Result<ComputerGameEntry, Error> {
        let id = self.id;
        let broken = || Error::invariant(format!("the computer game {id} cannot be read"));
        let level = u8::try_from(self.level).map_err(|_| broken())?;
        let seat = u8::try_from(self.seat).ok();
        let seat = seat.and_then(|seat| Seat::try_from(seat).ok());
        let result: Option<MatchResult> = serde_json::from_value(self.result).ok();
        let clock = ClockRule::None.to_string();
        Ok(ComputerGameEntry {
            id: ComputerGameId(self.id),
            level,
            seat: seat.ok_or_else(broken)?,
            setup: StoredTerms::new(self.game, self.setup, clock)
                .read(false)?
                .setup,
            result: result.ok_or_else(broken)?,
            score: [self.score1, self.score2].map(i32::cast_unsigned),
            started_at: Timestamp(self.started_at),
            finished_at: Timestamp(self.finished_at),
        })
    }
}
