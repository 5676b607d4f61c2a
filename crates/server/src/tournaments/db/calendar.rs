//! Tournaments as a calendar of another program shows them.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{parse_stored, skip_unreadable};
use tochki_play::Timestamp;
use tochki_protocol::{TournamentId, TournamentState, limits};
use tochki_rules::GameKind;

/// A tournament in a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The tournament.
    pub id: TournamentId,
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// The state.
    pub state: TournamentState,
    /// The start.
    pub starts_at: Timestamp,
    /// The end: as it was, as it is set, or as it is assumed.
    pub ends_at: Timestamp,
    /// The number of revisions: moves of the start, and cancelling.
    pub sequence: u32,
    /// The last change of all this.
    pub changed_at: Timestamp,
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
                  ms(case when t.state = 'finished' then greatest(t.finished_at, t.starts_at)
                     else coalesce(t.ends_at, t.starts_at + coalesce(t.minutes * interval '1 minute', $2::interval)) end) as "ends_at!"
           from tournaments t join read_tournaments r on r.id = t.id
           where t.id in (
               (select id from tournaments where state in ('open', 'running') and ($1::text is null or game = $1)
                order by starts_at, id limit 200)
               union all
               (select id from tournaments
                where state = 'finished' and finished_at > now() - $3::interval and ($1::text is null or game = $1)
                order by finished_at desc, id desc limit 50)
               union all
               (select id from tournaments
                where state = 'cancelled' and finished_at > now() - $3::interval and ($1::text is null or game = $1)
                order by finished_at desc, id desc limit 50))
           order by t.starts_at, t.id"#,
        game.map(GameKind::id),
        limits::ASSUMED_DURATION as _,
        limits::CALENDAR_PAST as _
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| {
        Ok(CalendarEntry {
            id: TournamentId(row.id),
            name: row.name,
            description: row.description,
            state: parse_stored(&row.state, TournamentState::read(&row.state))?,
            starts_at: Timestamp(row.starts_at),
            ends_at: Timestamp(row.ends_at),
            sequence: row.sequence.cast_unsigned(),
            changed_at: Timestamp(row.changed_at),
        })
    });
    Ok(skip_unreadable(read))
}
