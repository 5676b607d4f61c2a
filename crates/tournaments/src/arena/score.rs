//! The score of a player in an arena: a fold over the results in the order of the games' ends.
//!
//! Source of the rules: lichess's arenas (`modules/tournament/src/main/arena/Sheet.scala`), with limits of moves of our own games.

use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use tochki_rules::GameKind;

/// A draw in a row of draws counts if each side has made more moves than this.
const LONG_DRAW: u32 = 30;
/// The wins in a row after which games count double.
const WINS_TO_FIRE: u8 = 2;
/// The difference in rating that a win or a loss stands for in a performance.
const PERFORMANCE_STEP: i64 = 500;

/// The rules of an arena that its scores depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game.
    pub game: GameKind,
    /// Whether games count double after two wins in a row.
    pub streaks: bool,
    /// Whether a player may halve the own clock for a point more.
    pub berserk: bool,
}

impl Rules {
    /// Returns the moves of each side that a draw must have to count.
    const fn shortest_draw(self) -> u32 {
        match self.game {
            GameKind::Dots => 20,
            GameKind::Gomoku => 15,
            GameKind::Boxes | GameKind::Reversi => 0,
        }
    }

    /// Returns the moves of each side that a win must have for the point of berserk.
    const fn shortest_berserk(self) -> u32 {
        match self.game {
            GameKind::Dots => 15,
            GameKind::Reversi => 10,
            GameKind::Gomoku | GameKind::Boxes => 5,
        }
    }
}

/// The outcome of a game as one of its players has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

/// A finished game as one of its players has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The outcome.
    pub outcome: Outcome,
    /// The moves of the side that made fewer.
    pub moves: u32,
    /// Whether a side stayed away: then nobody has played, and no performance is measured.
    pub forfeit: bool,
    /// Whether this player halved the own clock.
    pub berserk: bool,
    /// The rating of the opponent.
    pub opponent_rating: i32,
}

/// The points of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credit {
    /// The points, that of berserk among them.
    pub points: u32,
    /// Whether the game counted double.
    pub double: bool,
}

/// The score of one player so far. As JSON it is the state of the fold, which is kept with the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sheet {
    score: u32,
    /// The wins in a row at the end, up to [`WINS_TO_FIRE`].
    wins: u8,
    /// Whether there was a draw since the last win.
    drawn: bool,
    performance: Performance,
    /// The games in which the player halved the own clock.
    berserks: u32,
}

impl Sheet {
    /// Returns the score.
    pub const fn score(&self) -> u32 {
        self.score
    }

    /// Returns whether the next game counts double.
    pub const fn is_on_fire(&self, rules: Rules) -> bool {
        rules.streaks && self.wins == WINS_TO_FIRE
    }

    /// Returns the number of games in which the player halved the own clock, and the opponent came.
    pub const fn berserks(&self) -> u32 {
        self.berserks
    }

    /// Returns the performance; `None` before the first game that was played.
    pub const fn performance(&self) -> Option<Performance> {
        if self.performance.games == 0 {
            None
        } else {
            Some(self.performance)
        }
    }

    /// Adds a game that has ended, and returns its points.
    pub fn add(&mut self, rules: Rules, game: Played) -> Credit {
        let double = self.is_on_fire(rules) && game.outcome != Outcome::Loss;
        let base = match game.outcome {
            Outcome::Win => 2,
            Outcome::Loss => 0,
            Outcome::Draw if game.moves < rules.shortest_draw() => 0,
            Outcome::Draw if self.drawn && game.moves <= LONG_DRAW => 0,
            Outcome::Draw => 1,
        };
        let berserk = rules.berserk
            && game.berserk
            && !game.forfeit
            && game.outcome == Outcome::Win
            && game.moves >= rules.shortest_berserk();
        let credit = Credit {
            points: if double { base * 2 } else { base } + u32::from(berserk),
            double: double && base > 0,
        };
        self.score += credit.points;
        match game.outcome {
            Outcome::Win => {
                self.wins = (self.wins + 1).min(WINS_TO_FIRE);
                self.drawn = false;
            }
            Outcome::Draw => {
                self.wins = 0;
                self.drawn = true;
            }
            Outcome::Loss => self.wins = 0,
        }
        if !game.forfeit {
            self.berserks += u32::from(rules.berserk && game.berserk);
            self.performance.add(game.outcome, game.opponent_rating);
        }
        credit
    }
}

/// The mean over games of the opponent's rating, 500 more for a win and 500 less for a loss. Compared exactly.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Performance {
    sum: i64,
    games: u32,
}

impl Performance {
    fn add(&mut self, outcome: Outcome, opponent_rating: i32) {
        let step = match outcome {
            Outcome::Win => PERFORMANCE_STEP,
            Outcome::Draw => 0,
            Outcome::Loss => -PERFORMANCE_STEP,
        };
        self.sum += i64::from(opponent_rating) + step;
        self.games += 1;
    }

    /// Returns the mean, rounded to a whole number, halves up.
    pub fn rounded(self) -> i64 {
        let games = i64::from(self.games.max(1));
        (2 * self.sum + games).div_euclid(2 * games)
    }
}

impl Ord for Performance {
    fn cmp(&self, other: &Self) -> Ordering {
        // Without a game the least of all.
        (self.games > 0).cmp(&(other.games > 0)).then_with(|| {
            let cross = |one: &Self, other: &Self| i128::from(one.sum) * i128::from(other.games);
            cross(self, other).cmp(&cross(other, self))
        })
    }
}

impl PartialOrd for Performance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Performance {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Performance {}

/// Returns the players, by their places in the order of joining, from the first rank to the last: by score, then performance,
/// then who joined first.
pub fn rank(sheets: &[Sheet]) -> Vec<usize> {
    let mut order: Vec<_> = (0..sheets.len()).collect();
    order.sort_by_key(|&player| Reverse((sheets[player].score, sheets[player].performance)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const DOTS: Rules = Rules {
        game: GameKind::Dots,
        streaks: true,
        berserk: true,
    };

    const WIN: Played = Played {
        outcome: Outcome::Win,
        moves: 25,
        forfeit: false,
        berserk: false,
        opponent_rating: 1600,
    };

    fn read(letter: char) -> Played {
        let mut game = WIN;
        match letter {
            'W' => {}
            'D' => game.outcome = Outcome::Draw,
            'L' => game.outcome = Outcome::Loss,
            // A quick draw.
            'q' => (game.outcome, game.moves) = (Outcome::Draw, 19),
            // A long draw.
            'd' => (game.outcome, game.moves) = (Outcome::Draw, 31),
            // A win with berserk, and one that was too short for the point.
            'B' => game.berserk = true,
            'b' => (game.berserk, game.moves) = (true, 14),
            // A win against nobody, with berserk.
            'F' => (game.berserk, game.forfeit, game.moves) = (true, true, 0),
            'f' => (game.outcome, game.forfeit, game.moves) = (Outcome::Loss, true, 0),
            _ => unreachable!(),
        }
        game
    }

    fn fold(rules: Rules, results: &str) -> (Sheet, Vec<u32>) {
        let mut sheet = Sheet::default();
        let points = results
            .chars()
            .map(|one| sheet.add(rules, read(one)).points)
            .collect();
        (sheet, points)
    }

    #[test]
    fn worked_scores() {
        for (results, points) in [
            ("WWWDWWL", &[2, 2, 4, 2, 2, 2, 0][..]),
            ("DDLD", &[1, 0, 0, 0]),
            ("DWD", &[1, 2, 1]),
            ("WWWW", &[2, 2, 4, 4]),
            // The fire goes out with the draw, and needs two wins again.
            ("WWDWW", &[2, 2, 2, 2, 2]),
            ("WWLWWW", &[2, 2, 0, 2, 2, 4]),
            // Quick draws are worth nothing, also on fire, and are the draw that counts of a row.
            ("q", &[0]),
            ("WWq", &[2, 2, 0]),
            ("qD", &[0, 0]),
            // Long draws count in a row, too.
            ("Ddd", &[1, 1, 1]),
            ("dD", &[1, 0]),
            // Berserk gives one point, also on fire.
            ("BBB", &[3, 3, 5]),
            ("b", &[2]),
            // A forfeit continues a streak, without the point of berserk.
            ("FFF", &[2, 2, 4]),
            ("WWfW", &[2, 2, 0, 2]),
        ] {
            let (sheet, counted) = fold(DOTS, results);
            assert_eq!(counted, points, "{results}");
            assert_eq!(sheet.score(), points.iter().sum::<u32>(), "{results}");
        }
        let (total, _) = fold(DOTS, "WWWDWWL");
        assert_eq!(total.score(), 14);
    }

    #[test]
    fn switches_turn_streaks_and_berserk_off() {
        let calm = Rules {
            streaks: false,
            berserk: false,
            ..DOTS
        };
        assert_eq!(fold(calm, "BBBB").1, [2, 2, 2, 2]);
        assert_eq!(fold(calm, "BBBB").0.berserks(), 0);
        // That against nobody is none.
        assert_eq!(fold(DOTS, "BbFW").0.berserks(), 2);
        assert!(!fold(calm, "WW").0.is_on_fire(calm));
        assert!(fold(DOTS, "WW").0.is_on_fire(DOTS));
        assert!(!fold(DOTS, "WWD").0.is_on_fire(DOTS));
        assert!(!fold(DOTS, "W").0.is_on_fire(DOTS));
    }

    #[test]
    fn games_differ_in_the_moves_that_they_ask_for() {
        for (game, draw, berserk) in [
            (GameKind::Dots, 20, 15),
            (GameKind::Gomoku, 15, 5),
            (GameKind::Reversi, 0, 10),
            (GameKind::Boxes, 0, 5),
        ] {
            let rules = Rules { game, ..DOTS };
            let credit = |outcome, moves| {
                let game = Played {
                    outcome,
                    moves,
                    berserk: true,
                    ..WIN
                };
                Sheet::default().add(rules, game).points
            };
            assert_eq!(credit(Outcome::Draw, draw), 1);
            assert_eq!(credit(Outcome::Win, berserk), 3);
            assert_eq!(credit(Outcome::Win, berserk - 1), 2);
            if draw > 0 {
                assert_eq!(credit(Outcome::Draw, draw - 1), 0);
            }
        }
    }

    #[test]
    fn a_performance_leaves_forfeits_out() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.performance(), None);
        sheet.add(DOTS, read('F'));
        assert_eq!(sheet.performance(), None);
        sheet.add(
            DOTS,
            Played {
                opponent_rating: 1701,
                ..WIN
            },
        );
        sheet.add(
            DOTS,
            Played {
                outcome: Outcome::Loss,
                opponent_rating: 1500,
                ..WIN
            },
        );
        // The mean of 2201 and 1000.
        assert_eq!(sheet.performance().unwrap().rounded(), 1601);
    }

    #[test]
    fn equal_scores_are_ranked_by_performance_and_then_by_joining() {
        let with = |rating| {
            let mut sheet = Sheet::default();
            sheet.add(
                DOTS,
                Played {
                    opponent_rating: rating,
                    ..WIN
                },
            );
            sheet
        };
        let sheets = [
            Sheet::default(),
            with(1500),
            with(1600),
            with(1500),
            fold(DOTS, "WW").0,
        ];
        assert_eq!(rank(&sheets), [4, 2, 1, 3, 0]);
        // Who forfeited has no performance, and is behind who has lost.
        assert_eq!(rank(&[fold(DOTS, "f").0, fold(DOTS, "L").0]), [1, 0]);
    }

    /// Counts a score from the rules as they are told, looking back over all games for each.
    fn recount(rules: Rules, games: &[Played]) -> u32 {
        let won = |index: usize| games[index].outcome == Outcome::Win;
        let points_of = |index: usize| {
            let game = games[index];
            let fire = rules.streaks && index >= 2 && won(index - 1) && won(index - 2);
            let points = match game.outcome {
                Outcome::Loss => return 0,
                Outcome::Win => 2,
                Outcome::Draw => {
                    let last_win = (0..index).rev().find(|&before| won(before));
                    let since = last_win.map_or(0, |win| win + 1);
                    let repeated = (since..index).any(|i| games[i].outcome == Outcome::Draw);
                    let quick = match rules.game {
                        GameKind::Dots => game.moves < 20,
                        GameKind::Gomoku => game.moves < 15,
                        _ => false,
                    };
                    u32::from(!quick && (!repeated || game.moves > 30))
                }
            };
            let enough = match rules.game {
                GameKind::Dots => 15,
                GameKind::Reversi => 10,
                _ => 5,
            };
            let berserk = rules.berserk
                && game.berserk
                && !game.forfeit
                && won(index)
                && game.moves >= enough;
            points * if fire { 2 } else { 1 } + u32::from(berserk)
        };
        (0..games.len()).map(points_of).sum()
    }

    #[test]
    fn random_folds_equal_a_naive_recount() {
        let mut random = Random(31);
        for _ in 0..1000 {
            let rules = Rules {
                game: GameKind::ALL[random.below(4)],
                streaks: random.percent(80),
                berserk: random.percent(80),
            };
            let games: Vec<_> = (0..random.below(40))
                .map(|_| {
                    let forfeit = random.percent(10);
                    Played {
                        outcome: match random.below(if forfeit { 2 } else { 5 }) {
                            0 => Outcome::Loss,
                            1 | 2 => Outcome::Win,
                            _ => Outcome::Draw,
                        },
                        moves: if forfeit { 0 } else { random.below(50) as u32 },
                        forfeit,
                        berserk: random.percent(30),
                        opponent_rating: 1000 + random.below(1000) as i32,
                    }
                })
                .collect();
            let mut sheet = Sheet::default();
            for game in &games {
                sheet.add(rules, *game);
            }
            assert_eq!(sheet.score(), recount(rules, &games), "{rules:?} {games:?}");
        }
    }
}
