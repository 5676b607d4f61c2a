//! The status of matches: absences, spectators, rematch requests.

use crate::Error;
use crate::db::{Db, Tx};
use sqlx::types::Json;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{Account, MatchId, MatchStatus, PlayerId};
use tochki_rules::Seat;

/// A match and its status.
pub struct StatusRow {
    /// The match.
    pub id: MatchId,
    /// The version it has reached.
    pub version: u32,
    /// Whether it has ended.
    pub finished: bool,
    /// Presence, audience and rematch.
    pub status: MatchStatus,
    /// The players who watch, by name.
    pub watchers: Vec<Account>,
}

/// The status of these matches.
pub async fn read(db: &Db, ids: &[i64]) -> Result<Vec<StatusRow>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.version, m.finished_at is not null as "finished!", m.rematch1, m.rematch2, m.next_match,
                  (select coalesce(sum(count), 0) from audiences a
                   where a.match_id = m.id and a.beat_at > now() - $2::interval)
                      + (select count(distinct p.player_id) from presence p
                         where p.place = 'watch:' || m.id and is_alive(p.beat_at, p.gone_at)) as "watching!",
                  coalesce((
                      select jsonb_agg(distinct jsonb_build_object('name', w.name, 'id', w.id, 'guest', w.guest, 'bot', w.bot))
                      from presence p join players w on w.id = p.player_id
                      where p.place = 'watch:' || m.id and is_alive(p.beat_at, p.gone_at)), '[]')
                      as "watchers!: Json<Vec<Account>>",
                  exists (select from annulments n where n.match_id = m.id) as "annulled!",
                  ms(away1.since) as gone1, ms(away2.since) as gone2,
                  ms(away1.since + absence_left(m.id, m.seat1, $3, $4, $5)) as lost1,
                  ms(away2.since + absence_left(m.id, m.seat2, $3, $4, $5)) as lost2
           from matches m
           left join reported_absences away1 on away1.match_id = m.id and away1.player_id = m.seat1
           left join reported_absences away2 on away2.match_id = m.id and away2.player_id = m.seat2
           where m.id = any($1)"#,
        ids,
        limits::PRESENCE_TIMEOUT as _,
        limits::ABSENCE_TIMEOUT as _,
        limits::TOTAL_ABSENCE_TIMEOUT as _,
        limits::HOUSE_BOT_ABSENCE_TIMEOUT as _
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StatusRow {
            id: MatchId(row.id),
            version: row.version.cast_unsigned(),
            finished: row.finished,
            status: MatchStatus {
                gone_at: [row.gone1, row.gone2].map(|gone_at| gone_at.map(Timestamp)),
                lost_at: [row.lost1, row.lost2].map(|lost_at| lost_at.map(Timestamp)),
                watching: u32::try_from(row.watching).unwrap_or(u32::MAX),
                rematch: [row.rematch1, row.rematch2],
                next_match: row.next_match.map(MatchId),
                annulled: row.annulled,
            },
            watchers: row.watchers.0,
        })
        .collect())
}

/// A player who has been absent from a running match for longer than [`limits::ABSENCE_NOTICE_DELAY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Absence {
    /// The match.
    pub id: MatchId,
    /// The absent player.
    pub player: PlayerId,
    /// Since when.
    pub since: Timestamp,
    /// When it exceeds [`limits::ABSENCE_TIMEOUT`], or all of the player's [`limits::TOTAL_ABSENCE_TIMEOUT`], so that the match
    /// is lost.
    pub lost_at: Timestamp,
    /// Whether that is past.
    pub expired: bool,
}

/// All absences, in the order in which they lose their matches.
pub async fn absences(db: &Db) -> Result<Vec<Absence>, Error> {
    let rows = sqlx::query!(
        r#"select match_id as "match_id!", player_id as "player_id!", ms(since) as "since!", ms(lost_at) as "lost_at!",
                  lost_at <= now() and heartbeat_is_fresh() as "expired!"
           from (select *, since + absence_left(match_id, player_id, $1, $2, $3) as lost_at from reported_absences) absences
           order by lost_at"#,
        limits::ABSENCE_TIMEOUT as _,
        limits::TOTAL_ABSENCE_TIMEOUT as _,
        limits::HOUSE_BOT_ABSENCE_TIMEOUT as _
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Absence {
            id: MatchId(row.match_id),
            player: PlayerId(row.player_id),
            since: Timestamp(row.since),
            lost_at: Timestamp(row.lost_at),
            expired: row.expired,
        })
        .collect())
}

/// Deletes expired rows.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from audiences where count = 0 or beat_at < now() - $1::interval",
        limits::PRESENCE_TIMEOUT as _
    )
    .execute(db)
    .await?;
    // Absences that were inserted at the moment when the match ended.
    sqlx::query!(
        "delete from absences a using matches m where m.id = a.match_id and m.finished_at is not null"
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The state of a match whose player asks for a rematch.
pub struct RematchState {
    /// Whether it has ended.
    pub finished: bool,
    /// The seats that have asked for a rematch.
    pub requested: [bool; 2],
    /// Whether that was asked for as a rated one.
    pub rated: Option<bool>,
    /// The match that followed.
    pub next: Option<MatchId>,
}

/// The state of rematch requests.
pub async fn rematch_state(tx: &mut Tx, id: MatchId) -> Result<RematchState, Error> {
    let row = sqlx::query!(
        r#"select finished_at is not null as "finished!", rematch1, rematch2, rematch_rated, next_match
           from matches where id = $1"#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(RematchState {
        finished: row.finished,
        requested: [row.rematch1, row.rematch2],
        rated: row.rematch_rated,
        next: row.next_match.map(MatchId),
    })
}

/// Records that a player has asked for a rematch, rated or not. A request for the other kind of rematch is over.
pub async fn request_rematch(
    tx: &mut Tx,
    id: MatchId,
    seat: Seat,
    rated: bool,
) -> Result<(), Error> {
    sqlx::query!(
        "update matches set rematch_rated = $3,
             rematch1 = $2 = 1 or rematch1 and coalesce(rematch_rated, rated) = $3,
             rematch2 = $2 = 2 or rematch2 and coalesce(rematch_rated, rated) = $3
         where id = $1",
        id.0,
        i32::from(seat.number()),
        rated
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether a player has muted another one, of whose requests they are told nothing.
pub async fn has_muted(tx: &mut Tx, player: PlayerId, other: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from mutes where player_id = $1 and muted_id = $2) as "muted!""#,
        player.0,
        other.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Takes back all requests for a rematch in which this player would take part.
pub async fn withdraw_rematches(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update matches set rematch1 = false, rematch2 = false
         where (seat1 = $1 or seat2 = $1) and (rematch1 or rematch2) and next_match is null",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Records which match followed.
pub async fn set_next_match(tx: &mut Tx, id: MatchId, next: MatchId) -> Result<(), Error> {
    sqlx::query!(
        "update matches set next_match = $2 where id = $1",
        id.0,
        next.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
