//! Results of matches, folded into the scores of their players.

use super::no_shows;
use crate::Error;
use crate::db::Tx;
use crate::db::rows::{parse_stored, parse_stored_game};
use sqlx::types::Json;
use tochki_play::{Match, MatchResult, Reason, Timestamp};
use tochki_protocol::{MatchId, TournamentFormat, TournamentId};
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
        r#"select format, game, streaks, berserk, state = 'running' as "runs!", last_games, ms(ends_at) as ends_at, ms(now()) as "now!"
           from tournaments where id = $1 for no key update"#,
        id.0
    )
    .fetch_one(&mut **tx)
    .await?;
    let format = parse_stored(
        &tournament.format,
        TournamentFormat::read(&tournament.format),
    )?;
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
    let is_before_end = tournament.ends_at.is_none_or(|ends_at| {
        let last = if tournament.last_games {
            arena::last_games_end(Timestamp(ends_at), after.terms().clock)
        } else {
            Timestamp(ends_at)
        };
        Timestamp(tournament.now) < last
    });
    let counts =
        tournament.runs && is_before_end && pairing.counts != Some(false) && !result.is_aborted();
    let numbers = [pairing.first, pairing.second];
    let ratings = [pairing.rating1, pairing.rating2];
    let moves = Seat::BOTH.map(|seat| after.plies().iter().filter(|ply| ply.seat == seat).count());
    let forfeit = result.reason == Reason::Forfeit;
    let berserk = after.berserk();
    let mut points = [0, 0];
    let board = after
        .position()
        .score()
        .map(|score| i32::try_from(score).unwrap_or(i32::MAX));
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
                berserk: berserk[own],
                opponent_rating: ratings[other].round() as i32,
            };
            let of_arena = sheet.add(rules, played).points;
            points[own] = match format {
                TournamentFormat::Arena => of_arena.cast_signed(),
                // Half points; the sheet is for the performance alone.
                _ => match played.outcome {
                    Outcome::Win => 2,
                    Outcome::Draw => 1,
                    Outcome::Loss => 0,
                },
            };
        }
        let stays_away = forfeit && result.winner == Some(seat.other());
        let is_paused = stays_away && format == TournamentFormat::Arena;
        // Nobody has to come to a game of a tournament that was cancelled.
        if stays_away
            && counts
            && format == TournamentFormat::Swiss
            && is_here(tx, id, numbers[own]).await?
        {
            no_shows::insert(tx, id, numbers[own]).await?;
        }
        let is_out = stays_away
            && !is_paused
            && stayed_away_before(tx, id, numbers[own], pairing.id).await?;
        sqlx::query!(
            "update tournament_entrants set waits_from = greatest(waits_from, now()), sheet = case when $4 then $3 else sheet end,
                 score = case when not $4 then score when $8 then $5 else score + $5 end,
                 pauses = pauses + ($6 and state = 'here')::int,
                 state = case when $6 and state = 'here' then 'paused' when $7 and state in ('here', 'paused') then 'out' else state end
             where tournament_id = $1 and number = $2",
            id.0,
            numbers[own],
            Json(sheet) as _,
            counts,
            match format {
                TournamentFormat::Arena => sheet.score().cast_signed(),
                _ => points[own],
            },
            is_paused,
            is_out,
            format == TournamentFormat::Arena
        )
        .execute(&mut **tx)
        .await?;
    }
    sqlx::query!(
        "update tournament_pairings set finished_at = now(), counts = $2, winner = $3, forfeit = $4, points = $5, board = $6,
             berserk = $7, moves = $8
         where id = $1",
        pairing.id,
        counts,
        (!result.is_aborted()).then(|| i16::from(result.winner.map_or(0, Seat::number))),
        forfeit,
        &points,
        &board,
        &berserk,
        &moves.map(|count| i32::try_from(count).unwrap_or(i32::MAX))
    )
    .execute(&mut **tx)
    .await?;
    super::advance(tx, id).await
}

/// Returns whether an entrant of a locked tournament takes part.
async fn is_here(tx: &mut Tx, id: TournamentId, number: i32) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select state = 'here' as "is!" from tournament_entrants where tournament_id = $1 and number = $2"#,
        id.0,
        number
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether an entrant stayed away from the game before the pairing with this number, too.
async fn stayed_away_before(
    tx: &mut Tx,
    id: TournamentId,
    number: i32,
    pairing: i64,
) -> Result<bool, Error> {
    let before = sqlx::query_scalar!(
        r#"select forfeit and case winner when 1 then second else first end = $2 as "away!" from tournament_pairings
           where tournament_id = $1 and id < $3 and match_id is not null and $2 in (first, second)
           order by id desc limit 1"#,
        id.0,
        number,
        pairing
    );
    Ok(before.fetch_optional(&mut **tx).await? == Some(true))
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
