//! Games lost on time by correspondence. Those that a player loses after a first one, without having been here since, are unrated.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId, limits};

/// Returns the deadline of a match in this version, which the transaction locks by that: it is when the flag has fallen.
pub async fn flag_at(tx: &mut Tx, id: MatchId, version: u32) -> Result<Option<Timestamp>, Error> {
    let at = sqlx::query_scalar!(
        "select ms(deadline_at) from matches where id = $1 and version = $2 for no key update",
        id.0,
        version.cast_signed()
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(at.flatten().map(Timestamp))
}

/// Stores that a player has lost a match on time, whose flag fell at `flag_at`. Returns whether it is unrated, though its terms say
/// otherwise: there is an earlier loss on time of a rated match, at most [`limits::MASS_TIMEOUT`] ago, and no visit since. A visit is a
/// session that was opened or used since, and presence anywhere: who has a page open while the flag falls is here.
///
/// An unrated match costs nothing, so that nobody loses one first on purpose. An adjourned match is one of these; who does not come to it
/// loses it by that, and not on time.
///
/// The lock of the player puts all of their losses in a row. The order is that of the flags and not of these transactions: a match
/// whose flag has fallen before is waited for by nobody, and counts as lost already.
pub async fn insert(
    tx: &mut Tx,
    id: MatchId,
    player: PlayerId,
    flag_at: Timestamp,
    is_rated: bool,
) -> Result<bool, Error> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('time_losses:' || $1::bigint, 0))",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    let spared = sqlx::query_scalar!(
        r#"with seen as materialized (
               select exists (
                   select from presence h where h.player_id = $2 and is_alive(h.beat_at, h.gone_at)) as is_here,
               greatest(
                   (select p.visited_at from players p where p.id = $2),
                   (select max(l.flag_at) from time_losses l where l.player_id = $2 and l.was_here)) as until
           )
           insert into time_losses (match_id, player_id, flag_at, spared, was_here)
           select $1, $2, at_ms($3), $4 and not seen.is_here and exists (
               select from (
                   select flag_at, id from (
                       select l.flag_at, l.match_id as id from time_losses l join matches p on p.id = l.match_id
                       where l.player_id = $2 and not l.was_here and p.rated
                       union all
                       select m.deadline_at, m.id from matches m
                       where (m.seat1 = $2 or m.seat2 = $2) and m.finished_at is null and m.correspondence and m.rated
                           and m.to_move = case when m.seat1 = $2 then 1 else 2 end and m.deadline_at <= now()
                           and m.id <> $1 and (select count(distinct e.seat) from match_events e
                               where e.match_id = m.id and e.kind = 'moved') = 2
                   ) lost
                   where lost.flag_at >= seen.until
                   order by flag_at, id limit 1
               ) first
               where (first.flag_at, first.id) < (at_ms($3), $1::bigint) and at_ms($3) <= first.flag_at + $5::interval),
               seen.is_here
           from seen
           on conflict (match_id) do update set spared = excluded.spared, was_here = excluded.was_here
           returning spared"#,
        id.0,
        player.0,
        flag_at.0,
        is_rated,
        limits::MASS_TIMEOUT as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(spared)
}

/// Returns how many of the games that a player has lost within [`limits::MASS_TIMEOUT_SHOWN`] are unrated for that.
pub async fn count_spared(db: &Db, player: PlayerId) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from time_losses where player_id = $1 and spared and flag_at > now() - $2::interval"#,
        player.0,
        limits::MASS_TIMEOUT_SHOWN as _
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Deletes what is no longer shown.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from time_losses where flag_at < now() - $1::interval",
        limits::MASS_TIMEOUT_SHOWN as _
    )
    .execute(db)
    .await?;
    Ok(())
}
