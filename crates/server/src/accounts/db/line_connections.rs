//! Players connected by the line protocol: one row for each, kept for a while after the connection is lost.
//!
//! A row is alive while it is not marked as lost and was seen within [`limits::LINE_ALIVE_TIMEOUT`]. The name of a guest of
//! the line protocol whose row is not alive is free for others.

use crate::Error;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use crate::names::db::NameRow;
use tochki_protocol::{Account, PlayerId, limits};

/// Notes that this connection is the one of a player, in place of one that is not alive. False if the player has one that
/// is, at whatever instance.
pub async fn connect(
    db: &Db,
    player: PlayerId,
    connection: i64,
    address: &str,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "insert into lines (player_id, connection, address) values ($1, $2, $3)
         on conflict (player_id) do update
         set connection = excluded.connection, address = excluded.address, seen_at = now(), lost_at = null
         where lines.lost_at is not null or lines.seen_at < now() - $4::interval",
        player.0,
        connection,
        address,
        limits::LINE_ALIVE_TIMEOUT as _
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Marks a connection as alive again. False if it was replaced meanwhile.
pub async fn resume(db: &Db, player: PlayerId, connection: i64) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update lines set seen_at = now(), lost_at = null where player_id = $1 and connection = $2",
        player.0,
        connection
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Marks a connection as lost, unless it was replaced.
pub async fn lose(db: &Db, player: PlayerId, connection: i64) -> Result<(), Error> {
    sqlx::query!(
        "update lines set seen_at = now(), lost_at = now() where player_id = $1 and connection = $2",
        player.0,
        connection
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns those of these players whose lines are lost. An account may be in a browser meanwhile, and then is not lost.
pub async fn lost(db: &Db, players: &[i64]) -> Result<Vec<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "select l.player_id from lines l join players on players.id = l.player_id
         where l.player_id = any($1) and (l.lost_at is not null or l.seen_at < now() - $2::interval)
             and (players.guest
                 or not exists (select from presence p where p.player_id = l.player_id and is_alive(p.beat_at, p.gone_at)))",
        players,
        limits::LINE_ALIVE_TIMEOUT as _
    )
    .fetch_all(db)
    .await?)
}

/// Renews the heartbeat of these connections. Returns those that were not replaced.
pub async fn touch(db: &Db, players: &[i64], connections: &[i64]) -> Result<Vec<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "with touched as (
             update lines l set seen_at = now()
             from unnest($1::bigint[], $2::bigint[]) as open (player_id, connection)
             where l.player_id = open.player_id and l.connection = open.connection returning l.player_id, l.connection
         ), visited as (
             update players set visited_at = now()
             where id in (select player_id from touched) and (visited_at < now() - $3::interval
                 or exists (select from time_losses l where l.player_id = players.id and l.flag_at >= visited_at))
         )
         select connection from touched",
        players,
        connections,
        limits::SESSION_RENEWAL_INTERVAL as _
    )
    .fetch_all(db)
    .await?)
}

/// A player who was connected by the line protocol within the last [`limits::LINE_MEMORY`].
pub struct RecentLineClient {
    /// The player.
    pub account: Account,
    /// The address of the connection.
    pub address: String,
    /// Whether the line was lost within [`limits::ABSENCE_TIMEOUT`], so that a seat at a table is still theirs.
    pub lately: bool,
}

/// The player of this number, or else with this key of the name, if a line of theirs is remembered.
pub async fn recent_client(
    db: &Db,
    player: Option<PlayerId>,
    key: &str,
) -> Result<Option<RecentLineClient>, Error> {
    let row = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, l.address, l.seen_at > now() - $4::interval as "lately!"
           from lines l join players p on p.id = l.player_id
           where (p.id = $1 or $1::bigint is null and p.name_key = $2) and l.seen_at > now() - $3::interval
               and p.closed_at is null and p.deleted_at is null"#,
        player.map(|player| player.0),
        key,
        limits::LINE_MEMORY as _,
        limits::ABSENCE_TIMEOUT as _
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| RecentLineClient {
        account: account(row.id, row.name, row.guest, row.bot),
        address: row.address,
        lately: row.lately,
    }))
}

/// Frees a name, and names that look like it, of guests of the line protocol who are not connected and play nothing.
pub async fn release(db: &Db, name: &NameRow<'_>) -> Result<(), Error> {
    let gone = sqlx::query_scalar!(
        "select p.id from players p join lines l on l.player_id = p.id
         where p.guest and p.deleted_at is null and (p.name_key = $1 or p.name_skeleton = $2)
             and (l.lost_at is not null or l.seen_at < now() - $3::interval)",
        name.key,
        name.skeleton,
        limits::LINE_ALIVE_TIMEOUT as _
    )
    .fetch_all(db)
    .await?;
    // Nearly always there is none, and nothing is locked.
    if gone.is_empty() {
        return Ok(());
    }
    let mut tx = crate::db::begin(db).await?;
    retire(&mut tx, &gone, false).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes guests of the line protocol who have not been back within [`limits::LINE_MEMORY`], and forgets the lines of
/// accounts.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    let mut tx = crate::db::begin(db).await?;
    let old = sqlx::query_scalar!(
        "select p.id from players p join lines l on l.player_id = p.id
         where p.guest and p.deleted_at is null and l.seen_at < now() - $1::interval order by p.id limit $2",
        limits::LINE_MEMORY as _,
        limits::GUEST_DELETION_BATCH_LEN
    )
    .fetch_all(&mut *tx)
    .await?;
    retire(&mut tx, &old, true).await?;
    sqlx::query!(
        "delete from lines l using players p
         where p.id = l.player_id and l.seen_at < now() - $1::interval and (not p.guest or p.deleted_at is not null)",
        limits::LINE_MEMORY as _
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes those of these players who are guests, still lost and play nothing. Their matches stay for their opponents,
/// without their names.
async fn retire(tx: &mut Tx, players: &[i64], skip_locked: bool) -> Result<(), Error> {
    // Whoever is starting a match is locked: waited for where a name is wanted, and otherwise left to the next time.
    let locked = if skip_locked {
        sqlx::query_scalar!(
            "select id from players where id = any($1) order by id for update skip locked",
            players
        )
        .fetch_all(&mut **tx)
        .await?
    } else {
        sqlx::query_scalar!(
            "select id from players where id = any($1) order by id for update",
            players
        )
        .fetch_all(&mut **tx)
        .await?
    };
    // A separate statement, which sees what happened before the lock was taken.
    let lost = sqlx::query_scalar!(
        "select p.id from players p join lines l on l.player_id = p.id
         where p.id = any($1) and p.guest and p.deleted_at is null
             and (l.lost_at is not null or l.seen_at < now() - $2::interval)",
        &locked,
        limits::LINE_ALIVE_TIMEOUT as _
    )
    .fetch_all(&mut **tx)
    .await?;
    super::guests::delete_idle(tx, &lost).await
}
