//! Management of the own account: password, sessions, deletion.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{DELETED, PlayerId, SessionSummary};

/// The hash of a player's password; `None` for a guest.
pub async fn password_hash(db: &Db, player: PlayerId) -> Result<Option<String>, Error> {
    let hash = sqlx::query_scalar!("select password_hash from players where id = $1", player.0)
        .fetch_optional(db)
        .await?;
    Ok(hash.flatten())
}

/// Changes the password, ends all sessions except `current`, gives that one a new token, and deletes the recovery codes, which
/// go with the password for which they were made. Returns the ended sessions.
pub async fn change_password(
    db: &Db,
    player: PlayerId,
    hash: &str,
    current: &[u8],
    new: &[u8],
) -> Result<Vec<i64>, Error> {
    let mut tx = crate::db::begin(db).await?;
    sqlx::query!(
        "update players set password_hash = $2 where id = $1",
        player.0,
        hash
    )
    .execute(&mut *tx)
    .await?;
    let ended = sqlx::query_scalar!(
        "delete from sessions where player_id = $1 and token_hash <> $2 returning id",
        player.0,
        current
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "update sessions set token_hash = $2 where token_hash = $1",
        current,
        new
    )
    .execute(&mut *tx)
    .await?;
    super::recovery::delete_codes(&mut tx, player).await?;
    crate::mail::db::forget_pending(&mut tx, player).await?;
    tx.commit().await?;
    Ok(ended)
}

/// The open sessions of a player, latest use first. `current` is the digest of the caller's session.
pub async fn sessions(
    db: &Db,
    player: PlayerId,
    current: &[u8],
) -> Result<Vec<SessionSummary>, Error> {
    let rows = sqlx::query!(
        r#"select id, agent, address, ms(created_at) as "since!", ms(seen_at) as "seen_at!", token_hash = $2 as "current!"
           from sessions where player_id = $1 and expires_at > now() order by 6 desc, seen_at desc, id desc"#,
        player.0,
        current
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| SessionSummary {
            id: row.id,
            agent: row.agent,
            address: row.address,
            since: Timestamp(row.since),
            seen_at: Timestamp(row.seen_at),
            current: row.current,
        })
        .collect())
}

/// Ends one session of a player, or without an id all except `current`. Returns the ended sessions.
pub async fn end_sessions(
    db: &Db,
    player: PlayerId,
    id: Option<i64>,
    current: &[u8],
) -> Result<Vec<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "delete from sessions where player_id = $1 and case when $2::bigint is null then token_hash <> $3 else id = $2 end
         returning id",
        player.0,
        id,
        current
    )
    .fetch_all(db)
    .await?)
}

/// Deletes the personal data of players; their matches stay for their opponents. The name is reserved for
/// [`limits::NAME_QUARANTINE`], that of a guest is free at once. Returns the ended sessions.
///
/// The caller has locked the players and checked that they are in no running match.
pub async fn delete_players(tx: &mut Tx, players: &[i64]) -> Result<Vec<i64>, Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'left'
         where closed_at is null and (from_id = any($1) or to_id = any($1))",
        players
    )
    .execute(&mut **tx)
    .await?;
    // A report contains a copy of the reported text.
    sqlx::query!("delete from messages where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from time_zones where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from time_losses where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from vacations where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from match_notes where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from no_shows where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from tournament_reminders where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from league_members where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from league_titles where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from mutes where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from devices where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    // The row of the player stays, and nobody may sign in to it.
    sqlx::query!(
        "delete from recovery_codes where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from passkey_challenges where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from passkeys where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    crate::notifications::db::delete_of(tx, players).await?;
    sqlx::query!(
        "delete from mail_addresses where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from password_resets where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    // They stay for a day without their contents: what was sent to an address counts after the account.
    sqlx::query!(
        "update mails set sent_at = coalesce(sent_at, now()), content = '{}' where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    crate::pairing::db::leaving::leave_quick_games(tx, players).await?;
    crate::pairing::db::leaving::leave_seats(tx, players).await?;
    crate::pairing::db::leaving::close_all_of(tx, players).await?;
    sqlx::query!("delete from presence where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    // The opponents' results of the same matches stay.
    sqlx::query!("delete from results where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from tallies where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "delete from rating_history where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from rating_corrections where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from puzzle_tries where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from puzzle_ratings where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from computer_games where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from operators where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from ratings where player_id = any($1)", players)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "update players set name = $2, name_key = case when guest then null else name_key end,
             name_skeleton = case when guest then null else name_skeleton end, name_mark = null, guest = false, bot = false,
             password_hash = null, passkey_handle = null, recovery_codes_at = null, settings = null,
             deleted_at = now()
         where id = any($1)",
        players,
        DELETED
    )
    .execute(&mut **tx)
    .await?;
    Ok(sqlx::query_scalar!(
        "delete from sessions where player_id = any($1) returning id",
        players
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Releases names of deleted accounts after [`limits::NAME_QUARANTINE`].
pub async fn release_names(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "update players set name_key = null, name_skeleton = null
         where deleted_at < now() - $1::interval and name_key is not null",
        limits::NAME_QUARANTINE as _
    )
    .execute(db)
    .await?;
    Ok(())
}
