//! The bracket of a knockout and the duels in it, worked out from the games so far.

use super::db::knockout::{Course, DuelGame};
use tochki_play::Timestamp;
use tochki_rules::Seat;
use tochki_tournaments::knockout::{BestOf, Bracket, Duel, Step};

/// A knockout as far as it was played.
pub(super) struct PlayedKnockout {
    pub(super) bracket: Bracket,
    /// The places of the players in the order of joining, the best seed in front.
    pub(super) table: Vec<i32>,
    /// The duels whose players are known, round by round.
    pub(super) duels: Vec<PlayedDuel>,
}

/// A duel as far as it was played.
pub(super) struct PlayedDuel {
    /// The round, from 1.
    pub(super) round: u32,
    /// The pair in the round, from 0.
    pub(super) pair: usize,
    /// The seeds of the players, from 0; the better one is player 0 of the duel.
    pub(super) seeds: [usize; 2],
    /// The places of the players in the order of joining.
    pub(super) numbers: [i32; 2],
    /// The games, in their order.
    pub(super) games: Vec<DuelGame>,
    pub(super) duel: Duel,
}

impl PlayedKnockout {
    /// Plays a knockout over from its games, up to this round; `None` for a number of players that no bracket has. Who begins a duel
    /// without games is drawn by `random`.
    pub(super) fn of(
        table: Vec<i32>,
        games: &[DuelGame],
        best_of: BestOf,
        round: u32,
        random: &mut impl FnMut() -> u64,
    ) -> Option<Self> {
        let mut bracket = Bracket::new(table.len())?;
        let mut duels = Vec::new();
        for at in 0..round as usize {
            for (pair, seeds) in bracket.pairs(at) {
                let numbers = seeds.map(|seed| table[seed]);
                let number = at as u32 + 1;
                let own = games.iter().filter(|game| {
                    game.round == number
                        && game.numbers.iter().all(|player| numbers.contains(player))
                });
                let own: Vec<_> = own.copied().collect();
                let duel = played(best_of, numbers, &own, random);
                if let Step::Won(winner) = duel.step() {
                    let goes_on = bracket.advance(at, pair, seeds[winner]);
                    debug_assert!(goes_on, "the winner is one of an open pair");
                }
                duels.push(PlayedDuel {
                    round: number,
                    pair,
                    seeds,
                    numbers,
                    games: own,
                    duel,
                });
            }
        }
        Some(Self {
            bracket,
            table,
            duels,
        })
    }

    /// Returns the duels of a round.
    pub(super) fn of_round(&self, round: u32) -> impl Iterator<Item = &PlayedDuel> {
        self.duels.iter().filter(move |duel| duel.round == round)
    }
}

impl PlayedDuel {
    /// Returns the winner, once there is one: 0 or 1.
    pub(super) fn winner(&self) -> Option<usize> {
        match self.duel.step() {
            Step::Won(winner) => Some(winner),
            Step::Play(_) | Step::Choose => None,
        }
    }

    /// Returns whether a game runs.
    pub(super) fn is_running(&self) -> bool {
        self.games.iter().any(|game| game.course == Course::Running)
    }

    /// Returns the end of the last game; `None` before the first one.
    pub(super) fn last_end(&self) -> Option<Timestamp> {
        self.games.iter().filter_map(|game| game.ended_at).max()
    }

    /// Returns the half points of both players.
    pub(super) fn halves(&self) -> [u32; 2] {
        let mut halves = [0, 0];
        for game in &self.games {
            if let Course::Ended { winner, .. } = game.course {
                match winner {
                    None => halves = halves.map(|own| own + 1),
                    Some(seat) => halves[player_of(self.numbers, game.numbers[seat.index()])] += 2,
                }
            }
        }
        halves
    }
}

/// Returns which of the two players of a duel this is.
pub(super) fn player_of(numbers: [i32; 2], number: i32) -> usize {
    usize::from(numbers[0] != number)
}

/// Plays a duel over.
fn played(
    best_of: BestOf,
    numbers: [i32; 2],
    games: &[DuelGame],
    random: &mut impl FnMut() -> u64,
) -> Duel {
    let begins = |game: &DuelGame| player_of(numbers, game.numbers[0]);
    let mut duel = match games.first() {
        Some(first) => Duel::new(best_of, &mut || begins(first) as u64),
        None => Duel::new(best_of, random),
    };
    for game in games {
        // A game that nobody played begins nothing: in a duel of one it may be the last one, too.
        if duel.step() == Step::Choose {
            let side = [Seat::First, Seat::Second][begins(game)];
            let chosen = duel.choose(side);
            debug_assert!(chosen, "there was something to choose");
        }
        if let Course::Ended { winner, .. } = game.course {
            let winner = winner.map(|seat| player_of(numbers, game.numbers[seat.index()]));
            // What was played after the end changes nothing.
            let _ = duel.add(winner);
        }
    }
    duel
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_tournaments::knockout::{NextGame, TimeControl};

    /// Returns a game in which the first of two numbers begins, and wins (`1`), loses (`2`), draws (`d`), runs (`r`) or counts for
    /// nothing (`v`).
    fn game(round: u32, numbers: [i32; 2], result: char) -> DuelGame {
        let ended = |winner| Course::Ended {
            winner,
            forfeit: false,
        };
        let course = match result {
            '1' => ended(Some(Seat::First)),
            '2' => ended(Some(Seat::Second)),
            'd' => ended(None),
            'v' => Course::Void,
            _ => Course::Running,
        };
        let is_over = course != Course::Running;
        DuelGame {
            round,
            numbers,
            match_id: None,
            course,
            ended_at: is_over.then_some(Timestamp(7)),
        }
    }

    fn duels(players: i32, games: &[DuelGame], best_of: BestOf, round: u32) -> PlayedKnockout {
        // The best seed was the last to join.
        let table = (0..players).rev().collect();
        PlayedKnockout::of(table, games, best_of, round, &mut || 0).unwrap()
    }

    #[test]
    fn winners_go_on_and_nobody_else() {
        // 3 is the best, and meets 0; 2 meets 1.
        let first = [game(1, [0, 3], '1'), game(1, [2, 1], 'r')];
        let state = duels(4, &first, BestOf::One, 1);
        let pairs: Vec<_> = state.duels.iter().map(|duel| duel.numbers).collect();
        assert_eq!(pairs, [[3, 0], [2, 1]]);
        assert_eq!(state.duels[0].winner(), Some(1));
        assert!(!state.duels[0].is_running() && state.duels[1].is_running());
        assert!(state.bracket.pairs(1).is_empty());
        let both = [game(1, [0, 3], '1'), game(1, [2, 1], '1')];
        let state = duels(4, &both, BestOf::One, 2);
        // Seeds 1 and 3 meet, which are 2 and 0.
        assert_eq!(state.duels[2].numbers, [2, 0]);
        assert_eq!(state.of_round(2).count(), 1);
        assert_eq!(state.bracket.winner(), None);
        let all = [both[0], both[1], game(2, [0, 2], '2')];
        let state = duels(4, &all, BestOf::One, 2);
        assert_eq!(state.bracket.winner(), Some(1));
        assert!(PlayedKnockout::of(vec![0, 1, 2], &[], BestOf::One, 1, &mut || 0).is_none());
    }

    #[test]
    fn sides_are_swapped_and_void_games_are_played_again() {
        let step = |games: &[DuelGame]| duels(4, games, BestOf::Two, 1).duels[0].duel.step();
        let full = |first| {
            Step::Play(NextGame {
                first,
                clock: TimeControl::Full,
                draw_is_enough: false,
            })
        };
        assert_eq!(step(&[]), full(0), "by lot");
        assert_eq!(step(&[game(1, [0, 3], 'd')]), full(0), "0 began before");
        assert_eq!(step(&[game(1, [3, 0], 'd')]), full(1));
        assert_eq!(step(&[game(1, [3, 0], 'v')]), full(0));
        let drawn = [game(1, [3, 0], '1'), game(1, [0, 3], '1')];
        let Step::Play(next) = step(&drawn) else {
            panic!("a play-off");
        };
        assert_eq!(next.clock, TimeControl::Half);
        assert_eq!(duels(4, &drawn, BestOf::Two, 1).duels[0].halves(), [2, 2]);
    }

    #[test]
    fn the_last_game_shows_the_side_that_was_chosen() {
        let mut games = vec![
            game(1, [3, 0], 'd'),
            game(1, [0, 3], 'd'),
            game(1, [3, 0], 'd'),
        ];
        let state = duels(4, &games, BestOf::One, 1);
        assert_eq!(state.duels[0].duel.step(), Step::Choose);
        assert_eq!(state.duels[0].last_end(), Some(Timestamp(7)));
        // The better one has chosen the second side, for which a draw is enough.
        games.push(game(1, [0, 3], 'd'));
        assert_eq!(duels(4, &games, BestOf::One, 1).duels[0].winner(), Some(0));
        games[3] = game(1, [3, 0], 'd');
        assert_eq!(duels(4, &games, BestOf::One, 1).duels[0].winner(), Some(1));
        games[3] = game(1, [3, 0], 'r');
        let running = duels(4, &games, BestOf::One, 1);
        assert!(running.duels[0].is_running());
        assert_eq!(running.duels[0].winner(), None);
    }
}
