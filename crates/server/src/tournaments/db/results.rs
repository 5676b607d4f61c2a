//! Results of matches, folded into the scores of their players.

use crate::Error;
use crate::db::Tx;
use crate::db::rows::parse_stored_game;
use sqlx::types::Json;
use tochki_play::{Match, MatchResult, Reason, Timestamp};
use tochki_protocol::{MatchId, TournamentId};
use tochki_rules::Seat;
use tochki_tournaments::arena::{self, Outcome, Played, Rules, Sheet};

/// Folds the result of a match into the scores of both players. Called in the transaction that ends the match.
///
/// A player has one match at a time, so the order of the ends is the order in which this is called for that player.
pub(crate) async fn insert(
    tx: &mut Tx,
    id: TournamentId,
    match_id: MatchId,
    after: &Match,
    result: &MatchResult,
) -> Result<(), Error> {
    // First of all, as everything that changes entrants does.
    let tournament = sqlx::query!(
        r#"select game, streaks, berserk, state = 'running' as "runs!", last_games, ms(ends_at) as ends_at, ms(now()) as "now!"
           from tournaments where id = $1 for no key update"#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?;
    let rules = Rules {
        game: parse_stored_game(&tournament.game)?,
        streaks: tournament.streaks,
        berserk: tournament.berserk,
    };
    let Some(pairing) = sqlx::query!(
        r#"select p.id, p.first, p.second as "second!", p.counts, m.rating1, m.rating2
           from tournament_pairings p join matches m on m.id = p.match_id
           where p.match_id = $1 and p.tournament_id = $2 and p.finished_at is null"#,
        match_id.0,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?
    else {
        return Err(Error::invariant("a match of a tournament has no pairing"));
    };
    // The end is a time, and not the moment at which the driver gets to it.
    let is_in_time = tournament.ends_at.is_some_and(|ends_at| {
        let last = if tournament.last_games {
            arena::last_games_end(Timestamp(ends_at), after.terms().clock)
        } else {
            Timestamp(ends_at)
        };
        tournament.runs && Timestamp(tournament.now) < last
    });
    let counts = is_in_time && pairing.counts != Some(false) && !result.is_aborted();
    let numbers = [pairing.first, pairing.second];
    let ratings = [pairing.rating1, pairing.rating2];
    let moves = Seat::BOTH.map(|seat| after.plies().iter().filter(|ply| ply.seat == seat).count());
    let forfeit = result.reason == Reason::Forfeit;
    let mut points = [0, 0];
    for seat in Seat::BOTH {
        let (own, other) = (seat.index(), seat.other().index());
        let mut sheet = sheet_of(tx, id, numbers[own]).await?;
        if counts {
            let played = Played {
                outcome: match result.winner {
                    None => Outcome::Draw,
                    Some(winner) if winner == seat => Outcome::Win,
                    Some(_) => Outcome::Loss,
                },
                moves: u32::try_from(moves[0].min(moves[1])).unwrap_or(u32::MAX),
                forfeit,
                berserk: false,
                opponent_rating: ratings[other].round() as i32,
            };
            points[own] = sheet.add(rules, played).points.cast_signed();
        }
        let stays_away = forfeit && result.winner == Some(seat.other());
        sqlx::query!(
            "update tournament_entrants set waits_from = greatest(waits_from, now()), sheet = case when $4 then $3 else sheet end,
                 score = case when $4 then $5 else score end,
                 pauses = pauses + ($6 and state = 'here')::int,
                 state = case when $6 and state = 'here' then 'paused' else state end
             where tournament_id = $1 and number = $2",
            id.0,
            numbers[own],
            Json(sheet) as _,
            counts,
            sheet.score().cast_signed(),
            stays_away
        )
        .execute(&mut **tx)
        .await?;
    }
    sqlx::query!(
        "update tournament_pairings set finished_at = now(), counts = $2, winner = $3, forfeit = $4, points = $5 where id = $1",
        pairing.id,
        counts,
        (!result.is_aborted()).then(|| i16::from(result.winner.map_or(0, Seat::number))),
        forfeit,
        &points
    )
    .execute(&mut **tx)
    .await?;
    super::advance(tx, id).await
}

async fn sheet_of(tx: &mut Tx, id: TournamentId, number: i32) -> Result<Sheet, Error> {
    let sheet = sqlx::query_scalar!(
        r#"select sheet as "sheet: Json<Sheet>" from tournament_entrants where tournament_id = $1 and number = $2"#,
        id.0,
        number
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(sheet.map(|sheet| sheet.0).unwrap_or_default())
}
