//! All matches, events and ratings row by row, as `tochki verify` reads them: in one snapshot, and never all at once.
//!
//! A row is its columns as JSON, so no column can be forgotten. Postgres orders the keys of `jsonb`, writes numbers so that
//! they read back exactly, and times in UTC, which sqlx sets for each connection.

use crate::Error;
use crate::db::Tx;
use crate::db::terms::StoredTerms;
use crate::matches::db::packs::EventRow;
use crate::matches::db::{StoredEvent, check_rules_version};
use futures::TryStreamExt as _;
use tochki_play::{Match, Millis, Timestamp};
use tochki_protocol::{MatchId, limits};

/// A match as its row says, before its events.
pub struct StoredSummary {
    /// Its number.
    pub id: MatchId,
    /// All columns but the next deadline, which is later when no server has run in between.
    pub row: String,
    /// The time of its start.
    pub started_at: Timestamp,
    /// The match before its first event, or why the row cannot be read.
    pub begun: Result<Match, Error>,
    /// Number of events.
    pub version: u32,
    /// The score after them.
    pub score: [u32; 2],
    /// How the match has ended, if it has: the reason, the winner (0 is a draw; none of an aborted match), who aborted it.
    pub result: Option<(String, Option<i16>, Option<i16>)>,
}

/// The next matches after this one, in the order of their ids.
pub async fn matches_after(tx: &mut Tx, after: MatchId) -> Result<Vec<StoredSummary>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, (to_jsonb(m) - 'deadline_at')::text as "row!", m.game, m.setup, m.clock, m.rated,
                  ms(m.started_at) as "started_at!", m.rules_version, m.version, m.score1, m.score2,
                  m.reason, m.winner, m.aborted_by
           from matches m where m.id > $1 order by m.id limit $2"#,
        after.0,
        limits::VERIFY_BATCH_LEN
    )
    .fetch_all(&mut **tx)
    .await?;
    let read = rows.into_iter().map(|row| {
        let id = MatchId(row.id);
        let (winner, aborted_by) = (row.winner, row.aborted_by);
        let terms = StoredTerms::new(row.game, row.setup, row.clock);
        StoredSummary {
            id,
            row: row.row,
            started_at: Timestamp(row.started_at),
            begun: check_rules_version(id, row.rules_version)
                .and_then(|()| terms.read(row.rated))
                .map(|terms| Match::new(terms, Timestamp(row.started_at))),
            version: row.version.cast_unsigned(),
            score: [row.score1, row.score2].map(i32::cast_unsigned),
            result: row.reason.map(|reason| (reason, winner, aborted_by)),
        }
    });
    Ok(read.collect())
}

/// A row about the events of a match.
pub(crate) enum EventRecord {
    /// An event, with all columns but its name and its body.
    Event(String, EventRow),
    /// All events of a packed match.
    Pack(Vec<u8>),
}

/// Calls `each` with every row about the events of these matches, in the order of the matches and of the events.
pub(crate) async fn events_of(
    tx: &mut Tx,
    ids: &[i64],
    mut each: impl FnMut(MatchId, EventRecord),
) -> Result<(), Error> {
    let mut rows = sqlx::query!(
        r#"select e.match_id as "match_id!", e.version as "version?", e.kind as "kind?", e.body as "body?", e.seat as "seat?",
                  ms(e.at) as "at?", e.grace_ms as "grace_ms?", (to_jsonb(e) - 'kind' - 'body')::text as "row?", null::bytea as "pack?"
           from match_events e where e.match_id = any($1)
           union all
           select p.match_id, null, null, null, null, null, null, null, p.events from packed_matches p where p.match_id = any($1)
           order by 1, 2"#,
        ids
    )
    .fetch(&mut **tx);
    while let Some(row) = rows.try_next().await? {
        let id = MatchId(row.match_id);
        if let Some(pack) = row.pack {
            each(id, EventRecord::Pack(pack));
        } else if let (Some(columns), Some(version), Some(at)) = (row.row, row.version, row.at)
            && let (Some(kind), Some(body)) = (row.kind, row.body)
        {
            let event = EventRow {
                stored: StoredEvent {
                    version: version.cast_unsigned(),
                    kind,
                    body,
                    grace: Millis(row.grace_ms.unwrap_or_default()),
                },
                seat: row.seat,
                at: Timestamp(at),
            };
            each(id, EventRecord::Event(columns, event));
        }
    }
    Ok(())
}

/// Calls `each` with every rating.
pub async fn ratings(tx: &mut Tx, mut each: impl FnMut(&str)) -> Result<(), Error> {
    let mut rows = sqlx::query_scalar!(
        r#"/* reads all */ select to_jsonb(r)::text as "row!" from ratings r order by r.player_id, r.game collate "C""#
    )
    .fetch(&mut **tx);
    while let Some(row) = rows.try_next().await? {
        each(&row);
    }
    Ok(())
}

/// Calls `each` with every change of a rating by a match.
pub async fn rating_history(tx: &mut Tx, mut each: impl FnMut(&str)) -> Result<(), Error> {
    let mut rows = sqlx::query_scalar!(
        r#"select to_jsonb(h)::text as "row!" from rating_history h order by h.match_id, h.player_id"#
    )
    .fetch(&mut **tx);
    while let Some(row) = rows.try_next().await? {
        each(&row);
    }
    Ok(())
}

/// Calls `each` with every change of a rating by an annulment, but not whether the player has seen the notice of it.
pub async fn rating_corrections(tx: &mut Tx, mut each: impl FnMut(&str)) -> Result<(), Error> {
    let mut rows = sqlx::query_scalar!(
        r#"select (to_jsonb(c) - 'read_at')::text as "row!" from rating_corrections c order by c.match_id, c.player_id"#
    )
    .fetch(&mut **tx);
    while let Some(row) = rows.try_next().await? {
        each(&row);
    }
    Ok(())
}
