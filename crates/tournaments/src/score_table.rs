//! The score table of a Swiss or a round robin: every game and bye, the points of each player, and the order by tie-breaks.

use crate::{Points, TieBreak};
use std::cmp::Reverse;
use std::collections::HashSet;
use tochki_rules::Seat;

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// The players, the one with the first move in front.
    pub players: [usize; 2],
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// The round, from 1.
    pub round: u32,
    /// Whether a side stayed away: then the winner has the point, and for tie-breaks nobody has played.
    pub forfeit: bool,
    /// The score on the board: discs, dots or boxes of each side.
    pub score: [u32; 2],
}

impl Game {
    /// Returns the points of the player with an index in `players`.
    fn points(&self, index: usize) -> Points {
        match self.winner {
            None => Points::HALF,
            Some(seat) if seat.index() == index => Points::ONE,
            Some(_) => Points::ZERO,
        }
    }
}

/// A round without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The player.
    pub player: usize,
    /// The round, from 1.
    pub round: u32,
    /// The points: one for a bye of the pairing, half a point for a requested one, none for absence.
    pub points: Points,
}

/// A round as one player has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Played {
        opponent: usize,
        result: Points,
        discs: u32,
    },
    /// A forfeit or a bye.
    Unplayed { result: Points },
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The player, by the place in the order of joining.
    pub player: usize,
    /// The points.
    pub points: Points,
    /// The tie-breaks, in the order in which they decide.
    pub tie_breaks: Vec<TieBreak>,
}

/// A kind of tie-break (FIDE Handbook C.07). An unplayed round counts as against an opponent of one's own score; this is the
/// arena's own rule instead of article 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreakKind {
    /// The sum of the opponents' scores, without the lowest.
    BuchholzCut1,
    /// The sum of the opponents' scores.
    Buchholz,
    /// The sum of the opponents' scores, without the lowest and the highest.
    MedianBuchholz,
    /// The sum of the scores of the opponents that were beaten, and half of those with whom there was a draw.
    SonnebornBerger,
    /// The points in games against those with the same score and the same tie-breaks before this one, as far as games that
    /// were not played could not change their order.
    Direct,
    /// The number of games won.
    Wins,
    /// The sum of the own discs in all games.
    Discs,
}

/// All results of a tournament.
#[derive(Clone, Debug)]
pub struct ScoreTable {
    rounds: Vec<Vec<Round>>,
    points: Vec<Points>,
    /// How many games two players have against each other.
    meetings: u32,
}

impl ScoreTable {
    /// Makes a table for so many players. `meetings` is 2 in a double round robin.
    pub fn new(players: usize, meetings: u32) -> Self {
        Self {
            rounds: vec![Vec::new(); players],
            points: vec![Points::ZERO; players],
            meetings,
        }
    }

    /// Adds a game.
    pub fn add_game(&mut self, game: &Game) {
        for (index, &player) in game.players.iter().enumerate() {
            let result = game.points(index);
            self.points[player] += result;
            self.rounds[player].push(if game.forfeit {
                Round::Unplayed { result }
            } else {
                Round::Played {
                    opponent: game.players[1 - index],
                    result,
                    discs: game.score[index],
                }
            });
        }
    }

    /// Adds a bye.
    pub fn add_bye(&mut self, bye: &Bye) {
        self.points[bye.player] += bye.points;
        self.rounds[bye.player].push(Round::Unplayed { result: bye.points });
    }

    /// Returns the points of a player.
    pub fn points(&self, player: usize) -> Points {
        self.points[player]
    }

    /// Returns all players in order: by points, by the tie-breaks in turn, then by who joined first.
    pub fn standings(&self, kinds: &[TieBreakKind]) -> Vec<Standing> {
        let mut rows: Vec<_> = (0..self.rounds.len())
            .map(|player| Standing {
                player,
                points: self.points[player],
                tie_breaks: Vec::with_capacity(kinds.len()),
            })
            .collect();
        rows.sort_by_key(|row| Reverse(row.points));
        for kind in kinds {
            let tied = |one: &Standing, other: &Standing| {
                one.points == other.points && one.tie_breaks == other.tie_breaks
            };
            for group in rows.chunk_by_mut(tied) {
                let values = match kind {
                    TieBreakKind::Direct => self.direct(group),
                    _ => group
                        .iter()
                        .map(|row| self.value(*kind, row.player))
                        .collect(),
                };
                for (row, value) in group.iter_mut().zip(values) {
                    row.tie_breaks.push(value);
                }
                group.sort_by(|one, other| other.tie_breaks.cmp(&one.tie_breaks));
            }
        }
        rows
    }

    /// Returns the value of a tie-break of one player; that of [`TieBreakKind::Direct`] is none without a group.
    fn value(&self, kind: TieBreakKind, player: usize) -> TieBreak {
        match kind {
            TieBreakKind::Buchholz => self.buchholz(player, 0, 0),
            TieBreakKind::BuchholzCut1 => self.buchholz(player, 1, 0),
            TieBreakKind::MedianBuchholz => self.buchholz(player, 1, 1),
            TieBreakKind::SonnebornBerger => (self.rounds[player].iter())
                .map(|round| match *round {
                    Round::Played {
                        opponent, result, ..
                    } => TieBreak::of_product(self.points[opponent], result),
                    Round::Unplayed { result } => TieBreak::of_product(self.points[player], result),
                })
                .sum(),
            TieBreakKind::Wins => {
                let won = |round: &&Round| match round {
                    Round::Played { result, .. } | Round::Unplayed { result } => {
                        *result == Points::ONE
                    }
                };
                TieBreak::of_count(self.rounds[player].iter().filter(won).count() as u32)
            }
            TieBreakKind::Discs => (self.rounds[player].iter())
                .map(|round| match round {
                    Round::Played { discs, .. } => TieBreak::of_count(*discs),
                    Round::Unplayed { .. } => TieBreak::default(),
                })
                .sum(),
            TieBreakKind::Direct => TieBreak::default(),
        }
    }

    /// Sums the scores of the opponents without the `lowest` ones and the `highest` ones.
    fn buchholz(&self, player: usize, lowest: usize, highest: usize) -> TieBreak {
        let mut scores: Vec<_> = (self.rounds[player].iter())
            .map(|round| match *round {
                Round::Played { opponent, .. } => self.points[opponent],
                Round::Unplayed { .. } => self.points[player],
            })
            .collect();
        scores.sort_unstable();
        let end = scores.len().saturating_sub(highest);
        let kept = scores.get(lowest..end).unwrap_or_default();
        TieBreak::of_points(kept.iter().copied().sum())
    }

    /// Returns the points of each in the games of the group among itself. Where games are missing, those whose order these could
    /// change have the value of the lowest of them.
    fn direct(&self, group: &[Standing]) -> Vec<TieBreak> {
        if group.len() < 2 {
            return vec![TieBreak::default(); group.len()];
        }
        let tied: HashSet<_> = group.iter().map(|row| row.player).collect();
        // The points that each has, and could have.
        let mut rows: Vec<_> = (group.iter().enumerate())
            .map(|(index, row)| {
                let (mut has, mut games) = (Points::ZERO, 0);
                for round in &self.rounds[row.player] {
                    if let Round::Played {
                        opponent, result, ..
                    } = *round
                        && tied.contains(&opponent)
                    {
                        has += result;
                        games += 1;
                    }
                }
                let all = self.meetings * (group.len() as u32 - 1);
                let open = Points::from_halves(2 * all.saturating_sub(games));
                (has, has + open, index)
            })
            .collect();
        rows.sort_by_key(|&(has, _, index)| (has, index));
        let mut values = vec![TieBreak::default(); group.len()];
        let (mut could_have, mut value) = (Points::ZERO, Points::ZERO);
        for (at, &(has, could, index)) in rows.iter().enumerate() {
            if at == 0 || has > could_have {
                value = has;
            }
            could_have = could_have.max(could);
            values[index] = TieBreak::of_points(value);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::TieBreakKind::*;
    use super::*;

    fn game(first: usize, second: usize, result: &str) -> Game {
        Game {
            players: [first, second],
            winner: match &result[..1] {
                "1" => Some(Seat::First),
                "0" => Some(Seat::Second),
                _ => None,
            },
            round: 1,
            forfeit: result.ends_with('f'),
            score: [40, 24],
        }
    }

    fn table(players: usize, games: &[Game]) -> ScoreTable {
        let mut table = ScoreTable::new(players, 1);
        for game in games {
            table.add_game(game);
        }
        table
    }

    fn values(table: &ScoreTable, kinds: &[TieBreakKind], player: usize) -> Vec<String> {
        let standings = table.standings(kinds);
        let row = standings.iter().find(|row| row.player == player).unwrap();
        row.tie_breaks.iter().map(ToString::to_string).collect()
    }

    /// Four players, three rounds: 0 has 2.5, 1 has 2, 2 has 1, 3 has half a point.
    fn four() -> ScoreTable {
        table(
            4,
            &[
                game(0, 3, "1"),
                game(1, 2, "1"),
                game(2, 0, "0"),
                game(3, 1, "0"),
                game(0, 1, "d"),
                game(2, 3, "d"),
            ],
        )
    }

    #[test]
    fn buchholz_and_sonneborn_berger_of_a_complete_field() {
        let table = four();
        let points: Vec<_> = (0..4)
            .map(|player| table.points(player).to_string())
            .collect();
        assert_eq!(points, ["2.5", "2.5", "0.5", "0.5"]);
        let kinds = [
            BuchholzCut1,
            Buchholz,
            MedianBuchholz,
            SonnebornBerger,
            Wins,
            Discs,
        ];
        assert_eq!(
            values(&table, &kinds, 0),
            ["3", "3.5", "0.5", "2.25", "2", "104"]
        );
        assert_eq!(
            values(&table, &kinds, 3),
            ["5", "5.5", "2.5", "0.25", "0", "88"]
        );
    }

    #[test]
    fn an_unplayed_round_is_one_against_an_equal() {
        let mut table = table(3, &[game(0, 1, "1"), game(0, 2, "1f")]);
        table.add_bye(&Bye {
            player: 1,
            round: 2,
            points: Points::ONE,
        });
        // 2 points: the opponent with 1, and the own 2.
        assert_eq!(
            values(&table, &[Buchholz, SonnebornBerger, Wins], 0),
            ["3", "3", "2"]
        );
        // 1 point: the opponent with 2, and the own 1.
        assert_eq!(values(&table, &[Buchholz, SonnebornBerger], 1), ["3", "1"]);
        // The board of a forfeit has no discs.
        assert_eq!(values(&table, &[Discs], 0), ["40"]);
    }

    #[test]
    fn direct_games_order_the_tied() {
        // All with 1 point of 2: a circle stays tied.
        let circle = table(3, &[game(0, 1, "1"), game(1, 2, "1"), game(2, 0, "1")]);
        for player in 0..3 {
            assert_eq!(values(&circle, &[Direct], player), ["1"]);
        }
        let order = |table: &ScoreTable| -> Vec<_> {
            table
                .standings(&[Direct])
                .iter()
                .map(|row| row.player)
                .collect()
        };
        assert_eq!(order(&circle), [0, 1, 2]);
        // 1 has beaten 0, and both have a point.
        let two = table(
            4,
            &[
                game(0, 1, "0"),
                game(0, 2, "1"),
                game(1, 3, "0"),
                game(3, 2, "1"),
            ],
        );
        assert_eq!(order(&two), [3, 1, 0, 2]);
    }

    #[test]
    fn direct_games_do_not_order_whom_missing_ones_could_reorder() {
        // 0, 1 and 2 have a point each; 0 has beaten 1, and has not met 2, who has met neither.
        let open = table(5, &[game(0, 1, "1"), game(1, 3, "1"), game(2, 4, "1")]);
        for player in 0..3 {
            assert_eq!(values(&open, &[Direct], player), ["0"]);
        }
        // A forfeit is no meeting.
        let absent = table(4, &[game(0, 1, "1f"), game(1, 2, "1")]);
        assert_eq!(values(&absent, &[Direct], 0), ["0"]);
    }

    #[test]
    fn what_stays_tied_is_in_the_order_of_joining() {
        let players: Vec<_> = four().standings(&[]).iter().map(|row| row.player).collect();
        assert_eq!(players, [0, 1, 2, 3]);
    }
}
