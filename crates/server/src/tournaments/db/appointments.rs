//! Games by appointment: those of the round that runs which have not begun, and the times that are proposed for them.

use crate::Error;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, TournamentAppointment, TournamentId, limits};

/// Inserts the games of a round of a locked tournament, with the first move of the first of each pair.
pub async fn insert(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    pairs: &[[i32; 2]],
) -> Result<(), Error> {
    let [first, second] =
        [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect::<Vec<i32>>());
    sqlx::query!(
        "insert into tournament_appointments (tournament_id, round, first, second)
         select $1, $2, p.first, p.second from unnest($3::int[], $4::int[]) as p (first, second)",
        id.0,
        round,
        &first,
        &second
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes a game of a locked tournament that has begun or is decided, with all that was proposed for it.
pub async fn delete(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    [first, second]: [i32; 2],
) -> Result<(), Error> {
    sqlx::query!(
        "delete from tournament_appointments where tournament_id = $1 and round = $2 and first = $3",
        id.0,
        round,
        first
    )
    .execute(&mut **tx)
    .await?;
    delete_proposals(tx, id, round, &[first, second]).await
}

/// Deletes what these players of a locked tournament have proposed.
async fn delete_proposals(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    numbers: &[i32],
) -> Result<(), Error> {
    sqlx::query!(
        "delete from tournament_proposals where tournament_id = $1 and round = $2 and number = any($3)",
        id.0,
        round,
        numbers
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes which players of games whose time has come are here: those with a page of the tournament open.
pub async fn note_presence(tx: &mut Tx, id: TournamentId, round: i32) -> Result<(), Error> {
    sqlx::query!(
        "with present as materialized (
             select distinct p.player_id from presence p
             where p.place = 'tournament:' || $1::bigint and is_alive(p.beat_at, p.gone_at)
         )
         update tournament_appointments a
         set first_came = a.first_came or e.player_id in (select player_id from present),
             second_came = a.second_came or f.player_id in (select player_id from present)
         from tournament_entrants e, tournament_entrants f
         where a.tournament_id = $1 and a.round = $2 and a.at <= now()
             and e.tournament_id = a.tournament_id and e.number = a.first
             and f.tournament_id = a.tournament_id and f.number = a.second
             and (not a.first_came and e.player_id in (select player_id from present)
                  or not a.second_came and f.player_id in (select player_id from present))",
        id.0,
        round
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes that a player of a locked tournament is here for a game whose time comes soon, or has come. Returns whether there is one.
pub async fn confirm(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
    let confirmed = sqlx::query!(
        "update tournament_appointments a
         set first_came = a.first_came or a.first = e.number, second_came = a.second_came or a.second = e.number
         from tournament_entrants e join tournaments t on t.id = e.tournament_id
         where t.id = $1 and e.player_id = $2 and e.state = 'here' and t.state = 'running'
             and a.tournament_id = t.id and a.round = t.round and e.number in (a.first, a.second)
             and a.at <= now() + $3::interval",
        id.0,
        player.0,
        limits::APPOINTMENT_PRESENCE as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(confirmed.rows_affected() > 0)
}

/// A game that has not begun. Of two players the one with the first move is in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenGame {
    /// The places of the players in the order of joining.
    pub numbers: [i32; 2],
    /// Whether they have agreed on a time.
    pub is_agreed: bool,
    /// Whether that time has come.
    pub is_due: bool,
    /// Whether nobody waits for it any more.
    pub is_over: bool,
    /// Whether each has come.
    pub came: [bool; 2],
    /// Whether each still takes part in the tournament.
    pub takes_part: [bool; 2],
    /// Whether each has proposed a time early enough.
    pub has_tried: [bool; 2],
    /// The games that each has played in the tournament.
    pub played: [u32; 2],
}

/// The games of a round of a locked tournament that have not begun.
pub async fn open(tx: &mut Tx, id: TournamentId, round: i32) -> Result<Vec<OpenGame>, Error> {
    let rows = sqlx::query!(
        r#"select a.first, a.second, a.at is not null as "is_agreed!", coalesce(a.at <= now(), false) as "is_due!",
                  coalesce(a.at <= now() - $3::interval, false) as "is_over!", a.first_came, a.second_came,
                  e.state = 'here' as "first_stays!", f.state = 'here' as "second_stays!",
                  exists (
                      select from tournament_proposals q
                      where q.tournament_id = a.tournament_id and q.round = a.round and q.number = a.first
                          and q.proposed_at <= t.round_at - $4::interval) as "first_tried!",
                  exists (
                      select from tournament_proposals q
                      where q.tournament_id = a.tournament_id and q.round = a.round and q.number = a.second
                          and q.proposed_at <= t.round_at - $4::interval) as "second_tried!",
                  (select count(*) from tournament_pairings p
                   where p.tournament_id = a.tournament_id and p.match_id is not null and p.counts and not p.forfeit
                       and a.first in (p.first, p.second)) as "first_played!",
                  (select count(*) from tournament_pairings p
                   where p.tournament_id = a.tournament_id and p.match_id is not null and p.counts and not p.forfeit
                       and a.second in (p.first, p.second)) as "second_played!"
           from tournament_appointments a join tournaments t on t.id = a.tournament_id
           join tournament_entrants e on e.tournament_id = a.tournament_id and e.number = a.first
           join tournament_entrants f on f.tournament_id = a.tournament_id and f.number = a.second
           where a.tournament_id = $1 and a.round = $2 order by a.first"#,
        id.0,
        round,
        limits::APPOINTMENT_WAIT as _,
        limits::APPOINTMENT_ATTEMPT as _
    )
    .fetch_all(&mut **tx)
    .await?;
    let played = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let games = rows.into_iter().map(|row| OpenGame {
        numbers: [row.first, row.second],
        is_agreed: row.is_agreed,
        is_due: row.is_due,
        is_over: row.is_over,
        came: [row.first_came, row.second_came],
        takes_part: [row.first_stays, row.second_stays],
        has_tried: [row.first_tried, row.second_tried],
        played: [row.first_played, row.second_played].map(played),
    });
    Ok(games.collect())
}

/// The number of players in the table of a tournament.
pub async fn table_len(tx: &mut Tx, id: TournamentId) -> Result<usize, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from tournament_entrants where tournament_id = $1 and seed is not null"#,
        id.0
    );
    let count = count.fetch_one(&mut **tx).await?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Counts a game that these players of a locked tournament have missed. Who has missed too many is out.
pub async fn miss(tx: &mut Tx, id: TournamentId, numbers: &[i32]) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants
         set missed = missed + 1, state = case when state = 'here' and missed + 1 >= $3 then 'out' else state end
         where tournament_id = $1 and number = any($2)",
        id.0,
        numbers,
        limits::APPOINTMENTS_MISSED
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes that the players of games of a locked tournament are reminded, those that begin within this time, and returns them. `stage` is
/// the number of the reminder: of later ones none follows an earlier one.
pub async fn remind(
    tx: &mut Tx,
    id: TournamentId,
    round: i32,
    stage: i16,
    before: Duration,
) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        r#"with told as (
               update tournament_appointments set reminded = $3
               where tournament_id = $1 and round = $2 and reminded < $3 and at > now() and at <= now() + $4::interval
               returning first, second
           )
           select e.player_id from told join tournament_entrants e on e.number in (told.first, told.second)
           where e.tournament_id = $1 order by e.player_id"#,
        id.0,
        round,
        stage,
        before as _
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// The game of a player in the round that runs, before it begins.
pub struct OwnGame {
    /// The round.
    pub round: i32,
    /// The places of the player and of the opponent in the order of joining.
    pub numbers: [i32; 2],
    /// The opponent.
    pub opponent: PlayerId,
    /// The time on which both have agreed.
    pub at: Option<Timestamp>,
    /// The end of the round.
    pub until: Timestamp,
}

/// The game of a player of a locked tournament that has not begun, if there is one.
pub async fn of_player(
    tx: &mut Tx,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<OwnGame>, Error> {
    let row = sqlx::query!(
        r#"select a.round, e.number as own, o.number as other, o.player_id, ms(a.at) as at, ms(t.round_at) as "until!"
           from tournament_entrants e join tournaments t on t.id = e.tournament_id
           join tournament_appointments a
               on a.tournament_id = t.id and a.round = t.round and e.number in (a.first, a.second)
           join tournament_entrants o
               on o.tournament_id = t.id and o.number = case when e.number = a.first then a.second else a.first end
           where t.id = $1 and e.player_id = $2 and e.state = 'here' and t.state = 'running' and t.round_at is not null"#,
        id.0,
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| OwnGame {
        round: row.round,
        numbers: [row.own, row.other],
        opponent: PlayerId(row.player_id),
        at: row.at.map(Timestamp),
        until: Timestamp(row.until),
    }))
}

/// The time to come that the opponent has proposed, if it is this one but for the tolerance.
pub async fn same_proposal(
    tx: &mut Tx,
    id: TournamentId,
    game: &OwnGame,
    at: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let same = sqlx::query_scalar!(
        r#"select ms(at) as "at!" from tournament_proposals
           where tournament_id = $1 and round = $2 and number = $3 and at > now()
               and at between at_ms($4) - $5::interval and at_ms($4) + $5::interval
           order by abs(ms(at) - $4) limit 1"#,
        id.0,
        game.round,
        game.numbers[1],
        at.0,
        limits::APPOINTMENT_TOLERANCE as _
    );
    Ok(same.fetch_optional(&mut **tx).await?.map(Timestamp))
}

/// Writes the time on which both have agreed. Of a reminder whose time is over there is none.
pub async fn agree(
    tx: &mut Tx,
    id: TournamentId,
    game: &OwnGame,
    at: Timestamp,
) -> Result<(), Error> {
    let [day, hour] = limits::APPOINTMENT_REMINDED_BEFORE;
    sqlx::query!(
        "update tournament_appointments set at = at_ms($4), first_came = false, second_came = false,
             reminded = case when at_ms($4) <= now() + $6::interval then 2 when at_ms($4) <= now() + $5::interval then 1 else 0 end
         where tournament_id = $1 and round = $2 and first = any($3)",
        id.0,
        game.round,
        &game.numbers,
        at.0,
        day as _,
        hour as _
    )
    .execute(&mut **tx)
    .await?;
    delete_proposals(tx, id, game.round, &game.numbers).await
}

/// Writes a time that a player proposes. Of too many the oldest are forgotten.
pub async fn propose(
    tx: &mut Tx,
    id: TournamentId,
    game: &OwnGame,
    at: Timestamp,
) -> Result<(), Error> {
    const {
        assert!(
            limits::APPOINTMENT_PROPOSALS == 5,
            "the number in the query"
        );
    };
    sqlx::query!(
        "insert into tournament_proposals (tournament_id, round, number, at) values ($1, $2, $3, at_ms($4)) on conflict do nothing",
        id.0,
        game.round,
        game.numbers[0],
        at.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from tournament_proposals
         where tournament_id = $1 and round = $2 and number = $3 and at not in (
             select at from tournament_proposals where tournament_id = $1 and round = $2 and number = $3
             order by proposed_at desc, at limit 5)",
        id.0,
        game.round,
        game.numbers[0]
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes a time that a player has proposed.
pub async fn take_back(
    tx: &mut Tx,
    id: TournamentId,
    game: &OwnGame,
    at: Timestamp,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from tournament_proposals where tournament_id = $1 and round = $2 and number = $3 and at = at_ms($4)",
        id.0,
        game.round,
        game.numbers[0],
        at.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether the opponent is to be told of a proposal, and writes that this is done: not again for a while, however often the
/// player proposes.
pub async fn tell(tx: &mut Tx, id: TournamentId, game: &OwnGame) -> Result<bool, Error> {
    let told = sqlx::query!(
        "update tournament_entrants set told_at = now()
         where tournament_id = $1 and number = $2 and (told_at is null or told_at < now() - $3::interval)",
        id.0,
        game.numbers[1],
        limits::APPOINTMENT_TOLD_EVERY as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(told.rows_affected() > 0)
}

/// The game of a player in the round that runs, before it begins, as the player sees it.
pub async fn shown(
    db: &Db,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<TournamentAppointment>, Error> {
    let row = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, ms(a.at) as at, ms(t.round_at) as "until!",
                  case when e.number = a.first then a.first_came else a.second_came end as "here!",
                  array(
                      select ms(q.at) from tournament_proposals q
                      where q.tournament_id = t.id and q.round = t.round and q.number = e.number and q.at > now()
                      order by q.at) as "own!: Vec<i64>",
                  array(
                      select ms(q.at) from tournament_proposals q
                      where q.tournament_id = t.id and q.round = t.round and q.number = o.number and q.at > now()
                      order by q.at) as "theirs!: Vec<i64>"
           from tournament_entrants e join tournaments t on t.id = e.tournament_id
           join tournament_appointments a
               on a.tournament_id = t.id and a.round = t.round and e.number in (a.first, a.second)
           join tournament_entrants o
               on o.tournament_id = t.id and o.number = case when e.number = a.first then a.second else a.first end
           join players p on p.id = o.player_id
           where t.id = $1 and e.player_id = $2 and e.state = 'here' and t.state = 'running' and t.round_at is not null"#,
        id.0,
        player.0
    )
    .fetch_optional(db)
    .await?;
    let times = |times: Vec<i64>| times.into_iter().map(Timestamp).collect();
    Ok(row.map(|row| TournamentAppointment {
        opponent: account(row.id, row.name, row.guest, row.bot),
        at: row.at.map(Timestamp),
        own: times(row.own),
        theirs: times(row.theirs),
        until: Timestamp(row.until),
        here: row.here,
    }))
}
