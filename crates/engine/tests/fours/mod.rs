//! Positions of Gomoku that a long row of fours wins: `data/fours.txt`, for the test and the benchmark.

use tochki_engine::Candidate;
use tochki_rules::{
    Game, Point, Seat,
    gomoku::{Gomoku, Rule, Setup},
};

/// Nodes within which each victory is found.
pub(crate) const NODES: u64 = 20_000;

/// A position whose side to move has a victory by fours.
pub(crate) struct Victory {
    /// The position before its first move.
    pub position: Gomoku,
    /// The number of plies of a known victory, the five included.
    pub plies: usize,
}

/// All victories of the file.
pub(crate) fn victories() -> Vec<Victory> {
    let lines = include_str!("../data/fours.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(read)
        .collect()
}

fn read(line: &str) -> Victory {
    let words: Vec<&str> = line.split(' ').collect();
    let [plies, size, rule, moves @ ..] = words.as_slice() else {
        panic!("{line}");
    };
    let rule = match *rule {
        "freestyle" => Rule::Freestyle,
        "standard" => Rule::Standard,
        rule => panic!("{rule}"),
    };
    let setup = Setup::new(size.parse().expect("a number"), rule).expect("a board");
    let mut position = Gomoku::new(&setup);
    for mv in moves {
        let mv = Gomoku::parse_move(mv).expect("a move");
        position.play(mv).expect("a legal move");
    }
    Victory {
        position,
        plies: plies.parse().expect("a number"),
    }
}

/// Returns whether the line of a move is such a victory, by the rules alone: it is called won, each own stone threatens five,
/// each answer is where that five would be, the other side cannot make five instead, and the last stone makes five.
pub(crate) fn wins_by_fours(position: &Gomoku, candidate: &Candidate<Point>) -> bool {
    let mut position = position.clone();
    let Some(attacker) = position.to_move() else {
        return false;
    };
    let fives = |position: &Gomoku, seat: Seat| -> Vec<Point> {
        let makes_five = |&point: &Point| {
            let mut after = position.clone();
            after.play_as(seat, point).is_ok_and(|change| change.wins)
        };
        position.free_points().filter(makes_five).collect()
    };
    let mut won = false;
    for (ply, &mv) in candidate.pv.iter().enumerate() {
        if ply % 2 == 1 {
            let threats = fives(&position, attacker);
            let is_forced = threats.contains(&mv) && fives(&position, attacker.other()).is_empty();
            if !is_forced {
                return false;
            }
        }
        let Ok(change) = position.play(mv) else {
            return false;
        };
        won = change.wins && ply % 2 == 0;
    }
    candidate.exact && candidate.value > 0.999 && won
}
