//! The engine held against slow and plain searches, and against itself.

use super::{Board, ReversiEngine, Solver, board::squares, endgame};
use crate::{Engine, Level, Limits, Progress, Report, Rng};
use proptest::prelude::*;
use tochki_rules::{
    Game, Point, Seat,
    reversi::{Reversi, Setup},
};

/// A small table is allocated quickly.
const SMALL: usize = ReversiEngine::LEAST_MEMORY + (1 << 20);

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
            prop_assert_eq!(best.value, value as f32);
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

#[test]
fn an_exact_value_is_the_final_difference() {
    for seed in 0..6 {
        let mut game = random_game(seed, 12);
        let mut engine = ReversiEngine::new(
            &game,
            Limits {
                memory: SMALL,
                ..Limits::NONE
            },
            seed,
        );
        let mut promised = None;
        while let Some(seat) = game.to_move() {
            while engine.step(10_000) == Progress::Running {}
            let report = engine.best();
            assert!(report.moves[0].exact && !report.settled);
            let value = if seat == Seat::First { 1 } else { -1 } * report.moves[0].value as i32;
            assert_eq!(*promised.get_or_insert(value), value, "game {seed}");
            game.play(report.choice.unwrap()).unwrap();
            engine.set_position(
                &game,
                Limits {
                    memory: SMALL,
                    ..Limits::NONE
                },
                seed,
            );
        }
        let [black, white] = game.score();
        assert_eq!(promised, Some(black as i32 - white as i32), "game {seed}");
        assert!(engine.best().settled && engine.best().choice.is_none());
    }
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
    for level in Level::all().skip(2) {
        let limits = Limits {
            memory: SMALL,
            level,
            ..Limits::nodes(5000)
        };
        let report = finished(ReversiEngine::with_board(corner, limits, 7), 1000);
        assert_eq!(report.choice, Some(Point::new(0, 0)), "level {level}");
    }
}
