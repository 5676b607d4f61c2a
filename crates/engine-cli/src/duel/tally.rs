//! The result of a duel: wins, score with its error from pairs, Elo, times.

use super::referee::{How, Played, Times};
use std::collections::BTreeMap;
use std::fmt;
use tochki_rules::Seat;

/// The counts so far, from the view of the program that was named first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Results of the first program in its games with the first seat, and with the second: won, drawn, lost.
    results: [[u32; 3]; 2],
    /// Halves of a point that the first program made in each pair of games, by the number of the pair.
    pairs: BTreeMap<usize, (u32, u32)>,
    /// Times of both programs.
    times: [Times; 2],
    /// Numbers of games lost by each kind of fault, for both programs.
    faults: [BTreeMap<&'static str, u32>; 2],
    adjudicated: u32,
    too_long: u32,
}

impl Tally {
    /// Counts a game of a pair in which the first program had that seat.
    pub(crate) fn count(&mut self, pair: usize, seat: Seat, game: &Played) {
        let result = match game.winner {
            Some(winner) if winner == seat => 0,
            None => 1,
            Some(_) => 2,
        };
        self.results[seat.index()][result] += 1;
        let pair = self.pairs.entry(pair).or_default();
        pair.0 += 1;
        pair.1 += 2 - result as u32;
        self.times[0].add(game.times[seat.index()]);
        self.times[1].add(game.times[seat.other().index()]);
        match &game.how {
            How::Fault(by, fault) => {
                let program = usize::from(*by != seat);
                *self.faults[program].entry(fault.code()).or_default() += 1;
            }
            How::Adjudicated(_) => self.adjudicated += 1,
            How::TooLong => self.too_long += 1,
            How::Rules(_) | How::Settled => {}
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.results.iter().flatten().sum()
    }

    fn total(&self, result: usize) -> u32 {
        self.results.iter().map(|results| results[result]).sum()
    }

    /// The score of the first program as a share of all points, and its standard error from the scores of pairs.
    ///
    /// The two games of a pair begin with the same opening, so they are not independent; pairs are.
    pub(crate) fn score(&self) -> Option<(f64, Option<f64>)> {
        let scores: Vec<_> = self
            .pairs
            .values()
            .filter(|(games, _)| *games == 2)
            .map(|&(_, halves)| f64::from(halves) / 4.0)
            .collect();
        let count = scores.len() as f64;
        if scores.is_empty() {
            return None;
        }
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let error = (scores.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        Some((mean, error))
    }

    /// A line of a table of matches: its name, games, the score with its standard error, and the average time of a move of
    /// the first program.
    pub(crate) fn summary(&self, name: &str) -> String {
        let score = match self.score() {
            Some((score, Some(error))) if error > 0.0 => {
                format!("{:.1} % ± {:.1}", score * 100.0, error * 100.0)
            }
            Some((score, Some(_))) => {
                let unseen = 100.0 * self.unseen_share();
                format!("{:.1} % (others < {unseen:.1} %)", score * 100.0)
            }
            Some((score, None)) => format!("{:.1} %", score * 100.0),
            None => "no pair".to_owned(),
        };
        let time = self.times[0].average().as_secs_f64() * 1000.0;
        format!("{name} | {} | {score} | {time:.1}", self.games())
    }

    fn complete_pairs(&self) -> usize {
        self.pairs.values().filter(|pair| pair.0 == 2).count()
    }

    /// The share of other pairs at most, with 95 %, when all pairs so far are alike and their spread says nothing.
    ///
    /// Had others a share of p, then n pairs alike would have the probability (1 − p)ⁿ, which is 5 % at this p.
    fn unseen_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.complete_pairs() as f64)
    }

    fn write_score(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((score, error)) = self.score() else {
            return writeln!(f, "score      no pair is complete");
        };
        let pairs = self.complete_pairs();
        let percent = score * 100.0;
        match error {
            Some(error) if error > 0.0 => {
                writeln!(
                    f,
                    "score      {percent:.1} % ± {:.1} (standard error of {pairs} pairs)",
                    error * 100.0
                )?;
                let [low, high] = [score - 1.96 * error, score + 1.96 * error].map(elo);
                writeln!(f, "Elo        {} ({low} to {high} with 95 %)", elo(score))
            }
            Some(_) => {
                let unseen = 100.0 * self.unseen_share();
                writeln!(
                    f,
                    "score      {percent:.1} % (all {pairs} pairs alike; others are less than {unseen:.1} % with 95 %)"
                )?;
                writeln!(f, "Elo        {}", elo(score))
            }
            None => {
                writeln!(f, "score      {percent:.1} % (one pair)")?;
                writeln!(f, "Elo        {}", elo(score))
            }
        }
    }
}

/// The difference in Elo for a score: −400 · log₁₀(1/s − 1).
fn elo(score: f64) -> String {
    if score <= 0.0 {
        "−∞".into()
    } else if score >= 1.0 {
        "+∞".into()
    } else {
        let difference = -400.0 * (1.0 / score - 1.0).log10();
        let sign = if difference < 0.0 { '−' } else { '+' };
        format!("{sign}{:.0}", difference.abs())
    }
}

/// The table below the names of the programs.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games      {}", self.games())?;
        for (result, name) in ["A won", "drawn", "B won"].iter().enumerate() {
            let [first, second] = [0, 1].map(|seat| self.results[seat][result]);
            writeln!(
                f,
                "{name:10} {} ({first} with A first, {second} with A second)",
                self.total(result)
            )?;
        }
        self.write_score(f)?;
        for (name, times) in ["A", "B"].iter().zip(&self.times) {
            writeln!(
                f,
                "{:10} {:.1} ms on average, {:.1} ms at most, {} moves",
                format!("{name}'s move"),
                times.average().as_secs_f64() * 1000.0,
                times.longest.as_secs_f64() * 1000.0,
                times.moves
            )?;
        }
        for (name, faults) in ["A", "B"].iter().zip(&self.faults) {
            let listed: Vec<_> = faults
                .iter()
                .map(|(code, count)| format!("{count} {code}"))
                .collect();
            if !listed.is_empty() {
                writeln!(f, "{:10} {}", format!("{name} lost by"), listed.join(", "))?;
            }
        }
        if self.adjudicated > 0 {
            writeln!(f, "adjudged   {} (both programs agreed)", self.adjudicated)?;
        }
        if self.too_long > 0 {
            writeln!(f, "too long   {} (decided by points)", self.too_long)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::{Ending, GameKind, Position};

    fn game(winner: Option<Seat>) -> Played {
        Played {
            position: Position::new(&GameKind::Reversi.default_setup()),
            moves: Vec::new(),
            opening: 0,
            winner,
            how: How::Rules(Ending::NoMoves),
            times: [Times::default(); 2],
        }
    }

    /// Pairs of results of the first program, `1`, `½` and `0`.
    fn tally(pairs: &[(f64, f64)]) -> Tally {
        let mut tally = Tally::default();
        for (number, &(first, second)) in pairs.iter().enumerate() {
            for (seat, points) in [(Seat::First, first), (Seat::Second, second)] {
                let winner = match points {
                    1.0 => Some(seat),
                    0.0 => Some(seat.other()),
                    _ => None,
                };
                tally.count(number, seat, &game(winner));
            }
        }
        tally
    }

    #[test]
    fn the_error_is_that_of_pairs() {
        // The side that begins wins: the games say nothing about the programs, and there is no doubt about that.
        let (score, error) = tally(&[(1.0, 0.0), (1.0, 0.0)]).score().unwrap();
        assert!((score - 0.5).abs() < 1e-12 && error.unwrap().abs() < 1e-12);
        // Pair scores 1, 1/2, 3/4, 3/4: mean 3/4, variance 1/24, standard error √(1/96).
        let tally = tally(&[(1.0, 1.0), (1.0, 0.0), (1.0, 0.5), (0.5, 1.0)]);
        let (score, error) = tally.score().unwrap();
        assert!((score - 0.75).abs() < 1e-12);
        assert!((error.unwrap() - (1.0_f64 / 96.0).sqrt()).abs() < 1e-12);
        let text = tally.to_string();
        assert!(
            text.contains("75.0 % ± 10.2 (standard error of 4 pairs)"),
            "{text}"
        );
        assert!(
            text.contains("Elo        +191 (+35 to +512 with 95 %)"),
            "{text}"
        );
        assert_eq!(tally.summary("match"), "match | 8 | 75.0 % ± 10.2 | 0.0");
        assert!(
            text.contains("A won      5 (3 with A first, 2 with A second)"),
            "{text}"
        );
    }

    #[test]
    fn elo_follows_its_formula() {
        for (score, difference) in [
            (0.5, "+0"),
            (0.64, "+100"),
            (0.36, "−100"),
            (1.0, "+∞"),
            (0.0, "−∞"),
        ] {
            assert_eq!(elo(score), difference);
        }
    }

    #[test]
    fn pairs_that_are_alike_are_said_to_be() {
        let text = tally(&[(1.0, 1.0); 30]).to_string();
        assert!(
            text.contains("100.0 % (all 30 pairs alike; others are less than 9.5 % with 95 %)"),
            "{text}"
        );
        assert_eq!(Tally::default().score(), None);
    }

    #[test]
    fn faults_are_named_and_belong_to_their_program() {
        let mut tally = Tally::default();
        let by = |seat| Played {
            how: How::Fault(seat, crate::drive::Fault::Crashed),
            ..game(Some(seat.other()))
        };
        tally.count(0, Seat::First, &by(Seat::Second));
        tally.count(0, Seat::Second, &by(Seat::First));
        let text = tally.to_string();
        assert!(text.contains("B lost by  2 crash"), "{text}");
        assert!(!text.contains("A lost by"), "{text}");
    }
}
