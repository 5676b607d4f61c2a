//! Annulment of matches: rating changes and results are reverted.

use super::rows::{known_game, readable};
use super::{Db, Tx};
use crate::Error;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{AnnulmentNotice, Code, MatchId, PlayerId};

/// Annuls a rated match: both players get back what it gave or took, their results are counted without it, and the match
/// is marked. The stored events stay as they are, and so does who is established.
///
/// The rows are locked in the order of a match that ends: match, tallies, ratings. So a match of the same players that
/// ends meanwhile is counted before or after, and there is no deadlock.
///
/// # Errors
/// `no_such_match`, `yourself` for an operator who has played it, `not_finished`, `annulled`, or `not_rated`.
pub async fn annul(tx: &mut Tx, id: MatchId, operator: PlayerId) -> Result<(), Error> {
    let row = sqlx::query!(
        r#"select game, seat1, seat2, finished_at is not null as "finished!"
           from matches where id = $1 for no key update"#,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or(Code::NoSuchMatch)?;
    if [row.seat1, row.seat2].contains(&operator.0) {
        return Err(Code::Yourself.into());
    }
    if !row.finished {
        return Err(Code::NotFinished.into());
    }
    let changes = sqlx::query!(
        "select player_id, after - before as change from rating_history where match_id = $1 order by player_id",
        id.0
    )
    .fetch_all(&mut **tx)
    .await?;
    if changes.is_empty() {
        return Err(Code::NotRated.into());
    }
    // Not asked above: whoever waited there for the lock would still see what was before.
    let inserted = sqlx::query!(
        "insert into annulments (match_id) values ($1) on conflict do nothing",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    if inserted.rows_affected() == 0 {
        return Err(Code::Annulled.into());
    }
    let players: Vec<i64> = changes.iter().map(|change| change.player_id).collect();
    sqlx::query!(
        "select from tallies where player_id = any($1) and game = $2 order by player_id for update",
        &players,
        row.game
    )
    .execute(&mut **tx)
    .await?;
    for player in &players {
        count_again(tx, *player, &row.game).await?;
    }
    sqlx::query!(
        "select from ratings where player_id = any($1) and game = $2 order by player_id for update",
        &players,
        row.game
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "with given_back as (
             update ratings r set rating = r.rating - h.change, games = greatest(r.games - 1, 0),
                 newcomer_sum = r.newcomer_sum - h.newcomer_change
             from (select player_id, after - before as change, newcomer_change from rating_history where match_id = $1) h
             where r.player_id = h.player_id and r.game = $2
             returning r.player_id, r.rating, h.change
         )
         insert into rating_corrections (match_id, player_id, game, before, after)
         select $1, player_id, $2, rating + change, rating from given_back",
        id.0,
        row.game
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Counts the results of a player in a game again.
async fn count_again(tx: &mut Tx, player: i64, game: &str) -> Result<(), Error> {
    sqlx::query!(
        "delete from tallies where player_id = $1 and game = $2",
        player,
        game
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into tallies select * from counted_again($1, $2)",
        player,
        game
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The annulments of which a player has not been told, latest first.
pub async fn unread(db: &Db, player: PlayerId) -> Result<Vec<AnnulmentNotice>, Error> {
    let rows = sqlx::query_as!(
        StoredNotice,
        r#"select c.player_id, c.match_id, c.game, c.before, c.after, ms(c.at) as "at!", p.name as opponent
           from rating_corrections c join matches m on m.id = c.match_id
           join players p on p.id = case when m.seat1 = $1 then m.seat2 else m.seat1 end
           where c.player_id = $1 and c.read_at is null order by c.at desc limit $2"#,
        player.0,
        i64::from(limits::ANNULMENT_NOTICES_LEN)
    )
    .fetch_all(db)
    .await?;
    Ok(readable(rows.into_iter().map(StoredNotice::read)))
}

/// Notices for the players of these annulled matches.
pub async fn notices_of(
    db: &Db,
    matches: &[MatchId],
) -> Result<Vec<(PlayerId, AnnulmentNotice)>, Error> {
    let ids: Vec<i64> = matches.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        StoredNotice,
        r#"select c.player_id, c.match_id, c.game, c.before, c.after, ms(c.at) as "at!", p.name as opponent
           from rating_corrections c join matches m on m.id = c.match_id
           join players p on p.id = case when m.seat1 = c.player_id then m.seat2 else m.seat1 end
           where c.match_id = any($1) and c.read_at is null"#,
        &ids
    )
    .fetch_all(db)
    .await?;
    let notices = rows.into_iter();
    Ok(readable(
        notices.map(|row| Ok((PlayerId(row.player_id), row.read()?))),
    ))
}

/// The matches that were annulled within [`limits::ANNULMENT_LOOKBACK`].
pub async fn lately(db: &Db) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        "select match_id from annulments where at > now() - $1::interval",
        limits::ANNULMENT_LOOKBACK as _
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

struct StoredNotice {
    player_id: i64,
    match_id: i64,
    game: String,
    before: f64,
    after: f64,
    at: i64,
    opponent: String,
}

impl StoredNotice {
    fn read(self) -> Result<AnnulmentNotice, Error> {
        Ok(AnnulmentNotice {
            match_id: MatchId(self.match_id),
            game: known_game(&self.game)?,
            opponent: self.opponent,
            before: self.before,
            after: self.after,
            at: Timestamp(self.at),
        })
    }
}

/// A player has seen the notices of all annulments so far.
pub async fn mark_read(db: &Db, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update rating_corrections set read_at = now() where player_id = $1 and read_at is null",
        player.0
    )
    .execute(db)
    .await?;
    Ok(())
}
