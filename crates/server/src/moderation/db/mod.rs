//! Moderation: reports, mutes, closed accounts, the audit log.

pub mod activity;
pub mod annulments;
pub mod rings;
pub mod shared_addresses;

use crate::Error;
use crate::bus::channel::ChatChannel;
use crate::db::rows;
use crate::db::rows::{account, parse_stored};
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{
    AuditEntry, Code, MatchId, MessageId, ModeratedPlayer, ModerationAction, PlayerId, Report,
    ReportId,
};

/// The number of reported messages on a page.
const REPORTS_PAGE_LEN: i64 = limits::REPORTS_PAGE_LEN as i64;

/// The number of entries of the audit log on a page.
const AUDIT_PAGE_LEN: i64 = limits::AUDIT_PAGE_LEN as i64;

/// A page of reported messages, the one first reported first, and whether there are more pages. All open reports of one
/// message are one entry, under the id of the first.
pub async fn reports(db: &Db, page: u32) -> Result<(Vec<Report>, bool), Error> {
    let rows = sqlx::query!(
        r#"with entries as (
               select min(id) as id, count(*) as count from reports
               where closed_at is null group by coalesce(said_id, -id)
               order by min(id) offset $1 limit $2
           )
           select r.id, e.count as "count!", m.id as "message?", r.place, r.text, ms(r.said_at) as "said_at!", r.reason,
                  ms(r.at) as "at!",
                  array(select o.reason from reports o
                        where o.said_id = r.said_id and o.id > r.id and o.closed_at is null and o.reason <> ''
                        order by o.id limit $3) as "more_reasons!",
                  a.id as "from_id?", a.name as "from_name?", a.guest as "from_guest?", a.bot as "from_bot?",
                  b.id as "about_id?", b.name as "about_name?", b.guest as "about_guest?", b.bot as "about_bot?",
                  ms(b.muted_until) as muted_until, ms(b.closed_at) as closed_at, s.name as "sanction_of?"
           from entries e join reports r on r.id = e.id
           left join messages m on m.id = r.message_id and m.removed_at is null
           left join players a on a.id = r.reporter_id left join players b on b.id = r.reported_id
           left join players s on s.id = b.sanction_of
           order by r.id"#,
        i64::from(page) * REPORTS_PAGE_LEN,
        REPORTS_PAGE_LEN + 1,
        i64::from(limits::REPORT_MORE_REASONS)
    )
    .fetch_all(db)
    .await?;
    let present = |id: Option<i64>,
                   name: Option<String>,
                   guest: Option<bool>,
                   bot: Option<bool>| { Some(account(id?, name?, guest?, bot?)) };
    Ok(rows::page(rows, REPORTS_PAGE_LEN, |row| {
        let channel = parse_stored(&row.place, ChatChannel::read(&row.place))?;
        Ok(Report {
            id: ReportId(row.id),
            count: u32::try_from(row.count).unwrap_or(u32::MAX),
            message: row.message.map(MessageId),
            from: present(row.from_id, row.from_name, row.from_guest, row.from_bot),
            about: present(row.about_id, row.about_name, row.about_guest, row.about_bot).map(
                |player| ModeratedPlayer {
                    player,
                    muted_until: row.muted_until.map(Timestamp),
                    closed_at: row.closed_at.map(Timestamp),
                    sanction_of: row.sanction_of,
                },
            ),
            place: channel.place(),
            chat: channel.audience(),
            text: row.text,
            said_at: Timestamp(row.said_at),
            reason: row.reason,
            more_reasons: row.more_reasons,
            at: Timestamp(row.at),
        })
    }))
}

/// The number of reported messages that wait for an operator.
pub async fn waiting_reports(db: &Db) -> Result<u32, Error> {
    let waiting = sqlx::query_scalar!(
        r#"select count(distinct coalesce(said_id, -id)) as "count!" from reports where closed_at is null"#
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(waiting).unwrap_or(u32::MAX))
}

/// The players whose keys of names begin with `key`.
pub async fn find_by_prefix(db: &Db, key: &str) -> Result<Vec<ModeratedPlayer>, Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, ms(p.muted_until) as muted_until, ms(p.closed_at) as closed_at,
                  s.name as "sanction_of?"
           from players p left join players s on s.id = p.sanction_of
           where p.name_key like $1 and p.deleted_at is null order by p.name_key limit $2"#,
        prefix_pattern(key),
        i64::from(limits::PLAYER_SEARCH_LEN)
    )
    .fetch_all(db)
    .await?;
    let found = rows.into_iter().map(|row| ModeratedPlayer {
        player: account(row.id, row.name, row.guest, row.bot),
        muted_until: row.muted_until.map(Timestamp),
        closed_at: row.closed_at.map(Timestamp),
        sanction_of: row.sanction_of,
    });
    Ok(found.collect())
}

/// The `like` pattern for texts with this prefix.
fn prefix_pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "%"
}

/// A page of the audit log, latest first, and whether there are more pages.
pub async fn audit(db: &Db, page: u32) -> Result<(Vec<AuditEntry>, bool), Error> {
    let rows = sqlx::query!(
        r#"select id, operator, act, player_id, player, report_id, match_id, why, ms(at) as "at!" from audit
           order by id desc offset $1 limit $2"#,
        i64::from(page) * AUDIT_PAGE_LEN,
        AUDIT_PAGE_LEN + 1
    )
    .fetch_all(db)
    .await?;
    Ok(rows::page(rows, AUDIT_PAGE_LEN, |row| {
        Ok(AuditEntry {
            id: row.id,
            operator: row.operator,
            act: parse_stored(&row.act, ModerationAction::parse(&row.act))?,
            player: row.player_id.map(PlayerId),
            name: row.player,
            report: row.report_id.map(ReportId),
            match_id: row.match_id.map(MatchId),
            why: row.why,
            at: Timestamp(row.at),
        })
    }))
}

/// Closes a report and all others of the same message, and returns the reported player.
///
/// # Errors
/// `not_found` if there is no open report with this id.
pub async fn close_report(tx: &mut Tx, id: ReportId) -> Result<Option<PlayerId>, Error> {
    let reported = sqlx::query_scalar!(
        "update reports set closed_at = now() where id = $1 and closed_at is null returning reported_id",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or(Code::NotFound)?;
    sqlx::query!(
        "update reports set closed_at = now()
         where closed_at is null and said_id = (select said_id from reports where id = $1)",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(reported.map(PlayerId))
}

/// A message that an operator has removed.
pub struct RemovedMessage {
    /// Its author.
    pub author: PlayerId,
    /// Its channel.
    pub channel: ChatChannel,
}

/// Removes a message, unless it is removed already or gone.
pub async fn remove_message(tx: &mut Tx, id: MessageId) -> Result<Option<RemovedMessage>, Error> {
    let row = sqlx::query!(
        "update messages set removed_at = now() where id = $1 and removed_at is null returning player_id, place",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    // So that no removal becomes visible after one with a greater id.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('removals', 0))")
        .execute(&mut **tx)
        .await?;
    sqlx::query!("insert into removals (message_id) values ($1)", id.0)
        .execute(&mut **tx)
        .await?;
    Ok(Some(RemovedMessage {
        author: PlayerId(row.player_id),
        channel: parse_stored(&row.place, ChatChannel::read(&row.place))?,
    }))
}

/// Mutes a player for some whole hours, without end if `None`, or unmutes them if zero. Returns whether there is such a
/// player.
pub async fn mute(
    tx: &mut Tx,
    player: PlayerId,
    duration: Option<Duration>,
) -> Result<bool, Error> {
    let hours = duration.map(|duration| (duration.as_secs() / 3600) as i32);
    let done = sqlx::query!(
        "update players set muted_until = case
             when $2::int is null then timestamptz '9999-01-01 00:00Z'
             when $2 = 0 then null
             else now() + make_interval(hours => $2) end,
             sanctioned_at = case when $2 = 0 then sanctioned_at else now() end,
             sanction_of = null
         where id = $1",
        player.0,
        hours
    )
    .execute(&mut **tx)
    .await?;
    if duration != Some(Duration::ZERO) {
        crate::tables::db::forget_names(tx, player).await?;
    }
    Ok(done.rows_affected() > 0)
}

/// Reopens an account. Returns whether there is such a player.
pub async fn reopen_account(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update players set closed_at = null, sanction_of = null where id = $1",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Sessions and matches for the caller to end after an account was closed.
pub struct ClosedAccount {
    /// Its sessions.
    pub sessions: Vec<i64>,
    /// Its running match.
    pub playing: Option<MatchId>,
}

/// Closes an account, its sessions and its open challenges. `None` if there is no such player.
pub async fn close_account(tx: &mut Tx, player: PlayerId) -> Result<Option<ClosedAccount>, Error> {
    let done = sqlx::query!(
        "update players set closed_at = coalesce(closed_at, now()), sanctioned_at = now(), sanction_of = null where id = $1",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(None);
    }
    let sessions = sqlx::query_scalar!(
        "delete from sessions where player_id = $1 returning id",
        player.0
    )
    .fetch_all(&mut **tx)
    .await?;
    crate::pairing::db::leaving::leave_waiting_rooms(tx, player).await?;
    let playing = sqlx::query_scalar!(
        "select match_id from playing where player_id = $1",
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(Some(ClosedAccount {
        sessions,
        playing: playing.map(MatchId),
    }))
}

/// An action as it is written to the audit log.
#[derive(Clone, Debug)]
pub struct NewAuditEntry<'a> {
    /// The action.
    pub act: ModerationAction,
    /// The player whom the action is about.
    pub player: Option<PlayerId>,
    /// The report that led to it.
    pub report: Option<ReportId>,
    /// The message it is about.
    pub message: Option<MessageId>,
    /// The match it is about.
    pub match_id: Option<MatchId>,
    /// Why.
    pub why: &'a str,
}

impl NewAuditEntry<'_> {
    /// An action about nobody yet.
    pub const fn new(act: ModerationAction) -> Self {
        Self {
            act,
            player: None,
            report: None,
            message: None,
            match_id: None,
            why: "",
        }
    }
}

/// Inserts an entry into the audit log, with the current names. `operator` is the player who did it, if it was one.
pub async fn insert_audit_entry(
    tx: &mut Tx,
    operator: Option<PlayerId>,
    name: &str,
    entry: &NewAuditEntry<'_>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into audit (operator_id, operator, act, player_id, player, report_id, message_id, match_id, why)
         values ($1, $2, $3, $4, (select name from players where id = $4), $5, $6, $7, $8)",
        operator.map(|operator| operator.0),
        name,
        entry.act.as_str(),
        entry.player.map(|player| player.0),
        entry.report.map(|report| report.0),
        entry.message.map(|message| message.0),
        entry.match_id.map(|id| id.0),
        entry.why
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether there is such a player.
pub async fn exists(db: &Db, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from players where id = $1) as "exists!""#,
        player.0
    )
    .fetch_one(db)
    .await?)
}

/// Makes a player an operator. False if they are one.
pub async fn appoint(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let done = sqlx::query!(
        "insert into operators (player_id) values ($1) on conflict do nothing",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Makes an operator a player like others. False if they are one.
pub async fn dismiss(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let done = sqlx::query!("delete from operators where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// An operator.
pub struct Appointment {
    /// The name.
    pub name: String,
    /// Since when.
    pub since: Timestamp,
}

/// All operators, by name.
pub async fn operators(db: &Db) -> Result<Vec<Appointment>, Error> {
    let rows = sqlx::query!(
        r#"select p.name, ms(o.since) as "since!" from operators o join players p on p.id = o.player_id
           where p.deleted_at is null order by p.name"#
    )
    .fetch_all(db)
    .await?;
    let operators = rows.into_iter().map(|row| Appointment {
        name: row.name,
        since: Timestamp(row.since),
    });
    Ok(operators.collect())
}

/// Deletes reports older than [`limits::REPORT_LIFETIME`] and entries of the audit log older than
/// [`limits::AUDIT_LIFETIME`].
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from reports where at < now() - $1::interval",
        limits::REPORT_LIFETIME as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "delete from audit where at < now() - $1::interval",
        limits::AUDIT_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
