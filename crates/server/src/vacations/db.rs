//! Vacations of players: rows of `vacations`. Whoever changes one has locked the player.

use super::StoredVacation;
use crate::Error;
use crate::db::{Db, Tx};
use sqlx::PgExecutor;
use tochki_play::{Timestamp, VacationDays};
use tochki_protocol::PlayerId;

/// The vacation of a player; that of a new account if none is stored.
pub async fn read(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<StoredVacation, Error> {
    let row = sqlx::query!(
        r#"select v.days as "days?", ms(v.counted_at) as counted_at, ms(v.began_at) as began_at, ms(v.ends_at) as ends_at,
                  coalesce(v.automatic, false) as "automatic!", ms(p.created_at) as "created_at!"
           from players p left join vacations v on v.player_id = p.id where p.id = $1"#,
        player.0
    )
    .fetch_one(executor)
    .await?;
    let days = match (row.days, row.counted_at) {
        (Some(days), Some(counted_at)) => VacationDays {
            days: u32::try_from(days).unwrap_or_default(),
            counted_at: Timestamp(counted_at),
        },
        _ => VacationDays::of_new_account(Timestamp(row.created_at)),
    };
    Ok(StoredVacation {
        days,
        last: row
            .began_at
            .zip(row.ends_at)
            .map(|(since, until)| (Timestamp(since), Timestamp(until))),
        automatic: row.automatic,
    })
}

/// Stores the vacation of a locked player.
pub async fn write(tx: &mut Tx, player: PlayerId, stored: &StoredVacation) -> Result<(), Error> {
    sqlx::query!(
        "insert into vacations (player_id, days, counted_at, began_at, ends_at, automatic)
         values ($1, $2, at_ms($3), at_ms($4), at_ms($5), $6)
         on conflict (player_id) do update set days = $2, counted_at = at_ms($3), began_at = at_ms($4), ends_at = at_ms($5),
             automatic = $6",
        player.0,
        i16::try_from(stored.days.days).unwrap_or(i16::MAX),
        stored.days.counted_at.0,
        stored.last.map(|(since, _)| since.0),
        stored.last.map(|(_, until)| until.0),
        stored.automatic
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns the time at which the vacation of a player ends at the latest, if one is on.
pub async fn until(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<Timestamp>, Error> {
    let until = sqlx::query_scalar!(
        r#"select ms(ends_at) as "ends_at!" from vacations where player_id = $1 and ends_at > now()"#,
        player.0
    )
    .fetch_optional(executor)
    .await?;
    Ok(until.map(Timestamp))
}

/// Returns whether any of these locked players is on vacation.
pub async fn is_any_on(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    Ok(sqlx::query_scalar!(
        r#"select exists (select from vacations where player_id = any($1) and ends_at > now()) as "on!""#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// A player whose vacation is to begin by itself.
pub struct DueVacation {
    /// The player.
    pub player: PlayerId,
    /// The time in microseconds at which the first of their clocks runs out.
    deadline: i64,
}

/// The players whose vacation is to begin by itself, because one of their clocks has less than an hour: those first whose time is over
/// first, after the last one of those that were read before, at most a hundred.
///
/// Few players have asked for it, so that their matches are looked up, and not all that are due within the hour. Both numbers are
/// literals for the planner's sake.
pub async fn due(db: &Db, after: Option<&DueVacation>) -> Result<Vec<DueVacation>, Error> {
    let rows = sqlx::query!(
        r#"with due as materialized (
               select v.player_id, (extract(epoch from least(
                   (select min(m.deadline_at) from matches m where m.seat1 = v.player_id and m.finished_at is null
                       and m.correspondence and m.to_move = 1 and m.deadline_at > now()
                       and m.deadline_at < now() + interval '1 hour'),
                   (select min(m.deadline_at) from matches m where m.seat2 = v.player_id and m.finished_at is null
                       and m.correspondence and m.to_move = 2 and m.deadline_at > now()
                       and m.deadline_at < now() + interval '1 hour'))) * 1000000)::bigint as deadline
               from vacations v
               where v.automatic and (v.ends_at is null or v.ends_at <= now()) and heartbeat_is_fresh()
           )
           select player_id, deadline as "deadline!" from due
           where deadline is not null and (deadline, player_id) > ($1, $2)
           order by deadline, player_id limit 100"#,
        after.map_or(0, |after| after.deadline),
        after.map_or(0, |after| after.player.0)
    )
    .fetch_all(db)
    .await?;
    let due = rows.into_iter().map(|row| DueVacation {
        player: PlayerId(row.player_id),
        deadline: row.deadline,
    });
    Ok(due.collect())
}
