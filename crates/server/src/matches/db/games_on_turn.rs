//! The running matches of a player, and those in which it is their turn.

use crate::Error;
use crate::db::Db;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, OwnGamesCount, PlayerId, limits};
use tochki_rules::Seat;

/// A running match of a player, without its events.
pub struct RunningRow {
    /// The match.
    pub id: MatchId,
    /// The seat of the player.
    pub seat: Seat,
    /// The time at which the match ends by itself, or an offer does.
    pub deadline_at: Option<Timestamp>,
    /// The time of the last event; the start of the match before there is one.
    pub changed_at: Timestamp,
}

/// The running matches of this player, the latest first, at most [`limits::GAMES_OF_PLAYER`].
pub async fn running(db: &Db, player: PlayerId) -> Result<Vec<RunningRow>, Error> {
    let rows = sqlx::query!(
        r#"select id, seat1 = $1 as "is_first!", ms(deadline_at) as deadline_at,
                  coalesce(
                      (select ms(at) from match_events e where e.match_id = m.id and e.version = m.version),
                      ms(started_at)) as "changed_at!"
           from matches m where finished_at is null and (seat1 = $1 or seat2 = $1)
           order by id desc limit $2"#,
        player.0,
        limits::GAMES_OF_PLAYER
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| RunningRow {
            id: MatchId(row.id),
            seat: if row.is_first {
                Seat::First
            } else {
                Seat::Second
            },
            deadline_at: row.deadline_at.map(Timestamp),
            changed_at: Timestamp(row.changed_at),
        })
        .collect())
}

/// The running matches in which it is this player's turn, those with the least time left first.
pub async fn on_turn(db: &Db, player: PlayerId) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        "select id from matches
         where finished_at is null and (seat1 = $1 or seat2 = $1) and to_move = case when seat1 = $1 then 1 else 2 end
         order by deadline_at nulls last, id limit $2",
        player.0,
        limits::GAMES_OF_PLAYER
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// The numbers of running matches of this player. A live match is not among those on turn: its player is there.
pub async fn count(db: &Db, player: PlayerId) -> Result<OwnGamesCount, Error> {
    let row = sqlx::query!(
        r#"select count(*) as "running!",
                  count(*) filter (where correspondence and to_move = case when seat1 = $1 then 1 else 2 end) as "on_turn!"
           from matches where finished_at is null and (seat1 = $1 or seat2 = $1)"#,
        player.0
    )
    .fetch_one(db)
    .await?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(OwnGamesCount {
        running: number(row.running),
        on_turn: number(row.on_turn),
    })
}
