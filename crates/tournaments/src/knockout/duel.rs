//! The games in which a pair of a knockout is decided: those agreed on, then two at half the clock, then one in which a draw is
//! enough for the second mover.

use tochki_rules::Seat;

/// The number of games that a pair plays before a play-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestOf {
    /// One game.
    One,
    /// Two games.
    Two,
    /// Four games.
    Four,
}

impl BestOf {
    /// Reads a number of games; `None` where there is no such duel.
    pub const fn read(games: u32) -> Option<Self> {
        match games {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    const fn games(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// The clock of the knockout.
    Full,
    /// Half of it, in a play-off; Dots begin with four crosses then.
    Half,
}

/// The game that is played next. A player is 0, the higher seed, or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextGame {
    /// The player with the first move.
    pub first: usize,
    /// The clock.
    pub clock: TimeControl,
    /// Whether the second mover advances by a draw.
    pub draw_is_enough: bool,
}

/// The step that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A game.
    Play(NextGame),
    /// The higher seed chooses a side for the last game ([`Duel::choose`]).
    Choose,
    /// The pair is decided: the winner goes on.
    Won(usize),
}

/// A pair of players and the results so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    best_of: BestOf,
    /// The player who begins the first game.
    first: usize,
    /// The winners of the games; `None` is a draw.
    results: Vec<Option<usize>>,
    /// The side of the higher seed in the last game.
    chosen: Option<Seat>,
}

const PLAY_OFF_GAMES: usize = 2;

impl Duel {
    /// Begins a duel. `random` decides who begins; sides alternate from then on.
    pub fn new(best_of: BestOf, random: &mut impl FnMut() -> u64) -> Self {
        Self {
            best_of,
            first: usize::from(!random().is_multiple_of(2)),
            results: Vec::new(),
            chosen: None,
        }
    }

    /// Returns the step that follows.
    pub fn step(&self) -> Step {
        let games = self.best_of.games();
        let play_off = self.results.get(games..).unwrap_or_default();
        let stages = [
            (&self.results[..self.results.len().min(games)], games),
            (
                &play_off[..play_off.len().min(PLAY_OFF_GAMES)],
                PLAY_OFF_GAMES,
            ),
        ];
        for (results, games) in stages {
            if let Some(winner) = ahead(results, games) {
                return Step::Won(winner);
            }
            if results.len() < games {
                return Step::Play(self.next_game());
            }
        }
        match (play_off.get(PLAY_OFF_GAMES), self.chosen) {
            (None, None) => Step::Choose,
            (None, Some(_)) => Step::Play(self.next_game()),
            (Some(Some(winner)), _) => Step::Won(*winner),
            (Some(None), _) => Step::Won(1 - self.next_game().first),
        }
    }

    /// Adds the result of the game that [`step`](Self::step) told: the winner, or `None` for a draw. Returns whether a game was due.
    #[must_use]
    pub fn add(&mut self, winner: Option<usize>) -> bool {
        let due = matches!(self.step(), Step::Play(_)) && winner.is_none_or(|winner| winner < 2);
        if due {
            self.results.push(winner);
        }
        due
    }

    /// Sets the side that the higher seed has chosen for the last game. Returns whether there was something to choose.
    #[must_use]
    pub fn choose(&mut self, side: Seat) -> bool {
        let due = self.step() == Step::Choose;
        if due {
            self.chosen = Some(side);
        }
        due
    }

    /// Returns the game after the results so far, or the last one.
    fn next_game(&self) -> NextGame {
        let game = self.results.len();
        let last = self.best_of.games() + PLAY_OFF_GAMES;
        match self.chosen {
            Some(side) if game >= last => NextGame {
                first: side.index(),
                clock: TimeControl::Half,
                draw_is_enough: true,
            },
            _ => NextGame {
                first: (self.first + game) % 2,
                clock: if game < self.best_of.games() {
                    TimeControl::Full
                } else {
                    TimeControl::Half
                },
                draw_is_enough: false,
            },
        }
    }
}

/// Returns who can no longer be reached in a number of games.
fn ahead(results: &[Option<usize>], games: usize) -> Option<usize> {
    let wins = |player| {
        results
            .iter()
            .filter(|&&winner| winner == Some(player))
            .count()
    };
    let left = games - results.len();
    (0..2).find(|&player| wins(player) > wins(1 - player) + left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays results (`0` and `1` win, `d` is a draw) and tells who begins each game, then the step.
    fn play(best_of: BestOf, results: &str) -> (String, Step) {
        let mut duel = Duel::new(best_of, &mut || 0);
        let mut told = String::new();
        for result in results.chars() {
            if duel.step() == Step::Choose {
                assert!(!duel.add(None), "a side is to be chosen");
                assert!(duel.choose(Seat::Second));
            }
            let Step::Play(game) = duel.step() else {
                panic!("{results} goes on too long")
            };
            let clock = if game.clock == TimeControl::Full {
                ""
            } else {
                "½"
            };
            let end = if game.draw_is_enough { "! " } else { " " };
            told.extend([&game.first.to_string(), clock, end]);
            assert!(duel.add(result.to_digit(2).map(|winner| winner as usize)));
        }
        (told.trim_end().to_owned(), duel.step())
    }

    #[test]
    fn a_duel_ends_once_nobody_can_catch_up() {
        assert_eq!(play(BestOf::One, "1"), ("0".into(), Step::Won(1)));
        assert_eq!(play(BestOf::Two, "0d"), ("0 1".into(), Step::Won(0)));
        assert_eq!(play(BestOf::Four, "00d"), ("0 1 0".into(), Step::Won(0)));
        assert!(
            matches!(play(BestOf::Four, "00").1, Step::Play(_)),
            "two more could even it out"
        );
        assert_eq!(
            play(BestOf::Four, "0d1d1d"),
            ("0 1 0 1 0½ 1½".into(), Step::Won(1))
        );
    }

    #[test]
    fn the_last_game_is_decided_by_a_draw() {
        assert_eq!(play(BestOf::One, "ddd").1, Step::Choose);
        // The higher seed has chosen the second side, and needs no win.
        assert_eq!(
            play(BestOf::One, "dddd"),
            ("0 1½ 0½ 1½!".into(), Step::Won(0))
        );
        assert_eq!(play(BestOf::One, "dddd").1, Step::Won(0));
        assert_eq!(
            play(BestOf::Two, "0110d"),
            ("0 1 0½ 1½ 1½!".into(), Step::Won(0))
        );
        assert_eq!(play(BestOf::Two, "01101").1, Step::Won(1));
    }

    #[test]
    fn nothing_is_added_to_what_is_decided() {
        let mut duel = Duel::new(BestOf::One, &mut || 1);
        assert!(!duel.choose(Seat::First), "nothing is to be chosen yet");
        assert!(matches!(duel.step(), Step::Play(NextGame { first: 1, .. })));
        assert!(!duel.add(Some(2)));
        assert!(duel.add(Some(0)));
        assert!(!duel.add(None));
        assert_eq!(duel.step(), Step::Won(0));
    }
}
