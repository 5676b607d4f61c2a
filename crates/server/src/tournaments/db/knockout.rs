//! The games of a knockout, and the choices of sides for the last games of its pairs.

use crate::Error;
use crate::db::{Db, Tx};
use std::collections::HashMap;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId, TournamentId, limits};
use tochki_rules::Seat;

/// Sets the number of games of each pair, in the transaction that makes the tournament.
pub async fn set_best_of(tx: &mut Tx, id: TournamentId, best_of: u32) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set best_of = $2 where id = $1",
        id.0,
        i16::try_from(best_of).unwrap_or(1)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The course of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It runs.
    Running,
    /// It has ended, and counts.
    Ended {
        /// The winner; `None` for a draw.
        winner: Option<Seat>,
        /// Whether a side stayed away.
        forfeit: bool,
    },
    /// It counts for nothing, and is played again.
    Void,
}

/// A game of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuelGame {
    /// The round, from 1.
    pub round: u32,
    /// The places of the players in the order of joining, the one with the first move in front.
    pub numbers: [i32; 2],
    /// The match; `None` where a side had left before.
    pub match_id: Option<MatchId>,
    /// The course.
    pub course: Course,
    /// The end, once it has ended.
    pub ended_at: Option<Timestamp>,
}

/// All games of a knockout, in their order.
pub async fn games(db: &Db, id: TournamentId) -> Result<Vec<DuelGame>, Error> {
    let rows = sqlx::query!(
        r#"select round, first, second as "second!", match_id, winner, forfeit, coalesce(counts, false) as "counts!",
                  ms(finished_at) as ended_at
           from tournament_pairings where tournament_id = $1 and second is not null order by id"#,
        id.0
    )
    .fetch_all(db)
    .await?;
    let games = rows.into_iter().map(|row| DuelGame {
        round: row.round.cast_unsigned(),
        numbers: [row.first, row.second],
        match_id: row.match_id.map(MatchId),
        course: match (row.ended_at, row.winner) {
            (None, _) => Course::Running,
            (Some(_), Some(winner)) if row.counts => Course::Ended {
                winner: u8::try_from(winner)
                    .ok()
                    .and_then(|winner| winner.try_into().ok()),
                forfeit: row.forfeit,
            },
            (Some(_), _) => Course::Void,
        },
        ended_at: row.ended_at.map(Timestamp),
    });
    Ok(games.collect())
}

/// Inserts a game that nobody plays, because a player has left, or plays elsewhere. The other one wins.
pub async fn insert_forfeit(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    [first, second]: [i32; 2],
    winner: Seat,
) -> Result<(), Error> {
    let mut points = [0, 0];
    points[winner.index()] = 2;
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, second, finished_at, counts, winner, forfeit, points)
         values ($1, $2, $3, $4, now(), true, $5, true, $6)",
        id.0,
        round,
        first,
        second,
        i16::from(winner.number()),
        &points
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes that these players of a locked knockout have lost, so that they may play elsewhere.
pub async fn eliminate(tx: &mut Tx, id: TournamentId, numbers: &[i32]) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set state = 'eliminated' where tournament_id = $1 and number = any($2) and state = 'here'",
        id.0,
        numbers
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A choice of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The side, once it is chosen.
    pub side: Option<Seat>,
    /// Whether the time for it is over.
    pub is_over: bool,
}

/// The choices in a round, by the places of their players in the order of joining.
pub async fn choices(db: &Db, id: TournamentId, round: u32) -> Result<HashMap<i32, Choice>, Error> {
    let rows = sqlx::query!(
        r#"select number, side, choose_by <= now() as "over!" from tournament_choices where tournament_id = $1 and round = $2"#,
        id.0,
        round.cast_signed()
    )
    .fetch_all(db)
    .await?;
    let choices = rows.into_iter().map(|row| {
        let side = row
            .side
            .and_then(|side| u8::try_from(side).ok()?.try_into().ok());
        let choice = Choice {
            side,
            is_over: row.over,
        };
        (row.number, choice)
    });
    Ok(choices.collect())
}

/// Lets a player of a locked knockout choose a side from now on.
pub async fn open_choice(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    number: i32,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into tournament_choices (tournament_id, round, number, choose_by) values ($1, $2, $3, now() + $4::interval)
         on conflict do nothing",
        id.0,
        round,
        number,
        limits::SIDE_CHOICE_TIME as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes the side that a player of a locked knockout has chosen. Returns whether there was something to choose.
pub async fn choose(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
    side: Seat,
) -> Result<bool, Error> {
    let chosen = sqlx::query!(
        "update tournament_choices c set side = $3
         from tournament_entrants e join tournaments t on t.id = e.tournament_id
         where t.id = $1 and e.player_id = $2 and e.state = 'here' and t.state = 'running'
             and c.tournament_id = t.id and c.round = t.round and c.number = e.number and c.side is null and c.choose_by > now()",
        id.0,
        player.0,
        i16::from(side.number())
    )
    .execute(&mut **tx)
    .await?;
    Ok(chosen.rows_affected() > 0)
}

/// The time until which a player chooses a side, if there is something to choose.
pub async fn choose_by(
    db: &Db,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<Timestamp>, Error> {
    let time = sqlx::query_scalar!(
        r#"select ms(c.choose_by) as "choose_by!"
           from tournament_choices c join tournaments t on t.id = c.tournament_id
           join tournament_entrants e on e.tournament_id = c.tournament_id and e.number = c.number
           where t.id = $1 and e.player_id = $2 and e.state = 'here' and t.state = 'running' and c.round = t.round
               and c.side is null and c.choose_by > now()"#,
        id.0,
        player.0
    );
    Ok(time.fetch_optional(db).await?.map(Timestamp))
}
