//! Vacation events of the matches of a player.

use super::StoredEvent;
use crate::Error;
use crate::db::Tx;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId};
use tochki_rules::Seat;

/// An event to append to a locked match.
pub struct VacationAppend {
    /// The match.
    pub id: MatchId,
    /// The event.
    pub event: StoredEvent,
    /// The next deadline after it.
    pub deadline: Option<Timestamp>,
}

/// Locks the running matches by correspondence of a locked player. Returns each with the seat of the player.
pub async fn lock_matches(tx: &mut Tx, player: PlayerId) -> Result<Vec<(MatchId, Seat)>, Error> {
    let rows = sqlx::query!(
        r#"select id, seat1 = $1 as "is_first!" from matches
           where finished_at is null and correspondence and (seat1 = $1 or seat2 = $1)
           order by id for no key update"#,
        player.0
    )
    .fetch_all(&mut **tx)
    .await?;
    let seat = |is_first| if is_first { Seat::First } else { Seat::Second };
    Ok(rows
        .into_iter()
        .map(|row| (MatchId(row.id), seat(row.is_first)))
        .collect())
}

/// Appends an event to each of these locked matches.
pub async fn append(tx: &mut Tx, appends: &[VacationAppend]) -> Result<(), Error> {
    let ids: Vec<i64> = appends.iter().map(|append| append.id.0).collect();
    let versions: Vec<i32> = appends
        .iter()
        .map(|append| append.event.version.cast_signed())
        .collect();
    let deadlines: Vec<Option<i64>> = appends
        .iter()
        .map(|append| append.deadline.map(|deadline| deadline.0))
        .collect();
    let graces: Vec<i64> = appends.iter().map(|append| append.event.grace.0).collect();
    let kinds: Vec<&str> = appends.iter().map(|append| &*append.event.kind).collect();
    let bodies: Vec<&str> = appends.iter().map(|append| &*append.event.body).collect();
    sqlx::query!(
        "with append as (
             select * from unnest($1::bigint[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::bigint[])
                 as a (id, version, deadline, kind, body, grace_ms)
         ), updated as (
             update matches m set version = a.version, deadline_at = at_ms(a.deadline) from append a where m.id = a.id
         )
         insert into match_events (match_id, version, kind, body, grace_ms)
         select id, version, kind, body, nullif(grace_ms, 0) from append",
        &ids,
        &versions,
        &deadlines[..] as _,
        &kinds[..] as _,
        &bodies[..] as _,
        &graces
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
