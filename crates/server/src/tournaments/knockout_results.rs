//! The results of a knockout: its bracket, and who came how far.

use super::db::knockout::{Course, DuelGame};
use super::db::round_results::ListedEntrant;
use super::duels::{PlayedDuel, PlayedKnockout};
use super::knockout::best_of;
use super::round_results::place;
use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use std::cmp::Reverse;
use tochki_protocol::{
    BracketDuel, BracketGame, BracketPlayer, BracketRound, Code, EntrantState, Tournament,
    TournamentBracket, TournamentFormat, TournamentId, TournamentScore, TournamentStanding,
};
use tochki_tournaments::arena;

/// A knockout with its players.
struct Results {
    /// Each at the place of its number.
    entrants: Vec<ListedEntrant>,
    /// The bracket; `None` before the first round.
    duels: Option<PlayedKnockout>,
}

impl Tournaments {
    /// The bracket of a knockout.
    ///
    /// # Errors
    /// `no_such_tournament`, also for another format.
    pub async fn bracket(&self, id: TournamentId) -> Result<TournamentBracket, Error> {
        let done = async {
            let tournament = self.get(id).await?;
            if tournament.format != TournamentFormat::Knockout {
                return Err(Code::NoSuchTournament.into());
            }
            Ok(self.results_of(&tournament).await?.bracket())
        };
        done.await.with_subject(id)
    }

    /// The rows of the standings of a knockout, best first.
    pub(super) async fn knockout_rows(
        &self,
        tournament: &Tournament,
    ) -> Result<Vec<TournamentStanding>, Error> {
        Ok(self.results_of(tournament).await?.standings())
    }

    async fn results_of(&self, tournament: &Tournament) -> Result<Results, Error> {
        let rounds = tournament.rounds.as_ref();
        let rounds = rounds.ok_or_else(|| Error::invariant("a knockout has no rounds"))?;
        // The games first, so that each has its entrants.
        let games = db::knockout::games(&self.db, tournament.id).await?;
        let entrants = db::round_results::entrants(&self.db, tournament.id).await?;
        Ok(Results::of(entrants, &games, rounds.round, best_of(rounds)))
    }
}

impl Results {
    fn of(
        entrants: Vec<ListedEntrant>,
        games: &[DuelGame],
        round: u32,
        best_of: tochki_tournaments::knockout::BestOf,
    ) -> Self {
        let mut seated: Vec<_> = (0..)
            .zip(&entrants)
            .filter_map(|(number, one)| Some((one.seed?, number)))
            .collect();
        seated.sort_unstable();
        let table = seated.into_iter().map(|(_, number)| number).collect();
        // Nothing is drawn by lot: a duel without games shows nobody who begins.
        let duels = (round > 0)
            .then(|| PlayedKnockout::of(table, games, best_of, round, &mut || 0))
            .flatten();
        Self { entrants, duels }
    }

    fn bracket(&self) -> TournamentBracket {
        let Some(state) = &self.duels else {
            return TournamentBracket::default();
        };
        let rounds = (0..state.bracket.round_count()).map(|at| {
            let number = at as u32 + 1;
            let slots = (0..).zip(state.bracket.slots_of(at));
            let duels = slots.map(|(pair, slots)| {
                let played = state.of_round(number).find(|duel| duel.pair == pair);
                self.bracket_duel(state, slots, played)
            });
            BracketRound {
                number,
                duels: duels.collect(),
            }
        });
        TournamentBracket {
            rounds: rounds.collect(),
        }
    }

    fn bracket_duel(
        &self,
        state: &PlayedKnockout,
        slots: [Option<usize>; 2],
        played: Option<&PlayedDuel>,
    ) -> BracketDuel {
        let players = slots.map(|seed| {
            let seed = seed?;
            let entrant = self.entrants.get(place(state.table[seed]))?;
            Some(BracketPlayer {
                player: entrant.account.clone(),
                seed: seed as u32 + 1,
            })
        });
        let Some(played) = played else {
            return BracketDuel {
                players,
                points: None,
                winner: None,
                games: Vec::new(),
            };
        };
        // The slots have their order from the bracket, the duel from the seeds.
        let is_turned = slots[0] != Some(played.seeds[0]);
        let slot_of = |player: usize| if is_turned { 1 - player } else { player };
        let side_of = |player: usize| slot_of(player) as u8 + 1;
        let halves = played.halves();
        let games = played.games.iter().filter_map(|game| {
            let player = |number: i32| super::duels::player_of(played.numbers, number);
            let (winner, forfeit) = match game.course {
                Course::Void => return None,
                Course::Running => (None, false),
                Course::Ended { winner, forfeit } => {
                    let winner = winner.map(|seat| side_of(player(game.numbers[seat.index()])));
                    (Some(winner.unwrap_or(0)), forfeit)
                }
            };
            Some(BracketGame {
                match_id: game.match_id,
                first: side_of(player(game.numbers[0])),
                winner,
                forfeit,
            })
        });
        BracketDuel {
            players,
            points: Some([0, 1].map(|slot| TournamentScore::of_halves(halves[slot_of(slot)]))),
            winner: played.winner().map(side_of),
            games: games.collect(),
        }
    }

    fn standings(&self) -> Vec<TournamentStanding> {
        let mut order: Vec<(Reverse<u32>, usize, usize, u32)> = Vec::new();
        match &self.duels {
            // In the order of joining, until it begins.
            None => {
                let listed = self.entrants.iter().enumerate();
                let listed = listed.filter(|(_, one)| {
                    matches!(one.state, EntrantState::Here | EntrantState::Paused)
                });
                order.extend(listed.map(|(number, _)| (Reverse(0), number, number, 0)));
            }
            Some(state) => {
                for (seed, &number) in state.table.iter().enumerate() {
                    let mut reached = 0;
                    let mut won = 0;
                    for duel in &state.duels {
                        if let Some(player) = duel.seeds.iter().position(|own| *own == seed) {
                            // Whoever is out has come as far as the round of the defeat; who is not, one further.
                            let is_won = duel.winner().map(|winner| winner == player);
                            won += u32::from(is_won == Some(true));
                            reached = 2 * duel.round + u32::from(is_won != Some(false));
                        }
                    }
                    order.push((Reverse(reached), seed, place(number), won));
                }
                // With a bye in the first round nobody is behind.
                for (reached, ..) in &mut order {
                    if reached.0 == 0 {
                        *reached = Reverse(3);
                    }
                }
                order.sort_unstable();
            }
        }
        let listed = order.into_iter().filter_map(|(_, _, number, won)| {
            let one = self.entrants.get(number)?;
            (!one.closed && one.state != EntrantState::Removed).then_some((one, won))
        });
        (1..)
            .zip(listed)
            .map(|(rank, (one, won))| TournamentStanding {
                rank,
                player: one.account.clone(),
                score: TournamentScore::of_points(won),
                tie_breaks: Vec::new(),
                fire: false,
                berserks: 0,
                performance: one.sheet.performance().map(arena::Performance::rounded),
                // Who has lost is not away.
                paused: !matches!(one.state, EntrantState::Here | EntrantState::Eliminated),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::{Account, MatchId, PlayerId};
    use tochki_rules::Seat;
    use tochki_tournaments::knockout::BestOf;

    fn entrant(number: i64, seed: Option<i32>) -> ListedEntrant {
        ListedEntrant {
            account: Account {
                id: PlayerId(number),
                name: format!("player{number}"),
                guest: false,
                bot: false,
            },
            state: EntrantState::Here,
            seed,
            closed: false,
            sheet: arena::Sheet::default(),
        }
    }

    fn won(round: u32, numbers: [i32; 2], match_id: i64) -> DuelGame {
        DuelGame {
            round,
            numbers,
            match_id: Some(MatchId(match_id)),
            course: Course::Ended {
                winner: Some(Seat::First),
                forfeit: false,
            },
            ended_at: None,
        }
    }

    /// Five players, the best of whom joined last, and one who never came.
    fn results(games: &[DuelGame], round: u32) -> Results {
        let seeds = [Some(4), Some(3), None, Some(2), Some(1), Some(0)];
        let entrants = (0..).zip(seeds).map(|(number, seed)| entrant(number, seed));
        Results::of(entrants.collect(), games, round, BestOf::One)
    }

    fn names(duel: &BracketDuel) -> [Option<u32>; 2] {
        let seeds = duel.players.clone();
        seeds.map(|player| player.map(|player| player.seed))
    }

    #[test]
    fn a_bracket_shows_byes_results_and_what_is_to_come() {
        assert_eq!(results(&[], 0).bracket(), TournamentBracket::default());
        // Seeds 4 and 5, which are the players 1 and 0: 0 wins.
        let bracket = results(&[won(1, [0, 1], 7)], 1).bracket();
        let numbers: Vec<_> = bracket.rounds.iter().map(|round| round.number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        let first = &bracket.rounds[0].duels;
        let pairs: Vec<_> = first.iter().map(names).collect();
        assert_eq!(
            pairs,
            [
                [Some(1), None],
                [Some(4), Some(5)],
                [Some(2), None],
                [Some(3), None]
            ]
        );
        assert_eq!(first[0].winner, None);
        let played = &first[1];
        assert_eq!(played.winner, Some(2));
        assert_eq!(
            played.points.unwrap().map(|points| points == 1),
            [false, true]
        );
        let game = BracketGame {
            match_id: Some(MatchId(7)),
            first: 2,
            winner: Some(2),
            forfeit: false,
        };
        assert_eq!(played.games, [game]);
        let next: Vec<_> = bracket.rounds[1].duels.iter().map(names).collect();
        assert_eq!(next, [[Some(1), Some(5)], [Some(2), Some(3)]]);
        assert_eq!(names(&bracket.rounds[2].duels[0]), [None, None]);
    }

    #[test]
    fn who_came_further_is_ranked_higher_and_the_better_seed_among_equals() {
        let ranked = |results: &Results| -> Vec<(i64, bool)> {
            let rows = results.standings();
            (rows.iter())
                .map(|row| (row.player.id.0, row.score == 1))
                .collect()
        };
        let waiting = results(&[], 0);
        assert_eq!(waiting.standings().len(), 6, "as they joined");
        let early = results(&[won(1, [0, 1], 7)], 1);
        assert_eq!(
            ranked(&early),
            [(5, false), (4, false), (3, false), (0, true), (1, false)]
        );
        let games = [
            won(1, [0, 1], 7),
            won(2, [0, 5], 8),
            won(2, [4, 3], 9),
            won(3, [4, 0], 10),
        ];
        let over = results(&games, 3);
        let order: Vec<_> = ranked(&over).into_iter().map(|row| row.0).collect();
        assert_eq!(order, [4, 0, 5, 3, 1]);
        assert!(over.standings()[0].score == 2);
    }
}
