//! The events of one match, from their rows or from its pack.

use super::packs::{self, EventRow};
use super::stored_event::StoredEvent;
use crate::Error;
use crate::db::Db;
use crate::db::terms::StoredTerms;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::MatchId;

/// At most `limit` events after a version, in order. Those of a packed match have no `client_id`.
///
/// One statement reads both tables, because a match may be packed, or unpacked, between two.
///
/// # Errors
/// A broken record, if the pack of the match is damaged.
pub async fn events_after(
    db: &Db,
    id: MatchId,
    version: u32,
    limit: u32,
) -> Result<Vec<StoredEvent>, Error> {
    let rows = sqlx::query!(
        r#"select e.version as "version?", e.kind as "kind?", e.body as "body?", e.grace_ms as "grace_ms?", null::bytea as "pack?",
                  null::text as "game?", null::jsonb as "setup?", null::text as "clock?", null::bigint as "started_at?"
           from (select version, kind, body, grace_ms from match_events
                 where match_id = $1 and version > $2 order by version limit $3) e
           union all
           select null, null, null, null, p.events, m.game, m.setup, m.clock, ms(m.started_at)
           from packed_matches p join matches m on m.id = p.match_id
           where p.match_id = $1 and m.version > $2
           order by 1"#,
        id.0,
        i32::try_from(version).unwrap_or(i32::MAX),
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    let mut events = Vec::with_capacity(rows.len());
    for row in rows {
        if let (Some(version), Some(kind), Some(body)) = (row.version, row.kind, row.body) {
            events.push(StoredEvent {
                version: version.cast_unsigned(),
                kind,
                body,
                grace: Millis(row.grace_ms.unwrap_or_default()),
            });
        } else if let (Some(pack), Some(started_at)) = (row.pack, row.started_at)
            && let (Some(game), Some(setup), Some(clock)) = (row.game, row.setup, row.clock)
        {
            // No event depends on whether the match is rated.
            let terms = StoredTerms::new(game, setup, clock).read(false)?;
            let packed = packs::unpack(id, &terms, Timestamp(started_at), &pack)?;
            let missed = (1..).zip(&packed).skip(version as usize);
            for (number, past) in missed.take(limit as usize) {
                events.push(EventRow::of(number, past)?.stored);
            }
        }
    }
    Ok(events)
}
