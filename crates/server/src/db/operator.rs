//! Moderation: reports, mutes, closed accounts, the audit log.

use super::rows::account;
use super::{Db, Tx};
use crate::Error;
use crate::channel::ChatChannel;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{
    Account, AuditEntry, MatchId, ModeratedPlayer, ModerationAction, PlayerId, Report, ReportId,
};

/// The maximum number of reports on the page.
const REPORTS_LIMIT: i64 = 50;

/// The maximum number of players in a search result.
const SEARCH_LIMIT: i64 = 20;

/// The number of entries of the audit log on a page.
const AUDIT_PAGE_LEN: i64 = limits::AUDIT_PAGE_LEN as i64;

/// Open reports, oldest first, and the number of all of them.
pub async fn reports(db: &Db) -> Result<(Vec<Report>, u32), Error> {
    let rows = sqlx::query!(
        r#"select r.id, r.place, r.text, ms(r.said_at) as "said_at!", r.reason, ms(r.at) as "at!",
                  a.id as "from_id?", a.name as "from_name?", a.guest as "from_guest?",
                  b.id as "about_id?", b.name as "about_name?", b.guest as "about_guest?",
                  ms(b.muted_until) as muted_until, ms(b.closed_at) as closed_at
           from reports r left join players a on a.id = r.reporter_id left join players b on b.id = r.reported_id
           where r.closed_at is null order by r.id limit $1"#,
        REPORTS_LIMIT
    )
    .fetch_all(db)
    .await?;
    let waiting =
        sqlx::query_scalar!(r#"select count(*) as "count!" from reports where closed_at is null"#)
            .fetch_one(db)
            .await?;
    let present = |id: Option<i64>, name: Option<String>, guest: Option<bool>| {
        Some(account(id?, name?, guest?))
    };
    let reports = rows.into_iter().map(|row| {
        // The column contains only channels written by this server.
        let channel = ChatChannel::read(&row.place).unwrap_or(ChatChannel::Lobby);
        Report {
            id: ReportId(row.id),
            from: present(row.from_id, row.from_name, row.from_guest),
            about: present(row.about_id, row.about_name, row.about_guest).map(|player| {
                ModeratedPlayer {
                    player,
                    muted_until: row.muted_until.map(Timestamp),
                    closed_at: row.closed_at.map(Timestamp),
                }
            }),
            place: channel.place(),
            chat: channel.audience(),
            text: row.text,
            said_at: Timestamp(row.said_at),
            reason: row.reason,
            at: Timestamp(row.at),
        }
    });
    Ok((
        reports.collect(),
        u32::try_from(waiting).unwrap_or(u32::MAX),
    ))
}

/// The players whose keys of names begin with `key`.
pub async fn find_by_prefix(db: &Db, key: &str) -> Result<Vec<ModeratedPlayer>, Error> {
    let rows = sqlx::query!(
        r#"select id, name, guest, ms(muted_until) as muted_until, ms(closed_at) as closed_at
           from players where name_key like $1 and deleted_at is null order by name_key limit $2"#,
        prefix_pattern(key),
        SEARCH_LIMIT
    )
    .fetch_all(db)
    .await?;
    let found = rows.into_iter().map(|row| ModeratedPlayer {
        player: account(row.id, row.name, row.guest),
        muted_until: row.muted_until.map(Timestamp),
        closed_at: row.closed_at.map(Timestamp),
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
        r#"select id, operator, act, player_id, player, report_id, why, ms(at) as "at!" from audit
           order by id desc offset $1 limit $2"#,
        i64::from(page) * AUDIT_PAGE_LEN,
        AUDIT_PAGE_LEN + 1
    )
    .fetch_all(db)
    .await?;
    let more = rows.len() > AUDIT_PAGE_LEN as usize;
    let acts = rows.into_iter().take(AUDIT_PAGE_LEN as usize);
    let acts = acts.filter_map(|row| {
        Some(AuditEntry {
            id: row.id,
            operator: row.operator,
            act: ModerationAction::parse(&row.act)?,
            player: row.player_id.map(PlayerId),
            name: row.player,
            report: row.report_id.map(ReportId),
            why: row.why,
            at: Timestamp(row.at),
        })
    });
    Ok((acts.collect(), more))
}

/// Closes a report and returns the reported player. `None` if there is no open report with this id.
pub async fn close_report(tx: &mut Tx, id: ReportId) -> Result<Option<Option<PlayerId>>, Error> {
    let closed = sqlx::query_scalar!(
        "update reports set closed_at = now() where id = $1 and closed_at is null returning reported_id",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(closed.map(|reported| reported.map(PlayerId)))
}

/// Mutes a player for some hours, without end if `None`, or unmutes them if 0. Returns whether there is such a player.
pub async fn mute(tx: &mut Tx, player: PlayerId, hours: Option<i32>) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update players set muted_until = case
             when $2::int is null then timestamptz '9999-01-01 00:00Z'
             when $2 = 0 then null
             else now() + make_interval(hours => $2) end
         where id = $1",
        player.0,
        hours
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Reopens an account. Returns whether there is such a player.
pub async fn reopen_account(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update players set closed_at = null where id = $1",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// What the caller has to end after an account was closed.
pub struct ClosedAccount {
    /// Its sessions.
    pub sessions: Vec<i64>,
    /// Its running match.
    pub playing: Option<MatchId>,
}

/// Closes an account, its sessions and its open challenges. `None` if there is no such player.
pub async fn close_account(tx: &mut Tx, player: PlayerId) -> Result<Option<ClosedAccount>, Error> {
    let done = sqlx::query!(
        "update players set closed_at = coalesce(closed_at, now()) where id = $1",
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
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'left'
         where closed_at is null and (from_id = $1 or to_id = $1)",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    super::tables::leave_seats(tx, &[player.0]).await?;
    super::tables::close_all_of(tx, &[player.0], None).await?;
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

/// Inserts an entry into the audit log, with the current names.
pub async fn insert_audit_entry(
    tx: &mut Tx,
    operator: &Account,
    act: ModerationAction,
    player: Option<PlayerId>,
    report: Option<ReportId>,
    why: &str,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into audit (operator_id, operator, act, player_id, player, report_id, why)
         values ($1, $2, $3, $4, (select name from players where id = $4), $5, $6)",
        operator.id.0,
        operator.name,
        act.as_str(),
        player.map(|player| player.0),
        report.map(|report| report.0),
        why
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
