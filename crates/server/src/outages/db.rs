//! The common heartbeat of all instances, and the extension of deadlines after an outage.

use crate::Error;
use crate::db::{Db, Tx};
use std::collections::HashMap;
use std::time::Duration;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{MatchId, limits};

/// Result of a heartbeat.
pub(crate) struct Heartbeat {
    /// The number of outages so far.
    pub outages: i32,
    /// The time of the database.
    pub now: Timestamp,
    /// Whether the database still knows who was present. It does not after a crash of Postgres.
    pub presence_kept: bool,
}

/// Writes the heartbeat. If the last one is older than `tolerance`, all deadlines are extended by the time since then. The
/// first instance does this, the others wait for it.
pub(crate) async fn heartbeat(db: &Db, tolerance: Duration) -> Result<Heartbeat, Error> {
    let tolerance = Millis(i64::try_from(tolerance.as_millis()).unwrap_or(i64::MAX));
    let kept = sqlx::query!(
        r#"update heartbeat set beat_at = clock_timestamp()
         where beat_at > clock_timestamp() - $1::bigint * interval '1 millisecond'
         returning outages, ms(clock_timestamp()) as "now!", exists (select from presence_kept) as "presence_kept!""#,
        tolerance.0
    )
    .fetch_optional(db)
    .await?;
    match kept {
        Some(kept) => Ok(Heartbeat {
            outages: kept.outages,
            now: Timestamp(kept.now),
            presence_kept: kept.presence_kept,
        }),
        None => heartbeat_after_outage(db, tolerance).await,
    }
}

async fn heartbeat_after_outage(db: &Db, tolerance: Millis) -> Result<Heartbeat, Error> {
    let mut tx = crate::db::begin(db).await?;
    let last = sqlx::query!(
        r#"select outages, ms(beat_at) as "beat_at!", ms(clock_timestamp()) - ms(beat_at) as "silent!"
           from heartbeat for update"#
    )
    .fetch_one(&mut *tx)
    .await?;
    let mut outages = last.outages;
    let outage = Millis(last.silent);
    if outage > tolerance {
        extend_deadlines(&mut tx, outage, Timestamp(last.beat_at)).await?;
        outages += 1;
        tracing::info!(
            milliseconds = outage.0,
            "no server was running; deadlines are extended"
        );
    }
    let now = sqlx::query_scalar!(
        r#"update heartbeat set beat_at = clock_timestamp(), outages = $1
         returning ms(clock_timestamp()) as "now!""#,
        outages
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Heartbeat {
        outages,
        now: Timestamp(now),
        // The next heartbeat looks.
        presence_kept: true,
    })
}

/// Returns whether a heartbeat was written of late: otherwise an outage may have to be given back first.
pub(crate) async fn is_heartbeat_fresh(db: &Db) -> Result<bool, Error> {
    let fresh = sqlx::query_scalar!(r#"select heartbeat_is_fresh() as "fresh!""#);
    Ok(fresh.fetch_one(db).await?)
}

/// Writes something, to learn whether the database takes it.
pub(crate) async fn write_readiness(db: &Db) -> Result<(), Error> {
    sqlx::query!("update readiness set checked_at = clock_timestamp()")
        .execute(db)
        .await?;
    Ok(())
}

/// Writes pages that the database does not have yet, to learn whether its disk has room: 128 KB, which are gone after the
/// commit. Each row is too short to be compressed.
pub(crate) async fn write_new_pages(db: &Db) -> Result<(), Error> {
    sqlx::raw_sql(
        "create temporary table new_pages on commit drop as
         select repeat('x', 1900) as filler from generate_series(1, 64)",
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Time that a match has lost because it was suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LostTime {
    /// The number that tells the suspension from others.
    pub suspension: i64,
    /// The version of the match.
    pub version: u32,
    /// How long it could not be played.
    pub lost: Millis,
}

/// Gives a running match back the time in which it could not be played, if nothing has happened in it since that version.
/// Doing it again for the same suspension changes nothing, as when the answer of the database was lost.
pub(crate) async fn give_back(db: &Db, id: MatchId, lost: LostTime) -> Result<(), Error> {
    sqlx::query!(
        "with later as (
             update matches set deadline_at = deadline_at + $3::bigint * interval '1 millisecond'
             where id = $1 and version = $2 and finished_at is null and deadline_at is not null
                 and not exists (
                     select from outages o where o.match_id = $1 and o.version = $2 and o.suspension = $4)
             returning id, version
         )
         insert into outages (match_id, version, lost_ms, suspension) select id, version, $3, $4 from later
         on conflict (match_id, version) do update
             set lost_ms = outages.lost_ms + excluded.lost_ms, suspension = excluded.suspension",
        id.0,
        lost.version.cast_signed(),
        lost.lost.0,
        lost.suspension
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Extends all deadlines by the length of an outage, which began with the last heartbeat; those by correspondence only where they are
/// near, so that a million running matches do not delay a start by a million updates.
async fn extend_deadlines(tx: &mut Tx, outage: Millis, beat_at: Timestamp) -> Result<(), Error> {
    // If a move was committed after the last heartbeat, only the time after the move is lost.
    sqlx::query!(
        "with lost as (
             select m.id, greatest(0, $1::bigint - greatest(0, -$2::bigint + ms(coalesce(
                 (select e.at from match_events e where e.match_id = m.id order by e.version desc limit 1),
                 m.started_at)))) as lost_ms
             from matches m where m.finished_at is null and m.deadline_at is not null
                 and (not m.correspondence
                     or m.deadline_at < now() + greatest($3::interval, $1::bigint * interval '1 millisecond'))
         ), later as (
             update matches m set deadline_at = m.deadline_at + lost.lost_ms * interval '1 millisecond'
             from lost where m.id = lost.id and m.finished_at is null
             returning m.id, m.version, lost.lost_ms
         )
         insert into outages (match_id, version, lost_ms) select id, version, lost_ms from later
         on conflict (match_id, version) do update set lost_ms = outages.lost_ms + excluded.lost_ms",
        outage.0,
        beat_at.0,
        limits::OUTAGE_NEAR_DEADLINE as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update absences set since = since + $1::bigint * interval '1 millisecond'",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    // Players who were present at the last heartbeat get time to reconnect.
    sqlx::query!(
        "update presence set beat_at = beat_at + $1::bigint * interval '1 millisecond',
             gone_at = gone_at + $1::bigint * interval '1 millisecond'",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update tournaments set ends_at = ends_at + $1::bigint * interval '1 millisecond',
             round_at = round_at + $1::bigint * interval '1 millisecond'
         where state = 'running'",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    // Games by appointment whose time was in the outage, or for which players were still awaited when it began.
    sqlx::query!(
        "update tournament_appointments set at = at + $1::bigint * interval '1 millisecond'
         where at <= now() and at > now() - $1::bigint * interval '1 millisecond' - $2::interval",
        outage.0,
        limits::APPOINTMENT_WAIT as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update open_tables set seen_at = seen_at + $1::bigint * interval '1 millisecond' where closed_at is null",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update table_seats set seen_at = seen_at + $1::bigint * interval '1 millisecond'",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update challenges set expires_at = expires_at + $1::bigint * interval '1 millisecond' where closed_at is null",
        outage.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The extensions of these matches, each by its match and the version at that time.
pub(crate) async fn of_matches(
    tx: &mut Tx,
    ids: &[i64],
) -> Result<HashMap<(i64, u32), Millis>, Error> {
    let rows = sqlx::query!(
        "select match_id, version, lost_ms from outages where match_id = any($1)",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            (
                (row.match_id, row.version.cast_unsigned()),
                Millis(row.lost_ms),
            )
        })
        .collect())
}

/// The extensions of a match, each with its version at that time.
pub(crate) async fn of_match(db: &Db, id: MatchId) -> Result<Vec<(u32, Millis)>, Error> {
    let rows = sqlx::query!(
        "select version, lost_ms from outages where match_id = $1 order by version",
        id.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.version.cast_unsigned(), Millis(row.lost_ms)))
        .collect())
}
