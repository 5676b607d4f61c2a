//! Annulment of matches: rating changes and results are reverted.

use crate::Error;
use crate::db::rows::{parse_stored_game, skip_unreadable};
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{AnnulmentNotice, Code, MatchId, PlayerId};

/// Annuls a rated match: both players get back what it gave or took, their results are counted without it, and the match
/// is marked. The stored events stay as they are.
///
/// # Errors
/// `no_such_match`, `yourself` for an operator who has played it, `not_finished`, `annulled`, or `not_rated`.
pub async fn annul(tx: &mut Tx, id: MatchId, operator: PlayerId) -> Result<(), Error> {
    let row = sqlx::query!(
        r#"select seat1, seat2, finished_at is not null as "finished!"
           from matches where id = $1 for no key update"#,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or(Code::NoSuchMatch)?;
    if [row.seat1, row.seat2].contains(&operator.0) {
        return Err(Code::OwnAccount.into());
    }
    if !row.finished {
        return Err(Code::NotFinished.into());
    }
    let rated = sqlx::query_scalar!(
        r#"select exists (select from rating_history where match_id = $1) as "rated!""#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?;
    if !rated {
        return Err(Code::NotRated.into());
    }
    if annul_finished(tx, &[id.0]).await?.is_empty() {
        return Err(Code::Annulled.into());
    }
    Ok(())
}

/// Annuls the next rated matches of a player, at most [`limits::ANNULMENT_BATCH_LEN`], without those that the operator has played.
/// Returns which; empty once none is left.
pub async fn annul_next_of(
    tx: &mut Tx,
    player: PlayerId,
    operator: PlayerId,
) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"with rated as (
               select h.match_id from rating_history h
               where h.player_id = $1
                   and not exists (select from annulments a where a.match_id = h.match_id)
                   and not exists (select from rating_history o where o.match_id = h.match_id and o.player_id = $2)
               order by h.match_id limit $3
           )
           select m.id from matches m join rated r on r.match_id = m.id order by m.id for no key update of m"#,
        player.0,
        operator.0,
        limits::ANNULMENT_BATCH_LEN
    )
    .fetch_all(&mut **tx)
    .await?;
    annul_finished(tx, &ids).await
}

/// How many rated matches of a player are left because the operator has played them.
pub async fn count_own(db: &Db, player: PlayerId, operator: PlayerId) -> Result<u32, Error> {
    let own = sqlx::query_scalar!(
        r#"select count(*) as "own!" from rating_history h
           join rating_history o on o.match_id = h.match_id and o.player_id = $2
           where h.player_id = $1 and not exists (select from annulments a where a.match_id = h.match_id)"#,
        player.0,
        operator.0
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(own).unwrap_or(u32::MAX))
}

/// Annuls these finished, rated matches, whose rows are locked, and returns those that were not annulled yet.
///
/// The rows are locked in the order of a match that ends: match, tallies, ratings. So a match of the same players that
/// ends meanwhile is counted before or after, and there is no deadlock.
async fn annul_finished(tx: &mut Tx, ids: &[i64]) -> Result<Vec<MatchId>, Error> {
    // Not asked before: whoever waited for the lock of the match would still see what was before.
    let ids = sqlx::query_scalar!(
        "insert into annulments (match_id) select unnest($1::bigint[]) on conflict do nothing returning match_id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query!(
        "select from tallies t
         where (t.player_id, t.game) in (select h.player_id, rated_game(h.game) from rating_history h where h.match_id = any($1))
         order by t.player_id, t.game for update",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from tallies t
         where (t.player_id, t.game) in (select h.player_id, rated_game(h.game) from rating_history h where h.match_id = any($1))",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into tallies
         select again.* from (select distinct player_id, rated_game(game) as game from rating_history where match_id = any($1)) h,
             lateral recount_tallies(h.player_id, h.game) again",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "select from ratings r
         where (r.player_id, r.game) in (select h.player_id, h.game from rating_history h where h.match_id = any($1))
         order by r.player_id, r.game for update",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    // Several corrections of one rating follow each other, a microsecond apart, as the rating over time is read in that order.
    sqlx::query!(
        "with gone as (
             select match_id, player_id, game, after - before as change,
                 sum(after - before) over so_far as given, row_number() over so_far as number
             from rating_history where match_id = any($1)
             window so_far as (partition by player_id, game order by match_id)
         ), given_back as (
             update ratings r set rating = r.rating - t.change, games = greatest(r.games - t.matches, 0)
             from (select player_id, game, sum(change) as change, count(*)::int as matches from gone group by player_id, game) t
             where r.player_id = t.player_id and r.game = t.game
             returning r.player_id, r.game, r.rating + t.change as before
         )
         insert into rating_corrections (match_id, player_id, game, before, after, at)
         select g.match_id, g.player_id, g.game, b.before - g.given + g.change, b.before - g.given,
             now() + (g.number - 1) * interval '1 microsecond'
         from gone g join given_back b on b.player_id = g.player_id and b.game = g.game",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    crate::matches::db::ranking::revoke_unearned(tx, &ids).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// The annulments of which a player has not been told, latest first.
pub async fn unread(db: &Db, player: PlayerId) -> Result<Vec<AnnulmentNotice>, Error> {
    let rows = sqlx::query_as!(
        StoredNotice,
        r#"select c.player_id, c.match_id, rated_game(c.game) as "game!", c.before, c.after, ms(c.at) as "at!", p.name as opponent
           from rating_corrections c join matches m on m.id = c.match_id
           join players p on p.id = case when m.seat1 = $1 then m.seat2 else m.seat1 end
           where c.player_id = $1 and c.read_at is null order by c.at desc limit $2"#,
        player.0,
        i64::from(limits::ANNULMENT_NOTICES_LEN)
    )
    .fetch_all(db)
    .await?;
    Ok(skip_unreadable(rows.into_iter().map(StoredNotice::read)))
}

/// Notices for the players of these annulled matches.
pub async fn notices_of(
    db: &Db,
    matches: &[MatchId],
) -> Result<Vec<(PlayerId, AnnulmentNotice)>, Error> {
    let ids: Vec<i64> = matches.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        StoredNotice,
        r#"select c.player_id, c.match_id, rated_game(c.game) as "game!", c.before, c.after, ms(c.at) as "at!", p.name as opponent
           from rating_corrections c join matches m on m.id = c.match_id
           join players p on p.id = case when m.seat1 = c.player_id then m.seat2 else m.seat1 end
           where c.match_id = any($1) and c.read_at is null"#,
        &ids
    )
    .fetch_all(db)
    .await?;
    let notices = rows.into_iter();
    Ok(skip_unreadable(
        notices.map(|row| Ok((PlayerId(row.player_id), row.read()?))),
    ))
}

/// The matches that were annulled within [`limits::ANNULMENT_LOOKBACK`].
pub async fn recently_annulled(db: &Db) -> Result<Vec<MatchId>, Error> {
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
            game: parse_stored_game(&self.game)?,
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
