//! Locks on both players of a match that is to begin, and whether they play already.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_protocol::{PlayerId, limits};

/// Locks players in the order of their ids, so that transactions about common players are serialized without deadlocks.
/// Returns how many of them exist.
///
/// `for no key update` lets others insert rows that refer to the players (heartbeats of many players, the end of another
/// match), which take key-share locks in any order.
pub async fn lock_players(tx: &mut Tx, players: [PlayerId; 2]) -> Result<usize, Error> {
    let ids = players.map(|player| player.0);
    let found = sqlx::query_scalar!(
        "select id from players where id = any($1) order by id for no key update",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(found.len())
}

/// Returns whether one of these locked players has as many running matches by correspondence as a player may have:
/// [`limits::CORRESPONDENCE_MATCHES`].
pub async fn any_has_too_many_games(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select greatest(correspondence_count($1), correspondence_count($2)) >= $3 as "many!""#,
        players[0].0,
        players[1].0,
        limits::CORRESPONDENCE_MATCHES
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether this player has as many running matches by correspondence as a player may have. Without a lock, this may change at
/// any time.
pub async fn has_too_many_games(db: &Db, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select correspondence_count($1) >= $2 as "many!""#,
        player.0,
        limits::CORRESPONDENCE_MATCHES
    )
    .fetch_one(db)
    .await?)
}

/// Returns whether a locked player takes challenges of guests.
pub async fn takes_guests(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select takes_guests(settings) as "takes!" from players where id = $1"#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether any of the players is in a running live match.
pub async fn anyone_playing(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let playing = sqlx::query_scalar!(
        r#"select exists (select 1 from playing where player_id = any($1)) as "playing!""#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(playing)
}
