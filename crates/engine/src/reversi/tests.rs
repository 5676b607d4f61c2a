//! Tests of the engine against slow and plain searches, and against itself.

use super::{Board, ReversiEngine, Solver, board::squares, endgame, levels::strength};
use crate::{Engine, Level, Limits, Progress, Report, Rng};
use proptest::prelude::*;
use tochki_rules::{
    Game, Point, Seat,
    reversi::{Reversi, Setup},
};

/// A small table is allocated quickly.
const SMALL: usize = ReversiEngine::MIN_MEMORY + (1 << 20);

/// A game of random moves, until so many squares are empty or it is over.
fn random_game(seed: u64, empties: u32) -> Reversi {
    let mut rng = Rng::new(seed);
    let mut game = Reversi::new(&Setup::DEFAULT);
    while let Some(seat) = game.to_move()
        && Board::of(&game).empties() > empties
    {
        let legal = game.legal(seat);
        let number = rng.below(legal.len()) as usize;
        let mv = legal.into_iter().nth(number).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    game
}

fn finished(mut engine: ReversiEngine, budget: u64) -> Report<Point> {
    while engine.step(budget) == Progress::Running {}
    engine.best()
}

/// The value by trying everything, on the rules themselves.
fn plain_value(game: &mut Reversi, seat: Seat) -> i32 {
    let Some(mover) = game.to_move() else {
        let [own, other] = [seat, seat.other()].map(|seat| game.discs(seat).len() as i32);
        return own - other;
    };
    let values = game.legal(mover).into_iter().map(|mv| {
        game.play(mv).expect("a legal move");
        let value = plain_value(game, seat);
        game.undo();
        value
    });
    let best = if mover == seat {
        values.max()
    } else {
        values.min()
    };
    best.expect("a move")
}

/// A drawn board: `X` is to move, `O` is the other side.
fn drawn(rows: &str) -> Board {
    let mut board = Board::default();
    let marks = rows.chars().filter(|mark| !mark.is_whitespace());
    for (square, mark) in marks.enumerate() {
        match mark {
            'X' => board.own |= 1 << square,
            'O' => board.enemy |= 1 << square,
            _ => {}
        }
    }
    board
}

fn perft(board: Board, depth: u32) -> u64 {
    let legal = board.legal();
    if legal == 0 {
        let passed = board.passed();
        return if passed.legal() == 0 {
            1
        } else {
            perft(passed, depth)
        };
    }
    if depth == 1 {
        return u64::from(legal.count_ones());
    }
    squares(legal)
        .map(|square| perft(board.after(square, board.flips(square)), depth - 1))
        .sum()
}

#[test]
fn there_are_so_many_games() {
    let start = Board::of(&Reversi::new(&Setup::DEFAULT));
    for (depth, games) in (1..).zip([4, 12, 56, 244, 1396, 8200, 55_092, 390_216]) {
        assert_eq!(perft(start, depth), games, "depth {depth}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_solved_position_has_the_value_of_trying_everything(seed: u64, empties in 0..8_u32) {
        let mut game = random_game(seed, empties);
        let board = Board::of(&game);
        let seat = game.to_move().unwrap_or(Seat::First);
        let value = plain_value(&mut game, seat);
        prop_assert_eq!(Solver::new(1 << 16).solve(board), value);
        let engine = ReversiEngine::new(&game, Limits { memory: SMALL, ..Limits::NONE }, 1);
        let report = finished(engine, 1000);
        prop_assert_eq!(report.choice.is_none(), game.to_move().is_none());
        if let Some(best) = report.moves.first() {
            prop_assert!(best.exact);
            prop_assert_eq!(best.value as i32, value);
        }
    }

    #[test]
    fn bounds_are_kept_whatever_the_window(seed: u64, empties in 8..11_u32, alpha in -64..64) {
        let board = Board::of(&random_game(seed, empties));
        let value = Solver::new(1 << 20).solve(board);
        let mut table = super::table::Table::new(1 << 16);
        let mut nodes = 0;
        let mut endgame = endgame::Endgame { table: &mut table, nodes: &mut nodes };
        let bound = endgame.solve(board, alpha, alpha + 1);
        if bound > alpha {
            prop_assert!(value >= bound);
        } else {
            prop_assert!(value <= bound);
        }
    }

    #[test]
    fn one_step_on_any_position_has_a_legal_choice(seed: u64, empties in 0..60_u32, level in 1..=8_u8) {
        let game = random_game(seed, empties);
        let level = Level::new(level).unwrap();
        let limits = Limits { memory: SMALL, level, ..Limits::NONE };
        let mut engine = ReversiEngine::new(&game, limits, seed);
        for _ in 0..2 {
            let choice = engine.best().choice;
            prop_assert_eq!(choice.is_some(), game.to_move().is_some());
            if let Some(choice) = choice {
                prop_assert!(game.clone().play(choice).is_ok());
            }
            engine.step(500);
        }
        for candidate in engine.best().moves {
            let mut line = game.clone();
            for mv in candidate.pv {
                prop_assert!(line.play(mv).is_ok());
            }
        }
    }

    #[test]
    fn how_it_is_cut_into_steps_changes_nothing(seed: u64, empties in 12..50_u32, budget in 1..3000_u64) {
        let game = random_game(seed, empties);
        let limits = Limits { memory: SMALL, ..Limits::nodes(6000) };
        let report = |budget| finished(ReversiEngine::new(&game, limits, seed), budget);
        prop_assert_eq!(report(budget), report(u64::MAX));
    }
}

/// Plays a position to its end: the engine for the side that is to move, and for the other one, too, or random moves. Returns the
/// value that was called exact at the beginning, and the difference of discs at the end.
fn played_out(mut game: Reversi, both: bool, seed: u64) -> (i32, i32) {
    let seat = game.to_move().expect("a side to move");
    let limits = Limits {
        memory: SMALL,
        ..Limits::NONE
    };
    let mut rng = Rng::new(seed);
    let mut engine = ReversiEngine::new(&game, limits, seed);
    let mut promised = None;
    while let Some(mover) = game.to_move() {
        let mv = if both || mover == seat {
            engine.set_position(&game, limits, seed);
            while engine.step(10_000) == Progress::Running {}
            let report = engine.best();
            assert!(report.moves[0].exact && !report.settled);
            let sign = if mover == seat { 1 } else { -1 };
            let value = sign * report.moves[0].value as i32;
            let promised = promised.get_or_insert(value);
            assert!(value == *promised || !both && value > *promised);
            report.choice.expect("a move")
        } else {
            let legal = game.legal(mover);
            let number = rng.below(legal.len()) as usize;
            legal.into_iter().nth(number).expect("a legal move")
        };
        game.play(mv).expect("a legal move");
    }
    engine.set_position(&game, limits, seed);
    assert!(engine.best().settled && engine.best().choice.is_none());
    let [own, other] = [seat, seat.other()].map(|seat| game.discs(seat).len() as i32);
    (promised.expect("the engine moved"), own - other)
}

#[test]
fn an_exact_value_is_the_final_difference() {
    let mut better = 0;
    for seed in 0..100 {
        let game = random_game(seed, 8 + seed as u32 % 5);
        if game.to_move().is_none() {
            continue;
        }
        let both = seed % 2 == 0;
        let (promised, difference) = played_out(game, both, seed);
        if both {
            assert_eq!(promised, difference, "game {seed}");
        } else {
            assert!(promised <= difference, "game {seed}");
            better += u32::from(promised < difference);
        }
    }
    assert!(better > 20, "random moves lose something: {better}");
}

/// Checks exact values against the other solver: Multi-ProbCut may be wrong, so no value that it was used for is called exact.
#[test]
fn what_is_called_exact_is_exact() {
    let mut exact = 0;
    for seed in 0..60 {
        let game = random_game(seed, 8 + seed as u32 % 6);
        let level = Level::new(4 + (seed % 5) as u8).expect("a level");
        // Few nodes end some searches halfway.
        let limits = Limits {
            memory: SMALL,
            level,
            ..Limits::nodes(2_000 << (seed % 8))
        };
        let report = finished(ReversiEngine::new(&game, limits, seed), 1000);
        let board = Board::of(&game);
        let mut solver = Solver::new(1 << 20);
        for candidate in report.moves.iter().filter(|one| one.exact) {
            let square = candidate.mv.y * 8 + candidate.mv.x;
            let after = board.after(square, board.flips(square));
            assert_eq!(candidate.value as i32, -solver.solve(after), "game {seed}");
            exact += 1;
        }
    }
    assert!(exact > 20, "{exact}");
}

#[test]
fn a_search_of_that_depth_comes_to_an_end() {
    for seed in 0..12 {
        let game = random_game(seed, 18 + 3 * seed as u32);
        let limits = Limits {
            memory: SMALL,
            depth: 7,
            ..Limits::NONE
        };
        let report = finished(ReversiEngine::new(&game, limits, seed), 10_000);
        assert_eq!(report.moves[0].depth, 7, "game {seed}");
    }
}

#[test]
fn a_corner_is_taken() {
    let corner = drawn(
        ". O X . . . . .
         . O O . . . . .
         . . . O X . . .
         . . . X X . . .
         . . . O X X . .
         . . . . . . . .
         . . . . . . . .
         . . . . . . . .",
    );
    assert_eq!(corner.legal() & 1, 1);
    let limits = Limits {
        memory: SMALL,
        ..Limits::nodes(5000)
    };
    let report = finished(ReversiEngine::with_board(corner, limits, 7), 1000);
    assert_eq!(report.choice, Some(Point::new(0, 0)));
}

#[test]
fn a_level_gives_away_no_more_than_it_may() {
    let mut worse = 0;
    for seed in 0..24 {
        let level = Level::new(1 + (seed % 8) as u8).unwrap();
        let game = random_game(seed, 40);
        let limits = Limits {
            memory: SMALL,
            level,
            ..Limits::nodes(20_000)
        };
        let report = finished(ReversiEngine::new(&game, limits, seed), 1000);
        let chosen = report.moves.iter().find(|it| Some(it.mv) == report.choice);
        let loss = report.moves[0].value - chosen.expect("it is in the list").value;
        let margin = strength(level).margin as f32 / 8.0;
        assert!((0.0..=margin).contains(&loss), "level {level} lost {loss}");
        worse += u32::from(loss > 0.0);
    }
    assert!(
        worse > 5,
        "weak levels choose other moves than the best, too"
    );
}

#[test]
fn one_seed_draws_differently_at_the_positions_of_a_game() {
    let level = Level::new(3).expect("a level");
    let limits = Limits {
        memory: SMALL,
        level,
        ..Limits::NONE
    };
    let (mut drawn, mut late) = (0, 0);
    for empties in (10..60).rev() {
        let game = random_game(3, empties);
        let report = finished(ReversiEngine::new(&game, limits, 1), 1000);
        let least = report.moves[0].value - strength(level).margin as f32 / 8.0;
        let near = report.moves.iter().filter(|one| one.value >= least);
        let count = near.count();
        let place = report
            .moves
            .iter()
            .position(|one| Some(one.mv) == report.choice);
        if count > 1 {
            drawn += 1;
            late += usize::from(2 * place.expect("it is in the list") >= count);
        }
    }
    assert!(drawn >= 40, "{drawn}");
    assert!(
        (drawn / 5..=drawn * 4 / 5).contains(&late),
        "{late} of {drawn}"
    );
}

/// Moves, a bound of nodes, a seed and a level; then the result on every platform: the move, its value, the depth and the nodes.
const VECTORS: &str = "\
20000 1 8 -> 3,2 -0.75 9 20041\n\
f5 d6 c5 f6 5000 2 8 -> 4,5 3.5 8 5022\n\
f5 d6 c5 f6 d7 e3 f3 c7 d3 d2 c6 30000 3 8 -> 4,1 -5 8 30157\n\
f5 d6 c5 b4 c3 e3 c4 e6 f3 c2 e2 g5 a4 e1 c1 c6 e7 g3 f6 f7 30000 4 8 -> 2,6 -0.625 7 30245\n\
e6 f6 c4 e7 g7 g6 g5 b3 d8 f5 b4 h6 c5 h4 a2 g4 h5 e8 f8 f4 f3 d3 d2 d6 e3 d1 h7 b5 c6 d7 30000 5 8 -> 2,7 -20.125 8 30045\n\
e6 f4 d3 c6 f5 d2 c2 d6 f3 g2 d7 g6 e2 e7 b6 c8 f7 b7 e8 g3 c7 g7 d8 c4 c5 a7 h1 d1 b5 b1 b8 a6 b3 g1 f6 g4 h8 g8 40000 6 8 -> 5,7 38.375 8 40052\n\
d3 c5 e6 e3 d6 f5 c4 e7 e2 c3 d7 f1 d2 f3 f6 g5 f7 c1 f4 e8 b6 c6 d1 g8 b4 a6 c7 b5 h4 c8 g3 g2 b7 a4 f2 h5 g6 a7 h6 g1 h2 h3 a8 b3 60000 7 8 -> 7,0 42 16 60507\n\
e6 f4 d3 c6 c5 e7 f5 g4 b7 e3 h4 c4 d6 f3 g6 e2 f2 b4 e1 b6 d2 b8 b3 g5 h6 f1 g3 c1 a7 g1 f6 h3 d1 d7 h2 h7 f7 a6 c7 b5 a5 h5 b1 a2 b2 c8 h8 f8 c3 a3 60000 8 8 -> 7,0 8 10 4736\n\
d3 c5 b6 e3 f2 e2 f6 c4 e1 g1 c3 f1 c6 d6 h1 f4 e6 b2 f3 a7 b5 g3 h4 g7 c2 h2 a1 e7 e8 d1 d2 d8 b7 c7 g6 b3 c8 b8 g2 g5 a8 b1 f5 f7 a3 g4 d7 c1 h5 h6 a2 a4 h8 b4 h3 h7 60000 9 8 -> 0,5 26 4 31\n\
e6 d6 c5 f6 f7 f8 d7 d8 e3 b4 g6 h5 b6 f3 h6 c4 5000 10 2 -> 6,2 10.75 1 22\n\
c4 c5 f6 e3 b5 b6 c3 c2 f2 f4 b3 d2 c1 g1 g5 b2 d3 a5 f3 f5 f1 b4 c6 d1 a2 20000 11 5 -> 0,0 13.625 2 62\n\
";

#[test]
fn nodes_and_a_seed_fix_the_search() {
    let told: Vec<String> = VECTORS
        .lines()
        .map(|line| {
            let (asked, _) = line.split_once(" -> ").expect("an arrow");
            let words: Vec<&str> = asked.split(' ').collect();
            let [moves @ .., nodes, seed, level] = &words[..] else {
                panic!("{line}");
            };
            let mut game = Reversi::new(&Setup::DEFAULT);
            for mv in moves {
                let mv = Reversi::parse_move(mv).expect("a move");
                game.play(mv).expect("a legal move");
            }
            let limits = Limits {
                memory: SMALL,
                level: level.parse().expect("a level"),
                ..Limits::nodes(nodes.parse().expect("nodes"))
            };
            let seed = seed.parse().expect("a seed");
            let report = finished(ReversiEngine::new(&game, limits, seed), 1000);
            let best = &report.moves[0];
            let choice = report.choice.expect("a move");
            let (value, depth, nodes) = (best.value, best.depth, report.nodes);
            format!("{asked} -> {choice} {value} {depth} {nodes}")
        })
        .collect();
    assert_eq!(told, VECTORS.lines().collect::<Vec<_>>());
}
