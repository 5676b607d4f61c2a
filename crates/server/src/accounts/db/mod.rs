//! Players and sessions.

pub mod devices;
pub mod guests;
pub mod line_connections;
pub mod management;
pub mod my_data;
pub mod passkeys;
pub mod recovery;
pub mod sanctions;
pub mod tokens;

use crate::Error;
use crate::bus::topic::Credential;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use crate::names::db::NameRow;
use tochki_protocol::limits;
use tochki_protocol::{Account, PlayerId, Settings};

/// An account with the data for checking its password.
pub struct StoredAccount {
    /// The account.
    pub account: Account,
    /// The argon2id hash as a PHC string; `None` for a guest.
    pub password_hash: Option<String>,
    /// Whether an operator has closed it.
    pub closed: bool,
}

/// The account with this key of its name.
pub async fn by_name(db: &Db, key: &str) -> Result<Option<StoredAccount>, Error> {
    let row = sqlx::query!(
        r#"select id, name, guest, bot, password_hash, closed_at is not null as "closed!" from players where name_key = $1"#,
        key
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredAccount {
        account: account(row.id, row.name, row.guest, row.bot),
        password_hash: row.password_hash,
        closed: row.closed,
    }))
}

/// Inserts a player. If the name is taken, a unique constraint is violated.
pub async fn insert(tx: &mut Tx, name: &NameRow<'_>, hash: &str) -> Result<Account, Error> {
    let id = sqlx::query_scalar!(
        "insert into players (name, name_key, name_skeleton, password_hash) values ($1, $2, $3, $4) returning id",
        name.text,
        name.key,
        name.skeleton,
        hash
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(account(id, name.text.to_owned(), false, false))
}

/// Inserts a session, and deletes those of the player that were used least recently, where there are more than
/// [`limits::SESSIONS_PER_PLAYER`]. Returns the ids of these. The player is here by that.
pub async fn open_session(
    db: &Db,
    player: PlayerId,
    digest: &[u8],
    agent: &str,
    address: &str,
) -> Result<Vec<i64>, Error> {
    let mut tx = crate::db::begin(db).await?;
    // Of two sessions opened at once the second one sees the first, so that none is one too many. It is no lock of the player, whom a
    // renewal locks after its session.
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('sessions:' || $1::bigint, 0))",
        player.0
    )
    .execute(&mut *tx)
    .await?;
    // Seen at the time of the statement: a transaction that waited for the lock began before the one that it waited for ended.
    sqlx::query!(
        "insert into sessions (token_hash, player_id, agent, address, expires_at, seen_at)
         values ($1, $2, $3, $4, now() + $5::interval, clock_timestamp())",
        digest,
        player.0,
        agent,
        address,
        limits::SESSION_LIFETIME as _
    )
    .execute(&mut *tx)
    .await?;
    let ended = sqlx::query_scalar!(
        "delete from sessions where id in (
             select id from sessions where player_id = $1 order by seen_at desc, id desc offset $2)
         returning id",
        player.0,
        i64::from(limits::SESSIONS_PER_PLAYER)
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "update players set visited_at = now() where id = $1",
        player.0
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(ended)
}

/// An open session, of a browser or of a program with a token.
#[derive(Clone)]
pub struct Session {
    /// Its number, which stays when its token is replaced.
    pub id: Credential,
    /// Its account.
    pub account: Account,
    /// The display settings of the account; `None` if never changed.
    pub settings: Option<Settings>,
    /// Whether the last renewal is older than [`limits::SESSION_RENEWAL_INTERVAL`], or the player has lost a game on time since. Renewing
    /// more rarely than on each request saves writes.
    pub needs_renewal: bool,
}

/// The session with this digest of its token, if it has not expired.
pub async fn session_by_token(db: &Db, digest: &[u8]) -> Result<Option<Session>, Error> {
    let row = sqlx::query!(
        r#"select s.id as session, p.id, p.name, p.guest, p.bot, p.settings, s.seen_at < now() - $2::interval
                  or exists (select from time_losses l where l.player_id = p.id and l.flag_at >= p.visited_at) as "aged!"
           from sessions s join players p on p.id = s.player_id
           where s.token_hash = $1 and s.expires_at > now() and p.closed_at is null"#,
        digest,
        limits::SESSION_RENEWAL_INTERVAL as _
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Session {
        id: Credential::Session(row.session),
        account: account(row.id, row.name, row.guest, row.bot),
        settings: row.settings.map(|text| {
            let Ok(settings) = text.parse();
            settings
        }),
        needs_renewal: row.aged,
    }))
}

/// The ids among these of sessions that have neither ended nor expired.
pub async fn open_sessions(db: &Db, ids: &[i64]) -> Result<Vec<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "select id from sessions where id = any($1) and expires_at > now()",
        ids
    )
    .fetch_all(db)
    .await?)
}

/// Extends a session by its whole lifetime, but not beyond [`limits::SESSION_MAX_LIFETIME`], and notes where it is used and
/// that its player is here.
pub async fn renew_session(
    db: &Db,
    digest: &[u8],
    agent: &str,
    address: &str,
) -> Result<(), Error> {
    sqlx::query!(
        "with renewed as (
             update sessions set seen_at = now(), agent = $2, address = $3,
                 expires_at = least(now() + $4::interval, created_at + $5::interval)
             where token_hash = $1 returning player_id)
         update players set visited_at = now() where id in (select player_id from renewed)",
        digest,
        agent,
        address,
        limits::SESSION_LIFETIME as _,
        limits::SESSION_MAX_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Notes that a player is here, whose session [needs renewal](Session::needs_renewal) and cannot be renewed by its request.
pub async fn note_visit(db: &Db, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update players set visited_at = now() where id = $1",
        player.0
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Replaces the token of a session.
pub async fn replace_token(db: &Db, digest: &[u8], new: &[u8]) -> Result<(), Error> {
    sqlx::query!(
        "update sessions set token_hash = $2 where token_hash = $1",
        digest,
        new
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends a session, and returns its number if there was one.
pub async fn end_session(db: &Db, digest: &[u8]) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "delete from sessions where token_hash = $1 returning id",
        digest
    )
    .fetch_optional(db)
    .await?)
}

/// Stores the display settings of an account.
pub async fn save_settings(db: &Db, player: PlayerId, settings: Settings) -> Result<(), Error> {
    sqlx::query!(
        "update players set settings = $2 where id = $1",
        player.0,
        settings.to_string()
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes expired sessions.
pub async fn delete_expired_sessions(db: &Db) -> Result<(), Error> {
    sqlx::query!("delete from sessions where expires_at < now()")
        .execute(db)
        .await?;
    Ok(())
}

/// Replaces the hash of a password by another one of the same password, unless it has changed meanwhile.
pub async fn replace_hash(db: &Db, player: PlayerId, old: &str, new: &str) -> Result<(), Error> {
    sqlx::query!(
        "update players set password_hash = $3 where id = $1 and password_hash = $2",
        player.0,
        old,
        new
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether this player is an operator.
pub async fn is_operator(db: &Db, player: PlayerId) -> Result<bool, Error> {
    let is = sqlx::query_scalar!(
        r#"select exists (
               select from operators o join players p on p.id = o.player_id
               where o.player_id = $1 and not p.guest and not p.bot and p.closed_at is null and p.deleted_at is null) as "is!""#,
        player.0
    )
    .fetch_one(db)
    .await?;
    Ok(is)
}
