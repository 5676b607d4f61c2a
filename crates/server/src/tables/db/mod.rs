//! Open tables and their seats.
//!
//! Every change of seats locks players first and then tables, each in the order of their ids, so there are no deadlocks.

mod table_state;

pub use table_state::{ListedTable, TableState, by_ids, by_link, full, listed, of_player};

use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use crate::{Error, pairing};
use std::time::Duration;
use tochki_play::Terms;
use tochki_protocol::limits;
use tochki_protocol::{MatchId, PlayerId, RatingBounds, TableId, TableLink};
use tochki_rules::GameKind;

/// Numbers of open tables.
pub struct TableCount {
    /// Those opened by this player.
    pub of_player: i64,
    /// Those opened from this address whose creators are present.
    pub of_address: i64,
    /// Those in all whose creators are present.
    pub total: i64,
    /// Those by correspondence of this player, which the ones before do not count.
    pub seeks: i64,
    /// Those by correspondence that were opened from this address, whoever is there.
    pub seeks_of_address: i64,
}

/// Counts the open tables. A table whose creator has left takes no place from others. The next count waits until this
/// transaction ends, so that the limits cannot be exceeded.
pub async fn count(tx: &mut Tx, player: PlayerId, address: &str) -> Result<TableCount, Error> {
    pairing::db::table_counts::lock(tx).await?;
    let row = sqlx::query!(
        r#"select count(*) filter (where seen_at > now() - $3::interval and not correspondence) as "in_all!",
                  count(*) filter (where address = $2 and seen_at > now() - $3::interval and not correspondence) as "of_address!",
                  count(*) filter (where creator_id = $1 and not correspondence) as "of_player!",
                  count(*) filter (where creator_id = $1 and correspondence and seen_at > now()) as "seeks!",
                  count(*) filter (where address = $2 and correspondence and seen_at > now()) as "seeks_of_address!"
           from open_tables where closed_at is null"#,
        player.0,
        address,
        limits::TABLE_LISTING_TIMEOUT as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(TableCount {
        of_player: row.of_player,
        of_address: row.of_address,
        total: row.in_all,
        seeks: row.seeks,
        seeks_of_address: row.seeks_of_address,
    })
}

/// The running matches by correspondence in which a guest has made no move yet.
pub struct UnbegunGames {
    /// Those of this guest.
    pub of_player: i64,
    /// Those that this and other guests have begun from this address by sitting down at a table.
    pub of_address: i64,
}

/// Counts the matches that a guest has not begun. The next count waits until this transaction ends, so that the limits cannot be exceeded.
/// Before the locks on tables.
pub async fn count_unbegun(
    tx: &mut Tx,
    guest: PlayerId,
    address: &str,
) -> Result<UnbegunGames, Error> {
    pairing::db::table_counts::lock(tx).await?;
    let row = sqlx::query!(
        r#"select (
               select count(*) from matches m
               where m.finished_at is null and m.correspondence and (m.seat1 = $1 or m.seat2 = $1) and not exists (
                   select from match_events e
                   where e.match_id = m.id and e.kind = 'moved' and e.seat = case when m.seat1 = $1 then 1 else 2 end)
           ) as "of_player!", (
               select count(*) from open_tables t join matches m on m.id = t.match_id and m.finished_at is null
               join players p on p.id = case when m.seat1 = t.creator_id then m.seat2 else m.seat1 end and p.guest
               where t.accepted_address = $2 and not exists (
                   select from match_events e
                   where e.match_id = m.id and e.kind = 'moved' and e.seat = case when m.seat1 = p.id then 1 else 2 end)
           ) as "of_address!""#,
        guest.0,
        address
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(UnbegunGames {
        of_player: row.of_player,
        of_address: row.of_address,
    })
}

/// Stores the address from which a player has sat down at a locked table by correspondence, as long as its match runs.
pub async fn set_accepted_address(tx: &mut Tx, id: TableId, address: &str) -> Result<(), Error> {
    sqlx::query!(
        "update open_tables set accepted_address = $2 where id = $1",
        id.0,
        address
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Creates a table with free seats. One by correspondence is open for [`limits::SEEK_TIMEOUT`] as if its creator were there, so that also
/// the release before lists it and leaves it open.
pub async fn insert(
    tx: &mut Tx,
    creator: PlayerId,
    address: &str,
    link: &TableLink,
    name: &str,
    terms: &Terms,
    ratings: RatingBounds,
) -> Result<TableId, Error> {
    let lasting = if terms.is_correspondence() {
        limits::SEEK_TIMEOUT
    } else {
        Duration::ZERO
    };
    let stored = StoredTerms::of(terms)?;
    let id = sqlx::query_scalar!(
        "insert into open_tables (creator_id, link, name, game, setup, clock, rated, address, correspondence, seen_at,
             min_rating, max_rating)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::interval, $11, $12) returning id",
        creator.0,
        link.as_str(),
        name,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        address,
        terms.is_correspondence(),
        lasting as _,
        ratings.min,
        ratings.max
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(TableId(id))
}

/// An open table with its seats.
pub struct TableRow {
    /// The creator.
    pub creator: PlayerId,
    /// The last part of its address.
    pub link: String,
    /// Whether its creator is there, so that waiting rooms list it.
    pub listed: bool,
    /// The terms of the match, rated or not as with the players of now.
    pub terms: Terms,
    /// A hash of the terms and the players. A player who is ready has agreed to it.
    pub agreement: String,
    /// The seated players, and whether they are ready for this agreement.
    pub seats: Vec<(PlayerId, bool)>,
    /// The bounds of the rating with which a player may sit down.
    pub ratings: RatingBounds,
}

impl TableRow {
    /// Returns whether this player has a seat.
    pub fn is_seated(&self, player: PlayerId) -> bool {
        self.seats.iter().any(|(seated, _)| *seated == player)
    }
}

/// The seated players, and whether they are ready for what is agreed now. Without a lock, this may change at any time.
pub async fn seats(tx: &mut Tx, id: TableId) -> Result<Vec<(PlayerId, bool)>, Error> {
    let rows = sqlx::query!(
        r#"select player_id, ready and agreed is not distinct from table_agreement($1) as "ready!"
           from table_seats where table_id = $1 order by seat_no"#,
        id.0
    )
    .fetch_all(&mut **tx)
    .await?;
    let seats = rows
        .into_iter()
        .map(|row| (PlayerId(row.player_id), row.ready));
    Ok(seats.collect())
}

/// Locks the table and those that this player leaves by sitting down at it: where they have a seat, and those they have
/// opened. Returns the table, if it is open.
pub async fn lock(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<Option<TableRow>, Error> {
    let rows = sqlx::query!(
        r#"select id, creator_id, link, seen_at > now() - $3::interval as "listed!", game, setup, clock, rated, min_rating,
             max_rating
         from open_tables
         where closed_at is null
             and (id = $1 or creator_id = $2 and not correspondence or id in (select table_id from table_seats where player_id = $2))
         order by id for no key update"#,
        id.0,
        player.0,
        limits::TABLE_LISTING_TIMEOUT as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let Some(row) = rows.into_iter().find(|row| row.id == id.0) else {
        return Ok(None);
    };
    // Only after the locks: values that were read before them may be out of date.
    let now = sqlx::query!(
        r#"select table_is_rated($1, $2) as "rated!", table_agreement($1) as "agreement!""#,
        id.0,
        row.rated
    )
    .fetch_one(&mut **tx)
    .await?;
    let stored = StoredTerms::new(row.game, row.setup, row.clock);
    Ok(Some(TableRow {
        creator: PlayerId(row.creator_id),
        link: row.link,
        listed: row.listed,
        terms: stored.read(now.rated)?,
        agreement: now.agreement,
        seats: seats(tx, id).await?,
        ratings: RatingBounds {
            min: row.min_rating,
            max: row.max_rating,
        },
    }))
}

/// The creator of an open table by correspondence, who has no seat at it. Without a lock, this may change at any time.
pub async fn seek_creator(tx: &mut Tx, id: TableId) -> Result<Option<PlayerId>, Error> {
    let creator = sqlx::query_scalar!(
        "select creator_id from open_tables where id = $1 and correspondence and closed_at is null",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(creator.map(PlayerId))
}

/// The open tables by correspondence with these terms at which a player may sit down, and whose creator is within these bounds and not on
/// vacation; the oldest first. Nobody who refuses guests finds, or is found by, one.
pub async fn matching_seeks(
    tx: &mut Tx,
    player: PlayerId,
    terms: &Terms,
    ratings: RatingBounds,
) -> Result<Vec<TableId>, Error> {
    let stored = StoredTerms::of(terms)?;
    let ids = sqlx::query_scalar!(
        "select id from open_tables t
         where game = $2 and setup = $3 and clock = $4 and rated = $5 and correspondence and closed_at is null and creator_id <> $1
             and seen_at > now()
             and not exists (
                 select from mutes m where m.player_id = t.creator_id and m.muted_id = $1
                     or m.player_id = $1 and m.muted_id = t.creator_id)
             and not exists (select from table_bans b where b.table_id = t.id and b.player_id = $1)
             and (takes_guests((select o.settings from players o where o.id = t.creator_id))
                 or not (select g.guest from players g where g.id = $1))
             and (takes_guests((select o.settings from players o where o.id = $1))
                 or not (select g.guest from players g where g.id = t.creator_id))
             and not exists (select from vacations v where v.player_id = t.creator_id and v.ends_at > now())
             and is_rating_within(shown_rating($1, rating_kind($2, true)), t.min_rating, t.max_rating)
             and is_rating_within(shown_rating(t.creator_id, rating_kind($2, true)), $7, $8)
         order by id limit $6",
        player.0,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        limits::QUICK_GAME_MAX_ATTEMPTS as i64,
        ratings.min,
        ratings.max
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(TableId).collect())
}

/// The rating of a player by correspondence, as it is shown; `None` for a guest.
pub async fn correspondence_rating(
    tx: &mut Tx,
    player: PlayerId,
    game: GameKind,
) -> Result<Option<i32>, Error> {
    Ok(sqlx::query_scalar!(
        "select shown_rating($1, rating_kind($2, true))",
        player.0,
        game.id()
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Gives a player a free seat. The other player is no longer ready, because the opponent is new.
pub async fn take_seat(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update table_seats set ready = false where table_id = $1 and ready",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into table_seats (table_id, seat_no, player_id)
         select $1, min(seat_no), $2 from generate_series(1, 2) as seat_no
         where seat_no not in (select seat_no from table_seats where table_id = $1)",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether the creator has banned this player from the table.
pub async fn is_banned(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from table_bans where table_id = $1 and player_id = $2) as "banned!""#,
        id.0,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Bans a player from the table.
pub async fn ban(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "insert into table_bans (table_id, player_id) values ($1, $2) on conflict do nothing",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Stores whether a player is ready for an agreement, and that they were seen now.
pub async fn set_ready(
    tx: &mut Tx,
    id: TableId,
    player: PlayerId,
    ready: Option<&str>,
) -> Result<(), Error> {
    sqlx::query!(
        "update table_seats set ready = $3::text is not null, agreed = $3, seen_at = now()
         where table_id = $1 and player_id = $2",
        id.0,
        player.0,
        ready
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update open_tables set seen_at = now() where id = $1 and creator_id = $2",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Makes a player who has just sat down ready for what is agreed now.
pub async fn set_ready_at_once(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update table_seats set ready = true, agreed = table_agreement($1) where table_id = $1 and player_id = $2",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes a locked table, with the match that has started at it or without one.
pub async fn close(tx: &mut Tx, id: TableId, match_id: Option<MatchId>) -> Result<(), Error> {
    sqlx::query!(
        "update open_tables set closed_at = coalesce(closed_at, now()), match_id = $2 where id = $1",
        id.0,
        match_id.map(|id| id.0)
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from table_seats where table_id = $1", id.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Returns whether this player has muted the other.
pub async fn has_muted(db: &Db, player: PlayerId, other: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from mutes where player_id = $1 and muted_id = $2) as "muted!""#,
        player.0,
        other.0
    )
    .fetch_one(db)
    .await?)
}

/// Returns whether the creator of a locked table, or a player who sits there, has muted this player.
pub async fn is_muted_at(tx: &mut Tx, id: TableId, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from mutes where muted_id = $2 and player_id in (
                   select creator_id from open_tables where id = $1
                   union all
                   select player_id from table_seats where table_id = $1)) as "muted!""#,
        id.0,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Names the open tables of a player after their creator: a name of a table is a public message, which an operator's mute
/// forbids.
pub async fn forget_names(tx: &mut Tx, creator: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update open_tables t set name = p.name from players p
         where p.id = t.creator_id and t.creator_id = $1 and t.closed_at is null and t.name <> p.name",
        creator.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The address from which a table was opened, if it is known.
pub async fn address(tx: &mut Tx, id: TableId) -> Result<Option<String>, Error> {
    let address = sqlx::query_scalar!("select address from open_tables where id = $1", id.0)
        .fetch_optional(&mut **tx)
        .await?;
    Ok(address.flatten())
}

/// Updates when players were last seen, takes absent players from their seats, and closes tables without their creator, and those by
/// correspondence after their time, whoever is there. Returns whether anything changed.
///
/// The timeouts are [`limits::TABLE_TIMEOUT`], [`limits::SEAT_TIMEOUT`] and [`limits::READY_TIMEOUT`]. Rows locked by others
/// are skipped until the next time.
pub async fn sweep(db: &Db) -> Result<bool, Error> {
    sqlx::query!(
        "update open_tables set seen_at = now() where id in (
             select t.id from open_tables t
             where t.closed_at is null and not t.correspondence and t.seen_at < now() - $1::interval and exists (
                 select from presence p
                 where p.player_id = t.creator_id and is_alive(p.beat_at, p.gone_at)
                     and (p.place = 'table:' || t.id or p.place like 'lobby:%'))
             for no key update skip locked)",
        limits::TABLE_SEEN_INTERVAL as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "update table_seats set seen_at = now() where player_id in (
             select s.player_id from table_seats s
             where s.seen_at < now() - $1::interval and exists (
                 select from presence p
                 where p.player_id = s.player_id and is_alive(p.beat_at, p.gone_at)
                     and (p.place = 'table:' || s.table_id or p.place like 'lobby:%'))
             for no key update skip locked)",
        limits::TABLE_SEEN_INTERVAL as _
    )
    .execute(db)
    .await?;
    let closed = sqlx::query_scalar!(
        r#"with abandoned as (
               select id from open_tables
               where closed_at is null and heartbeat_is_fresh()
                   and (seen_at < now() - $1::interval or correspondence and seen_at < now())
               order by id for no key update skip locked
           ), closed as (
               update open_tables set closed_at = now() where id in (select id from abandoned)
           ), emptied as (
               delete from table_seats where table_id in (select id from abandoned)
           )
           select count(*) as "count!" from abandoned"#,
        limits::TABLE_TIMEOUT as _
    )
    .fetch_one(db)
    .await?;
    let gone = sqlx::query_scalar!(
        r#"with gone as (
               select s.table_id, s.player_id from table_seats s join open_tables t on t.id = s.table_id
               where s.player_id <> t.creator_id and s.seen_at < now() - $1::interval and heartbeat_is_fresh()
               order by t.id for no key update of t skip locked
           ), removed as (
               delete from table_seats where (table_id, player_id) in (select table_id, player_id from gone)
           ), others as (
               update table_seats set ready = false
               where ready and table_id in (select table_id from gone)
                   and (table_id, player_id) not in (select table_id, player_id from gone)
           )
           select count(*) as "count!" from gone"#,
        limits::SEAT_TIMEOUT as _
    )
    .fetch_one(db)
    .await?;
    let unready = sqlx::query!(
        "update table_seats set ready = false where player_id in (
             select player_id from table_seats
             where ready and seen_at < now() - $1::interval and heartbeat_is_fresh()
             for no key update skip locked)",
        limits::READY_TIMEOUT as _
    )
    .execute(db)
    .await?;
    Ok(closed > 0 || gone > 0 || unready.rows_affected() > 0)
}

/// Deletes tables that were closed longer ago than [`limits::CLOSED_LIFETIME`], but not those by correspondence that may be
/// open again, because their match may yet be aborted, nor those whose guest is counted as long as the match is not begun.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from open_tables t where closed_at < now() - $1::interval
             and not (correspondence and (seen_at > now() or accepted_address is not null) and exists (
                 select from matches m where m.id = t.match_id and m.finished_at is null))",
        limits::CLOSED_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Closes the tables of guests whose lines were lost [`limits::ABSENCE_TIMEOUT`] ago. Returns whether there was one.
///
/// Browsers may be away for longer, to send the link. Rows locked by others are skipped until the next time.
pub async fn close_abandoned_tables(db: &Db) -> Result<bool, Error> {
    let closed = sqlx::query_scalar!(
        r#"with abandoned as (
               select t.id from open_tables t join lines l on l.player_id = t.creator_id
               where t.closed_at is null and l.seen_at < now() - $1::interval and heartbeat_is_fresh()
                   and exists (select from players p where p.id = t.creator_id and p.guest)
               order by t.id for no key update of t skip locked
           ), closed as (
               update open_tables set closed_at = now() where id in (select id from abandoned)
           ), emptied as (
               delete from table_seats where table_id in (select id from abandoned)
           )
           select count(*) as "count!" from abandoned"#,
        limits::ABSENCE_TIMEOUT as _
    )
    .fetch_one(db)
    .await?;
    Ok(closed > 0)
}
