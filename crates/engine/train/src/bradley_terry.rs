//! The Bradley–Terry model of competitions between teams, fitted by minorization–maximization: R. Coulom, "Computing Elo
//! ratings of move patterns in the game of Go", 2007; D. R. Hunter, "MM algorithms for generalized Bradley–Terry models",
//! 2004.
//!
//! A team has one member of each kind, and its strength is the product of theirs. The probability that it wins is its
//! share of the strengths of all teams that compete.

/// Competitions between teams with one member of each of `K` kinds.
#[derive(Clone, Debug)]
pub(crate) struct Competitions<const K: usize> {
    /// The members of all teams, one competition after the other.
    teams: Vec<[u16; K]>,
    /// The first team of each competition, and the team that has won.
    rounds: Vec<(u32, u32)>,
}

impl<const K: usize> Competitions<K> {
    pub(crate) fn new() -> Self {
        Self {
            teams: Vec::new(),
            rounds: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Adds a competition, if the winner is one of the teams.
    pub(crate) fn add(&mut self, teams: impl IntoIterator<Item = [u16; K]>, winner: usize) {
        let first = self.teams.len();
        self.teams.extend(teams);
        if first + winner < self.teams.len() {
            self.rounds.push((first as u32, (first + winner) as u32));
        } else {
            self.teams.truncate(first);
        }
    }

    /// The teams of each competition, and the index of the winner.
    fn each(&self) -> impl Iterator<Item = (&[[u16; K]], usize)> {
        let ends = self.rounds.iter().skip(1).map(|round| round.0 as usize);
        let ends = ends.chain([self.teams.len()]);
        self.rounds.iter().zip(ends).map(|(&(first, winner), end)| {
            let teams = &self.teams[first as usize..end];
            (teams, (winner - first) as usize)
        })
    }

    /// The strengths of the members of each kind after so many steps, from 1. Each is held near 1 by one game won and one
    /// lost against an opponent of strength 1.
    pub(crate) fn fit(&self, sizes: [usize; K], steps: usize) -> [Vec<f64>; K] {
        let mut strengths = sizes.map(|size| vec![1.0; size]);
        let mut wins = sizes.map(|size| vec![1.0; size]);
        for (teams, winner) in self.each() {
            for (wins, &member) in wins.iter_mut().zip(&teams[winner]) {
                wins[usize::from(member)] += 1.0;
            }
        }
        for _ in 0..steps {
            for (kind, wins) in wins.iter().enumerate() {
                self.improve(&mut strengths, wins, kind);
            }
        }
        strengths
    }

    /// One step of minorization–maximization for the members of one kind: none meets another one in its own team.
    fn improve(&self, strengths: &mut [Vec<f64>; K], wins: &[f64], kind: usize) {
        let mut against: Vec<f64> = strengths[kind]
            .iter()
            .map(|strength| 2.0 / (strength + 1.0))
            .collect();
        let mut together = Vec::new();
        for (teams, _) in self.each() {
            together.clear();
            together.extend(teams.iter().map(|team| strength(strengths, team)));
            let share = 1.0 / together.iter().sum::<f64>();
            for (team, strength) in teams.iter().zip(&together) {
                let member = usize::from(team[kind]);
                against[member] += strength / strengths[kind][member] * share;
            }
        }
        for ((strength, wins), against) in strengths[kind].iter_mut().zip(wins).zip(&against) {
            *strength = wins / against;
        }
    }

    /// The mean strength of all teams.
    pub(crate) fn mean(&self, strengths: &[Vec<f64>; K]) -> f64 {
        let sum: f64 = self
            .teams
            .iter()
            .map(|team| strength(strengths, team))
            .sum();
        sum / self.teams.len().max(1) as f64
    }

    /// The mean logarithm of the probability of the winners, and the share of competitions that the strongest team has won.
    pub(crate) fn judge(&self, strengths: &[Vec<f64>; K]) -> (f64, f64) {
        let (mut logarithm, mut first) = (0.0, 0.0);
        for (teams, winner) in self.each() {
            let own = strength(strengths, &teams[winner]);
            let all = teams.iter().map(|team| strength(strengths, team));
            logarithm += (own / all.clone().sum::<f64>()).ln();
            first += f64::from(u8::from(all.fold(0.0, f64::max) <= own));
        }
        let count = self.len().max(1) as f64;
        (logarithm / count, first / count)
    }
}

fn strength<const K: usize>(strengths: &[Vec<f64>; K], team: &[u16; K]) -> f64 {
    let members = strengths.iter().zip(team);
    members
        .map(|(strengths, &member)| strengths[usize::from(member)])
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_engine::Rng;

    #[test]
    fn known_strengths_are_found_again() {
        let known: [&[f64]; 2] = [&[1.0, 4.0, 0.25], &[1.0, 3.0]];
        let mut rng = Rng::new(1);
        let mut competitions = Competitions::new();
        for _ in 0..30_000 {
            let teams: Vec<[u16; 2]> = (0..4)
                .map(|_| [rng.below(3) as u16, rng.below(2) as u16])
                .collect();
            let strengths: Vec<f64> = teams
                .iter()
                .map(|team| known[0][usize::from(team[0])] * known[1][usize::from(team[1])])
                .collect();
            let drawn = f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
            let mut left = drawn * strengths.iter().sum::<f64>();
            let winner = strengths.iter().position(|strength| {
                left -= strength;
                left < 0.0
            });
            competitions.add(teams, winner.unwrap_or(0));
        }
        let found = competitions.fit([3, 2], 60);
        for (kind, known) in known.iter().enumerate() {
            for (member, strength) in known.iter().enumerate() {
                let ratio = found[kind][member] / found[kind][0];
                let error = (ratio / strength - 1.0).abs();
                assert!(error < 0.08, "kind {kind}, member {member}: {ratio}");
            }
        }
    }

    #[test]
    fn who_never_competes_keeps_the_strength_of_one() {
        let mut competitions = Competitions::new();
        competitions.add([[0], [1]], 0);
        competitions.add([[0], [1]], 2);
        assert_eq!(competitions.len(), 1, "no such winner");
        let [found] = competitions.fit([3], 50);
        assert!(found[0] > 1.0 && found[1] < 1.0);
        assert!((found[2] - 1.0).abs() < 1e-6);
    }
}
