//! Judges whether moves solve a puzzle. The rules replay them; no engine is asked.

use crate::Puzzle;
use std::fmt;
use tochki_rules::{Change, Move, MoveError, Position, boxes::Line};

/// The result of the solver's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All moves are right, and there is more to find.
    Right {
        /// The moves of both sides so far, the last answer included.
        played: Vec<Move>,
    },
    /// All moves are right, and nothing is left to find.
    Solved {
        /// The moves of both sides, with a continuation of the game.
        played: Vec<Move>,
    },
    /// The last move is legal, but not the move that was sought.
    Wrong {
        /// The moves of both sides before it.
        played: Vec<Move>,
        /// The wrong move.
        mv: Move,
    },
}

/// The reason why the solver's moves cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeError {
    /// The rules refuse a move.
    Refused(MoveError),
    /// There are moves after the last one, or after a wrong one.
    TooMany,
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::TooMany => f.write_str("there are moves after the last one"),
        }
    }
}

impl std::error::Error for JudgeError {}

impl Puzzle {
    /// Judges the solver's moves, from the first on. In Boxes a line that opens the same boxes as the sought line is right, too;
    /// the sought line is then played.
    ///
    /// # Errors
    ///
    /// A move that the rules refuse, or one too many.
    pub fn judge(&self, moves: &[Move]) -> Result<Verdict, JudgeError> {
        let solver = self.solver();
        let mut position = self.start().clone();
        let mut played = Vec::new();
        let mut line = self.line().iter().copied();
        for (index, &mv) in moves.iter().enumerate() {
            let sought = line.next().ok_or(JudgeError::TooMany)?;
            if mv != sought {
                let mut tried = position.clone();
                tried.play(mv).map_err(JudgeError::Refused)?;
                if !are_alike(&position, mv, sought) {
                    return if index + 1 == moves.len() {
                        Ok(Verdict::Wrong { played, mv })
                    } else {
                        Err(JudgeError::TooMany)
                    };
                }
            }
            played.push(sought);
            // The line was replayed when the puzzle was made.
            position.play(sought).map_err(JudgeError::Refused)?;
            while position.to_move() == Some(solver.other()) {
                let Some(answer) = line.next() else { break };
                played.push(answer);
                position.play(answer).map_err(JudgeError::Refused)?;
            }
        }
        if played.len() < self.line().len() {
            return Ok(Verdict::Right { played });
        }
        played.extend(self.rest());
        Ok(Verdict::Solved { played })
    }

    /// The next move to find after these moves of the solver, all of which are right.
    #[must_use]
    pub fn next_move(&self, moves: &[Move]) -> Option<Move> {
        match self.judge(moves) {
            Ok(Verdict::Right { played }) => self.line().get(played.len()).copied(),
            _ => None,
        }
    }
}

/// Returns whether two moves are equivalent: in Boxes, if each gives the other side the same boxes and leaves the same lines once
/// those are taken. In other games a move is only equivalent to itself.
#[must_use]
pub fn are_alike(position: &Position, one: Move, other: Move) -> bool {
    if one == other {
        return true;
    }
    let after = |mv| {
        let mut after = position.clone();
        after.play(mv).ok()?;
        if after.to_move() == position.to_move() {
            // The line has taken a box, so the remaining lines differ.
            return None;
        }
        Some(lines_left(after))
    };
    matches!(position, Position::Boxes(_)) && after(one).is_some() && after(one) == after(other)
}

/// The free lines once the side to move has taken every box that it can, with the number of these boxes.
fn lines_left(mut position: Position) -> (u32, Vec<Line>) {
    let mut taken = 0;
    loop {
        let Position::Boxes(boxes) = &position else {
            return (taken, Vec::new());
        };
        let lines: Vec<Line> = boxes.free_lines().collect();
        let mover = position.to_move();
        let takes = lines.iter().any(|&line| {
            let change = position.play(Move::Boxes(line));
            let boxes = match change {
                Ok(Change::Boxes(change)) => change.count(),
                _ => 0,
            };
            if boxes == 0 {
                position.undo();
            }
            taken += u32::from(boxes);
            boxes > 0
        });
        if !takes || mover.is_none() {
            return (taken, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;
    use tochki_rules::{GameKind, Setup, boxes};

    fn moves(position: &Position, text: &str) -> Vec<Move> {
        text.split_whitespace()
            .map(|word| position.parse_move(word).unwrap())
            .collect()
    }

    /// Blue has three in a row and is about to be stopped: two fours in a row win.
    fn fours() -> Puzzle {
        let setup = GameKind::Gomoku.default_setup();
        let start = Position::new(&setup);
        let played = moves(&start, "5,5 0,0 6,5 0,2 7,5 0,4");
        let line = moves(&start, "8,5 4,5 9,5");
        Puzzle::new(setup, (Theme::Fours, 900), played, line, Vec::new()).unwrap()
    }

    #[test]
    fn the_line_is_followed_move_by_move() {
        let puzzle = fours();
        let all = puzzle.solution();
        let line = puzzle.line().to_vec();
        assert_eq!(all, [line[0], line[2]]);
        assert_eq!(puzzle.next_move(&[]), Some(line[0]));
        assert_eq!(
            puzzle.judge(&all[..1]),
            Ok(Verdict::Right {
                played: line[..2].to_vec()
            })
        );
        assert_eq!(puzzle.next_move(&all[..1]), Some(line[2]));
        assert_eq!(puzzle.judge(&all), Ok(Verdict::Solved { played: line }));
        assert_eq!(puzzle.next_move(&all), None);
    }

    #[test]
    fn another_move_is_wrong_and_an_impossible_one_is_refused() {
        let puzzle = fours();
        let start = puzzle.start();
        let other = moves(start, "10,10");
        assert_eq!(
            puzzle.judge(&other),
            Ok(Verdict::Wrong {
                played: Vec::new(),
                mv: other[0]
            })
        );
        let occupied = puzzle.judge(&moves(start, "5,5"));
        assert!(matches!(occupied, Err(JudgeError::Refused(_))));
        let after = puzzle.judge(&moves(start, "10,10 8,5"));
        assert_eq!(after, Err(JudgeError::TooMany));
        let beyond = puzzle.judge(&moves(start, "8,5 9,5 10,10"));
        assert_eq!(beyond, Err(JudgeError::TooMany));
    }

    #[test]
    fn lines_that_open_the_same_chain_are_alike() {
        let setup = Setup::Boxes(boxes::Setup::new(2, 2).unwrap());
        let mut position = Position::new(&setup);
        // The upper two boxes are one chain, the lower two another.
        for mv in moves(&position, "h:0,0 h:1,0 h:0,1 h:1,1 h:0,2 h:1,2") {
            position.play(mv).unwrap();
        }
        let [a, b, c] = moves(&position, "v:0,0 v:1,0 v:0,1")[..] else {
            panic!("three moves")
        };
        assert!(are_alike(&position, a, b));
        assert!(!are_alike(&position, a, c));
    }

    #[test]
    fn a_puzzle_is_read_as_it_is_written() {
        let puzzle = fours();
        let text = puzzle.to_string();
        assert_eq!(text, "gomoku 19:freestyle fours 900 ffaagfachfae ifefjf -");
        assert_eq!(text.parse(), Ok(puzzle));
        for bad in [
            "",
            "gomoku 19:freestyle fours 900 ffaagfachfae - -",
            "gomoku 19:freestyle fours 900 ffaagfachfae ifef -",
            "gomoku 19:freestyle fours 900 ffaagfachfae ff -",
            "gomoku 19:freestyle fours 900 ffaagfachfae ifefj -",
            "gomoku 4:freestyle fours 900 - aa -",
            "chess 8 fours 900 - aa -",
        ] {
            assert_eq!(bad.parse::<Puzzle>(), Err(crate::Malformed), "{bad}");
        }
    }
}
