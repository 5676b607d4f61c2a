//! Packing of finished matches, and unpacking, some at a time in one transaction: a match has its events in rows or in a pack.
//!
//! Each of these transactions, and the recount of ratings, locks the row of `packing_progress` first. So nobody else changes an event
//! between reading it and deleting its row.

use super::packs::{self, EventRow};
use super::stored_event::StoredEvent;
use crate::Error;
use crate::db::terms::StoredTerms;
use crate::db::{Connection, Db};
use std::collections::HashMap;
use std::time::Duration;
use tochki_play::{Millis, Terms, Timestamp};
use tochki_protocol::{MatchId, limits};
use tochki_rules::RULES_VERSION;

/// A place in the order in which matches have ended: just behind one, or before the first.
#[derive(Clone, Debug)]
pub struct Place {
    /// When the match ended, as the database writes it.
    at: String,
    /// The match.
    id: i64,
}

impl Place {
    /// Before the first match.
    pub fn start() -> Self {
        Self {
            at: "-infinity".to_owned(),
            id: 0,
        }
    }
}

/// The result of one transaction.
#[derive(Debug, Default)]
pub struct Batch {
    /// The matches that are packed, or unpacked, now.
    pub done: Vec<i64>,
    /// Those that stay as they were, each with the reason.
    pub left: Vec<(MatchId, String)>,
    /// Whether there may be more.
    pub has_more: bool,
}

/// Packs the next matches that have ended [`limits::PACKING_DELAY`] ago, from where the last such transaction of any instance has
/// stopped. `None` while another instance has the lease.
pub async fn pack_next(db: &Db, holder: &str, lasting: Duration) -> Result<Option<Batch>, Error> {
    let mut tx = crate::db::begin(db).await?;
    let Some(from) = take_lease(&mut tx, holder, lasting).await? else {
        return Ok(None);
    };
    let (batch, reached) = pack_from(&mut tx, from).await?;
    sqlx::query!(
        "update packing_progress set reached_at = $1::text::timestamptz, reached_id = $2",
        reached.at,
        reached.id
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Some(batch))
}

/// Packs the next matches behind a place. Returns the place behind them.
pub async fn pack_behind(db: &Db, from: Place) -> Result<(Batch, Place), Error> {
    let mut tx = crate::db::begin(db).await?;
    lock(&mut tx).await?;
    let packed = pack_from(&mut tx, from).await?;
    tx.commit().await?;
    Ok(packed)
}

/// Unpacks the next packed matches after this one. Returns the last of them.
pub async fn unpack_after(db: &Db, after: MatchId) -> Result<(Batch, MatchId), Error> {
    const { assert!(limits::PACKING_BATCH_LEN == 50, "the number in the query") };
    let mut tx = crate::db::begin(db).await?;
    lock(&mut tx).await?;
    let ids = sqlx::query_scalar!(
        "select match_id from packed_matches where match_id > $1 order by match_id limit 50",
        after.0
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut batch = unpack_matches(&mut tx, &ids).await?;
    batch.has_more = ids.len() == limits::PACKING_BATCH_LEN;
    tx.commit().await?;
    Ok((batch, ids.last().map_or(after, |id| MatchId(*id))))
}

/// Lets the next [`pack_next`] begin with the first match.
pub async fn start_over(db: &Db) -> Result<(), Error> {
    sqlx::query!("update packing_progress set reached_at = '-infinity', reached_id = 0")
        .execute(db)
        .await?;
    Ok(())
}

/// Takes or renews the lease, and locks its row. Returns how far packing has come; `None` while another holder has it, or the row is
/// locked.
async fn take_lease(
    tx: &mut Connection,
    holder: &str,
    lasting: Duration,
) -> Result<Option<Place>, Error> {
    Ok(sqlx::query_as!(
        Place,
        r#"update packing_progress set holder = $1, held_until = now() + $2::interval
           where only_one in (
               select only_one from packing_progress where holder is null or holder = $1 or held_until < now()
               for update skip locked)
           returning reached_at::text as "at!", reached_id as id"#,
        holder,
        lasting as _
    )
    .fetch_optional(tx)
    .await?)
}

/// Releases the lease, so that another instance need not wait for its expiry.
pub async fn release_lease(db: &Db, holder: &str) -> Result<(), Error> {
    sqlx::query!(
        "update packing_progress set holder = null where holder = $1",
        holder
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Keeps others from packing and unpacking until the end of the transaction.
pub(super) async fn lock(tx: &mut Connection) -> Result<(), Error> {
    sqlx::query_scalar!("select only_one from packing_progress for update")
        .fetch_one(tx)
        .await?;
    Ok(())
}

async fn pack_from(tx: &mut Connection, from: Place) -> Result<(Batch, Place), Error> {
    const { assert!(limits::PACKING_BATCH_LEN == 50, "the number in the query") };
    let places = sqlx::query_as!(
        Place,
        r#"select id, finished_at::text as "at!" from matches
           where finished_at is not null and (finished_at, id) > ($1::text::timestamptz, $2)
               and finished_at <= now() - $3::interval
           order by finished_at, id limit 50"#,
        from.at,
        from.id,
        limits::PACKING_DELAY as _
    )
    .fetch_all(&mut *tx)
    .await?;
    let ids: Vec<i64> = places.iter().map(|place| place.id).collect();
    let mut batch = pack_matches(tx, &ids).await?;
    batch.has_more = ids.len() == limits::PACKING_BATCH_LEN;
    Ok((batch, places.into_iter().next_back().unwrap_or(from)))
}

/// A finished match whose events are in rows.
struct FinishedMatch {
    id: i64,
    terms: Result<Terms, Error>,
    started_at: Timestamp,
    version: u32,
    rules_version: i16,
}

impl FinishedMatch {
    fn pack(&self, rows: &[EventRow]) -> Result<Vec<u8>, String> {
        check_rules(self.rules_version)?;
        let terms = self.terms.as_ref().map_err(ToString::to_string)?;
        packs::pack(terms, self.started_at, self.version, rows)
    }
}

/// The moves of a pack mean what the rules make of them.
fn check_rules(version: i16) -> Result<(), String> {
    if version == RULES_VERSION {
        Ok(())
    } else {
        Err(format!("version {version} of the rules is not known here"))
    }
}

/// Packs those of these matches that have ended and that are not packed yet, as far as that loses nothing.
pub(super) async fn pack_matches(tx: &mut Connection, ids: &[i64]) -> Result<Batch, Error> {
    let mut rows = event_rows(tx, ids).await?;
    let mut batch = Batch::default();
    let (mut packed, mut event_count) = (Vec::new(), 0);
    for one in finished_matches(tx, ids).await? {
        let of_match = rows.remove(&one.id).unwrap_or_default();
        match one.pack(&of_match) {
            Ok(bytes) => {
                batch.done.push(one.id);
                packed.push(bytes);
                event_count += of_match.len() as u64;
            }
            Err(why) => batch.left.push((MatchId(one.id), why)),
        }
        // The other tasks of this thread have their turn.
        tokio::task::yield_now().await;
    }
    let stored = sqlx::query!(
        "insert into packed_matches (match_id, events) select * from unnest($1::bigint[], $2::bytea[]) returning match_id, events",
        &batch.done,
        &packed
    )
    .fetch_all(&mut *tx)
    .await?;
    let sent: HashMap<i64, Vec<u8>> = batch.done.iter().copied().zip(packed).collect();
    let are_equal = stored
        .iter()
        .all(|row| sent.get(&row.match_id) == Some(&row.events));
    let deleted = sqlx::query!(
        "delete from match_events where match_id = any($1)",
        &batch.done
    )
    .execute(tx)
    .await?;
    if are_equal && stored.len() == sent.len() && deleted.rows_affected() == event_count {
        Ok(batch)
    } else {
        Err(Error::invariant("packs were not stored as they are"))
    }
}

async fn finished_matches(tx: &mut Connection, ids: &[i64]) -> Result<Vec<FinishedMatch>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.setup, m.clock, m.rated, ms(m.started_at) as "started_at!", m.version, m.rules_version
           from matches m
           where m.id = any($1) and m.finished_at is not null
               and not exists (select from packed_matches p where p.match_id = m.id)
           order by m.id"#,
        ids
    )
    .fetch_all(tx)
    .await?;
    let read = rows.into_iter().map(|row| FinishedMatch {
        id: row.id,
        terms: StoredTerms::new(row.game, row.setup, row.clock).read(row.rated),
        started_at: Timestamp(row.started_at),
        version: row.version.cast_unsigned(),
        rules_version: row.rules_version,
    });
    Ok(read.collect())
}

/// The rows of the events of these matches, those of each in order.
async fn event_rows(
    tx: &mut Connection,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<EventRow>>, Error> {
    let rows = sqlx::query!(
        r#"select match_id, version, kind, body, seat, ms(at) as "at!", grace_ms from match_events
           where match_id = any($1) order by match_id, version"#,
        ids
    )
    .fetch_all(tx)
    .await?;
    let mut of_matches = HashMap::<i64, Vec<EventRow>>::new();
    for row in rows {
        of_matches.entry(row.match_id).or_default().push(EventRow {
            stored: StoredEvent {
                version: row.version.cast_unsigned(),
                kind: row.kind,
                body: row.body,
                grace: Millis(row.grace_ms.unwrap_or_default()),
            },
            seat: row.seat,
            at: Timestamp(row.at),
        });
    }
    Ok(of_matches)
}

/// The columns of events.
#[derive(Default)]
struct Columns {
    match_ids: Vec<i64>,
    versions: Vec<i32>,
    kinds: Vec<String>,
    bodies: Vec<String>,
    seats: Vec<Option<i16>>,
    graces: Vec<i64>,
    times: Vec<i64>,
}

impl Columns {
    fn push(&mut self, id: i64, row: EventRow) {
        self.match_ids.push(id);
        self.versions.push(row.stored.version.cast_signed());
        self.kinds.push(row.stored.kind);
        self.bodies.push(row.stored.body);
        self.seats.push(row.seat);
        self.graces.push(row.stored.grace.0);
        self.times.push(row.at.0);
    }
}

/// Unpacks those of these matches that are packed. One whose pack is damaged stays as it is.
pub(super) async fn unpack_matches(tx: &mut Connection, ids: &[i64]) -> Result<Batch, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.setup, m.clock, m.rated, ms(m.started_at) as "started_at!", m.version, m.rules_version, p.events
           from packed_matches p join matches m on m.id = p.match_id
           where p.match_id = any($1) order by p.match_id"#,
        ids
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut batch = Batch::default();
    let mut columns = Columns::default();
    for row in rows {
        let packed = FinishedMatch {
            id: row.id,
            terms: StoredTerms::new(row.game, row.setup, row.clock).read(row.rated),
            started_at: Timestamp(row.started_at),
            version: row.version.cast_unsigned(),
            rules_version: row.rules_version,
        };
        match packed.unpack(&row.events) {
            Ok(events) => {
                batch.done.push(packed.id);
                for event in events {
                    columns.push(packed.id, event);
                }
            }
            Err(why) => batch.left.push((MatchId(packed.id), why)),
        }
        tokio::task::yield_now().await;
    }
    sqlx::query!(
        "insert into match_events (match_id, version, kind, body, seat, grace_ms, at)
         select e.match_id, e.version, e.kind, e.body, e.seat, nullif(e.grace_ms, 0), at_ms(e.at)
         from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[])
             as e (match_id, version, kind, body, seat, grace_ms, at)",
        &columns.match_ids,
        &columns.versions,
        &columns.kinds,
        &columns.bodies,
        &columns.seats[..] as _,
        &columns.graces,
        &columns.times
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from packed_matches where match_id = any($1)",
        &batch.done
    )
    .execute(tx)
    .await?;
    Ok(batch)
}

/// The last time that fits into a row, the end of the year 9999, in milliseconds. A damaged pack may give any.
const MAX_TIME: i64 = 253_402_300_799_999;

impl FinishedMatch {
    fn unpack(&self, pack: &[u8]) -> Result<Vec<EventRow>, String> {
        check_rules(self.rules_version)?;
        let terms = self.terms.as_ref().map_err(ToString::to_string)?;
        let events = packs::unpack(MatchId(self.id), terms, self.started_at, pack)
            .map_err(|error| error.to_string())?;
        let rows = (1..).zip(&events).map(|(version, past)| {
            if (0..=MAX_TIME).contains(&past.at.0) {
                EventRow::of(version, past).map_err(|error| error.to_string())
            } else {
                Err(format!("event {version} is at no time"))
            }
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if rows.len() == self.version as usize {
            Ok(rows)
        } else {
            let count = self.version;
            Err(format!("its pack has {} of {count} events", rows.len()))
        }
    }
}
