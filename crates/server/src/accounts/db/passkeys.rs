//! Passkeys, and the challenges that browsers have been given.

use crate::Error;
use crate::accounts::webauthn::Credential;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::{Account, Code, Passkey, PlayerId, limits};

/// The handle of an account: the one that it has, else this one.
pub async fn handle(db: &Db, player: PlayerId, fresh: &[u8]) -> Result<Vec<u8>, Error> {
    let handle = sqlx::query_scalar!(
        r#"update players set passkey_handle = coalesce(passkey_handle, $2) where id = $1 returning passkey_handle as "handle!""#,
        player.0,
        fresh
    )
    .fetch_optional(db)
    .await?;
    handle.ok_or_else(|| Code::SignedOut.into())
}

/// The ids and transports of the passkeys of a player.
pub async fn credentials(db: &Db, player: PlayerId) -> Result<Vec<(Vec<u8>, u8)>, Error> {
    let rows = sqlx::query!(
        "select credential_id, transports from passkeys where player_id = $1 order by id",
        player.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.credential_id, row.transports as u8))
        .collect())
}

/// The passkeys of a player, oldest first.
pub async fn list(db: &Db, player: PlayerId) -> Result<Vec<Passkey>, Error> {
    let rows = sqlx::query!(
        r#"select id, name, ms(created_at) as "created_at!", ms(used_at) as used_at
           from passkeys where player_id = $1 order by id"#,
        player.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Passkey {
            id: row.id,
            name: row.name,
            created_at: Timestamp(row.created_at),
            used_at: row.used_at.map(Timestamp),
        })
        .collect())
}

/// Gives a browser a challenge in place of the one that it had. `player` is whose account gets the passkey.
pub async fn open_challenge(
    db: &Db,
    browser: &[u8],
    player: Option<PlayerId>,
    state: &[u8],
) -> Result<(), Error> {
    sqlx::query!(
        "insert into passkey_challenges (browser, player_id, state, expires_at) values ($1, $2, $3, now() + $4::interval)
         on conflict (browser) do update set player_id = $2, state = $3, expires_at = excluded.expires_at",
        browser,
        player.map(|player| player.0),
        state,
        limits::PASSKEY_CHALLENGE_TIMEOUT as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "delete from passkey_challenges
         where browser in (select browser from passkey_challenges order by expires_at desc offset $1)",
        i64::from(limits::PASSKEY_CHALLENGES_MAX)
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes the challenge of a browser, which is then used up, whatever the answer is worth.
pub async fn take_challenge(
    db: &Db,
    browser: &[u8],
    player: Option<PlayerId>,
) -> Result<Option<Vec<u8>>, Error> {
    let row = sqlx::query!(
        r#"delete from passkey_challenges where browser = $1
           returning state, player_id is not distinct from $2 and expires_at > now() as "valid!""#,
        browser,
        player.map(|player| player.0)
    )
    .fetch_optional(db)
    .await?;
    Ok(row.filter(|row| row.valid).map(|row| row.state))
}

/// Deletes challenges that nobody has answered in time.
pub async fn delete_old_challenges(db: &Db) -> Result<(), Error> {
    sqlx::query!("delete from passkey_challenges where expires_at < now()")
        .execute(db)
        .await?;
    Ok(())
}

/// Locks an account, so that passkeys are added one after another, and counts those that it has. `None` if it has been
/// deleted.
pub async fn lock_and_count(tx: &mut Tx, player: PlayerId) -> Result<Option<u32>, Error> {
    let locked = sqlx::query_scalar!(
        "select id from players where id = $1 and deleted_at is null for no key update",
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    if locked.is_none() {
        return Ok(None);
    }
    let count = sqlx::query_scalar!(
        r#"select count(*)::int as "count!" from passkeys where player_id = $1"#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(u32::try_from(count).ok())
}

/// Adds a passkey; `None` if it is known already.
pub async fn insert(
    tx: &mut Tx,
    player: PlayerId,
    credential: &Credential,
    name: &str,
) -> Result<Option<Passkey>, Error> {
    let row = sqlx::query!(
        r#"insert into passkeys (player_id, credential_id, public_key, state, transports, name)
           values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing
           returning id, name, ms(created_at) as "created_at!""#,
        player.0,
        credential.id,
        credential.public_key,
        credential.state,
        i16::from(credential.transports),
        name
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| Passkey {
        id: row.id,
        name: row.name,
        created_at: Timestamp(row.created_at),
        used_at: None,
    }))
}

/// A passkey with its account.
pub struct StoredPasskey {
    /// Its number.
    pub id: i64,
    /// The credential to check.
    pub credential: Credential,
    /// The handle by which authenticators know the account.
    pub handle: Vec<u8>,
    /// The account.
    pub account: Account,
    /// Whether an operator has closed it.
    pub closed: bool,
}

/// The passkey that its authenticator knows by this id.
pub async fn by_credential_id(db: &Db, id: &[u8]) -> Result<Option<StoredPasskey>, Error> {
    let row = sqlx::query!(
        r#"select k.id, k.credential_id, k.public_key, k.state, k.transports, p.id as player, p.name, p.guest, p.bot,
               p.passkey_handle as "handle!", p.closed_at is not null as "closed!"
           from passkeys k join players p on p.id = k.player_id
           where k.credential_id = $1 and p.deleted_at is null and p.passkey_handle is not null"#,
        id
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredPasskey {
        id: row.id,
        credential: Credential {
            id: row.credential_id,
            public_key: row.public_key,
            state: row.state,
            transports: row.transports as u8,
        },
        handle: row.handle,
        account: account(row.player, row.name, row.guest, row.bot),
        closed: row.closed,
    }))
}

/// Notes that a passkey was used. Returns whether the passkey still was in the state in which it was read: of two
/// uses at once with the same counter one is refused.
pub async fn note_use(db: &Db, passkey: &StoredPasskey, state: &[u8]) -> Result<bool, Error> {
    let noted = sqlx::query!(
        "update passkeys set state = $3, used_at = now() where id = $1 and state = $2",
        passkey.id,
        passkey.credential.state,
        state
    )
    .execute(db)
    .await?;
    Ok(noted.rows_affected() > 0)
}

/// Removes a passkey of a player. Returns whether there was one.
pub async fn remove(db: &Db, player: PlayerId, id: i64) -> Result<bool, Error> {
    let removed = sqlx::query!(
        "delete from passkeys where id = $2 and player_id = $1",
        player.0,
        id
    )
    .execute(db)
    .await?;
    Ok(removed.rows_affected() > 0)
}

/// Records that the player of this session has proved possession of a passkey.
pub async fn note_proof(db: &Db, session: &[u8]) -> Result<(), Error> {
    sqlx::query!(
        "update sessions set passkey_at = now() where token_hash = $1",
        session
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether the player of this session has proved to have a passkey within [`limits::PASSKEY_RESET_TIMEOUT`].
pub async fn is_proven(db: &Db, session: &[u8]) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from sessions where token_hash = $1 and passkey_at > now() - $2::interval) as "proven!""#,
        session,
        limits::PASSKEY_RESET_TIMEOUT as _
    )
    .fetch_one(db)
    .await?)
}
