//! `tochki verify`: a checksum over all matches, events and ratings, and every match replayed through the rules.
//!
//! The checksum of a finished match is of what a pack keeps of its events, so it is the same before and after packing.

use crate::Error;
use crate::db::{Db, Tx};
use crate::matches::db::StoredEvent;
use crate::matches::db::packs::{self, EventRow};
use crate::records::db;
use crate::records::db::verify::{EventRecord, StoredSummary};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};
use tochki_play::Match;
use tochki_protocol::MatchId;
use tochki_rules::Seat;

/// Checksum and counts of a database. They are equal for equal matches and ratings.
#[derive(Debug, PartialEq, Eq)]
pub struct Verified {
    /// The name of each part, how many rows it has, and their checksum.
    pub parts: Vec<(&'static str, u64, String)>,
    /// The checksum over all parts.
    pub checksum: String,
    /// Number of matches whose replay differs from the stored state.
    pub broken: u64,
}

impl Verified {
    /// Number of replayed matches.
    pub fn matches(&self) -> u64 {
        self.parts.first().map_or(0, |(_, rows, _)| *rows)
    }
}

/// Reads everything in one snapshot, a few matches at a time. `report` is told each match that does not give what is stored,
/// with the reason.
pub async fn verify(db: &Db, mut report: impl FnMut(MatchId, &str)) -> Result<Verified, Error> {
    let mut tx = crate::db::begin_read_only(db).await?;
    let (mut matches, mut events) = (Checksum::of("matches"), Checksum::of("events"));
    let mut broken = 0;
    let mut after = MatchId(i64::MIN);
    loop {
        let batch = db::verify::matches_after(&mut tx, after).await?;
        let Some(last) = batch.last() else { break };
        after = last.id;
        for stored in &batch {
            matches.add(&[&stored.row]);
        }
        replay(&mut tx, batch, &mut events, |id, why| {
            broken += 1;
            report(id, why);
        })
        .await?;
    }
    let mut ratings = Checksum::of("ratings");
    db::verify::ratings(&mut tx, |row| ratings.add(&[row])).await?;
    let mut history = Checksum::of("rating_history");
    db::verify::rating_history(&mut tx, |row| history.add(&[row])).await?;
    let mut corrections = Checksum::of("rating_corrections");
    db::verify::rating_corrections(&mut tx, |row| corrections.add(&[row])).await?;
    let parts = [matches, events, ratings, history, corrections].map(Checksum::finish);
    let mut all = Checksum::of("all");
    for (name, count, checksum) in &parts {
        all.add(&[name, &count.to_string(), checksum]);
    }
    Ok(Verified {
        checksum: all.finish().2,
        parts: parts.into(),
        broken,
    })
}

/// Replays these matches; the events come in their order.
async fn replay(
    tx: &mut Tx,
    batch: Vec<StoredSummary>,
    events: &mut Checksum,
    mut report: impl FnMut(MatchId, &str),
) -> Result<(), Error> {
    let ids: Vec<i64> = batch.iter().map(|stored| stored.id.0).collect();
    let mut replays = batch.into_iter().map(Replay::begin);
    let mut current = replays.next();
    db::verify::events_of(tx, &ids, |id, record| {
        while let Some(replay) = current.take_if(|replay| replay.stored.id != id) {
            replay.finish(&mut report);
            current = replays.next();
        }
        if let Some(replay) = &mut current {
            replay.add(record, events);
        }
    })
    .await?;
    for replay in current.into_iter().chain(replays) {
        replay.finish(&mut report);
    }
    Ok(())
}

/// A replay in progress.
struct Replay {
    stored: StoredSummary,
    /// The match so far, or the first thing that is wrong with it.
    game: Result<Match, String>,
}

impl Replay {
    fn begin(mut stored: StoredSummary) -> Self {
        let begun = std::mem::replace(&mut stored.begun, Err(Error::invariant("taken")));
        Self {
            game: begun.map_err(|error| error.to_string()),
            stored,
        }
    }

    /// Applies what is stored, and adds it to the checksum.
    fn add(&mut self, record: EventRecord, checksum: &mut Checksum) {
        let row = match record {
            EventRecord::Pack(pack) => {
                self.add_pack(&pack, checksum);
                return;
            }
            EventRecord::Event(columns, row) if self.stored.result.is_none() => {
                checksum.add(&[&columns, &row.stored.kind, &row.stored.body]);
                row
            }
            EventRecord::Event(_, row) => {
                let kept = row.kept();
                let kept = kept.and_then(|past| EventRow::of(row.stored.version, &past).ok());
                checksum.add_finished(self.stored.id, kept.as_ref().unwrap_or(&row));
                row
            }
        };
        self.apply(&row.stored);
    }

    fn add_pack(&mut self, pack: &[u8], checksum: &mut Checksum) {
        let read = match &self.game {
            Ok(begun) => packs::unpack(self.stored.id, begun.terms(), self.stored.started_at, pack)
                .and_then(|events| {
                    let rows = (1..).zip(&events);
                    rows.map(|(version, past)| EventRow::of(version, past))
                        .collect::<Result<Vec<_>, _>>()
                })
                .map_err(|error| error.to_string()),
            Err(why) => Err(why.clone()),
        };
        match read {
            Ok(rows) => {
                for row in &rows {
                    checksum.add_finished(self.stored.id, row);
                    self.apply(&row.stored);
                }
            }
            Err(why) => {
                checksum.add_bytes(pack);
                self.game = Err(why);
            }
        }
    }

    fn apply(&mut self, event: &StoredEvent) {
        let Ok(game) = &mut self.game else { return };
        let expected = game.version() + 1;
        let applied = if event.version == expected {
            let read = event.read(self.stored.id);
            read.map_err(|error| error.to_string())
                .and_then(|event| game.reproduce(&event).map_err(|broken| broken.to_string()))
        } else {
            Err(format!("event {expected} is missing"))
        };
        if let Err(why) = applied {
            self.game = Err(why);
        }
    }

    fn finish(self, report: &mut impl FnMut(MatchId, &str)) {
        let id = self.stored.id;
        match self.game.and_then(|game| self.stored.compare(&game)) {
            Ok(()) => {}
            Err(why) => report(id, &why),
        }
    }
}

impl StoredSummary {
    /// Returns whether the events give what the row says.
    fn compare(&self, game: &Match) -> Result<(), String> {
        if game.version() != self.version {
            return Err(differs("events", game.version(), self.version));
        }
        if game.score() != self.score {
            let [stored, given] = [self.score, game.score()].map(|[a, b]| format!("{a}:{b}"));
            return Err(differs("the score", given, stored));
        }
        let given = game.result().map(|result| {
            let winner = result.winner.map_or(0, Seat::number);
            let winner = (!result.is_aborted()).then_some(i16::from(winner));
            let by = result.by.map(|seat| i16::from(seat.number()));
            (result.reason.as_str().to_owned(), winner, by)
        });
        if given != self.result {
            let [stored, given] = [&self.result, &given].map(|result| format!("{result:?}"));
            return Err(differs("the result", given, stored));
        }
        Ok(())
    }
}

fn differs(what: &str, given: impl fmt::Display, stored: impl fmt::Display) -> String {
    format!("{what}: the events give {given}, stored is {stored}")
}

/// The rows of one table on their way into a checksum.
struct Checksum {
    name: &'static str,
    rows: u64,
    hash: Sha256,
}

impl Checksum {
    fn of(name: &'static str) -> Self {
        Self {
            name,
            rows: 0,
            hash: Sha256::new(),
        }
    }

    /// Adds a row. Each text comes with its length, so that no two rows read the same.
    fn add(&mut self, row: &[&str]) {
        self.rows += 1;
        for text in row {
            self.hash.update((text.len() as u64).to_le_bytes());
            self.hash.update(text.as_bytes());
        }
    }

    /// Adds an event of a finished match, as far as a pack keeps it.
    fn add_finished(&mut self, id: MatchId, row: &EventRow) {
        let EventRow { stored, seat, at } = row;
        let (version, grace) = (stored.version, stored.grace.0);
        let seat = seat.unwrap_or_default();
        let columns = format!("{id} {version} {seat} {} {grace}", at.0);
        self.add(&[&columns, &stored.kind, &stored.body]);
    }

    /// Adds a row that cannot be read.
    fn add_bytes(&mut self, row: &[u8]) {
        self.rows += 1;
        self.hash.update((row.len() as u64).to_le_bytes());
        self.hash.update(row);
    }

    fn finish(self) -> (&'static str, u64, String) {
        let mut checksum = String::with_capacity(64);
        for byte in self.hash.finalize() {
            write!(checksum, "{byte:02x}").expect("a String takes every write");
        }
        (self.name, self.rows, checksum)
    }
}
