//! Players who are here for the next round or for an arena, or have asked for a round without a game.

use crate::Error;
use crate::db::{Db, Tx};
use std::collections::HashSet;
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, TournamentId, limits};

/// Writes that a locked entrant is here for a round; in an arena, for its only one.
pub async fn confirm(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
    round: i32,
) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set here_round = $3 where tournament_id = $1 and player_id = $2",
        id.0,
        player.0,
        round
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes the round in which a locked entrant is not to be paired, or that there is none. Returns whether that may be: an entrant has
/// one such bye.
pub async fn request_bye(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
    round: Option<i32>,
) -> Result<bool, Error> {
    let written = sqlx::query!(
        "update tournament_entrants e set bye_round = $3
         where tournament_id = $1 and player_id = $2 and not exists (
             select from tournament_pairings p
             where p.tournament_id = e.tournament_id and p.first = e.number and p.bye = 'requested')",
        id.0,
        player.0,
        round
    )
    .execute(&mut **tx)
    .await?;
    Ok(written.rows_affected() > 0)
}

/// An entrant, as the page of a tournament of rounds shows it to the player.
pub struct OwnRound {
    /// Whether the player counts as here for the next round, also without a page of the tournament.
    pub is_here: bool,
    /// The round without a game that the player has asked for, or has had.
    pub bye_round: Option<i32>,
    /// The time until which the player enters no Swiss.
    pub no_swiss_until: Option<Timestamp>,
}

/// Reads how a player stands before the round with this number. A player who has not entered is not here.
pub async fn own_round(
    db: &Db,
    id: TournamentId,
    player: PlayerId,
    round: i32,
) -> Result<OwnRound, Error> {
    let row = sqlx::query!(
        r#"select coalesce((
                  select e.here_round = $3 or t.round_days is null and exists (
                      select from tournament_pairings p
                      where p.tournament_id = e.tournament_id and p.round = $3 - 1 and p.match_id is not null and p.counts
                          and not p.forfeit and e.number in (p.first, p.second))
                  from tournament_entrants e join tournaments t on t.id = e.tournament_id where e.tournament_id = $1 and e.player_id = $2 and e.state = 'here'), false) as "is_here!",
                  (select e.bye_round from tournament_entrants e where e.tournament_id = $1 and e.player_id = $2) as bye_round,
                  (select ms(n.until) from no_shows n where n.player_id = $2 and n.until > now()) as no_swiss_until"#,
        id.0,
        player.0,
        round
    )
    .fetch_one(db)
    .await?;
    Ok(OwnRound {
        is_here: row.is_here,
        bye_round: row.bye_round,
        no_swiss_until: row.no_swiss_until.map(Timestamp),
    })
}

/// Returns whether it matters that a player is here: in a tournament of rounds that is not over, and in an arena before the first game.
pub async fn takes_part(db: &Db, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from tournament_entrants e join tournaments t on t.id = e.tournament_id
               where t.id = $1 and e.player_id = $2 and e.state = 'here' and (t.break_s is not null or e.sheet is null)
                   and t.state in ('open', 'running')) as "does!""#,
        id.0,
        player.0
    )
    .fetch_one(db)
    .await?)
}

/// A round that begins soon.
pub struct SoonRound {
    /// The tournament.
    pub id: TournamentId,
    /// The round.
    pub number: i32,
    /// The start.
    pub at: Timestamp,
}

/// The rounds for which players say now that they are here. An arena has one.
pub async fn soon(db: &Db) -> Result<Vec<SoonRound>, Error> {
    let rows = sqlx::query!(
        r#"select id, round + 1 as "number!", ms(coalesce(round_at, starts_at)) as "at!"
           from tournaments
           where state in ('open', 'running') and format in ('arena', 'swiss', 'round_robin') and starts_at < now() + $1::interval
               and (round_days is null or format <> 'round_robin')
               and (rounds is null or round < rounds or round = 0) and (state = 'open' or round_at is not null)
               and coalesce(round_at, starts_at) > now()
               and coalesce(round_at, starts_at) - case when round = 0 then $1::interval
                   else least($1::interval, break_s * interval '1 second') end <= now()
           order by id"#,
        limits::PRESENCE_WINDOW as _
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| SoonRound {
            id: TournamentId(row.id),
            number: row.number,
            at: Timestamp(row.at),
        })
        .collect())
}

/// The players who take part in a tournament.
pub async fn players(db: &Db, id: TournamentId) -> Result<HashSet<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        "select player_id from tournament_entrants where tournament_id = $1 and state = 'here'",
        id.0
    );
    let ids = ids.fetch_all(db).await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}
