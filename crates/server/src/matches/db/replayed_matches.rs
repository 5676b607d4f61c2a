//! Matches with all their events, several at a time.

use super::{MatchStart, StoredEvent, check_rules_version, packs};
use crate::db::rows::cards;
use crate::db::terms::StoredTerms;
use crate::db::{Connection, Db, Tx};
use crate::{Error, outages};
use std::collections::HashMap;
use tochki_play::{Event, Match, Millis, Timestamp};
use tochki_protocol::{MatchId, PlayerCard};

/// A match after its events.
pub struct ReplayedMatch {
    /// The match.
    pub id: MatchId,
    /// Seat 1 and seat 2, with their ratings at the start.
    pub players: [PlayerCard; 2],
    /// When it started.
    pub started_at: Timestamp,
    /// The match with all its events, or why the record is broken.
    pub game: Result<Match, Error>,
}

impl ReplayedMatch {
    /// Applies the next event. A broken match does not affect the others; its remaining events are ignored.
    fn apply(&mut self, event: Result<Event, Error>, grace: Millis, shifts: &Shifts) {
        let id = self.id;
        if let Ok(game) = &mut self.game
            && let Err(error) = event.and_then(|event| {
                game.reproduce(&event)
                    .map_err(|broken| Error::broken_record(id, broken))?;
                if event.sets_clocks() {
                    game.extend_turn(grace);
                }
                Ok(())
            })
        {
            self.game = Err(error);
        }
        self.postpone(shifts);
    }

    /// Applies all events of a packed match.
    fn apply_pack(&mut self, pack: &[u8], shifts: &Shifts) {
        let Ok(begun) = &self.game else { return };
        match packs::unpack(self.id, begun.terms(), self.started_at, pack) {
            Ok(events) => {
                for past in events {
                    self.apply(Ok(past.event), past.grace, shifts);
                }
            }
            Err(error) => self.game = Err(error),
        }
    }

    /// Gives back the time that an outage has taken at the present version.
    fn postpone(&mut self, shifts: &Shifts) {
        if let Ok(game) = &mut self.game
            && let Some(by) = shifts.get(&(self.id.0, game.version()))
        {
            game.postpone(*by);
        }
    }
}

/// These matches, in this order, without the shifts of outages.
pub async fn read(db: &Db, ids: &[MatchId]) -> Result<Vec<ReplayedMatch>, Error> {
    let mut connection = db.acquire().await?;
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    read_shifted(&mut connection, &ids, &HashMap::new()).await
}

/// These matches that the transaction has locked, in this order, with deadlines shifted by outages.
pub async fn read_with_shifts(tx: &mut Tx, ids: &[MatchId]) -> Result<Vec<ReplayedMatch>, Error> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let shifts = outages::db::of_matches(tx, &ids).await?;
    read_shifted(tx, &ids, &shifts).await
}

/// The time that outages have taken from a match at a version.
type Shifts = HashMap<(i64, u32), Millis>;

async fn read_shifted(
    connection: &mut Connection,
    ids: &[i64],
    shifts: &Shifts,
) -> Result<Vec<ReplayedMatch>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.setup, m.clock, m.rated, ms(m.started_at) as "started_at!", m.first_grace_ms, m.rating1, m.rating2, m.provisional1, m.provisional2, m.rules_version,
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from matches m join players a on a.id = m.seat1 join players b on b.id = m.seat2
           where m.id = any($1) order by array_position($1, m.id)"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut matches = Vec::with_capacity(rows.len());
    for row in rows {
        let stored = StoredTerms::new(row.game, row.setup, row.clock);
        let started_at = Timestamp(row.started_at);
        matches.push(ReplayedMatch {
            id: MatchId(row.id),
            players: cards!(row),
            started_at,
            game: check_rules_version(MatchId(row.id), row.rules_version)
                .and_then(|()| stored.read(row.rated))
                .map(|terms| {
                    let (at, grace) = (started_at, Millis(row.first_grace_ms.unwrap_or_default()));
                    // The limit of a tournament for the first moves matters to a match in memory alone.
                    let tournament = None;
                    MatchStart {
                        terms,
                        tournament,
                        at,
                        grace,
                    }
                    .game()
                }),
        });
    }
    for past in &mut matches {
        past.postpone(shifts);
    }
    replay(connection, ids, &mut matches, shifts).await?;
    Ok(matches)
}

/// Applies the stored events to these matches. One statement reads both tables, because a match may be packed, or unpacked, between
/// two.
async fn replay(
    connection: &mut Connection,
    ids: &[i64],
    matches: &mut [ReplayedMatch],
    shifts: &Shifts,
) -> Result<(), Error> {
    let events = sqlx::query!(
        r#"select match_id as "match_id!", version as "version?", kind as "kind?", body as "body?", grace_ms as "grace_ms?",
                  null::bytea as "pack?"
           from match_events where match_id = any($1)
           union all
           select match_id, null, null, null, null, events from packed_matches where match_id = any($1)
           order by 1, 2"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    for row in events {
        let Some(past) = matches.iter_mut().find(|past| past.id.0 == row.match_id) else {
            continue;
        };
        if let Some(pack) = row.pack {
            past.apply_pack(&pack, shifts);
        } else if let (Some(version), Some(kind), Some(body)) = (row.version, row.kind, row.body) {
            let stored = StoredEvent {
                version: version.cast_unsigned(),
                kind,
                body,
                grace: Millis(row.grace_ms.unwrap_or_default()),
            };
            past.apply(stored.read(past.id), stored.grace, shifts);
        }
    }
    Ok(())
}
