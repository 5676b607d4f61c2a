//! Benchmarks of the rules: `cargo bench -p tochki-rules --bench rules`.
//!
//! The main figure is `random full game`: the time per placed dot over whole games on the default 39 × 32 points, in which
//! both sides place random dots until no point is free. It is also printed as elements (dots) per second; `games` plays
//! the same and counts games. The target is 50 ns per dot.
//!
//! `perft` counts the Reversi games of nine plies, by our rules and by the crate `magpie`, in the same way: a forced pass
//! is no ply, and moves of the last ply are counted without playing them.

// `criterion_group!` generates a public function without documentation.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use magpie::othello::{Board, Stone};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tochki_rules::{
    Game, Seat,
    boxes::{self, Boxes},
    dots::{Dots, Opening, Point, Setup},
    gomoku::{self, Gomoku},
    reversi::{self, Reversi},
};

criterion_group!(
    benches,
    random_games,
    undo,
    large_capture,
    preview,
    copy,
    perft,
    random_games_of_others
);
criterion_main!(benches);

/// Random orders of all points of the default board.
fn orders(count: u64) -> Vec<Vec<Point>> {
    (1..=count)
        .map(|seed| {
            let mut chance = Chance(seed);
            let mut points: Vec<_> = Setup::DEFAULT.points().collect();
            for last in (1..points.len()).rev() {
                points.swap(last, chance.below(last + 1));
            }
            points
        })
        .collect()
}

/// `SplitMix64`: random enough for a benchmark, and the same games every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

/// Plays the points in order where they are free; returns the number of placed dots.
fn play(dots: &mut Dots, order: &[Point]) -> u64 {
    order
        .iter()
        .map(|&point| u64::from(dots.play(point).is_ok()))
        .sum()
}

/// Games per measurement, so that no single order dominates.
const GAMES: u64 = 64;

fn random_games(c: &mut Criterion) {
    let orders = orders(GAMES);
    let mut dots = Dots::new(&Setup::DEFAULT);
    let all = |dots: &mut Dots| -> (u64, Duration) {
        let mut sum = (0, Duration::ZERO);
        for order in &orders {
            dots.restart();
            let start = Instant::now();
            sum.0 += black_box(play(dots, order));
            sum.1 += start.elapsed();
        }
        sum
    };
    // The first round also warms up the buffers.
    let (placed, _) = all(&mut dots);

    let mut group = c.benchmark_group("random full game");
    for (unit, count) in [("dots", placed), ("games", GAMES)] {
        group.throughput(Throughput::Elements(count));
        group.bench_function(unit, |b| {
            b.iter_custom(|rounds| (0..rounds).map(|_| all(&mut dots).1).sum());
        });
    }
    group.finish();
}

fn undo(c: &mut Criterion) {
    let orders = orders(GAMES);
    let mut dots = Dots::new(&Setup::DEFAULT);
    let mut all = || -> (u64, Duration) {
        let mut sum = (0, Duration::ZERO);
        for order in &orders {
            sum.0 += play(&mut dots, order);
            let start = Instant::now();
            while black_box(dots.undo()).is_some() {}
            sum.1 += start.elapsed();
        }
        sum
    };
    let (placed, _) = all();

    let mut group = c.benchmark_group("undo");
    group.throughput(Throughput::Elements(placed));
    group.bench_function("dots", |b| {
        b.iter_custom(|rounds| (0..rounds).map(|_| all().1).sum());
    });
    group.finish();
}

/// One dot that encloses almost the whole default board, 37 × 30 points with 555 opposing dots, and its undo.
fn large_capture(c: &mut Criterion) {
    let setup = Setup::DEFAULT;
    let last = Point::new(19, 0);
    let mut dots = Dots::new(&setup);
    for point in setup.points().filter(|&point| point != last) {
        let at_edge = point.x == 0
            || point.y == 0
            || point.x == setup.width() - 1
            || point.y == setup.height() - 1;
        if at_edge {
            dots.play_as(Seat::First, point).unwrap();
        } else if (point.x + point.y) % 2 == 0 {
            dots.play_as(Seat::Second, point).unwrap();
        }
    }
    c.bench_function("capture of 1110 points and undo", |b| {
        b.iter(|| {
            black_box(dots.play_as(Seat::First, last)).unwrap();
            dots.undo();
        });
    });
}

/// The cost of previews while a pointer moves over the board of a half-played game.
fn preview(c: &mut Criterion) {
    let mut dots = Dots::new(&Setup::new(39, 32, Opening::FourCrosses).unwrap());
    play(&mut dots, &orders(1)[0][..624]);
    let free: Vec<_> = dots.free_points().collect();
    let mut group = c.benchmark_group("hover preview");
    group.throughput(Throughput::Elements(free.len() as u64));
    group.bench_function("points", |b| {
        b.iter(|| {
            for &point in &free {
                let seen = dots.preview(Seat::First, point, |after, change| {
                    (
                        change.won,
                        after
                            .captures_of(change)
                            .map(|capture| capture.line().len())
                            .sum::<usize>(),
                    )
                });
                black_box(seen).unwrap();
            }
        });
    });
    group.finish();
}

/// The cost of a move on a copy of the position.
fn copy(c: &mut Criterion) {
    let mut dots = Dots::new(&Setup::DEFAULT);
    play(&mut dots, &orders(1)[0][..624]);
    c.bench_function("copy of a half played game", |b| {
        b.iter(|| black_box(dots.clone()));
    });
}

/// The number of Reversi games of this many plies.
fn games(reversi: &mut Reversi, depth: u32) -> u64 {
    let Some(seat) = reversi.to_move() else {
        return 1;
    };
    let legal = reversi.legal(seat);
    if depth == 1 {
        return u64::from(legal.len());
    }
    let mut sum = 0;
    for point in legal {
        reversi.play(point).expect("a legal move");
        sum += games(reversi, depth - 1);
        reversi.undo();
    }
    sum
}

/// Counts the same games with `magpie`, whose boards are copied instead of undone.
fn games_of_magpie(board: &Board, stone: Stone, depth: u32) -> u64 {
    let mut stone = stone;
    let mut legal = board.moves_for(stone);
    if legal.is_empty() {
        stone = stone.flip();
        legal = board.moves_for(stone);
        if legal.is_empty() {
            return 1;
        }
    }
    if depth == 1 {
        return u64::from(legal.count_set());
    }
    let mut sum = 0;
    for position in legal.hot_bits() {
        let mut after = board.clone();
        after.play(stone, position);
        sum += games_of_magpie(&after, stone.flip(), depth - 1);
    }
    sum
}

fn perft(c: &mut Criterion) {
    const DEPTH: u32 = 9;
    const GAMES: u64 = 3_005_320;
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("reversi", |b| {
        let mut reversi = Reversi::new(&reversi::Setup::DEFAULT);
        b.iter(|| assert_eq!(games(black_box(&mut reversi), DEPTH), GAMES));
    });
    group.bench_function("magpie", |b| {
        b.iter(|| {
            let board = Board::standard();
            assert_eq!(
                games_of_magpie(black_box(&board), Stone::Black, DEPTH),
                GAMES
            );
        });
    });
    group.finish();
}

/// A whole game on the largest board, with its moves in random order.
fn random_games_of_others(c: &mut Criterion) {
    fn shuffled<M>(moves: impl Iterator<Item = M>) -> Vec<M> {
        let mut moves: Vec<_> = moves.collect();
        let mut chance = Chance(1);
        for last in (1..moves.len()).rev() {
            moves.swap(last, chance.below(last + 1));
        }
        moves
    }
    fn whole<G: Game>(game: &mut G, moves: &[G::Move]) {
        game.restart();
        for &mv in moves {
            if game.play(mv).is_err() {
                break;
            }
        }
        assert!(game.outcome().is_some());
    }
    let setup = boxes::Setup::new(10, 10).expect("the largest board");
    let lines = shuffled(setup.lines());
    let mut boxes = Boxes::new(&setup);
    c.bench_function("random full game of boxes", |b| {
        b.iter(|| whole(&mut boxes, &lines));
    });
    let setup = gomoku::Setup::DEFAULT;
    let points = shuffled(setup.points());
    let mut gomoku = Gomoku::new(&setup);
    c.bench_function("random full game of gomoku", |b| {
        b.iter(|| whole(&mut gomoku, &points));
    });
}
