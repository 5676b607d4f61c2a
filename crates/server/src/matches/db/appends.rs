//! Group commit: appends events to many matches with one statement.

use crate::Error;
use crate::db::{ConnectOptions, Db};
use crate::matches::db::{Causes, StoredEvent};
use sqlx::{Connection as _, PgConnection};
use std::collections::HashMap;
use std::io;
use tochki_play::{Event, Match};
use tochki_protocol::{MatchId, NotificationKind, PlayerId, limits};

/// Events to append to a match that does not end with them.
pub struct Append {
    /// The match.
    pub id: MatchId,
    /// The version that it must have.
    pub before: u32,
    after: u32,
    score: [i32; 2],
    progress: i16,
    deadline: Option<i64>,
    to_move: Option<i16>,
    events: Vec<NewEvent>,
    causes: Causes,
}

/// The result for one match of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchAppend {
    /// Its events are committed.
    Committed,
    /// The match has another version, or has ended.
    Conflict,
    /// Another transaction has locked the match.
    Locked,
}

struct NewEvent {
    stored: StoredEvent,
    seat: Option<i16>,
    client_id: Option<String>,
    /// The player who sent the command.
    player: Option<PlayerId>,
}

impl Append {
    /// These events, of which none ends the match. `after` is the match with the events applied.
    pub fn new(
        id: MatchId,
        players: [PlayerId; 2],
        before: u32,
        events: &[(Event, StoredEvent)],
        after: &Match,
        causes: Causes,
    ) -> Self {
        let events = events.iter().map(|(event, stored)| {
            let (seat, client_id) = super::sender(event);
            NewEvent {
                stored: stored.clone(),
                seat: seat.map(|seat| i16::from(seat.number())),
                client_id: client_id.map(|id| id.as_str().to_owned()),
                player: seat.map(|seat| players[seat.index()]),
            }
        });
        Self {
            id,
            before,
            after: after.version(),
            score: after.score().map(u32::cast_signed),
            progress: i16::from(after.position().progress()),
            deadline: after.deadline().map(|deadline| deadline.0),
            to_move: after.awaited().map(|seat| i16::from(seat.number())),
            events: events.collect(),
            causes,
        }
    }
}

/// The connection of the task that appends. With one of its own it never waits for a place in the pool.
pub struct AppendConnection(PgConnection);

impl AppendConnection {
    /// Connects.
    pub async fn open(db: &Db) -> Result<Self, Error> {
        if db.is_closed() {
            return Err(sqlx::Error::PoolClosed.into());
        }
        let options = ConnectOptions::clone(&db.connect_options());
        let connecting = PgConnection::connect_with(&options);
        let connected =
            tokio::time::timeout(limits::MATCH_WRITER_CONNECT_TIMEOUT, connecting).await;
        let connection = connected.map_err(|_| io::Error::from(io::ErrorKind::TimedOut));
        let connection = connection.map_err(sqlx::Error::Io)??;
        Ok(Self(connection))
    }

    /// Appends to all of these matches that have the expected version and are locked by nobody else. Returns the result for
    /// each.
    ///
    /// The statement never waits for a lock: a match or an absence that is locked is left out. A match that is left out has not
    /// changed.
    pub async fn append(
        &mut self,
        appends: &[&Append],
    ) -> Result<HashMap<MatchId, BatchAppend>, Error> {
        let ids: Vec<i64> = appends.iter().map(|append| append.id.0).collect();
        let of = |field: fn(&Append) -> i32| -> Vec<i32> {
            appends.iter().map(|append| field(append)).collect()
        };
        let before = of(|append| append.before.cast_signed());
        let after = of(|append| append.after.cast_signed());
        let score1 = of(|append| append.score[0]);
        let score2 = of(|append| append.score[1]);
        let progress: Vec<i16> = appends.iter().map(|append| append.progress).collect();
        let deadlines: Vec<Option<i64>> = appends.iter().map(|append| append.deadline).collect();
        let to_move: Vec<Option<i16>> = appends.iter().map(|append| append.to_move).collect();
        let events = || {
            appends
                .iter()
                .flat_map(|append| append.events.iter().map(|event| (append.id.0, event)))
        };
        let event_ids: Vec<i64> = events().map(|(id, _)| id).collect();
        let versions: Vec<i32> = events()
            .map(|(_, event)| event.stored.version.cast_signed())
            .collect();
        let kinds: Vec<&str> = events().map(|(_, event)| &*event.stored.kind).collect();
        let bodies: Vec<&str> = events().map(|(_, event)| &*event.stored.body).collect();
        let seats: Vec<Option<i16>> = events().map(|(_, event)| event.seat).collect();
        let client_ids: Vec<Option<&str>> = events()
            .map(|(_, event)| event.client_id.as_deref())
            .collect();
        let graces: Vec<i64> = events().map(|(_, event)| event.stored.grace.0).collect();
        let players: Vec<Option<i64>> = events()
            .map(|(_, event)| event.player.map(|player| player.0))
            .collect();
        let causes = || appends.iter().flat_map(|append| &append.causes.list);
        let told: Vec<i64> = causes().map(|cause| cause.player.0).collect();
        let told_of: Vec<Option<i64>> = causes()
            .map(|cause| cause.match_id.map(|id| id.0))
            .collect();
        let others: Vec<Option<i64>> = causes()
            .map(|cause| cause.other.map(|other| other.0))
            .collect();
        let told_kinds: Vec<Option<&str>> = causes()
            .map(|cause| cause.kind.map(NotificationKind::as_str))
            .collect();
        let rows = sqlx::query!(
            r#"with batch as materialized (
                   select * from unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], $6::smallint[], $7::bigint[], $15::smallint[])
                       as b (id, before, after, score1, score2, progress, deadline, to_move)
               ), event as materialized (
                   select * from unnest($8::bigint[], $9::int[], $10::text[], $11::text[], $12::smallint[], $13::text[], $14::bigint[], $20::bigint[])
                       as e (match_id, version, kind, body, seat, client_id, player_id, grace_ms)
               ), free as materialized (
                   select m.id from matches m join batch b on b.id = m.id
                   where m.version = b.before and m.finished_at is null
                   for no key update of m skip locked
               ), appended as (
                   update matches m set version = b.after, score1 = b.score1, score2 = b.score2, progress = b.progress,
                       deadline_at = at_ms(b.deadline), to_move = b.to_move
                   from batch b join free f on f.id = b.id where m.id = b.id
                   returning m.id
               ), awaited as materialized (
                   select a.match_id, a.player_id
                   from event e join free f on f.id = e.match_id
                   join absences a on a.match_id = e.match_id and a.player_id = e.player_id and a.awaited
                   for no key update of a skip locked
               ), extended as (
                   update absences a set since = now() + arrival_timeout()
                   from awaited w where a.match_id = w.match_id and a.player_id = w.player_id
               ), answered as (
                   update conditional_moves c set due_at = now() + answer_delay(), retry_at = null
                   from event e join appended a on a.id = e.match_id
                   where c.match_id = e.match_id and (e.kind = 'offer_closed' or e.kind = 'moved' and c.player_id is distinct from e.player_id)
               ), dropped as (
                   delete from conditional_moves c using event e join appended a on a.id = e.match_id
                   where c.match_id = e.match_id and e.kind = 'taken_back'
               ), written as (
                   insert into match_events (match_id, version, kind, body, seat, client_id, grace_ms)
                   select e.match_id, e.version, e.kind, e.body, e.seat, e.client_id, nullif(e.grace_ms, 0)
                   from event e join appended a on a.id = e.match_id
               ), told as (
                   insert into notification_causes (player_id, subject, kind, match_id, other_id)
                   select c.player_id, 'match:' || c.match_id, c.kind, c.match_id, c.other_id
                   from unnest($16::bigint[], $17::bigint[], $18::text[], $19::bigint[])
                       as c (player_id, match_id, kind, other_id)
                   join appended a on a.id = c.match_id
                   where not exists (select from house_bots b where b.player_id = c.player_id)
               )
               select b.id as "id!", a.id is not null as "appended!",
                   coalesce(m.version = b.before and m.finished_at is null, false) as "expected!"
               from batch b left join appended a on a.id = b.id left join matches m on m.id = b.id"#,
            &ids,
            &before,
            &after,
            &score1,
            &score2,
            &progress,
            &deadlines[..] as _,
            &event_ids,
            &versions,
            &kinds[..] as _,
            &bodies[..] as _,
            &seats[..] as _,
            &client_ids[..] as _,
            &players[..] as _,
            &to_move[..] as _,
            &told,
            &told_of[..] as _,
            &told_kinds[..] as _,
            &others[..] as _,
            &graces
        )
        .fetch_all(&mut self.0)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let result = match (row.appended, row.expected) {
                    (true, _) => BatchAppend::Committed,
                    (false, true) => BatchAppend::Locked,
                    (false, false) => BatchAppend::Conflict,
                };
                (MatchId(row.id), result)
            })
            .collect())
    }
}
