//! Conditions of rated matches: rated matches of a pair of players today, and recent aborts.

use crate::Error;
use crate::db::Tx;
use tochki_protocol::{PlayerId, limits};

/// Returns whether the two have as many rated matches with each other today (UTC) as count: [`limits::RATED_MATCHES_PER_PAIR`]. The
/// caller holds the locks of [`super::players::lock_players`], so that no other match of theirs starts meanwhile.
pub async fn is_rated_out(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let rated_out = sqlx::query_scalar!(
        r#"select are_rated_out($1, $2) as "out!""#,
        players[0].0,
        players[1].0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(rated_out)
}

/// Returns whether a match of these two can be rated now: no guest takes part, no bot plays a person, and they are not
/// [rated out](is_rated_out).
pub async fn can_be_rated(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let can = sqlx::query_scalar!(
        r#"select may_be_rated($1, $2) and not are_rated_out($1, $2) as "can!""#,
        players[0].0,
        players[1].0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(can)
}

/// Returns whether one is a bot and the other is not. Their matches are never rated.
pub async fn is_bot_with_person(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let mixed = sqlx::query_scalar!(
        r#"select count(distinct bot) > 1 as "mixed!" from players where id = any($1)"#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(mixed)
}

/// Returns whether one of the players has to wait before a rated match, because they have aborted [`limits::ABORTS_MAX`] of their
/// last [`limits::ABORTS_WINDOW_LEN`] matches, the last time within [`limits::ABORTS_PAUSE`].
pub async fn has_aborted_recently(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let aborted = sqlx::query_scalar!(
        r#"select coalesce(bool_or(aborted.many), false) as "aborted!"
           from unnest($1::bigint[]) as p (id), lateral (
               select count(*) >= $3 and max(finished_at) > now() - $4::interval as many
               from (
                   select finished_at, case aborted_by when 1 then seat1 when 2 then seat2 end as by
                   from matches where (seat1 = p.id or seat2 = p.id) and finished_at is not null
                   order by started_at desc limit $2
               ) last
               where last.by = p.id
           ) aborted"#,
        &ids,
        i64::from(limits::ABORTS_WINDOW_LEN),
        i64::from(limits::ABORTS_MAX),
        limits::ABORTS_PAUSE as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(aborted)
}
