//! Tests of the engine of Gomoku through its public interface.

mod levels;

use super::{
    classes::{FIVE, classes, reach},
    *,
};
use crate::Level;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use std::fmt::Write as _;
use tochki_rules::{
    Seat,
    gomoku::{Rule, Setup},
};

const SMALL: Limits = Limits {
    memory: 3 << 20,
    ..Limits::NONE
};

/// A drawn board: `X` are the stones of the first seat, which moves, and `O` those of the second.
fn drawn(rule: Rule, drawing: &str) -> Gomoku {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let setup = Setup::new(rows.len() as u8, rule).unwrap();
    let mut position = Gomoku::new(&setup);
    for mark in ['X', 'O'] {
        for point in setup.points() {
            if rows[usize::from(point.y)][usize::from(point.x)] == mark {
                let seat = if mark == 'X' {
                    Seat::First
                } else {
                    Seat::Second
                };
                position.play_as(seat, point).unwrap();
            }
        }
    }
    assert_ne!(position.to_move(), Some(Seat::Second), "there is an O");
    position
}

fn board_of(position: &Gomoku) -> Board {
    let rule = position.setup().rule();
    Board::new(position, &Arc::new(Tables::new(rule, &Weights::trained())))
}

fn finished(position: &Gomoku, limits: Limits) -> Report<Point> {
    finished_with_seed(position, limits, 1)
}

fn finished_with_seed(position: &Gomoku, limits: Limits, seed: u64) -> Report<Point> {
    let mut engine = GomokuEngine::new(position, limits, seed);
    while engine.step(1000) == Progress::Running {}
    engine.best()
}

/// Checks that the engine chooses one of the points marked with `*`, and whether that wins.
#[track_caller]
fn check(rules: &[Rule], wins: bool, drawing: &str) {
    for &rule in rules {
        let position = drawn(rule, drawing);
        let limits = Limits {
            nodes: 6_000,
            ..SMALL
        };
        let report = finished(&position, limits);
        let marks: String = drawing
            .chars()
            .filter(|mark| !mark.is_whitespace())
            .collect();
        let size = usize::from(position.setup().size());
        let choice = report.choice.unwrap();
        let place = usize::from(choice.y) * size + usize::from(choice.x);
        assert_eq!(marks.chars().nth(place), Some('*'), "{rule:?}: {choice}");
        let best = &report.moves[0];
        assert_eq!(best.value > 0.999, wins, "{rule:?}: {best:?}");
    }
}

#[test]
fn a_row_of_four_is_finished() {
    check(
        &Rule::ALL,
        true,
        "
        . . . . . . . . .
        . O O O O . . . .
        . . . . . . . . .
        . * X X X X * . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        ",
    );
}

#[test]
fn a_four_is_blocked() {
    check(
        &Rule::ALL,
        false,
        "
        . . . . . . . . .
        . . . X . . . . .
        . . . O . . . . .
        . . . O . X . . .
        . . X O X . . . .
        . . . O . . . . .
        . . . * . . . . .
        . . . . . . . . .
        . . . X . . . . .
        ",
    );
}

#[test]
fn an_open_three_is_answered() {
    check(
        &Rule::ALL,
        false,
        "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X . . . . . .
        . . . . . . . . . . .
        . . * * O O O * * . .
        . . . . . . X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        ",
    );
}

#[test]
fn a_four_and_a_three_at_once_win() {
    check(
        &Rule::ALL,
        true,
        "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . O . . . . .
        . . . . . X . . . . .
        . . O . . X . . . . .
        . . . . . X . . . . .
        . . . X X * . . . . .
        . . . . . . O . . . .
        . . . . . . . . . . .
        . . . . O . . . . . .
        . . . . . . . . . . .
        ",
    );
}

#[test]
fn two_open_threes_at_once_win() {
    check(
        &Rule::ALL,
        true,
        "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . O . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . X . . . . . .
        . . . . . . X . . . . . .
        . . . . X X * . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . O O .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        ",
    );
}

#[test]
fn an_overline_wins_only_in_free_style() {
    let drawing = "
        . . . . . . . . .
        . . . . . . . . .
        O X X X * X X O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . O O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        ";
    check(&[Rule::Freestyle], true, drawing);
    let report = finished(
        &drawn(Rule::Standard, drawing),
        Limits {
            nodes: 3_000,
            ..SMALL
        },
    );
    assert!(
        report.moves.iter().all(|one| !one.exact),
        "{:?}",
        report.moves[0]
    );
}

/// Checks that the found line wins by fours: it is long, every answer is forced, and the last stone makes five.
#[track_caller]
fn wins_by_fours(drawing: &str) {
    let mut position = drawn(Rule::Freestyle, drawing);
    let report = finished(&position, SMALL);
    let best = &report.moves[0];
    assert!(best.exact && best.value > 0.999, "{best:?}");
    assert!(best.pv.len() >= 15, "{best:?}");
    assert!(report.nodes < 3_000, "{}", report.nodes);
    for (ply, &mv) in best.pv.iter().enumerate() {
        let fives = |seat: Seat| {
            let own = |&point: &Point| {
                let mut after = position.clone();
                after.play_as(seat, point).unwrap().wins
            };
            position.free_points().filter(own).collect::<Vec<_>>()
        };
        if ply % 2 == 1 {
            assert!(fives(Seat::First).contains(&mv));
            assert!(
                fives(Seat::Second).is_empty(),
                "the other side does not win first"
            );
        }
        let change = position.play(mv).unwrap();
        assert_eq!(change.wins, ply + 1 == best.pv.len(), "{ply} {best:?}");
    }
}

#[test]
fn a_victory_by_fours_is_found() {
    wins_by_fours(
        "
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . O . . . . . . . X . . .
        . . . . O O . . . . O X . . .
        . . . X . . X . O . . . . . .
        . . . X . . . . . . . . . . .
        . . . . . . . X O . . O . . .
        . . . . . . . X . X O X . . .
        . . . X . O . . . X . . . . .
        . . . . O . . . . . . . . . .
        . . . X X O . X . O O O . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        ",
    );
}

#[test]
fn a_four_that_is_answered_by_a_five_is_none() {
    // The block of the only four makes five for the other side.
    let drawing = "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . O O O . O X . .
        . . . . . . . . . . .
        . . . . . . X . . . .
        . . . . . . X . . . .
        . . . . . . X . . . .
        . . . . . . O . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        ";
    let mut board = board_of(&drawn(Rule::Freestyle, drawing));
    assert_eq!(Fours::new().search(&mut board, 10_000), None);
}

#[test]
fn a_double_three_is_proved() {
    let drawing = "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . O . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . X . . . . . .
        . . . . . . X . . . . . .
        . . . . X X . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . O O .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        ";
    for rule in Rule::ALL {
        let mut board = board_of(&drawn(rule, drawing));
        let found = Threes::new().search(&mut board, 10_000);
        assert_eq!(found, Some((board::cell(Point::new(6, 6)), 5)), "{rule:?}");
        assert_eq!(Fours::new().search(&mut board, 10_000), None);
    }
}

#[test]
fn a_double_three_does_not_win_against_a_three() {
    // The other side makes an open four first.
    let drawing = "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . O O O . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . X . . . . . .
        . . . . . . X . . . . . .
        . . . . X X . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        ";
    for rule in Rule::ALL {
        let mut board = board_of(&drawn(rule, drawing));
        assert_eq!(Threes::new().search(&mut board, 10_000), None);
    }
}

/// Checks that a side with a victory by threes still has one after any answer, until five are made.
#[test]
fn a_proof_holds_against_every_answer_that_is_tried() {
    let mut rng = Rng::new(8);
    let mut proofs = 0;
    for game in 0..16 {
        let rule = Rule::ALL[game % 2];
        let mut position = Gomoku::new(&Setup::new(11, rule).unwrap());
        for _ in 0..14 {
            let point = Point::new(3 + rng.below(6) as u8, 3 + rng.below(6) as u8);
            let _ = position.play(point);
        }
        let mut threes = Threes::new();
        let solve = |threes: &mut Threes, position: &Gomoku| {
            let mut board = board_of(position);
            threes.search(&mut board, 600)
        };
        let Some((mut mv, mut plies)) = position
            .to_move()
            .and_then(|_| solve(&mut threes, &position))
        else {
            continue;
        };
        proofs += 1;
        while !position.play(board::point(mv)).unwrap().wins {
            // Mostly a point that stops something, sometimes any at all.
            let board = board_of(&position);
            let own = board.side();
            let mut answers: Vec<_> = board
                .free_points()
                .filter(|&it| board.threat(own, it).max(board.threat(1 - own, it)) >= Threat::Four)
                .collect();
            if answers.is_empty() || rng.below(8) == 0 {
                answers = board.free_points().collect();
            }
            let answer = answers[rng.below(answers.len() as u32) as usize];
            assert!(!position.play(board::point(answer)).unwrap().wins);
            let next = solve(&mut threes, &position);
            let (next_move, next_plies) = next.expect("the proof goes on");
            assert!(next_plies <= plies - 2, "{next_plies} after {plies}");
            (mv, plies) = (next_move, next_plies);
        }
        assert_eq!(plies, 1);
    }
    assert!(proofs > 2, "{proofs}");
}

/// Moves are the same on every platform: seed, nodes, and the choice on a board.
#[test]
fn seed_and_nodes_fix_the_moves() {
    let mut told = String::new();
    for (size, rule, seed) in [
        (15, Rule::Freestyle, 1),
        (15, Rule::Standard, 2),
        (19, Rule::Freestyle, 3),
        (19, Rule::Standard, 4),
        (7, Rule::Freestyle, 5),
    ] {
        let mut position = Gomoku::new(&Setup::new(size, rule).unwrap());
        let mut rng = Rng::new(seed);
        for _ in 0..9 {
            let middle = size / 2 - 3;
            let (x, y) = (rng.below(7) as u8, rng.below(7) as u8);
            let _ = position.play(Point::new(middle + x, middle + y));
        }
        let limits = Limits {
            nodes: 1_500,
            ..SMALL
        };
        let mut engine = GomokuEngine::new(&position, limits, seed);
        while engine.step(1000) == Progress::Running {}
        let report = engine.best();
        let best = &report.moves[0];
        writeln!(told, "{} {:.4} {}", best.mv, best.value, report.nodes).unwrap();
    }
    assert_eq!(told, VECTORS);
}

const VECTORS: &str = "\
5,10 -1.0000 120
7,4 -0.5204 1436
11,10 0.0971 1436
9,9 0.4962 1436
3,3 0.2857 1446
";

/// Plays moves at random.
fn play_at_random(position: &mut Gomoku, moves: usize, rng: &mut Rng) {
    for _ in 0..moves {
        if position.to_move().is_none() {
            return;
        }
        let free: Vec<_> = position.free_points().collect();
        position
            .play(free[rng.below(free.len() as u32) as usize])
            .unwrap();
    }
}

#[test]
fn the_board_is_the_same_after_moves_and_back() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(1);
        let mut position = Gomoku::new(&Setup::new(9, rule).unwrap());
        play_at_random(&mut position, 20, &mut rng);
        let mut board = board_of(&position);
        let told = |board: &Board| {
            let threats: Vec<_> = board
                .free_points()
                .map(|cell| [board.threat(0, cell), board.threat(1, cell)])
                .collect();
            (board.hash(), board.evaluation(), threats)
        };
        for _ in 0..8 {
            let Some(_) = position.to_move() else { break };
            assert_eq!(told(&board), told(&board_of(&position)), "{rule:?}");
            let free: Vec<_> = position.free_points().collect();
            for &point in &free {
                let before = told(&board);
                board.place(board::cell(point));
                board.take_back();
                assert_eq!(told(&board), before);
            }
            let point = free[rng.below(free.len() as u32) as usize];
            let wins = board.threat(board.side(), board::cell(point)) == Threat::Five;
            board.place(board::cell(point));
            assert_eq!(position.play(point).unwrap().wins, wins);
        }
    }
}

#[test]
fn every_pattern_has_a_class() {
    for rule in Rule::ALL {
        let classes = classes(rule);
        assert_eq!(classes.len(), 9usize.pow(reach(rule) as u32));
        assert!(classes.iter().all(|&class| class <= FIVE));
    }
}

#[test]
fn an_empty_board_is_opened_in_the_middle() {
    let position = Gomoku::new(&Setup::DEFAULT);
    let report = finished(
        &position,
        Limits {
            nodes: 500,
            ..SMALL
        },
    );
    assert_eq!(report.choice, Some(Point::new(9, 9)));
}

#[test]
fn a_game_that_is_over_has_no_choice() {
    let mut position = drawn(
        Rule::Freestyle,
        "
        X X X X .
        O O O O .
        . . . . .
        . . . . .
        . . . . .
        ",
    );
    position.play(Point::new(4, 0)).unwrap();
    let report = finished(&position, SMALL);
    assert_eq!(
        (report.choice, report.moves.len(), report.settled),
        (None, 0, true)
    );
}

#[test]
fn steps_of_any_size_search_the_same() {
    let mut position = Gomoku::new(&Setup::new(15, Rule::Standard).unwrap());
    for (x, y) in [(7, 7), (8, 8), (7, 8), (7, 6), (9, 7), (8, 6)] {
        position.play(Point::new(x, y)).unwrap();
    }
    let limits = Limits {
        nodes: 5_000,
        ..SMALL
    };
    let whole = finished(&position, limits);
    for budget in [1, 37, 100_000] {
        let mut engine = GomokuEngine::new(&position, limits, 1);
        while engine.step(budget) == Progress::Running {}
        assert_eq!(engine.best(), whole, "{budget}");
    }
}

/// Checks the steps inside the solvers, too, which have something to look for on these boards.
#[test]
fn a_step_ends_within_its_budget() {
    for seed in 0..6 {
        let rule = Rule::ALL[seed as usize % 2];
        let mut position = Gomoku::new(&Setup::new(15, rule).unwrap());
        let mut rng = Rng::new(seed);
        for _ in 0..24 {
            let point = Point::new(2 + rng.below(11) as u8, 2 + rng.below(11) as u8);
            let _ = position.play(point);
        }
        let limits = Limits {
            nodes: 6_000,
            ..SMALL
        };
        for budget in [1, 40, 1_000] {
            let mut engine = GomokuEngine::new(&position, limits, seed);
            let mut before = 0;
            while engine.step(budget) == Progress::Running {
                let nodes = engine.best().nodes;
                // The last position may come with a look for a victory by fours.
                let most = before + budget + search::QUIET_FOURS;
                assert!(nodes <= most, "{nodes} after {before} with {budget}");
                before = nodes;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_reachable_position_panics(
        size in 5..=22u8,
        standard in any::<bool>(),
        seed in any::<u64>(),
        share in 0..=100usize,
        level in 1..=8u8,
    ) {
        let rule = if standard { Rule::Standard } else { Rule::Freestyle };
        let mut position = Gomoku::new(&Setup::new(size, rule).unwrap());
        let moves = usize::from(position.setup().area()) * share / 100;
        play_at_random(&mut position, moves, &mut Rng::new(seed));
        let limits = Limits { level: Level::new(level).unwrap(), memory: 2 << 20, ..Limits::NONE };
        let mut engine = GomokuEngine::new(&position, limits, seed);
        let before = engine.best().choice;
        engine.step(300);
        let choice = engine.best().choice;
        prop_assert_eq!(choice.is_some(), position.to_move().is_some());
        for choice in before.into_iter().chain(choice) {
            prop_assert!(position.is_free(choice).is_ok());
        }
    }
}

#[test]
fn exact_values_are_right_however_few_nodes_are_searched() {
    let open_three = "
        . . . . . . . . .
        . . . . . . O . .
        . . . . . . . O .
        . . * X X X * . .
        . . . . . . . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        ";
    let two_fives = "
        . . . . . . . . .
        . . O O O O . . .
        . . . . . . . . .
        . . . X X . X . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        ";
    for (drawing, value) in [(open_three, 1.0), (two_fives, -1.0)] {
        for nodes in [0, 1, 50, 100, 5_000] {
            let limits = Limits { nodes, ..SMALL };
            let report = finished(&drawn(Rule::Freestyle, drawing), limits);
            let exact: Vec<_> = report.moves.iter().filter(|one| one.exact).collect();
            assert!(!exact.is_empty(), "{nodes}");
            for one in exact {
                assert!((one.value - value).abs() < 0.001, "{nodes}: {one:?}");
            }
        }
    }
}
