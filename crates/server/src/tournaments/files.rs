//! The results of a tournament as files: JSON, and of rounds TRF-2026, which programs for pairings and federations read, and CSV for
//! tables.

use super::db::StoredTournament;
use super::db::round_results::Part;
use super::round_results::{RoundResults, place};
use super::{Tournaments, arena_file, db, record_file};
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt as _};
use std::collections::HashMap;
use std::fmt::Write as _;
use tochki_protocol::{
    ByeKind, Code, EntrantState, PlayerId, TieBreakName, TournamentFormat, TournamentId,
    TournamentScore, TournamentStanding, TournamentState,
};
use tochki_rules::Seat;
use tochki_tournaments::trf;

impl Tournaments {
    /// The results of a tournament of rounds as a file of TRF-2026.
    ///
    /// # Errors
    /// `no_such_tournament`, also for an arena.
    pub async fn trf(&self, id: TournamentId) -> Result<String, Error> {
        self.file(id, write_trf).await.with_subject(id)
    }

    /// The standings of a tournament of rounds as CSV (RFC 4180), with the rounds of each player.
    ///
    /// # Errors
    /// `no_such_tournament`, also for an arena.
    pub async fn csv(&self, id: TournamentId) -> Result<String, Error> {
        self.file(id, write_csv).await.with_subject(id)
    }

    /// The results of a tournament of rounds, or of an arena that is over, as JSON, which `tochki standings` reads: in pieces.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_finished` for an arena.
    pub async fn record(
        &self,
        id: TournamentId,
    ) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
        let done = async {
            let stored = db::read(&self.db, id).await?;
            let stored = stored.ok_or(Code::NoSuchTournament)?;
            if stored.tournament.rounds.is_some() {
                let text = self.file(id, record_file::write).await?;
                let whole = stream::once(async move { Ok::<_, Error>(Bytes::from(text)) });
                return Ok(whole.boxed());
            }
            if stored.tournament.state != TournamentState::Finished {
                return Err(Code::NotFinished.into());
            }
            arena_file::pieces(&self.db, &stored).await
        };
        done.await.with_subject(id)
    }

    /// Reads a tournament of rounds, and writes it off the threads that answer requests: the work grows with the square of the players.
    async fn file(&self, id: TournamentId, write: Writer) -> Result<String, Error> {
        let stored = db::read(&self.db, id).await?;
        // A bracket is none of these files.
        let stored = stored.filter(|stored| {
            let is_knockout = stored.tournament.format == TournamentFormat::Knockout;
            stored.tournament.rounds.is_some() && !is_knockout
        });
        let stored = stored.ok_or(Code::NoSuchTournament)?;
        let results = self.round_results(id).await?;
        let written = tokio::task::spawn_blocking(move || write(&stored, &results));
        written
            .await
            .map_err(|error| Error::invariant(format!("writing a file failed: {error}")))?
    }
}

type Writer = fn(&StoredTournament, &RoundResults) -> Result<String, Error>;

fn write_trf(stored: &StoredTournament, results: &RoundResults) -> Result<String, Error> {
    let tournament = &stored.tournament;
    let rounds = stored.rounds()?;
    let is_table = tournament.format == TournamentFormat::RoundRobin;
    let mut order = results.pairing_order();
    if is_table {
        order.sort_by_key(|&number| results.entrants[number].seed);
    }
    let first_side = stored.first_side.unwrap_or(Seat::First);
    let all = rounds.rounds.unwrap_or(rounds.round);
    // Of a round that is played nothing is certain yet.
    let is_played = stored.tournament.state == TournamentState::Running
        && (results.parts.iter())
            .any(|(round, part)| *round == rounds.round && matches!(part, Part::Open { .. }));
    let played = rounds.round - u32::from(is_played);
    let mut field = results.field(&order, played, all, first_side);
    for (player, &number) in field.players.iter_mut().zip(&order) {
        let takes_part = results.entrants[number].state == EntrantState::Here;
        player.absent = rounds.is_next_to_come() && !takes_part;
    }
    let line = |(id, &number): (u32, &usize)| {
        let one = &results.entrants[number];
        trf::PlayerLine {
            id,
            name: one.account.name.clone(),
            // The seed of a round robin is a place.
            rating: (one.seed.filter(|_| !is_table)).and_then(|rating| u32::try_from(rating).ok()),
        }
    };
    let file = trf::File {
        name: tournament.name.clone(),
        players: (1..).zip(&order).map(line).collect(),
        field,
    };
    Ok(if is_table {
        trf::write_round_robin(&file)
    } else {
        trf::write(&file)
    })
}

fn write_csv(stored: &StoredTournament, results: &RoundResults) -> Result<String, Error> {
    let tournament = &stored.tournament;
    let rows = results.standings(tournament);
    let rounds = stored.rounds()?;
    let played = rounds.round;
    let mut text = String::from("rank,name,score");
    for kind in &rounds.tie_breaks {
        let _ = write!(text, ",{}", name(*kind));
    }
    text.push_str(",performance");
    for round in 1..=played {
        let _ = write!(text, ",round {round}");
    }
    text.push_str("\r\n");
    let cells = cells(results, &rows, played as usize);
    for row in &rows {
        let _ = write!(
            text,
            "{},{},{}",
            row.rank,
            field(&row.player.name),
            decimal(row.score)
        );
        for value in &row.tie_breaks {
            let _ = write!(text, ",{}", decimal(*value));
        }
        let performance = row.performance.map(|value| value.to_string());
        let _ = write!(text, ",{}", performance.unwrap_or_default());
        for cell in cells.get(&row.player.id).into_iter().flatten() {
            let _ = write!(text, ",{cell}");
        }
        text.push_str("\r\n");
    }
    Ok(text)
}

/// Returns the rounds of each player, in which opponents are called by their ranks.
fn cells(
    results: &RoundResults,
    rows: &[TournamentStanding],
    played: usize,
) -> HashMap<PlayerId, Vec<String>> {
    let ranks: HashMap<PlayerId, u32> = rows.iter().map(|row| (row.player.id, row.rank)).collect();
    let mut cells: HashMap<PlayerId, Vec<String>> = (rows.iter())
        .map(|row| (row.player.id, vec![String::new(); played]))
        .collect();
    let player = |number: i32| {
        results
            .entrants
            .get(place(number))
            .map(|one| one.account.id)
    };
    let mut set = |round: u32, number: i32, cell: String| {
        let own = player(number).and_then(|player| cells.get_mut(&player));
        let index = (round as usize).checked_sub(1);
        if let Some(slot) = own.zip(index).and_then(|(own, index)| own.get_mut(index)) {
            *slot = cell;
        }
    };
    for &(round, part) in &results.parts {
        match part {
            Part::Bye { number, kind } => {
                let cell = match kind {
                    ByeKind::Pairing => "bye 1",
                    ByeKind::Requested | ByeKind::Late => "bye 0.5",
                    ByeKind::Absent => "absent 0",
                    ByeKind::Free => "free",
                };
                set(round, number, cell.to_owned());
            }
            Part::Ended {
                numbers,
                winner,
                forfeit,
                ..
            } => {
                for side in Seat::BOTH {
                    let opponent = player(numbers[side.other().index()]);
                    let rank = opponent.and_then(|opponent| ranks.get(&opponent));
                    let rank = rank.map(ToString::to_string).unwrap_or_default();
                    let cell = format!("{rank}{}", sign(side, winner, forfeit));
                    set(round, numbers[side.index()], cell);
                }
            }
            Part::Open { .. } => {}
        }
    }
    cells
}

/// Returns the side and the result, behind the rank of the opponent: `w1`, `b=`, `w+` for a win without a game.
fn sign(side: Seat, winner: Option<Seat>, forfeit: bool) -> String {
    let own = if side == Seat::First { 'w' } else { 'b' };
    let result = match (winner, forfeit) {
        (None, _) => '=',
        (Some(winner), false) if winner == side => '1',
        (Some(_), false) => '0',
        (Some(winner), true) if winner == side => '+',
        (Some(_), true) => '-',
    };
    format!("{own}{result}")
}

/// Returns a score as every program reads it: with a point, and without a fraction where there is none.
fn decimal(score: TournamentScore) -> String {
    let part = ["", ".25", ".5", ".75"][score.quarters() as usize % 4];
    format!("{}{part}", score.quarters() / 4)
}

/// Returns a text as a field. Programs for tables take some texts for formulas: those get a sign in front.
fn field(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = text.replace('"', "\"\"");
    let mark = if is_formula { "'" } else { "" };
    format!("\"{mark}{text}\"")
}

const fn name(kind: TieBreakName) -> &'static str {
    match kind {
        TieBreakName::BuchholzCut1 => "Buchholz cut 1",
        TieBreakName::Buchholz => "Buchholz",
        TieBreakName::MedianBuchholz => "median Buchholz",
        TieBreakName::SonnebornBerger => "Sonneborn-Berger",
        TieBreakName::Direct => "direct",
        TieBreakName::Wins => "wins",
        TieBreakName::Discs => "discs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_no_formulas() {
        assert_eq!(field("ann"), "\"ann\"");
        assert_eq!(field("a\"b,c"), "\"a\"\"b,c\"");
        assert_eq!(field("=1+1"), "\"'=1+1\"");
        assert_eq!(decimal(TournamentScore::of_quarters(13)), "3.25");
        assert_eq!(decimal(TournamentScore::of_halves(4)), "2");
    }

    #[test]
    fn results_are_written_from_each_side() {
        let signs = |winner, forfeit| Seat::BOTH.map(|side| sign(side, winner, forfeit));
        assert_eq!(signs(Some(Seat::First), false), ["w1", "b0"]);
        assert_eq!(signs(None, false), ["w=", "b="]);
        assert_eq!(signs(Some(Seat::Second), true), ["w-", "b+"]);
    }
}
