//! Mail addresses, links for new passwords, and mails to be sent.

pub(super) mod notices;

use super::address::MailAddress;
use super::content::{Mail, Waiting};
use crate::Error;
use crate::LogFailure as _;
use crate::db::{Db, Tx};
use tochki_protocol::{Code, MailStatus, PlayerId, limits};

/// The address of a player as they see it.
pub async fn status(db: &Db, player: PlayerId) -> Result<MailStatus, Error> {
    let row = sqlx::query!(
        "select address, case when pending_at > now() - $2::interval then pending end as pending, sign_ins
         from mail_addresses where player_id = $1",
        player.0,
        limits::CONFIRMATION_LIFETIME as _
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map_or_else(MailStatus::default, |row| MailStatus {
        available: true,
        address: row.address,
        pending: row.pending,
        sign_ins: row.sign_ins,
    }))
}

/// How many mails of a kind were written within [`limits::MAIL_WINDOW`]: to the mailbox of an address, whatever name of it was given, and
/// for a player. The next count for the same mailbox or player waits until this transaction ends.
pub async fn count_recent(
    tx: &mut Tx,
    kind: &str,
    address: &str,
    player: PlayerId,
) -> Result<[i64; 2], Error> {
    // In one order: of addresses first.
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('mail ' || mailbox($1), 0))",
        address
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "select id from players where id = $1 for no key update",
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    let row = sqlx::query!(
        r#"select (select count(*) from mails where mailbox(address) = mailbox($2) and kind = $1
                   and created_at > now() - $4::interval) as "to_address!",
                  (select count(*) from mails where player_id = $3 and kind = $1
                   and created_at > now() - $4::interval) as "for_player!""#,
        kind,
        address,
        player.0,
        limits::MAIL_WINDOW as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok([row.to_address, row.for_player])
}

/// Stores an address that waits for its link, in the place of another that waits.
pub async fn set_pending(
    tx: &mut Tx,
    player: PlayerId,
    address: &MailAddress,
    hash: &[u8],
    language: &str,
    unsubscribe: &str,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into mail_addresses (player_id, pending, pending_hash, pending_at, language, unsubscribe)
         values ($1, $2, $3, now(), $4, $5)
         on conflict (player_id) do update set
             pending = excluded.pending, pending_hash = excluded.pending_hash, pending_at = excluded.pending_at,
             language = excluded.language",
        player.0,
        address.as_str(),
        hash,
        language,
        unsubscribe
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets an address that waits for its link: whoever has set it may not have been the player.
pub async fn forget_pending(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "delete from mail_addresses where player_id = $1 and address is null",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update mail_addresses set pending = null, pending_hash = null, pending_at = null where player_id = $1",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An address that was confirmed, and the one before.
pub struct Confirmed {
    /// The player.
    pub player: PlayerId,
    /// The name.
    pub name: String,
    /// The address that was confirmed before, if it was another one.
    pub former: Option<String>,
    /// The language of the player's mails.
    pub language: String,
}

/// Confirms the address that waits for this link. `None` if there is none, or the link is too old.
pub async fn confirm(tx: &mut Tx, hash: &[u8]) -> Result<Option<Confirmed>, Error> {
    let found = sqlx::query!(
        "select a.player_id, p.name, a.address, a.pending, a.language
         from mail_addresses a join players p on p.id = a.player_id
         where a.pending_hash = $1 and a.pending_at > now() - $2::interval for update of a",
        hash,
        limits::CONFIRMATION_LIFETIME as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(found) = found else { return Ok(None) };
    // The time of a digest is one at which the player reads mail.
    sqlx::query!(
        "update mail_addresses set address = pending, pending = null, pending_hash = null, pending_at = null,
             digest_at = case when address is null then now() + interval '1 day' else digest_at end
         where player_id = $1",
        found.player_id
    )
    .execute(&mut **tx)
    .await?;
    let player = PlayerId(found.player_id);
    notices::remind_of_running_turns(tx, player).await?;
    let former = found
        .address
        .filter(|former| Some(former) != found.pending.as_ref());
    if former.is_some() {
        // They were sent to the former address.
        delete_resets(tx, player).await?;
    }
    Ok(Some(Confirmed {
        player,
        name: found.name,
        former,
        language: found.language,
    }))
}

/// Deletes the addresses of a player, and links that were sent to them. Returns the confirmed one and the language of its mails.
pub async fn delete(tx: &mut Tx, player: PlayerId) -> Result<Option<(String, String)>, Error> {
    delete_resets(tx, player).await?;
    let row = sqlx::query!(
        "delete from mail_addresses where player_id = $1 returning address, language",
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.and_then(|row| Some((row.address?, row.language))))
}

/// The recipient of a mail to a player.
pub struct Recipient {
    /// The player.
    pub player: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// The confirmed address.
    pub address: String,
    /// The language of the mails.
    pub language: String,
    /// The end of the link that ends notices.
    pub unsubscribe: String,
    /// Whether sign-ins from new browsers are told.
    pub sign_ins: bool,
}

/// The player with this key of the name, if the account is open and has a confirmed address.
pub async fn recipient_by_name(db: &Db, key: &str) -> Result<Option<Recipient>, Error> {
    let row = sqlx::query!(
        r#"select p.id, p.name, a.address as "address!", a.language, a.unsubscribe, a.sign_ins
           from players p join mail_addresses a on a.player_id = p.id
           where p.name_key = $1 and p.closed_at is null and p.deleted_at is null and a.address is not null"#,
        key
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Recipient {
        player: PlayerId(row.id),
        name: row.name,
        address: row.address,
        language: row.language,
        unsubscribe: row.unsubscribe,
        sign_ins: row.sign_ins,
    }))
}

/// The player, if the account is open and has a confirmed address.
pub async fn recipient(db: &Db, player: PlayerId) -> Result<Option<Recipient>, Error> {
    let row = sqlx::query!(
        r#"select p.id, p.name, a.address as "address!", a.language, a.unsubscribe, a.sign_ins
           from players p join mail_addresses a on a.player_id = p.id
           where p.id = $1 and p.closed_at is null and p.deleted_at is null and a.address is not null"#,
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Recipient {
        player: PlayerId(row.id),
        name: row.name,
        address: row.address,
        language: row.language,
        unsubscribe: row.unsubscribe,
        sign_ins: row.sign_ins,
    }))
}

/// The name of a player, unless the account is deleted.
pub(super) async fn name(db: &Db, player: PlayerId) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar!(
        "select name from players where id = $1 and deleted_at is null",
        player.0
    )
    .fetch_optional(db)
    .await?)
}

/// The name of a player with an address that waits for the link with this hash.
pub(super) async fn name_of_pending(
    db: &Db,
    player: PlayerId,
    hash: &[u8],
) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar!(
        "select p.name from players p join mail_addresses a on a.player_id = p.id
         where p.id = $1 and p.deleted_at is null and a.pending_hash = $2",
        player.0,
        hash
    )
    .fetch_optional(db)
    .await?)
}

/// Sets whether sign-ins from new browsers are told.
pub async fn set_sign_ins(db: &Db, player: PlayerId, sign_ins: bool) -> Result<(), Error> {
    sqlx::query!(
        "update mail_addresses set sign_ins = $2 where player_id = $1",
        player.0,
        sign_ins
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends the notices of sign-ins to whoever has the link with this end. Returns whether there is such a link.
pub(super) async fn unsubscribe_sign_ins(db: &Db, token: &str) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "update mail_addresses set sign_ins = false where unsubscribe = $1",
        token
    )
    .execute(db)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Sets the language of the mails to a player.
pub async fn set_language(db: &Db, player: PlayerId, language: &str) -> Result<(), Error> {
    sqlx::query!(
        "update mail_addresses set language = $2 where player_id = $1 and language <> $2",
        player.0,
        language
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores a link for a new password.
pub async fn insert_reset(tx: &mut Tx, player: PlayerId, hash: &[u8]) -> Result<(), Error> {
    sqlx::query!(
        "insert into password_resets (token_hash, player_id) values ($1, $2)",
        hash,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The player to whom a link for a new password was sent, and their name, unless it was used or is too old.
pub async fn reset_of(db: &Db, hash: &[u8]) -> Result<Option<(PlayerId, String)>, Error> {
    let row = sqlx::query!(
        "select p.id, p.name from password_resets r join players p on p.id = r.player_id
         where r.token_hash = $1 and r.created_at > now() - $2::interval and p.deleted_at is null",
        hash,
        limits::RESET_LIFETIME as _
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (PlayerId(row.id), row.name)))
}

/// Uses up a link for a new password, and with it all others of its player. Returns whether it was there.
pub async fn use_reset(tx: &mut Tx, player: PlayerId, hash: &[u8]) -> Result<bool, Error> {
    let used = sqlx::query!(
        "delete from password_resets
         where token_hash = $1 and player_id = $2 and created_at > now() - $3::interval",
        hash,
        player.0,
        limits::RESET_LIFETIME as _
    )
    .execute(&mut **tx)
    .await?;
    delete_resets(tx, player).await?;
    Ok(used.rows_affected() > 0)
}

/// Deletes all links for a new password of a player.
pub async fn delete_resets(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!("delete from password_resets where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Inserts a mail to be sent.
pub async fn insert(
    tx: &mut Tx,
    player: PlayerId,
    address: &str,
    language: &str,
    mail: &Mail,
) -> Result<(), Error> {
    let content = serde_json::to_value(mail)
        .map_err(|error| Error::invariant(format!("a mail is no JSON: {error}")))?;
    sqlx::query!(
        "insert into mails (player_id, address, kind, content, language) values ($1, $2, $3, $4, $5)",
        player.0,
        address,
        mail.kind(),
        content,
        language
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A mail that is to be sent now.
pub(super) struct DueMail {
    /// The mail.
    pub(super) id: i64,
    /// The player.
    pub(super) player: PlayerId,
    /// To whom.
    pub(super) address: String,
    /// The news.
    pub(super) content: Waiting,
    /// The code of its language.
    pub(super) language: String,
    /// How often it was tried, with this time.
    pub(super) attempts: i32,
}

/// Takes some mails that are due. Nobody else takes them for [`limits::MAIL_CLAIM_LIFETIME`].
pub(super) async fn take_due(db: &Db) -> Result<Vec<DueMail>, Error> {
    let rows = sqlx::query!(
        "update mails set due_at = now() + $1::interval, attempts = attempts + 1
         where id in (
             select id from mails where sent_at is null and due_at <= now()
             order by due_at limit $2 for update skip locked)
         returning id, player_id, address, content, language, attempts",
        limits::MAIL_CLAIM_LIFETIME as _,
        limits::MAIL_BATCH_LEN
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().filter_map(|row| {
        // One of a newer release is left to its instances.
        let content = serde_json::from_value(row.content)
            .map_err(|error| Error::invariant(format!("mail {} is unreadable: {error}", row.id)));
        Some(DueMail {
            id: row.id,
            player: PlayerId(row.player_id),
            address: row.address,
            content: content.log_failure("reading a mail")?,
            language: row.language,
            attempts: row.attempts,
        })
    });
    Ok(read.collect())
}

/// A mail was sent. Its content, which may be a secret, goes.
pub async fn sent(db: &Db, id: i64) -> Result<(), Error> {
    sqlx::query!(
        "update mails set sent_at = now(), content = '{}' where id = $1",
        id
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A mail is not tried again. It counts as one that was sent.
pub async fn give_up(db: &Db, id: i64) -> Result<(), Error> {
    sent(db, id).await
}

/// A mail is tried again, later with each attempt.
pub async fn try_later(db: &Db, id: i64, attempts: i32) -> Result<(), Error> {
    sqlx::query!(
        "update mails set due_at = now() + $2::interval * power(2, $3::int - 1) where id = $1",
        id,
        limits::MAIL_RETRY_PAUSE as _,
        attempts
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends all tokens of programs of a player.
pub async fn delete_tokens(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!("delete from tokens where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Deletes what is known of mails that were sent, links that are too old, and addresses that nobody has confirmed.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from mails where sent_at is not null and created_at < now() - $1::interval",
        limits::MAIL_WINDOW as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "delete from password_resets where created_at < now() - $1::interval",
        limits::RESET_LIFETIME as _
    )
    .execute(db)
    .await?;
    // The release before leaves rows without any address.
    sqlx::query!(
        "delete from mail_addresses
         where address is null and (pending_at < now() - $1::interval or pending_at is null)",
        limits::CONFIRMATION_LIFETIME as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "update mail_addresses set pending = null, pending_hash = null, pending_at = null
         where pending_at < now() - $1::interval",
        limits::CONFIRMATION_LIFETIME as _
    )
    .execute(db)
    .await?;
    notices::delete_old(db).await
}

/// Refuses where a count has reached its limit.
///
/// # Errors
/// `too_many_attempts`.
pub fn check_count([to_address, for_player]: [i64; 2], allowed: [i64; 2]) -> Result<(), Error> {
    if to_address >= allowed[0] || for_player >= allowed[1] {
        return Err(Code::TooManyAttempts.into());
    }
    Ok(())
}
