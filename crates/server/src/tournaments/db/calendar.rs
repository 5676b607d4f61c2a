//! Tournaments as a calendar of another program shows them.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{parse_stored, skip_unreadable};
use tochki_play::Timestamp;
use tochki_protocol::{TournamentId, TournamentState, limits};
use tochki_rules::GameKind;

/// The status of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    /// A date of a series for which no tournament is made yet.
    Planned,
    /// A tournament that takes place, or took place.
    Confirmed,
    /// A tournament that was cancelled.
    Cancelled,
}

/// A tournament in a calendar, or a date of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The name of the entry among all of this site, which stays.
    pub key: String,
    /// The tournament, once it is made.
    pub tournament: Option<TournamentId>,
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// The status.
    pub status: EntryStatus,
    /// The start.
    pub starts_at: Timestamp,
    /// The end: as it was, as it is set, or as it is assumed.
    pub ends_at: Timestamp,
    /// The number of revisions: moves of the start, and cancelling.
    pub sequence: u32,
    /// The last change of all this.
    pub changed_at: Timestamp,
}

/// Returns the key of the date of a series, which is that of its tournament, too.
pub fn key_of_date(series: i64, local: i64) -> String {
    format!("series-{series}-{}", local / 60_000)
}

/// The tournaments of a game, or of all, that a calendar shows: those that run or are to come, and those that ended lately, in the
/// order of their starts.
pub async fn entries(db: &Db, game: Option<GameKind>) -> Result<Vec<CalendarEntry>, Error> {
    const {
        assert!(limits::CALENDAR_LEN == 200, "the number in the query");
        assert!(limits::CALENDAR_PAST_LEN == 50, "the number in the query");
    };
    let rows = sqlx::query!(
        r#"select t.id as "id!", r.name as "name!", r.description as "description!", t.state as "state!",
                  ms(t.starts_at) as "starts_at!", t.sequence as "sequence!", ms(t.calendar_at) as "changed_at!",
                  case when t.created_at > s.made_at then s.id end as series, t.series_local,
                  ms(case when t.state = 'finished' then greatest(t.finished_at, t.starts_at)
                     else coalesce(t.ends_at, t.starts_at + coalesce(t.minutes * interval '1 minute', $2::interval)) end) as "ends_at!"
           from tournaments t join read_tournaments r on r.id = t.id left join tournament_series s on s.id = t.series_id
           where t.id in (
               (select id from tournaments where state in ('open', 'running') and league_id is null and ($1::text is null or game = $1)
                order by starts_at, id limit 200)
               union all
               (select id from tournaments
                where state = 'finished' and finished_at > now() - $3::interval and league_id is null and ($1::text is null or game = $1)
                order by finished_at desc, id desc limit 50)
               union all
               (select id from tournaments
                where state = 'cancelled' and finished_at > now() - $3::interval and league_id is null and ($1::text is null or game = $1)
                order by finished_at desc, id desc limit 50))
           order by t.starts_at, t.id"#,
        game.map(GameKind::id),
        limits::ASSUMED_DURATION as _,
        limits::CALENDAR_PAST as _
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| {
        let state = parse_stored(&row.state, TournamentState::read(&row.state))?;
        Ok(CalendarEntry {
            // One that was there before it was let repeat keeps its key.
            key: match row.series.zip(row.series_local) {
                Some((series, local)) => key_of_date(series, local),
                None => format!("tournament-{}", row.id),
            },
            tournament: Some(TournamentId(row.id)),
            name: row.name,
            description: row.description,
            status: match state {
                TournamentState::Cancelled => EntryStatus::Cancelled,
                TournamentState::Open | TournamentState::Running | TournamentState::Finished => {
                    EntryStatus::Confirmed
                }
            },
            starts_at: Timestamp(row.starts_at),
            ends_at: Timestamp(row.ends_at),
            sequence: row.sequence.cast_unsigned(),
            changed_at: Timestamp(row.changed_at),
        })
    });
    Ok(skip_unreadable(read))
}
