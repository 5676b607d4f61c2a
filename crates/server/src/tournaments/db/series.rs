//! Series of tournaments: their rules, and the tournaments that are made by them.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, TournamentId, limits};
use tochki_rules::GameKind;
use tochki_tournaments::recurrence::{LocalTime, Occurrence, Recurrence};

/// A series that goes on, as a tournament of it knows it.
pub struct StoredSeries {
    /// The number of the series.
    pub id: i64,
    /// The rule.
    pub rule: String,
    /// The time zone.
    pub zone: String,
    /// The start of the tournament on the clocks of the zone.
    pub local: LocalTime,
    /// The time by the clock of the database.
    pub now: Timestamp,
}

/// The series of a locked tournament, unless it has none, or has ended. Nobody ends it before this transaction does.
pub async fn of(tx: &mut Tx, id: TournamentId) -> Result<Option<StoredSeries>, Error> {
    let row = sqlx::query!(
        r#"select s.id, s.rule, s.zone, t.series_local as "local!", ms(clock_timestamp()) as "now!"
           from tournaments t join tournament_series s on s.id = t.series_id
           where t.id = $1 and s.ended_at is null for share of s"#,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| StoredSeries {
        id: row.id,
        rule: row.rule,
        zone: row.zone,
        local: LocalTime(row.local),
        now: Timestamp(row.now),
    }))
}

/// Makes a series of which a locked tournament is the first. A series that it is of ends.
pub async fn insert(
    tx: &mut Tx,
    id: TournamentId,
    by: PlayerId,
    recurrence: &Recurrence,
    zone: &str,
    local: LocalTime,
) -> Result<(), Error> {
    end(tx, id, Some(by)).await?;
    let series = sqlx::query_scalar!(
        "insert into tournament_series (rule, zone, made_by) values ($1, $2, $3) returning id",
        recurrence.rule(),
        zone,
        by.0
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "update tournaments set series_id = $2, series_local = $3, version = version + 1 where id = $1",
        id.0,
        series,
        local.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Ends the series of a locked tournament. The tournaments that were made stay. Returns whether there was one that went on.
pub async fn end(tx: &mut Tx, id: TournamentId, by: Option<PlayerId>) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "update tournament_series set ended_at = now(), ended_by = $2
         where id = (select series_id from tournaments where id = $1) and ended_at is null",
        id.0,
        by.map(|by| by.0)
    )
    .execute(&mut **tx)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Makes the next tournament of a series with the choices of a locked one. Where it is made already, nothing is.
pub async fn insert_next(
    tx: &mut Tx,
    id: TournamentId,
    next: Occurrence,
) -> Result<Option<TournamentId>, Error> {
    let made = sqlx::query_scalar!(
        "insert into tournaments (format, name, description, creator_id, by_operator, game, setup, clock, rated, minutes, rounds,
             streaks, berserk, last_games, options, min_rating, max_rating, min_games, min_age_days, password_hash, guests, bots,
             break_s, double, best_of, round_days, missed, starts_at, series_id, series_local)
         select t.format, t.name, t.description, s.made_by, true, t.game, t.setup, t.clock, t.rated, t.minutes, t.rounds,
             t.streaks, t.berserk, t.last_games, t.options, t.min_rating, t.max_rating, t.min_games, t.min_age_days, t.password_hash,
             t.guests, t.bots, t.break_s, t.double, t.best_of, t.round_days, t.missed, at_ms($2), t.series_id, $3
         from tournaments t join tournament_series s on s.id = t.series_id where t.id = $1
         on conflict (series_id, series_local) where series_id is not null do nothing
         returning id",
        id.0,
        next.at.0,
        next.local.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(made.map(TournamentId))
}

/// The last tournaments of series that go on and have none to come: it was cancelled, or was begun by an instance of a release that knows
/// no series.
pub async fn stalled(db: &Db) -> Result<Vec<TournamentId>, Error> {
    let ids = sqlx::query_scalar!(
        "select distinct on (t.series_id) t.id
         from tournament_series s join tournaments t on t.series_id = s.id
         where s.ended_at is null and not exists (
             select from tournaments o where o.series_id = s.id and o.state = 'open')
         order by t.series_id, t.series_local desc"
    );
    let ids = ids.fetch_all(db).await?;
    Ok(ids.into_iter().map(TournamentId).collect())
}

/// A series with the dates that are to come, as a calendar shows it.
pub struct PlannedSeries {
    /// The number of the series.
    pub id: i64,
    /// The rule.
    pub rule: String,
    /// The time zone.
    pub zone: String,
    /// The time at which it was made.
    pub made_at: Timestamp,
    /// The start of the last tournament that was made, on the clocks of the zone.
    pub local: LocalTime,
    /// The name of that tournament.
    pub name: String,
    /// Its duration in milliseconds.
    pub duration: i64,
}

/// The series of a game, or of all, that go on.
pub async fn planned(db: &Db, game: Option<GameKind>) -> Result<Vec<PlannedSeries>, Error> {
    const { assert!(limits::SERIES_LEN == 50, "the number in the query") };
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.rule as "rule!", s.zone as "zone!", ms(s.made_at) as "made_at!", t.series_local as "local!",
                  r.name as "name!",
                  (extract(epoch from coalesce(t.minutes * interval '1 minute', $2::interval)) * 1000)::bigint as "duration!"
           from tournament_series s
           join lateral (
               select l.id, l.series_local, l.minutes, l.game from tournaments l where l.series_id = s.id
               order by l.series_local desc limit 1) t on true
           join read_tournaments r on r.id = t.id
           where s.ended_at is null and ($1::text is null or t.game = $1) order by s.id limit 50"#,
        game.map(GameKind::id),
        limits::ASSUMED_DURATION as _
    )
    .fetch_all(db)
    .await?;
    let planned = rows.into_iter().map(|row| PlannedSeries {
        id: row.id,
        rule: row.rule,
        zone: row.zone,
        made_at: Timestamp(row.made_at),
        local: LocalTime(row.local),
        name: row.name,
        duration: row.duration,
    });
    Ok(planned.collect())
}
