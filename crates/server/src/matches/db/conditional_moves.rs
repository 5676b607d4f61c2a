//! Conditional moves: stored lines, and those whose next step is due.

use crate::Error;
use crate::db::{Db, Tx};
use sqlx::types::Json;
use tochki_play::{ConditionalMoves, Event, Timestamp};
use tochki_protocol::{MatchId, PlayerId, limits};

/// The lines of a player in a match.
pub struct StoredLines {
    /// The number of moves that had been made when the lines were.
    pub root: usize,
    /// The lines.
    pub lines: ConditionalMoves,
}

/// A player whose next step in a match is due.
pub struct DueAnswer {
    /// The match.
    pub id: MatchId,
    /// The player.
    pub player: PlayerId,
    /// The time since when, in microseconds: another one, once the opponent has moved again.
    pub(in crate::matches) due_at: i64,
}

/// The lines of a player in a match, if there are any.
pub async fn read(db: &Db, id: MatchId, player: PlayerId) -> Result<Option<StoredLines>, Error> {
    let row = sqlx::query!(
        r#"select root, lines as "lines: Json<ConditionalMoves>" from conditional_moves where match_id = $1 and player_id = $2"#,
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredLines {
        root: row.root.cast_unsigned() as usize,
        lines: row.lines.0,
    }))
}

/// Locks a match in this version, as whoever changes its conditional moves has to. Returns whether it still has it.
pub async fn lock(tx: &mut Tx, id: MatchId, version: u32) -> Result<bool, Error> {
    let locked = sqlx::query_scalar!(
        "select id from matches where id = $1 and version = $2 and finished_at is null for no key update",
        id.0,
        version.cast_signed()
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(locked.is_some())
}

/// Counts a change that a player asks for, in a match that the transaction has locked. Returns the number of those in this minute.
pub async fn count_change(tx: &mut Tx, id: MatchId, player: PlayerId) -> Result<u32, Error> {
    let changes = sqlx::query_scalar!(
        "insert into conditional_moves (match_id, player_id, root, lines) values ($1, $2, 0, $3)
         on conflict (match_id, player_id) do update set
             changes = case when conditional_moves.changes_since > now() - interval '1 minute'
                 then conditional_moves.changes + 1 else 1 end,
             changes_since = case when conditional_moves.changes_since > now() - interval '1 minute'
                 then conditional_moves.changes_since else now() end
         returning changes",
        id.0,
        player.0,
        Json(ConditionalMoves::default()) as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(changes.cast_unsigned())
}

/// Stores the lines of a player in the place of earlier ones, after [`count_change`] in the same transaction.
pub async fn write(
    tx: &mut Tx,
    id: MatchId,
    player: PlayerId,
    stored: &StoredLines,
) -> Result<(), Error> {
    sqlx::query!(
        "update conditional_moves set root = $3, lines = $4, due_at = null, retry_at = null, failures = 0, refused = null
         where match_id = $1 and player_id = $2",
        id.0,
        player.0,
        i32::try_from(stored.root).unwrap_or(i32::MAX),
        Json(&stored.lines) as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Keeps the text of lines that were refused, after [`count_change`] in the same transaction.
pub async fn keep_refused(
    tx: &mut Tx,
    id: MatchId,
    player: PlayerId,
    text: Option<&str>,
) -> Result<(), Error> {
    sqlx::query!(
        "update conditional_moves set refused = $3 where match_id = $1 and player_id = $2",
        id.0,
        player.0,
        text
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The text of the lines of a player that were refused last, unless others were accepted since.
pub async fn refused(db: &Db, id: MatchId, player: PlayerId) -> Result<Option<String>, Error> {
    let text = sqlx::query_scalar!(
        "select refused from conditional_moves where match_id = $1 and player_id = $2",
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(text.flatten())
}

/// Deletes the lines of which a step was due, unless the player has made others since, or another step has become due.
pub async fn delete(db: &Db, due: &DueAnswer) -> Result<(), Error> {
    sqlx::query!(
        "with locked as materialized (select id from matches where id = $1 for no key update)
         delete from conditional_moves
         where match_id in (select id from locked) and player_id = $2 and (extract(epoch from due_at) * 1000000)::bigint = $3",
        due.id.0,
        due.player.0,
        due.due_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The steps that are due, those first that have been for longest, at most [`limits::DUE_ANSWERS_PER_SWEEP`].
pub async fn due(db: &Db) -> Result<Vec<DueAnswer>, Error> {
    let rows = sqlx::query!(
        r#"select match_id, player_id, (extract(epoch from due_at) * 1000000)::bigint as "due_at!"
           from conditional_moves where due_at is not null and greatest(due_at, retry_at) <= now() and heartbeat_is_fresh()
           order by greatest(due_at, retry_at) limit $1"#,
        limits::DUE_ANSWERS_PER_SWEEP
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| DueAnswer {
            id: MatchId(row.match_id),
            player: PlayerId(row.player_id),
            due_at: row.due_at,
        })
        .collect())
}

/// Ends the wait for a step that has been done, or for which the opponent has to move first, unless another one has become due.
pub async fn wait_again(db: &Db, due: &DueAnswer) -> Result<(), Error> {
    sqlx::query!(
        "with locked as materialized (select id from matches where id = $1 for no key update)
         update conditional_moves set due_at = null, retry_at = null, failures = 0
         where match_id in (select id from locked) and player_id = $2 and (extract(epoch from due_at) * 1000000)::bigint = $3",
        due.id.0,
        due.player.0,
        due.due_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Lets a step be looked for again at this time, unless another one has become due.
pub async fn wait_until(db: &Db, due: &DueAnswer, until: Timestamp) -> Result<(), Error> {
    sqlx::query!(
        "with locked as materialized (select id from matches where id = $1 for no key update)
         update conditional_moves set retry_at = at_ms($4), failures = 0
         where match_id in (select id from locked) and player_id = $2 and (extract(epoch from due_at) * 1000000)::bigint = $3",
        due.id.0,
        due.player.0,
        due.due_at,
        until.0
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Lets a step that could not be taken be looked for later, the later the more often that was so: twice as long each time, for
/// [`limits::ANSWER_MAX_RETRY`] at most. It stays due since when it was, so that nobody is charged for it. It does not wait for the
/// lock of a match.
pub async fn postpone(db: &Db, due: &DueAnswer) -> Result<(), Error> {
    sqlx::query!(
        "with locked as materialized (select id from matches where id = $1 for no key update skip locked)
         update conditional_moves set failures = failures + 1,
             retry_at = now() + least($4::interval * (1 << least(failures, 16)), $5::interval)
         where match_id in (select id from locked) and player_id = $2 and (extract(epoch from due_at) * 1000000)::bigint = $3",
        due.id.0,
        due.player.0,
        due.due_at,
        limits::ANSWER_MIN_RETRY as _,
        limits::ANSWER_MAX_RETRY as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Makes the answers to the events of a match due, after a time at random, as the statement that appends to several matches does; a
/// take-back deletes the lines.
pub async fn note_events(
    tx: &mut Tx,
    id: MatchId,
    events: &[&Event],
    players: [PlayerId; 2],
) -> Result<(), Error> {
    for event in events {
        match event {
            Event::Moved { seat, .. } => {
                make_due(tx, id, Some(players[seat.index()])).await?;
            }
            Event::OfferClosed { .. } => make_due(tx, id, None).await?,
            Event::TakenBack { .. } => {
                sqlx::query!("delete from conditional_moves where match_id = $1", id.0)
                    .execute(&mut **tx)
                    .await?;
            }
            Event::Offered { .. }
            | Event::VacationChanged { .. }
            | Event::Finished { .. }
            | Event::Adjourned { .. }
            | Event::Sealed { .. }
            | Event::Resumed { .. }
            | Event::Berserked { .. } => {}
        }
    }
    Ok(())
}

/// Makes the answers due of those who are not this player.
async fn make_due(tx: &mut Tx, id: MatchId, mover: Option<PlayerId>) -> Result<(), Error> {
    sqlx::query!(
        "update conditional_moves set due_at = now() + answer_delay(), retry_at = null
         where match_id = $1 and player_id is distinct from $2",
        id.0,
        mover.map(|player| player.0)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
