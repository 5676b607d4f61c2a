//! The results of a tournament of rounds as JSON, which `tochki standings` reads: so anybody can count them again.

use super::db::StoredTournament;
use super::db::round_results::Part;
use super::round_results::{RoundResults, place};
use crate::Error;
use crate::db::terms::StoredTerms;
use serde_json::{Value, json};
use tochki_protocol::{EntrantState, TournamentFormat, TournamentScore};
use tochki_rules::Seat;

/// Writes the record of a tournament as one line.
pub(super) fn write(stored: &StoredTournament, results: &RoundResults) -> Result<String, Error> {
    let tournament = &stored.tournament;
    let rounds = stored.rounds()?;
    let terms = StoredTerms::of(&stored.terms())?;
    let is_table = tournament.format == TournamentFormat::RoundRobin;
    // Who never had a place in a round robin, or was never numbered in a Swiss, is no player of it.
    let mut places = vec![None; results.entrants.len()];
    let mut players = Vec::new();
    for (one, place) in results.entrants.iter().zip(&mut places) {
        let Some(seed) = one.seed else { continue };
        *place = Some(players.len());
        players.push(json!({
            "name": one.account.name,
            "rating": (!is_table).then_some(seed),
            "withdrawn": one.state != EntrantState::Here,
        }));
    }
    let player = |number: i32| places.get(place(number)).copied().flatten();
    let (mut games, mut byes) = (Vec::new(), Vec::new());
    for &(round, part) in &results.parts {
        match part {
            Part::Ended {
                numbers,
                winner,
                forfeit,
                board,
            } => games.push(json!({
                "first": player(numbers[0]),
                "second": player(numbers[1]),
                "winner": winner.map_or(0, Seat::number),
                "round": round,
                "forfeit": forfeit,
                "score": board,
            })),
            // Those of a round robin are worth nothing.
            Part::Bye { number, kind } if !is_table => byes.push(json!({
                "player": player(number),
                "round": round,
                "points": TournamentScore::of_halves(kind.halves()),
            })),
            Part::Bye { .. } | Part::Open { .. } => {}
        }
    }
    let record: Value = json!({
        "format": tournament.format.as_str(),
        "name": tournament.name,
        "game": terms.game,
        "setup": terms.setup,
        "clock": terms.clock,
        "rounds": rounds.rounds.unwrap_or(rounds.round),
        "players": players,
        "games": games,
        "byes": byes,
    });
    Ok(format!("{record}\n"))
}
