//! The results of a tournament of rounds: as standings with tie-breaks, and as what the next pairings of a Swiss are made of.

use super::db::round_results::{ListedEntrant, Part};
use super::{Tournaments, db};
use crate::Error;
use std::cmp::Reverse;
use tochki_protocol::{
    ByeKind, EntrantState, Tournament, TournamentFormat, TournamentId, TournamentScore,
    TournamentStanding,
};
use tochki_rules::Seat;
use tochki_tournaments::swiss::{self, Entrant, Field, Round};
use tochki_tournaments::{Bye, Game, Points, arena, round_robin};

/// The entrants and all rounds of a tournament.
pub(super) struct RoundResults {
    /// Each at the place of its number.
    pub(super) entrants: Vec<ListedEntrant>,
    /// All parts of all rounds, each with its round.
    pub(super) parts: Vec<(u32, Part)>,
}

impl Tournaments {
    /// Reads all results of a tournament of rounds.
    pub(super) async fn round_results(&self, id: TournamentId) -> Result<RoundResults, Error> {
        // The parts first, so that each has its entrants.
        let parts = db::round_results::parts(&self.db, id).await?;
        let entrants = db::round_results::entrants(&self.db, id).await?;
        Ok(RoundResults { entrants, parts })
    }
}

impl RoundResults {
    /// Returns the rows of the standings, best first.
    pub(super) fn standings(&self, tournament: &Tournament) -> Vec<TournamentStanding> {
        let players = self.entrants.len();
        let (games, byes) = (self.games(), self.byes());
        let order = if tournament.format == TournamentFormat::RoundRobin {
            let double = tournament
                .rounds
                .as_ref()
                .is_some_and(|rounds| rounds.double);
            // Before the first round nobody has left a table that there is not.
            let withdrawn: Vec<_> = (self.entrants.iter())
                .map(|one| one.seed.is_some() && one.state != EntrantState::Here)
                .collect();
            let seats = self.entrants.iter().filter(|one| one.seed.is_some());
            round_robin::standings_among(players, seats.count(), double, &games, &withdrawn)
        } else {
            let kind = tournament.setup.kind();
            swiss::standings(kind, players, &games, &byes)
        };
        let mut has_part = vec![false; players];
        for (_, part) in &self.parts {
            for number in part.numbers() {
                if let Some(has) = usize::try_from(number)
                    .ok()
                    .and_then(|at| has_part.get_mut(at))
                {
                    *has = true;
                }
            }
        }
        let listed = order.into_iter().filter(|row| {
            // Who has cheated, and was removed, has no place; neither has a closed account.
            let one = &self.entrants[row.player];
            let is_out = one.closed || one.state == EntrantState::Removed;
            let takes_part = matches!(one.state, EntrantState::Here | EntrantState::Paused);
            !is_out && (has_part[row.player] || takes_part)
        });
        (1..)
            .zip(listed)
            .map(|(rank, row)| {
                let one = &self.entrants[row.player];
                TournamentStanding {
                    rank,
                    player: one.account.clone(),
                    score: TournamentScore::of_halves(row.points.halves()),
                    tie_breaks: (row.tie_breaks.iter())
                        .map(|value| TournamentScore::of_quarters(value.quarters()))
                        .collect(),
                    fire: false,
                    berserks: 0,
                    performance: one.sheet.performance().map(arena::Performance::rounded),
                    paused: one.state != EntrantState::Here,
                }
            })
            .collect()
    }

    /// Returns how many games a player has played: forfeits are none.
    pub(super) fn games_of(&self, number: i32) -> u32 {
        let is_own = |(_, part): &&(u32, Part)| matches!(part, Part::Ended { numbers, forfeit: false, .. } if numbers.contains(&number));
        u32::try_from(self.parts.iter().filter(is_own).count()).unwrap_or(u32::MAX)
    }

    fn games(&self) -> Vec<Game> {
        let game = |&(round, part): &(u32, Part)| match part {
            Part::Ended {
                numbers,
                winner,
                forfeit,
                board,
            } => Some(Game {
                players: numbers.map(place),
                winner,
                round,
                forfeit,
                score: board,
            }),
            Part::Open { .. } | Part::Bye { .. } => None,
        };
        self.parts.iter().filter_map(game).collect()
    }

    fn byes(&self) -> Vec<Bye> {
        let bye = |&(round, part): &(u32, Part)| match part {
            Part::Bye { number, kind } => Some(Bye {
                player: place(number),
                round,
                points: Points::from_halves(kind.halves()),
            }),
            Part::Ended { .. } | Part::Open { .. } => None,
        };
        self.parts.iter().filter_map(bye).collect()
    }

    /// Returns the numbers of those who have been in the Swiss, in the order of their pairing numbers: by rating, then as they joined.
    pub(super) fn pairing_order(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.entrants.len())
            .filter(|&number| self.entrants[number].seed.is_some())
            .collect();
        order.sort_by_key(|&number| (Reverse(self.entrants[number].seed), number));
        order
    }

    /// Returns the field of a Swiss after `played` of its `rounds`, its players in the order of `order`. All are absent.
    pub(super) fn field(
        &self,
        order: &[usize],
        played: u32,
        rounds: u32,
        initial_side: Seat,
    ) -> Field {
        // A round without any part is one without the player.
        let nothing = vec![Round::Bye(Points::ZERO); played as usize];
        let mut histories = vec![nothing; self.entrants.len()];
        let mut places = vec![usize::MAX; self.entrants.len()];
        for (at, &number) in order.iter().enumerate() {
            places[number] = at;
        }
        for &(round, part) in &self.parts {
            let Some(index) = (round as usize).checked_sub(1) else {
                continue;
            };
            let mut set = |number: i32, told: Round| {
                let history = histories.get_mut(place(number));
                if let Some(slot) = history.and_then(|history| history.get_mut(index)) {
                    *slot = told;
                }
            };
            match part {
                Part::Bye { number, kind } => {
                    let points = Points::from_halves(kind.halves());
                    set(
                        number,
                        match kind {
                            ByeKind::Pairing => Round::PairingBye,
                            _ => Round::Bye(points),
                        },
                    );
                }
                Part::Ended {
                    numbers,
                    winner,
                    forfeit,
                    ..
                } => {
                    for side in Seat::BOTH {
                        let opponent = places[place(numbers[side.other().index()])];
                        set(
                            numbers[side.index()],
                            if forfeit && winner.is_none() {
                                // Nobody came to a game by appointment: half a point each.
                                Round::Bye(Points::HALF)
                            } else if forfeit {
                                Round::Forfeit {
                                    opponent,
                                    side,
                                    won: winner == Some(side),
                                }
                            } else {
                                let result = match winner {
                                    None => Points::HALF,
                                    Some(winner) if winner == side => Points::ONE,
                                    Some(_) => Points::ZERO,
                                };
                                Round::Game {
                                    opponent,
                                    side,
                                    result,
                                }
                            },
                        );
                    }
                }
                Part::Open { .. } => {}
            }
        }
        Field {
            rounds,
            initial_side,
            players: (order.iter())
                .map(|&number| Entrant {
                    history: std::mem::take(&mut histories[number]),
                    absent: true,
                })
                .collect(),
            forbidden: Vec::new(),
        }
    }
}

impl Part {
    /// Returns the numbers of its players.
    fn numbers(self) -> impl Iterator<Item = i32> {
        let [one, other] = match self {
            Self::Ended { numbers, .. } | Self::Open { numbers } => numbers.map(Some),
            Self::Bye { number, .. } => [Some(number), None],
        };
        one.into_iter().chain(other)
    }
}

/// Returns the place of a number. There are no negative ones.
pub(super) fn place(number: i32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::{Account, PlayerId};

    fn entrant(number: i64, seed: Option<i32>, state: EntrantState) -> ListedEntrant {
        ListedEntrant {
            account: Account {
                id: PlayerId(number),
                name: format!("player{number}"),
                guest: false,
                bot: false,
            },
            state,
            seed,
            closed: false,
            sheet: arena::Sheet::default(),
        }
    }

    fn won(numbers: [i32; 2], winner: Seat) -> Part {
        Part::Ended {
            numbers,
            winner: Some(winner),
            forfeit: false,
            board: [3, 1],
        }
    }

    /// Three players and one who left before the start: a game and a bye, then a forfeit and an absence.
    fn results() -> RoundResults {
        let here = EntrantState::Here;
        RoundResults {
            entrants: vec![
                entrant(10, Some(1500), here),
                entrant(11, Some(1700), here),
                entrant(12, None, EntrantState::Left),
                entrant(13, Some(1600), EntrantState::Out),
            ],
            parts: vec![
                (1, won([0, 1], Seat::Second)),
                (
                    1,
                    Part::Bye {
                        number: 3,
                        kind: ByeKind::Pairing,
                    },
                ),
                (
                    2,
                    Part::Ended {
                        numbers: [1, 3],
                        winner: Some(Seat::First),
                        forfeit: true,
                        board: [0, 0],
                    },
                ),
            ],
        }
    }

    #[test]
    fn a_field_has_every_round_of_every_player() {
        let results = results();
        let order = results.pairing_order();
        assert_eq!(order, [1, 3, 0], "by rating, without who never came");
        let field = results.field(&order, 2, 5, Seat::Second);
        let histories: Vec<_> = (field.players.iter())
            .map(|player| player.history.clone())
            .collect();
        assert_eq!(
            histories,
            [
                vec![
                    Round::Game {
                        opponent: 2,
                        side: Seat::Second,
                        result: Points::ONE
                    },
                    Round::Forfeit {
                        opponent: 1,
                        side: Seat::First,
                        won: true
                    },
                ],
                vec![
                    Round::PairingBye,
                    Round::Forfeit {
                        opponent: 0,
                        side: Seat::Second,
                        won: false
                    },
                ],
                vec![
                    Round::Game {
                        opponent: 0,
                        side: Seat::First,
                        result: Points::ZERO
                    },
                    Round::Bye(Points::ZERO),
                ],
            ]
        );
        assert!(field.players.iter().all(|player| player.absent));
    }

    #[test]
    fn who_left_before_the_start_is_not_listed() {
        let results = results();
        let listed: Vec<_> = (results.games().iter())
            .map(|game| (game.players, game.forfeit))
            .collect();
        assert_eq!(listed, [([0, 1], false), ([1, 3], true)]);
        assert_eq!(results.byes().len(), 1);
        let numbers: Vec<i32> = results.parts[1].1.numbers().collect();
        assert_eq!(numbers, [3]);
    }
}
