//! Presence: one row for each player, place and instance, renewed by heartbeats.
//!
//! A row is alive while its heartbeat is younger than [`limits::PRESENCE_TIMEOUT`] and it is not marked as gone. A row that
//! is marked as gone stays alive for [`limits::RELOAD_GRACE`], so that a page reload is no absence.

use super::rows::results;
use super::{Db, Tx};
use crate::Error;
use std::time::Duration;
use tochki_protocol::limits;
use tochki_protocol::{PlayerId, WaitingPlayer};

/// What is known of all presence, of all instances.
#[derive(Debug)]
pub struct Observed {
    /// How many rows there are.
    pub rows: i64,
    /// The age in seconds of the oldest heartbeat of a row that is not marked as gone.
    pub oldest_beat: f64,
}

/// Looks over all presence.
pub async fn observe(db: &Db) -> Result<Observed, Error> {
    let observed = sqlx::query_as!(
        Observed,
        r#"select count(*) as "rows!",
                  coalesce(extract(epoch from now() - min(beat_at) filter (where gone_at is null)), 0)::float8
                      as "oldest_beat!"
           from presence"#
    )
    .fetch_one(db)
    .await?;
    Ok(observed)
}

/// Writes heartbeats for all open streams of an instance, and deletes the absences of their players.
pub async fn heartbeat(
    db: &Db,
    instance: &str,
    players: &[i64],
    places: &[String],
) -> Result<(), Error> {
    sqlx::query!(
        "insert into presence (player_id, place, instance)
         select distinct player_id, place, $1 from unnest($2::bigint[], $3::text[]) as open (player_id, place)
         on conflict (place, player_id, instance) do update set beat_at = now(), gone_at = null",
        instance,
        players,
        places
    )
    .execute(db)
    .await?;
    // A stream means that scripts run, so the presence from loading the page without scripts is no longer needed.
    sqlx::query!(
        "delete from presence where instance = 'page' and (player_id, place) in
         (select * from unnest($1::bigint[], $2::text[]))",
        players,
        places
    )
    .execute(db)
    .await?;
    end_absences(db, players, places).await
}

/// Marks players as gone whose last stream at this place has ended.
pub async fn mark_gone(
    db: &Db,
    instance: &str,
    players: &[i64],
    places: &[String],
) -> Result<(), Error> {
    sqlx::query!(
        "update presence set gone_at = now()
         where instance = $1 and gone_at is null and (player_id, place) in
         (select * from unnest($2::bigint[], $3::text[]))",
        instance,
        players,
        places
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A page without scripts was loaded, which counts as presence for `lasting`, at least [`limits::PRESENCE_TIMEOUT`].
pub async fn page_load(
    db: &Db,
    player: PlayerId,
    place: &str,
    lasting: Duration,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into presence (player_id, place, instance, beat_at, gone_at)
         values ($1, $2, 'page', now() + $3::interval - $4::interval, now() + $3::interval)
         on conflict (place, player_id, instance) do update set beat_at = excluded.beat_at, gone_at = excluded.gone_at",
        player.0,
        place,
        lasting as _,
        limits::PRESENCE_TIMEOUT as _
    )
    .execute(db)
    .await?;
    end_absences(db, &[player.0], &[place.to_owned()]).await
}

/// Ends the absences of players who are back at these places.
async fn end_absences(db: &Db, players: &[i64], places: &[String]) -> Result<(), Error> {
    sqlx::query!("select end_absences($1, $2)", players, places)
        .execute(db)
        .await?;
    Ok(())
}

/// The players at this place with their ratings and results in this game, ascending by rating.
pub async fn players_at(
    view: &mut Tx,
    place: &str,
    game: &str,
) -> Result<Vec<WaitingPlayer>, Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, coalesce(r.rating, 1600) as "rating!", is_provisional(p.guest, r.games) as "provisional!",
                  t.won1 + t.won2 as won, t.drawn1 + t.drawn2 as drawn, t.lost1 + t.lost2 as lost
           from players p left join ratings r on r.player_id = p.id and r.game = $2
           left join tallies t on t.player_id = p.id and t.game = $2
           where p.id in (
               select player_id from presence
               where place = $1 and is_alive(beat_at, gone_at))
           order by 4, p.id"#,
        place,
        game
    )
    .fetch_all(&mut **view)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| WaitingPlayer {
            id: PlayerId(row.id),
            name: row.name,
            rating: row.rating,
            guest: row.guest,
            provisional: row.provisional,
            bot: row.bot,
            results: results(row.won, row.drawn, row.lost),
        })
        .collect())
}

/// The players at this place.
pub async fn ids_at(db: &Db, place: &str) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        "select distinct player_id from presence
         where place = $1 and is_alive(beat_at, gone_at)",
        place
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// The number of players who are somewhere, without this one and the bots of the house.
pub async fn count_others(db: &Db, player: Option<PlayerId>) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(
        r#"select count(distinct player_id) as "count!" from presence
           where is_alive(beat_at, gone_at) and player_id is distinct from $1
               and not exists (select from house_bots b where b.player_id = presence.player_id)"#,
        player.map(|player| player.0)
    )
    .fetch_one(db)
    .await?)
}

/// The number of players in the waiting rooms of all games, without the bots of the house.
pub async fn waiting_count(db: &Db) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(distinct player_id) as "count!" from presence
         where place like 'lobby:%' and is_alive(beat_at, gone_at)
             and not exists (select from house_bots b where b.player_id = presence.player_id)"#
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Deletes rows that are no longer alive. Open challenges of players who have left a waiting room are closed with `left`.
/// For players who have left a running match an absence is inserted, from the time when they were last present. Returns
/// whether anything was deleted.
pub async fn delete_expired(db: &Db) -> Result<bool, Error> {
    let removed = sqlx::query_scalar!(
        r#"with dead as (
               delete from presence where not is_alive(beat_at, gone_at) and time_is_kept()
               returning player_id, place, coalesce(gone_at, beat_at) as there_until
           ), departed as (
               select player_id, place, max(there_until) as gone_at from dead
               where not exists (
                   select 1 from presence p
                   where p.player_id = dead.player_id and p.place = dead.place and is_alive(p.beat_at, p.gone_at))
               group by player_id, place
           ), absent as (
               insert into absences (match_id, player_id, since, awaited)
               select m.id, d.player_id, d.gone_at, false
               from departed d
               join matches m on m.id = case when d.place like 'match:%' then substr(d.place, 7)::bigint end
               where m.finished_at is null
               on conflict (match_id, player_id) do update set since = excluded.since, awaited = false
           ), orphaned as (
               -- A challenge that is being answered just now is left to its answer.
               select c.id from challenges c
               where c.closed_at is null and exists (
                   select 1 from departed d
                   where d.place = 'lobby:' || c.game and d.player_id in (c.from_id, c.to_id))
               order by c.id for update skip locked
           ), closed as (
               update challenges set closed_at = now(), closed_why = 'left' where id in (select id from orphaned)
           )
           select count(*) as "count!" from dead"#
    )
    .fetch_one(db)
    .await?;
    Ok(removed > 0)
}
