//! Ends of challenges, quick games, seats and open tables of players who begin a match, or are not to begin one; and the new begin of a
//! table whose match nobody has played.

use crate::Error;
use crate::db::Tx;
use tochki_protocol::{CloseReason, MatchId, PlayerId, limits};

/// Ends all challenges of a player, the quick game, and their seats and tables: they are not to begin a match.
pub async fn leave_waiting_rooms(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'left'
         where closed_at is null and (from_id = $1 or to_id = $1)",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    leave_quick_games(tx, &[player.0]).await?;
    leave_seats(tx, &[player.0]).await?;
    close_all_of(tx, &[player.0]).await
}

/// Ends the waiting of locked players for a quick game.
pub async fn leave_quick_games(tx: &mut Tx, players: &[i64]) -> Result<(), Error> {
    sqlx::query!("delete from quick_games where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Takes players from their seats at all tables. The players left at these tables are no longer ready.
pub async fn leave_seats(tx: &mut Tx, players: &[i64]) -> Result<(), Error> {
    sqlx::query!(
        "with removed as (delete from table_seats where player_id = any($1) returning table_id)
         update table_seats set ready = false
         where ready and player_id <> all($1) and table_id in (select table_id from removed)",
        players
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes the tables that these players have opened.
pub async fn close_all_of(tx: &mut Tx, players: &[i64]) -> Result<(), Error> {
    close_tables_of(tx, players, true).await
}

/// Closes the tables that these players have opened for a live match.
pub async fn close_live_of(tx: &mut Tx, players: &[i64]) -> Result<(), Error> {
    close_tables_of(tx, players, false).await
}

async fn close_tables_of(
    tx: &mut Tx,
    players: &[i64],
    by_correspondence: bool,
) -> Result<(), Error> {
    sqlx::query!(
        "with closing as (
             select id from open_tables
             where creator_id = any($1) and closed_at is null and (not correspondence or $2) order by id for no key update
         ), closed as (
             update open_tables set closed_at = now() where id in (select id from closing)
         )
         delete from table_seats where table_id in (select id from closing)",
        players,
        by_correspondence
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes the open challenges from and to a locked player, whose name or kind of account is another now.
pub async fn close_changed(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = $2
         where closed_at is null and (from_id = $1 or to_id = $1)",
        player.0,
        CloseReason::TermsChanged.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Opens the table by correspondence of a match again that a player has aborted, or has not begun in time, unless it is their own table:
/// its creator is away, and would not open another. It is open for the rest of its time, and that player cannot sit down at it again.
///
/// It counts as a table that is opened: of several at once each sees those before it. The match is locked, and no transaction that locks
/// tables waits for a match that had begun before.
pub async fn reopen_seek(tx: &mut Tx, id: MatchId, aborted_by: PlayerId) -> Result<(), Error> {
    // Most matches began otherwise, and need not wait.
    let began_at_table = sqlx::query_scalar!(
        r#"select exists (select from open_tables where match_id = $1 and correspondence) as "began!""#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?;
    if !began_at_table {
        return Ok(());
    }
    crate::pairing::db::table_counts::lock(tx).await?;
    sqlx::query!(
        "with again as (
             update open_tables t set closed_at = null, match_id = null, accepted_address = null
             from players p
             where t.match_id = $1 and t.correspondence and t.creator_id <> $2 and t.seen_at > now()
                 and p.id = t.creator_id and p.closed_at is null
                 and (select count(*) from open_tables o
                     where o.creator_id = t.creator_id and o.correspondence and o.closed_at is null and o.seen_at > now())
                     < case when p.guest then $4::bigint else $3::bigint end
             returning t.id)
         insert into table_bans (table_id, player_id) select id, $2::bigint from again on conflict do nothing",
        id.0,
        aborted_by.0,
        limits::SEEKS_PER_PLAYER,
        limits::SEEKS_PER_GUEST
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
