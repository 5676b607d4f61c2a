//! The rounds of a tournament: their beginning, their pairings and byes, their end.

use super::stored_tournament::StoredTournament;
use crate::Error;
use crate::db::{Db, Tx};
use std::collections::HashMap;
use std::time::Duration;
use tochki_play::Rating;
use tochki_protocol::{ByeKind, MatchId, PlayerId, TournamentFormat, TournamentId};
use tochki_rules::Seat;

/// An entrant before a round.
pub struct RoundEntrant {
    /// The place in the order of joining.
    pub number: i32,
    /// The player.
    pub player: PlayerId,
    /// The rating by which a Swiss numbers its players, or the place in the table of a round robin.
    pub seed: Option<i32>,
    /// Whether the entrant takes part.
    pub takes_part: bool,
    /// Whether the entrant counts as here, and plays nowhere else.
    pub is_here: bool,
    /// Whether the entrant may be paired: plays nowhere else, is not on vacation, and has an open account.
    pub is_free: bool,
    /// The round in which the entrant has asked not to be paired.
    pub bye_round: Option<i32>,
}

/// Begins a locked tournament of rounds: the first round is due. Entrants who are in another running tournament, or who may enter no
/// Swiss for a while, are paused. A tournament over days leaves time for others. Returns how many take part.
pub async fn begin(tx: &mut Tx, stored: &StoredTournament) -> Result<i64, Error> {
    let tournament = &stored.tournament;
    super::lock_beginnings(tx).await?;
    sqlx::query!(
        "update tournaments set state = 'running', began_at = now(), version = version + 1,
             round_at = case when round_days is null then now() else starts_at end
         where id = $1",
        tournament.id.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update tournament_entrants e set state = 'paused'
         where tournament_id = $1 and state = 'here' and (
             $3 and exists (
                 select from tournament_entrants o join tournaments t on t.id = o.tournament_id
                 where o.player_id = e.player_id and o.tournament_id <> e.tournament_id and o.state = 'here'
                     and t.state = 'running' and t.round_days is null)
             or $2 and exists (select from no_shows n where n.player_id = e.player_id and n.until > now()))",
        tournament.id.0,
        tournament.format == TournamentFormat::Swiss,
        !tournament.is_over_days()
    )
    .execute(&mut **tx)
    .await?;
    if matches!(
        tournament.format,
        TournamentFormat::Swiss | TournamentFormat::Knockout
    ) {
        sqlx::query!(
            "update tournament_entrants e
             set seed = round(coalesce((
                 select r.rating from ratings r where r.player_id = e.player_id and r.game = t.game), $2))::int
             from tournaments t where t.id = e.tournament_id and e.tournament_id = $1",
            tournament.id.0,
            Rating::START.0
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from tournament_entrants where tournament_id = $1 and state = 'here'"#,
        tournament.id.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether a match of a locked tournament runs.
pub async fn is_running(tx: &mut Tx, id: TournamentId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from tournament_pairings where tournament_id = $1 and finished_at is null) as "runs!""#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Sets the start of the next round of a locked tournament, a while after the end of the last game.
pub async fn schedule(tx: &mut Tx, id: TournamentId, between: Duration) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments t set version = version + 1,
             round_at = coalesce((
                 select max(p.finished_at) from tournament_pairings p where p.tournament_id = t.id and p.round = t.round), now())
                 + $2::interval
         where id = $1",
        id.0,
        between as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// All entrants before the round with this number, in the order of joining.
///
/// Who has said so counts as here, who has a page of the tournament or of one of its matches open, and who has played the last round
/// to its end, unless that was days ago.
pub async fn entrants(db: &Db, id: TournamentId, round: i32) -> Result<Vec<RoundEntrant>, Error> {
    let rows = sqlx::query!(
        r#"with places as (
               select 'tournament:' || $1::bigint as place
               union all select kind || match_id
               from tournament_pairings cross join unnest(array['match:', 'watch:']) as kind
               where tournament_id = $1 and match_id is not null
           ), present as materialized (
               select distinct p.player_id from places join presence p on p.place = places.place where is_alive(p.beat_at, p.gone_at)
           )
           select e.number, e.player_id, e.seed, e.state = 'here' as "takes_part!", is_free_entrant(e.player_id) as "is_free!",
                  (e.here_round = $2
                   or t.round_days is null and exists (
                       select from tournament_pairings p
                       where p.tournament_id = e.tournament_id and p.round = $2 - 1 and p.match_id is not null and p.counts
                           and not p.forfeit and e.number in (p.first, p.second))
                   or e.player_id in (select player_id from present)) as "said!",
                  e.bye_round
           from tournament_entrants e join tournaments t on t.id = e.tournament_id
           where e.tournament_id = $1 order by e.number"#,
        id.0,
        round
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| RoundEntrant {
            number: row.number,
            player: PlayerId(row.player_id),
            seed: row.seed,
            takes_part: row.takes_part,
            is_here: row.takes_part && row.said && row.is_free,
            is_free: row.is_free,
            bye_round: row.bye_round,
        })
        .collect())
}

/// Locks the players of these entrants in the order of their ids, and returns the numbers of those who still may be paired.
pub async fn lock_free(tx: &mut Tx, id: TournamentId, numbers: &[i32]) -> Result<Vec<i32>, Error> {
    // As `pairing::db::players::lock_players`, for more than two.
    sqlx::query!(
        "select id from players where id in (
             select player_id from tournament_entrants where tournament_id = $1 and number = any($2))
         order by id for no key update",
        id.0,
        numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(sqlx::query_scalar!(
        "select number from tournament_entrants
         where tournament_id = $1 and number = any($2) and state = 'here' and is_free_entrant(player_id)",
        id.0,
        numbers
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// The players of these entrants.
pub async fn players(
    tx: &mut Tx,
    id: TournamentId,
    numbers: &[i32],
) -> Result<HashMap<i32, PlayerId>, Error> {
    let rows = sqlx::query!(
        "select number, player_id from tournament_entrants where tournament_id = $1 and number = any($2)",
        id.0,
        numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    let players = rows.into_iter();
    Ok(players
        .map(|row| (row.number, PlayerId(row.player_id)))
        .collect())
}

/// The facts that are fixed with the first round.
pub struct Course {
    /// The number of rounds.
    pub rounds: u32,
    /// The side of the first player in the first round of a Swiss.
    pub first_side: Seat,
}

/// Begins a round of a locked tournament, in the transaction that makes its pairings. Over days, that sets the start of the next one.
pub async fn start(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    course: &Course,
) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set round = $2, round_at = round_at + round_days * interval '1 day', rounds = $3, first_side = $4,
             version = version + 1
         where id = $1",
        id.0,
        round,
        i16::try_from(course.rounds).unwrap_or(i16::MAX),
        i16::from(course.first_side.number())
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes the places in the table of a round robin. Who has none is no part of it.
pub async fn set_places(tx: &mut Tx, id: TournamentId, numbers: &[i32]) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set seed = array_position($2::int[], number) - 1,
             state = case when state = 'here' and array_position($2::int[], number) is null then 'left' else state end
         where tournament_id = $1",
        id.0,
        numbers
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Inserts a pairing of a round, in the transaction that starts its match.
pub async fn insert(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    [first, second]: [i32; 2],
    match_id: MatchId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, second, match_id, of_round) values ($1, $2, $3, $4, $5, true)",
        id.0,
        round,
        first,
        second,
        match_id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Inserts a pairing of a round robin whose loser has left, or plays elsewhere: nobody plays it.
pub async fn insert_forfeit(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    numbers: [i32; 2],
    winner: Seat,
) -> Result<(), Error> {
    let [first, second] = numbers;
    let mut points = [0, 0];
    points[winner.index()] = 2;
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, second, of_round, finished_at, counts, winner, forfeit, points)
         values ($1, $2, $3, $4, true, now(), true, $5, true, $6)",
        id.0,
        round,
        first,
        second,
        i16::from(winner.number()),
        &points
    )
    .execute(&mut **tx)
    .await?;
    add_points(tx, id, numbers[winner.index()], 2).await
}

/// Inserts a pairing of a round robin to whose game nobody came: half a point each.
pub async fn insert_missed(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    numbers: [i32; 2],
) -> Result<(), Error> {
    let [first, second] = numbers;
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, second, of_round, finished_at, counts, winner, forfeit, points)
         values ($1, $2, $3, $4, true, now(), true, 0, true, array[1, 1])",
        id.0,
        round,
        first,
        second
    )
    .execute(&mut **tx)
    .await?;
    for number in numbers {
        add_points(tx, id, number, 1).await?;
    }
    Ok(())
}

/// Inserts a round without an opponent, and adds its points.
pub async fn insert_bye(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    number: i32,
    kind: ByeKind,
) -> Result<(), Error> {
    let halves = kind.halves().cast_signed();
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, of_round, finished_at, counts, bye, points)
         values ($1, $2, $3, true, now(), true, $4, $5)",
        id.0,
        round,
        number,
        kind.as_str(),
        &[halves]
    )
    .execute(&mut **tx)
    .await?;
    add_points(tx, id, number, halves).await
}

async fn add_points(tx: &mut Tx, id: TournamentId, number: i32, halves: i32) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants set score = score + $3 where tournament_id = $1 and number = $2 and $3 > 0",
        id.0,
        number,
        halves
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The number of an entrant of a locked tournament, whose rating is kept as that by which a Swiss numbers its players.
pub async fn number_late(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<i32, Error> {
    Ok(sqlx::query_scalar!(
        "update tournament_entrants e
         set seed = round(coalesce((
             select r.rating from ratings r where r.player_id = e.player_id and r.game = t.game), $3))::int
         from tournaments t where t.id = e.tournament_id and e.tournament_id = $1 and e.player_id = $2
         returning e.number",
        id.0,
        player.0,
        Rating::START.0
    )
    .fetch_one(&mut **tx)
    .await?)
}
