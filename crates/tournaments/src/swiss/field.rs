//! The players of a Swiss with their rounds so far, as the pairing of the next round reads them.

use super::sides::Sides;
use crate::Points;
use std::collections::HashSet;
use tochki_rules::Seat;

/// A Swiss before its next round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of rounds of the whole tournament. In the last one topscorers may meet in spite of equal preferences of a side.
    pub rounds: u32,
    /// The side of the first player in the first round.
    pub initial_side: Seat,
    /// The players in the order of their pairing numbers: as a rule by rating.
    pub players: Vec<Entrant>,
    /// Pairs who must not meet in the next round.
    pub forbidden: Vec<[usize; 2]>,
}

/// A player of a Swiss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// The rounds so far: those of all players are equally many.
    pub history: Vec<Round>,
    /// Whether the player is not paired in the next round.
    pub absent: bool,
}

/// A round as one player has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// A game that was played.
    Game {
        /// The opponent.
        opponent: usize,
        /// The own side.
        side: Seat,
        /// The own points.
        result: Points,
    },
    /// A pairing where a side stayed away, or both. The two may meet again.
    Forfeit {
        /// The opponent.
        opponent: usize,
        /// The own side.
        side: Seat,
        /// Whether this player was there.
        won: bool,
    },
    /// The bye of the pairing, where the number of players was odd: one point.
    PairingBye,
    /// A requested bye, or absence.
    Bye(Points),
}

impl Round {
    /// Returns the own points.
    pub const fn points(self) -> Points {
        match self {
            Self::Game { result, .. } => result,
            Self::Forfeit { won: true, .. } | Self::PairingBye => Points::ONE,
            Self::Forfeit { won: false, .. } => Points::ZERO,
            Self::Bye(points) => points,
        }
    }

    /// Returns whether the player was among those who were paired.
    pub const fn is_of_pairing(self) -> bool {
        !matches!(self, Self::Bye(_))
    }

    const fn is_played(self) -> bool {
        matches!(self, Self::Game { .. })
    }
}

/// A pair of the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// A game.
    Game {
        /// The player who begins.
        first: usize,
        /// The other player.
        second: usize,
    },
    /// The bye of the pairing.
    Bye(usize),
}

/// The float of a player in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float {
    Down,
    Up,
    None,
}

/// A player who is paired, with all that criteria ask for.
#[derive(Clone, Debug)]
pub(super) struct Player {
    /// The place in the field.
    pub(super) place: usize,
    /// The number among all who have been paired or are: it decides about sides and the order of equals.
    pub(super) number: usize,
    pub(super) score: Points,
    pub(super) sides: Sides,
    /// The floats of the last round and of the one before it.
    pub(super) floats: [Float; 2],
    pub(super) played: u32,
    /// Whether C2 allows the bye.
    pub(super) may_have_bye: bool,
    met: HashSet<usize>,
}

impl Player {
    /// Returns whether C1 allows a game.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        !self.met.contains(&other.place)
    }
}

impl Field {
    /// Returns the number of rounds that are over.
    pub fn played_rounds(&self) -> u32 {
        self.players
            .iter()
            .map(|player| player.history.len())
            .max()
            .unwrap_or(0) as u32
    }

    /// Returns the points of a player before the round with an index.
    fn score_before(&self, place: usize, round: usize) -> Points {
        self.players[place]
            .history
            .iter()
            .take(round)
            .map(|round| round.points())
            .sum()
    }

    /// Returns the points of a player.
    pub fn score(&self, place: usize) -> Points {
        self.score_before(place, usize::MAX)
    }

    /// Returns those who are paired, by score and then by number.
    pub(super) fn present(&self) -> Vec<Player> {
        let mut number = 0;
        let mut players = Vec::new();
        for (place, entrant) in self.players.iter().enumerate() {
            if !entrant.absent {
                players.push(self.player(place, number));
            }
            let counts =
                !entrant.absent || entrant.history.iter().any(|round| round.is_of_pairing());
            number += usize::from(counts);
        }
        for &[one, other] in &self.forbidden {
            for player in &mut players {
                if player.place == one {
                    player.met.insert(other);
                } else if player.place == other {
                    player.met.insert(one);
                }
            }
        }
        players.sort_by(|one, other| {
            other
                .score
                .cmp(&one.score)
                .then(one.number.cmp(&other.number))
        });
        players
    }

    fn player(&self, place: usize, number: usize) -> Player {
        let history = &self.players[place].history;
        let met = history.iter().filter_map(|round| match *round {
            Round::Game { opponent, .. } => Some(opponent),
            _ => None,
        });
        let sides = history.iter().filter_map(|round| match *round {
            Round::Game { side, .. } => Some(side),
            _ => None,
        });
        let full_point_unplayed =
            |round: &Round| !round.is_played() && round.points() >= Points::ONE;
        Player {
            place,
            number,
            score: self.score(place),
            sides: Sides::new(sides.collect()),
            floats: [1, 2].map(|back| self.float(place, back)),
            played: history.iter().filter(|round| round.is_played()).count() as u32,
            may_have_bye: !history.iter().any(full_point_unplayed),
            met: met.collect(),
        }
    }

    /// Returns the float of a player, so many rounds back.
    fn float(&self, place: usize, back: usize) -> Float {
        let history = &self.players[place].history;
        let Some(index) = history.len().checked_sub(back) else {
            return Float::None;
        };
        match history[index] {
            Round::Game { opponent, .. } => {
                let own = self.score_before(place, index);
                match own.cmp(&self.score_before(opponent, index)) {
                    std::cmp::Ordering::Greater => Float::Down,
                    std::cmp::Ordering::Less => Float::Up,
                    std::cmp::Ordering::Equal => Float::None,
                }
            }
            // Who scores without playing floats down (1.4.3).
            round if round.points() > Points::ZERO => Float::Down,
            _ => Float::None,
        }
    }
}
