//! Tests of the engine of Dots and Boxes through its public interface.

use super::*;
use crate::{Level, Rng};
use proptest::prelude::*;
use std::fmt::Write as _;
use tochki_rules::boxes::Orientation;

/// Little memory, so that the tests are quick.
const SMALL: Limits = Limits {
    memory: 1 << 20,
    ..Limits::NONE
};

fn board(cols: u8, rows: u8) -> Boxes {
    Boxes::new(&Setup::new(cols, rows).unwrap())
}

fn finished(position: &Boxes, limits: Limits, seed: u64) -> BoxesEngine {
    let mut engine = BoxesEngine::new(position, limits, seed);
    while engine.step(10_000) == Progress::Running {}
    engine
}

/// Plays moves at random until so many lines are free. Returns whether the game goes on.
fn play_at_random(position: &mut Boxes, free: usize, rng: &mut Rng) -> bool {
    while position.to_move().is_some() {
        let lines: Vec<_> = position.free_lines().collect();
        if lines.len() <= free {
            return true;
        }
        position
            .play(lines[rng.below(lines.len() as u32) as usize])
            .unwrap();
    }
    false
}

/// The gain of the side to move from each set of free lines, by trying every line, from the end backwards. Only the lines of
/// `free` are in the sets: bit `i` of a place is the `i`-th of them.
fn retrograde(graph: &Graph<u64>, free: u64) -> Vec<i8> {
    let lines: Vec<u8> = free.numbers().collect();
    let sides: Vec<usize> = graph
        .sides
        .iter()
        .map(|&side| {
            let bits = (0..lines.len()).filter(|&bit| side.has(lines[bit]));
            bits.fold(0, |set, bit| set | 1 << bit)
        })
        .collect();
    // The ground is never taken: it has a side that is always free.
    let ground = 1 << lines.len();
    let ends: Vec<[usize; 2]> = lines
        .iter()
        .map(|&line| {
            let side = |end: u8| sides.get(usize::from(end)).copied();
            graph.ends[usize::from(line)].map(|end| side(end).unwrap_or(ground))
        })
        .collect();
    let mut values = vec![0i8; ground];
    for place in 1..ground {
        let (mut best, mut rest) = (i8::MIN, place);
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let after = place ^ 1 << bit;
            let [one, other] = ends[bit].map(|side| i8::from(side & (after | ground) == 0));
            let value = values[after];
            let value = match one + other {
                0 => -value,
                boxes => boxes + value,
            };
            best = best.max(value);
        }
        values[place] = best;
    }
    values
}

/// Compares the values of captures with those of the retrograde solver.
#[track_caller]
fn captures_agree(captures: &Captures<u64>, value: i8, rest: i8) {
    assert_eq!(captures.value(i16::from(rest)), i16::from(value));
}

/// Returns whether a box is free to take.
fn has_capture(graph: &Graph<u64>, set: u64) -> bool {
    let mut sides = graph.sides.iter();
    sides.any(|&side| (side & set).is_power_of_two())
}

/// Compares the solver, where no box is free to take.
#[track_caller]
fn solver_agrees(solver: &mut Solver, set: u64, value: i8) {
    // The guess is only the start of the search.
    solver.set_root(set, f32::from(value));
    solver.work(u64::MAX);
    assert_eq!(solver.value(), Some(i16::from(value)), "{set:#x}");
}

/// Compares all subsets of these lines.
#[track_caller]
fn agrees_with_retrograde(position: &Boxes, free: u64, every: usize) {
    let (graph, _) = Graph::<u64>::new(position).unwrap();
    let values = retrograde(&graph, free);
    let lines: Vec<u8> = free.numbers().collect();
    let place = |set: u64| {
        let bits = (0..lines.len()).filter(|&bit| set.has(lines[bit]));
        bits.fold(0, |place, bit| place | 1 << bit)
    };
    let mut solver = Solver::new(graph.clone(), 0, 0.0, 1 << 22);
    for at in (0..values.len()).step_by(every) {
        let set = (0..lines.len()).filter(|bit| at >> bit & 1 != 0);
        let set = set.fold(0u64, |set, bit| set.with(lines[bit]));
        let captures = Captures::new(&graph, set);
        captures_agree(&captures, values[at], values[place(captures.rest)]);
        solver_agrees(&mut solver, captures.rest, values[place(captures.rest)]);
    }
}

/// The images of sets of lines of a square board turned round and mirrored: for each of the seven, eight lines at a time.
fn images(graph: &Graph<u64>) -> Vec<[[u64; 256]; 3]> {
    let size = graph.lines.iter().map(|line| line.x).max().unwrap();
    let image = |line: Line, turn: u8| {
        // A line by its middle, in halves of the distance between two dots.
        let (mut x, mut y) = match line.orientation {
            Orientation::Horizontal => (2 * line.x + 1, 2 * line.y),
            Orientation::Vertical => (2 * line.x, 2 * line.y + 1),
        };
        if turn & 1 != 0 {
            x = 2 * size - x;
        }
        if turn & 2 != 0 {
            y = 2 * size - y;
        }
        if turn & 4 != 0 {
            (x, y) = (y, x);
        }
        if x % 2 == 1 {
            Line::across(x / 2, y / 2)
        } else {
            Line::down(x / 2, y / 2)
        }
    };
    let bytes = |turn| {
        let mut bytes = [[0u64; 256]; 3];
        for (byte, sets) in bytes.iter_mut().enumerate() {
            for (bits, set) in sets.iter_mut().enumerate() {
                for bit in (0..8).filter(|bit| bits >> bit & 1 != 0) {
                    let line = graph.number(image(graph.lines[8 * byte + bit], turn));
                    *set = set.with(line.unwrap());
                }
            }
        }
        bytes
    };
    (1..8).map(bytes).collect()
}

/// Every position of 3 × 3 is valued from the end backwards. Of the classes of symmetry, the solver is compared on half of
/// those where no box is free to take, and captures on every sixteenth of the others.
#[test]
fn all_values_of_three_by_three_are_those_of_the_retrograde_solver() {
    let (graph, all) = Graph::<u64>::new(&board(3, 3)).unwrap();
    let values = retrograde(&graph, all);
    assert_eq!(values.last(), Some(&-3));
    let images = images(&graph);
    let is_first = |set: u64| {
        images.iter().all(|[low, middle, high]| {
            let byte = |by: u32| (set >> by & 255) as usize;
            low[byte(0)] | middle[byte(8)] | high[byte(16)] >= set
        })
    };
    let mut solver = Solver::new(graph.clone(), 0, 0.0, 1 << 22);
    let (mut classes, mut quiet, mut compared) = (0, 0, 0);
    for set in (0..=all).filter(|&set| is_first(set)) {
        let value = |set: u64| values[set as usize];
        if !has_capture(&graph, set) {
            if quiet % 2 == 0 {
                solver_agrees(&mut solver, set, value(set));
                compared += 1;
            }
            quiet += 1;
        } else if classes % 16 == 0 {
            let captures = Captures::new(&graph, set);
            captures_agree(&captures, value(set), value(captures.rest));
            compared += 1;
        }
        classes += 1;
    }
    assert!(compared > 150_000, "{compared} of which half of {quiet}");
    // By Burnside's lemma: the sets that stay the same in quarter turns, the half turn, and both kinds of mirrors.
    let expected = ((1 << 24) + 2 * (1 << 6) + (1 << 12) + 2 * (1 << 14) + 2 * (1 << 12)) / 8;
    assert_eq!(classes, expected);
}

#[test]
fn small_boards_are_solved_whole() {
    for (cols, rows, value) in [(1, 1, -1.0), (2, 2, 2.0), (3, 3, -3.0)] {
        let report = finished(&board(cols, rows), SMALL, 1).best();
        assert!(report.moves[0].exact);
        assert!(
            (report.moves[0].value - value).abs() < 0.5,
            "{cols} × {rows}: {}",
            report.moves[0].value
        );
    }
}

#[test]
fn four_by_three_is_solved_whole() {
    let limits = Limits::nodes(5_000_000);
    let best = &finished(&board(4, 3), limits, 1).best().moves[0];
    assert!(best.exact && best.value.abs() < 0.5, "{best:?}");
}

#[test]
fn values_are_those_of_the_retrograde_solver() {
    for (cols, rows) in [(1, 1), (1, 3), (3, 1), (2, 2)] {
        let position = board(cols, rows);
        let lines = u64::from(position.setup().line_count());
        agrees_with_retrograde(&position, (1 << lines) - 1, 3);
    }
    let mut rng = Rng::new(3);
    for _ in 0..3 {
        let mut free = (1u64 << 24) - 1;
        while free.count_ones() > 10 {
            free &= !(1 << rng.below(24));
        }
        agrees_with_retrograde(&board(3, 3), free, 1);
    }
}

/// Plays a position to its end: the engine for the seat that is to move, and for the other one, too, or random lines. Returns the
/// value that was called exact at the beginning, and the margin at the end.
fn played_out(mut position: Boxes, both: bool, seed: u64) -> (i16, i16) {
    let seat = position.to_move().unwrap();
    let mut rng = Rng::new(seed);
    let mut engine = BoxesEngine::new(&position, SMALL, seed);
    let mut promised = None;
    while let Some(mover) = position.to_move() {
        if both || mover == seat {
            engine.set_position(&position, SMALL, seed);
            while engine.step(1_000) == Progress::Running {}
            let report = engine.best();
            assert!(report.moves[0].exact);
            promised = promised.or(Some(report.moves[0].value as i16));
            position.play(report.choice.unwrap()).unwrap();
        } else {
            let nth = rng.below(position.free_lines().count() as u32) as usize;
            let line = position.free_lines().nth(nth).unwrap();
            position.play(line).unwrap();
        }
    }
    let score = position.score();
    let margin = score[seat.index()] as i16 - score[seat.other().index()] as i16;
    (promised.unwrap(), margin)
}

#[test]
fn an_exact_value_is_the_final_margin() {
    let mut rng = Rng::new(5);
    let (mut games, mut better) = ([0, 0], 0);
    while games[0] + games[1] < 1_000 {
        let game = games[0] + games[1];
        let (cols, rows) = [(3, 3), (4, 3), (4, 4)][game % 3];
        let mut position = board(cols, rows);
        if !play_at_random(&mut position, 10 + game % 7, &mut rng) {
            continue;
        }
        let both = game % 2 == 0;
        games[usize::from(both)] += 1;
        let (promised, margin) = played_out(position, both, game as u64);
        if both {
            assert_eq!(promised, margin, "game {game}");
        } else {
            assert!(promised <= margin, "game {game}");
            better += u32::from(promised < margin);
        }
    }
    assert!(better > 250, "random lines lose something: {better}");
}

/// Draws lines: `-` and `|` are drawn, a dot is `+`, and `.` is a free line.
fn drawn(drawing: &str) -> Boxes {
    let rows: Vec<&str> = drawing
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .collect();
    let cols = rows[0].chars().filter(|&mark| mark == '+').count() as u8 - 1;
    let mut position = board(cols, (rows.len() / 2) as u8);
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.chars().enumerate() {
            if mark == '-' || mark == '|' {
                position.play(Line::in_row(y as u8, (x / 2) as u8)).unwrap();
            }
        }
    }
    position
}

#[track_caller]
fn check(drawing: &str, value: i64, choices: &[&str]) {
    let position = drawn(drawing);
    let report = finished(&position, SMALL, 1).best();
    let seat = position.to_move().unwrap();
    let score = position.score();
    let ahead = i64::from(score[seat.index()]) - i64::from(score[seat.other().index()]);
    assert_eq!(report.moves[0].value as i64 - ahead, value);
    let choice = report.choice.unwrap().to_string();
    assert!(choices.contains(&&*choice), "{choice}");
}

#[test]
fn the_last_two_of_a_chain_are_left() {
    // Taking all four leaves the mover to open the other chain: 4 − 4. Leaving two gains 2 − 2 + 4.
    check(
        "
        +-+-+-+-+
        | . . . .
        +-+-+-+-+
        . . . . .
        +-+-+-+-+
        ",
        4,
        &["v:1,0"],
    );
}

#[test]
fn the_last_chain_is_taken_whole() {
    check(
        "
        +-+-+-+
        | . . .
        +-+-+-+
        ",
        3,
        &["v:1,0"],
    );
    check(
        "
        +-+-+
        | . .
        +-+-+
        ",
        2,
        &["v:1,0"],
    );
}

#[test]
fn the_middle_of_a_short_chain_is_given() {
    // Given by its end, two could be left to the giver, who would then open the chain of four: −4 − 2 + 2.
    check(
        "
        +-+-+-+-+
        . . . . .
        +-+-+-+-+
        . . | | |
        +-+.+-+-+
        ",
        2,
        &["v:1,1"],
    );
}

#[test]
fn a_game_that_is_over_has_no_choice() {
    let mut position = board(2, 2);
    play_at_random(&mut position, 0, &mut Rng::new(1));
    let mut engine = BoxesEngine::new(&position, SMALL, 1);
    assert_eq!(engine.step(1), Progress::Done);
    let report = engine.best();
    assert_eq!(
        (report.choice, report.moves.len(), report.settled),
        (None, 0, true)
    );
}

#[test]
fn steps_of_any_size_search_the_same() {
    let mut position = board(5, 5);
    play_at_random(&mut position, 30, &mut Rng::new(2));
    let limits = Limits {
        nodes: 6_000,
        ..SMALL
    };
    let whole = finished(&position, limits, 9).best();
    for budget in [1, 37, 1000] {
        let mut engine = BoxesEngine::new(&position, limits, 9);
        while engine.step(budget) == Progress::Running {}
        assert_eq!(engine.best(), whole, "{budget}");
    }
    assert!(whole.nodes <= 6_000);
}

#[test]
fn what_is_free_is_taken_from_the_third_level_on() {
    let mut rng = Rng::new(11);
    for game in 0..30 {
        let mut position = board(4, 3);
        if !play_at_random(&mut position, 12, &mut rng) {
            continue;
        }
        let (graph, free) = wide(&position);
        let captures = Captures::new(&graph, free);
        for level in Level::all().skip(2) {
            let report = finished(&position, Limits { level, ..SMALL }, game).best();
            let choice = report.choice;
            if captures.boxes > 0 {
                assert_eq!(
                    choice,
                    Some(report.moves[0].mv),
                    "level {level}: the best one"
                );
            }
            let change = position.play(choice.unwrap()).unwrap();
            position.undo();
            let leaves = captures
                .leave
                .is_some_and(|leave| graph.lines[usize::from(leave.line)] == change.line);
            assert!(
                captures.boxes == 0 || change.count() > 0 || leaves,
                "level {level}"
            );
        }
    }
}

/// Moves are the same on every platform: seed, nodes, and the choice on a board.
#[test]
fn seed_and_nodes_fix_the_moves() {
    let mut told = String::new();
    for (cols, rows, free) in [
        (3, 3, 24),
        (5, 5, 45),
        (5, 5, 34),
        (7, 4, 50),
        (10, 10, 200),
    ] {
        let mut position = board(cols, rows);
        play_at_random(&mut position, free, &mut Rng::new(4));
        let limits = Limits {
            nodes: 1_500,
            ..SMALL
        };
        let report = finished(&position, limits, 7).best();
        let best = &report.moves[0];
        writeln!(told, "{} {:.4} {}", best.mv, best.value, best.visits).unwrap();
    }
    assert_eq!(told, VECTORS);
}

const VECTORS: &str = "\
v:1,2 -1.3885 139
h:3,0 0.4844 512
h:3,0 1.0391 512
v:1,0 2.4531 512
h:0,0 -2.1132 866
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_reachable_position_panics(
        cols in 1..=10u8,
        rows in 1..=10u8,
        seed in any::<u64>(),
        share in 0..=100usize,
        level in 1..=8u8,
    ) {
        let mut position = board(cols, rows);
        let lines = usize::from(position.setup().line_count());
        play_at_random(&mut position, lines * share / 100, &mut Rng::new(seed));
        let limits = Limits { level: Level::new(level).unwrap(), memory: 1 << 18, ..Limits::NONE };
        let mut engine = BoxesEngine::new(&position, limits, seed);
        let before = engine.best().choice;
        engine.step(40);
        let choice = engine.best().choice;
        prop_assert_eq!(choice.is_some(), position.to_move().is_some());
        for choice in before.into_iter().chain(choice) {
            prop_assert!(position.is_free(choice).is_ok());
        }
    }
}
