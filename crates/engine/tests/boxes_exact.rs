//! Exact values of Dots and Boxes are the final margin, also on boards that are too large to try everything.

use tochki_engine::{Engine, Limits, Progress, Report, Rng, boxes::BoxesEngine};
use tochki_rules::{
    Game, Seat,
    boxes::{Boxes, Line, Orientation, Setup},
};

/// Nodes for the question whether a position can be solved already.
const ASKED: u64 = 12_000;

/// Nodes for the positions that follow a solved one. The first search may have had a better guess, or luck with the order of
/// moves, so they are more.
const AFTERWARDS: u64 = 40 * ASKED;

/// The lines that are drawn until a position is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lot {
    /// Any line, so that many boxes are given away early.
    Any,
    /// Lines that give nothing away, as long as there are any, so that chains and loops are left.
    Safe,
}

/// The player of the other side from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// The engine, too: the margin is the value.
    Engine,
    /// Random lines: the margin is the value or more.
    Random,
}

fn searched(engine: &mut BoxesEngine, position: &Boxes, nodes: u64, seed: u64) -> Report<Line> {
    let limits = Limits {
        memory: Limits::MIN_MEMORY,
        ..Limits::nodes(nodes)
    };
    engine.set_position(position, limits, seed);
    while engine.step(1_000) == Progress::Running {}
    engine.best()
}

/// The best value, if it is called exact.
fn exact_value(report: &Report<Line>) -> Option<i16> {
    let best = report.moves.first().filter(|best| best.exact)?;
    assert!(best.value.fract().abs() < f32::EPSILON, "{best:?}");
    Some(best.value as i16)
}

fn draw(lines: &[Line], rng: &mut Rng) -> Option<Line> {
    lines.get(rng.below(lines.len() as u32) as usize).copied()
}

fn random_line(position: &Boxes, lot: Lot, rng: &mut Rng) -> Line {
    let free: Vec<Line> = position.free_lines().collect();
    let is_safe = |line: &&Line| gives_nothing(position, **line);
    let safe: Vec<Line> = free.iter().filter(is_safe).copied().collect();
    let line = match lot {
        Lot::Any => draw(&free, rng),
        Lot::Safe => draw(&safe, rng).or_else(|| draw(&free, rng)),
    };
    line.expect("the game goes on")
}

/// Returns whether no box at the line has two drawn lines or more.
fn gives_nothing(position: &Boxes, line: Line) -> bool {
    let Line { x, y, .. } = line;
    let before = match line.orientation {
        Orientation::Horizontal => (x, y.wrapping_sub(1)),
        Orientation::Vertical => (x.wrapping_sub(1), y),
    };
    let setup = position.setup();
    let boxes = [before, (x, y)].into_iter();
    let mut boxes = boxes.filter(|&(x, y)| x < setup.cols() && y < setup.rows());
    boxes.all(|(x, y)| {
        let sides = [
            Line::across(x, y),
            Line::across(x, y + 1),
            Line::down(x, y),
            Line::down(x + 1, y),
        ];
        let drawn = sides.iter().filter(|&&side| position.line(side).is_some());
        drawn.count() < 2
    })
}

fn margin(position: &Boxes, seat: Seat) -> i16 {
    let score = position.score();
    score[seat.index()] as i16 - score[seat.other().index()] as i16
}

/// A position that the engine has solved.
struct Solved {
    position: Boxes,
    report: Report<Line>,
    value: i16,
}

/// Draws lines until the value of a position is exact. The engine is asked from so many free lines on. `None` if the game is over
/// before.
fn first_solved(setup: Setup, asked_from: usize, lot: Lot, seed: u64) -> Option<Solved> {
    let mut rng = Rng::new(seed);
    let mut position = Boxes::new(&setup);
    let mut engine = BoxesEngine::new(&position, Limits::nodes(0), seed);
    while position.to_move().is_some() {
        if position.free_lines().count() <= asked_from {
            let report = searched(&mut engine, &position, ASKED, seed);
            if let Some(value) = exact_value(&report) {
                return Some(Solved {
                    position,
                    report,
                    value,
                });
            }
        }
        let line = random_line(&position, lot, &mut rng);
        position.play(line).expect("a free line");
    }
    None
}

/// Plays to the end and compares the value at every move and the margin at last. Returns whether the other side has lost
/// something by its random lines.
fn play_on(solved: &Solved, other: Other, seed: u64) -> bool {
    let mut position = solved.position.clone();
    let seat = position.to_move().expect("the game goes on");
    let mut rng = Rng::new(seed);
    let mut engine = BoxesEngine::new(&position, Limits::nodes(0), seed);
    let mut promised = solved.value;
    while let Some(mover) = position.to_move() {
        let line = if other == Other::Random && mover != seat {
            random_line(&position, Lot::Any, &mut rng)
        } else {
            let report = searched(&mut engine, &position, AFTERWARDS, seed);
            let value = exact_value(&report).expect("what follows a solved position is easier");
            let value = if mover == seat { value } else { -value };
            match other {
                Other::Engine => assert_eq!(value, promised, "{position:?}"),
                Other::Random => assert!(value >= promised, "{value} after {promised}"),
            }
            promised = value;
            report.choice.expect("the game goes on")
        };
        position.play(line).expect("a free line");
    }
    assert_eq!(margin(&position, seat), promised, "the final margin");
    promised > solved.value
}

/// Checks that each value that is called exact is the value after the move, and that the best one comes first.
fn every_exact_move_keeps_its_value(solved: &Solved, seed: u64) {
    let mover = solved.position.to_move().expect("the game goes on");
    for candidate in solved.report.moves.iter().filter(|one| one.exact) {
        let mut position = solved.position.clone();
        position.play(candidate.mv).expect("a free line");
        let value = match position.to_move() {
            None => margin(&position, mover),
            Some(next) => {
                let mut engine = BoxesEngine::new(&position, Limits::nodes(0), seed);
                let report = searched(&mut engine, &position, AFTERWARDS, seed);
                let value = exact_value(&report).expect("what follows is easier");
                if next == mover { value } else { -value }
            }
        };
        assert_eq!(value, candidate.value as i16, "{candidate:?}");
        assert!(value <= solved.value, "{candidate:?}");
    }
}

/// Plays games of each kind on a board. The engine is asked as soon as `asked_from` lines are free, and solves positions of
/// `lines` free lines or more, on average.
#[track_caller]
fn check(cols: u8, rows: u8, asked_from: usize, lines: usize) {
    // More of them: `GAMES=334 cargo test --release -p tochki-engine --test boxes_exact -- --nocapture`
    let games = std::env::var("GAMES").map_or(6, |games| games.parse().expect("a number"));
    let setup = Setup::new(cols, rows).expect("a board");
    let (mut positions, mut free, mut better) = (0, 0, 0);
    for game in 0..games {
        for (lot, other) in [
            (Lot::Any, Other::Engine),
            (Lot::Safe, Other::Engine),
            (Lot::Safe, Other::Random),
        ] {
            let Some(solved) = first_solved(setup, asked_from, lot, game) else {
                continue;
            };
            positions += 1;
            free += solved.position.free_lines().count();
            every_exact_move_keeps_its_value(&solved, game);
            better += u64::from(play_on(&solved, other, game));
        }
    }
    println!("{cols} × {rows}: {positions} positions with {free} free lines, {better} better");
    assert_eq!(positions, 3 * games, "every game has a solved position");
    assert!(free >= lines * positions as usize, "{free} of {positions}");
    assert!(2 * better > games, "random lines lose something: {better}");
}

#[test]
fn four_by_four() {
    check(4, 4, 28, 25);
}

#[test]
fn five_by_three() {
    check(5, 3, 27, 24);
}

#[test]
fn five_by_five() {
    check(5, 5, 37, 33);
}

#[test]
fn seven_by_seven() {
    check(7, 7, 58, 50);
}
