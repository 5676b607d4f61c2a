//! Tokens of programs.

use super::Session;
use crate::bus::topic::Credential;
use crate::db::rows::{account, parse_stored};
use crate::db::{Db, Tx};
use crate::{Error, LogFailure as _};
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, Scope, TokenSummary, limits};

/// A token in use: it stands for a session.
#[derive(Clone)]
pub struct TokenSession {
    /// The number of the token.
    pub id: i64,
    /// The session, as for a cookie.
    pub session: Session,
    /// The scopes of the token.
    pub scopes: Vec<Scope>,
    /// Whether the noted last use is older than [`limits::TOKEN_USE_INTERVAL`], or the player has lost a game on time since.
    pub needs_note: bool,
}

/// The token with this digest, if it has not ended.
pub async fn by_digest(db: &Db, digest: &[u8]) -> Result<Option<TokenSession>, Error> {
    let row = sqlx::query!(
        r#"select t.id as token, t.scopes, p.id, p.name, p.guest, p.bot, p.settings,
                  coalesce(t.used_at < now() - $2::interval, true)
                  or exists (select from time_losses l where l.player_id = p.id and l.flag_at >= p.visited_at) as "aged!"
           from tokens t join players p on p.id = t.player_id
           where t.token_hash = $1 and (t.expires_at is null or t.expires_at > now())
               and p.closed_at is null and p.deleted_at is null"#,
        digest,
        limits::TOKEN_USE_INTERVAL as _
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| TokenSession {
        id: row.token,
        session: Session {
            id: Credential::Token(row.token),
            account: account(row.id, row.name, row.guest, row.bot),
            settings: row.settings.map(|text| {
                let Ok(settings) = text.parse();
                settings
            }),
            needs_renewal: false,
        },
        scopes: scopes_or_none(&row.scopes),
        needs_note: row.aged,
    }))
}

/// Records the use of a token as the last visit of its player.
pub async fn note_use(db: &Db, id: i64) -> Result<(), Error> {
    sqlx::query!(
        "with used as (update tokens set used_at = now() where id = $1 returning player_id)
         update players set visited_at = now() where id in (select player_id from used)",
        id
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The number of tokens of a player who stays locked until the transaction ends, so that no two requests make the last one.
pub async fn count_locked(tx: &mut Tx, player: PlayerId) -> Result<u32, Error> {
    sqlx::query!("select from players where id = $1 for update", player.0)
        .fetch_optional(&mut **tx)
        .await?;
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from tokens
           where player_id = $1 and (expires_at is null or expires_at > now())"#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Inserts a token, and returns its number.
pub async fn insert(
    tx: &mut Tx,
    player: PlayerId,
    digest: &[u8],
    name: &str,
    scopes: &[Scope],
    lifetime: Option<Duration>,
) -> Result<i64, Error> {
    let scopes: Vec<String> = scopes.iter().map(|scope| scope.as_str().into()).collect();
    Ok(sqlx::query_scalar!(
        "insert into tokens (player_id, token_hash, name, scopes, expires_at)
         values ($1, $2, $3, $4, now() + $5::interval) returning id",
        player.0,
        digest,
        name,
        &scopes,
        lifetime as _
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// The tokens of a player, the newest first.
pub async fn list(db: &Db, player: PlayerId) -> Result<Vec<TokenSummary>, Error> {
    let rows = sqlx::query!(
        r#"select id, name, scopes, ms(created_at) as "since!", ms(expires_at) as expires_at, ms(used_at) as used_at
           from tokens where player_id = $1 and (expires_at is null or expires_at > now())
           order by id desc"#,
        player.0
    )
    .fetch_all(db)
    .await?;
    let summaries = rows.into_iter().map(|row| TokenSummary {
        id: row.id,
        name: row.name,
        scopes: scopes_or_none(&row.scopes),
        since: Timestamp(row.since),
        expires_at: row.expires_at.map(Timestamp),
        used_at: row.used_at.map(Timestamp),
    });
    Ok(summaries.collect())
}

/// Ends a token of a player. Returns whether there was such a one.
pub async fn end(db: &Db, player: PlayerId, id: i64) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "delete from tokens where id = $2 and player_id = $1",
        player.0,
        id
    )
    .execute(db)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// The ids among these of tokens that have not ended.
pub async fn open(db: &Db, ids: &[i64]) -> Result<Vec<i64>, Error> {
    Ok(sqlx::query_scalar!(
        "select id from tokens where id = any($1) and (expires_at is null or expires_at > now())",
        ids
    )
    .fetch_all(db)
    .await?)
}

/// Deletes expired tokens.
pub async fn delete_expired(db: &Db) -> Result<(), Error> {
    sqlx::query!("delete from tokens where expires_at < now()")
        .execute(db)
        .await?;
    Ok(())
}

/// The scopes of a token.
fn scopes(stored: &[String]) -> Result<Vec<Scope>, Error> {
    let text = stored.join(" ");
    parse_stored(&text, Scope::parse_list(&text))
}

/// The scopes of a token. One with a scope that this release does not know may do nothing.
fn scopes_or_none(stored: &[String]) -> Vec<Scope> {
    let scopes = scopes(stored).log_failure("reading the scopes of a token");
    scopes.unwrap_or_default()
}
