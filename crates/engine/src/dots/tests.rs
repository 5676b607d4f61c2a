//! The engine on drawn boards: `R` and `B` are dots, red is to move, and one of the points marked `*` is the right move.

use super::{
    DotsEngine,
    field::Field,
    is_settled,
    ladder_scan::LadderScan,
    ladders::Ladders,
    patterns::Weights,
    place::Place,
    prior::{Context, Prior},
};
use crate::{Engine, Level, Limits, Progress};
use proptest::prelude::*;
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Opening, Point, Setup},
};

/// The drawn position and the marked points.
pub(super) fn read(drawing: &str) -> (Dots, Vec<Point>) {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let setup = Setup::new(rows[0].len() as u8, rows.len() as u8, Opening::Empty).unwrap();
    let mut dots = Dots::new(&setup);
    let mut marked = Vec::new();
    // Blue last, so that red is to move.
    for (wanted, seat) in [('R', Seat::First), ('B', Seat::Second)] {
        for point in setup.points() {
            let mark = rows[usize::from(point.y)][usize::from(point.x)];
            if mark == wanted {
                dots.play_as(seat, point).unwrap();
            }
            if mark == '*' && wanted == 'R' {
                marked.push(point);
            }
        }
    }
    (dots, marked)
}

fn search(dots: &Dots, limits: Limits, seed: u64) -> DotsEngine {
    let mut engine = DotsEngine::new(dots, limits, seed);
    while engine.step(1000) == Progress::Running {}
    engine
}

#[track_caller]
fn check(drawing: &str, nodes: u64) {
    let (dots, marked) = read(drawing);
    let report = search(&dots, Limits::nodes(nodes), 1).best();
    let choice = report.choice.expect("the game goes on");
    assert!(
        marked.contains(&choice),
        "played {choice}, expected one of {marked:?}"
    );
}

#[test]
fn it_takes_what_lies_free() {
    check(
        ". . . . . . .
         . . R . . . .
         . R B * . . .
         . . R . . . .
         . . . . . . .
         . . . . . . .",
        2000,
    );
}

#[test]
fn it_takes_more_rather_than_less() {
    check(
        ". . . . . . . . .
         . R . . . . R . .
         R B . . . R B R .
         . R . . . R B R .
         . . . . . . * . .
         . . . . . . . . .
         . . . . . . . . .",
        3000,
    );
}

#[test]
fn it_saves_its_dots() {
    check(
        ". . . . . . . .
         . . . B . . . .
         . . B R * . . .
         . . . B . . . .
         . . . . . . . .
         . . . . . . . .
         . . . . . . . .",
        2000,
    );
}

#[test]
fn a_dot_that_makes_two_threats_wins() {
    // Red threatens to capture on two sides then.
    check(
        ". . . . B . . . .
         . . . R . R . . .
         . . R B * B R . .
         . . . . . . . . .
         . . . . B . . . .
         . . . . . . . . .",
        6000,
    );
}

#[test]
fn a_net_takes_more_than_a_double_threat() {
    // Blue has to link the two dots, and whichever way it then runs, red closes.
    check(
        ". . . . . . . . .
         . . . R . R . . .
         . . R B . B R . .
         . . . * . * . . .
         . . . . . . . . .
         . . . . . . . . .",
        60_000,
    );
}

#[test]
fn a_capture_of_what_captures_saves() {
    // Blue threatens two captures; both dots between them end that and capture.
    check(
        ". . . . . . . . .
         . . . . . . . . .
         . . . B . B . . .
         . . B R * R B . .
         . . R B * B R . .
         . . . R . R . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
        6000,
    );
}

#[track_caller]
fn check_ladder(drawing: &str) {
    let (dots, marked) = read(drawing);
    assert_eq!(
        Ladders::new().best_move(&dots),
        marked.first().copied(),
        "the beginning of the ladder"
    );
}

#[test]
fn a_ladder_along_a_wall_ends_at_its_turn() {
    // Each of red's dots beside the wall threatens to close below the runner.
    let drawing = "
        . . . . . . .
        . . R . . . .
        . R B * . . .
        . R . . . . .
        . R . . . . .
        . R . . . . .
        . R . . . . .
        . . R . . . .
        . . . . . . .";
    check_ladder(drawing);
    check(drawing, 12_000);
}

#[test]
fn a_ladder_that_meets_a_dot_of_the_runner_fails() {
    check_ladder(
        ". . . . . . .
         . . R . . . .
         . R B . . . .
         . R . . . . .
         . R . B . . .
         . R . . . . .
         . R . . . . .
         . . R . . . .
         . . . . . . .",
    );
}

#[test]
fn a_ladder_fails_if_its_first_dot_is_captured() {
    check_ladder(
        ". . . . . . .
         . . R B . . .
         . R B . B . .
         . R . . . . .
         . R . . . . .
         . R . . . . .
         . R . . . . .
         . . R . . . .
         . . . . . . .",
    );
}

#[test]
fn the_runner_of_a_ladder_is_saved() {
    // It is red who runs here; next to the runner or at the turn of the wall, but not elsewhere.
    let (dots, _) = read(
        ". . . . . . .
         . . B . . . .
         . B R . . . .
         . B . . . . .
         . B . . . . .
         . B . . . . .
         . B . . . . .
         . . B . . . .
         . . . . . . .",
    );
    let saved = Ladders::new().best_move(&dots).expect("it can be saved");
    let mut after = dots.clone();
    after.play(saved).unwrap();
    assert_eq!(Ladders::new().best_move(&after), None, "after {saved}");
}

/// The moves that the search of ladders in parts finds for the side to move.
fn scan(dots: &Dots) -> Vec<Point> {
    let mut field = Field::new(dots);
    let mut ladders = LadderScan::new();
    ladders.begin(dots.to_move().unwrap());
    while !ladders.is_done() {
        assert!(
            ladders.moves().is_empty(),
            "nothing is known before the end"
        );
        let placed = ladders.advance(&mut field);
        assert!(placed < 10_000, "{placed} dots in one part");
    }
    assert_eq!(field.dots(), dots);
    ladders.moves().iter().map(|place| place.point()).collect()
}

/// A runner beside a wall of ten dots, which is more threats than the tactical search goes deep.
const LONG_LADDER: &str = "
    . . . . . . .
    . . R . . . .
    . R B * . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . R . . . . .
    . . R . . . .
    . . . . . . .";

#[test]
fn a_ladder_across_the_board_is_begun() {
    let (dots, marked) = read(LONG_LADDER);
    assert_eq!(scan(&dots), marked);
    check(LONG_LADDER, 12_000);
}

#[test]
fn a_ladder_across_the_board_is_not_begun_in_vain() {
    // A dot of the runner stands in its way.
    let (mut dots, _) = read(&LONG_LADDER.replace('*', "."));
    dots.play_as(Seat::Second, Point::new(3, 8)).unwrap();
    assert_eq!(scan(&dots), []);
}

#[test]
fn the_runner_is_saved_before_a_ladder_across_the_board() {
    let swapped = LONG_LADDER
        .replace('R', "X")
        .replace('B', "R")
        .replace('X', "B");
    let (dots, _) = read(&swapped.replace('*', "."));
    let saves = scan(&dots);
    assert!(!saves.is_empty());
    let choice = search(&dots, Limits::nodes(12_000), 1)
        .best()
        .choice
        .unwrap();
    assert!(saves.contains(&choice), "{choice} of {saves:?}");
    for save in saves {
        let mut after = dots.clone();
        after.play(save).unwrap();
        assert_eq!(scan(&after), [], "after {save}");
    }
}

#[test]
fn it_enters_a_house_to_capture() {
    // The dot in the house captures one of those round it.
    check(
        ". . . . . . . .
         . . R B . . . .
         . R B * B . . .
         . . R B . . . .
         . . . . . . . .
         . . . . . . . .",
        3000,
    );
}

#[test]
fn it_captures_round_its_own_house() {
    // Red may close the larger line, which takes the dot beside the house too.
    check(
        ". . . . . . . .
         . . R R . . . .
         . R . B * . . .
         . . R R . . . .
         . . . . . . . .
         . . . . . . . .",
        3000,
    );
}

#[test]
fn it_does_not_step_into_a_house_for_nothing() {
    // Only the two houses are left, and red has a dot to place in its own.
    let (dots, marked) = read(
        "R R R R B B B
         R * R R B B B
         R R R B B . B
         R R R B B B B",
    );
    let report = search(&dots, Limits::nodes(300), 1).best();
    assert_eq!(report.choice, Some(marked[0]));
    assert!(!report.settled, "blue has to enter the other house next");
}

/// The shares of the points by the prior.
fn shares(dots: &Dots) -> Vec<(f32, Point)> {
    let mut past = dots.clone();
    let context = Context {
        seat: dots.to_move().unwrap(),
        last: [(); 2].map(|()| past.undo().map_or(Place::NONE, Place::of)),
    };
    let mut prior = Prior::new(Weights::trained());
    let shares = prior.weigh(&mut Field::new(dots), context, |_| 1.0);
    shares
        .iter()
        .map(|&(share, at)| (share, at.point()))
        .collect()
}

/// The prior gives the first marked point more than the second one.
#[track_caller]
fn check_prior(drawing: &str, better: (u8, u8), worse: (u8, u8)) {
    let (dots, _) = read(drawing);
    let shares = shares(&dots);
    let share = |(x, y)| {
        let found = shares.iter().find(|share| share.1 == Point::new(x, y));
        found.map_or(0.0, |share| share.0)
    };
    let (better, worse) = (share(better), share(worse));
    assert!(better > worse, "{better} and {worse}");
}

#[test]
fn a_cut_is_better_than_a_corner() {
    let drawing = "
        . . . . . . . . .
        . . . . . . . . .
        . . . R . . . . .
        . . B . B . . . .
        . . . R . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check_prior(drawing, (3, 3), (0, 0));
    check_prior(drawing, (3, 3), (1, 1));
}

#[test]
fn a_link_is_better_than_a_corner() {
    let drawing = "
        . . . . . . . . .
        . . . . B . . . .
        . . . R . R . . .
        . . . . B . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check_prior(drawing, (4, 2), (0, 0));
    check_prior(drawing, (4, 2), (7, 5));
}

#[test]
fn a_capture_is_better_than_a_link() {
    check_prior(
        ". . . . . . . . . . .
         . . R . . . . . . . .
         . R B . . . . R . R .
         . . R . . . . . . . .
         . . . . . . . . . . .",
        (3, 2),
        (8, 2),
    );
}

#[test]
fn settled_is_what_nobody_can_change() {
    let settled = |drawing: &str| is_settled(&read(drawing).0);
    assert!(settled("R . . B"), "nothing is enclosed on one line");
    assert!(
        settled("R B .\n. . .\nB R R"),
        "all touch the edge but one, which has no room"
    );
    assert!(
        !settled("R . .\n. B .\n. . ."),
        "the dot in the middle can be enclosed"
    );
    assert!(
        !settled("R . .\n. . B\n. B ."),
        "whoever enters the middle may be enclosed"
    );
    assert!(
        !settled(". R .\nR . R\n. R ."),
        "a house takes who must enter it"
    );
    assert!(
        settled(". R . B\nR B R .\n. R . ."),
        "what is captured stays, if nothing can go round it"
    );
}

#[test]
fn settled_is_true_whatever_is_played() {
    let setup = Setup::new(6, 6, Opening::Empty).unwrap();
    let mut seen = 0;
    for seed in 0..200 {
        let mut rng = crate::Rng::new(seed);
        let mut dots = Dots::new(&setup);
        let mut settled = None;
        while dots.to_move().is_some() {
            if settled.is_none() && is_settled(&dots) {
                settled = Some(dots.score());
                seen += 1;
            }
            let free: Vec<_> = dots.free_points().collect();
            dots.play(free[rng.below(free.len() as u32) as usize])
                .unwrap();
        }
        assert!(
            settled.is_none_or(|score| score == dots.score()),
            "seed {seed}"
        );
    }
    assert!(seen > 20);
}

#[test]
fn what_is_called_exact_is_the_final_margin() {
    let setup = Setup::new(5, 5, Opening::Cross).unwrap();
    let mut exact = 0;
    for seed in 0..4 {
        let mut dots = Dots::new(&setup);
        let mut promised = None;
        while let Some(seat) = dots.to_move() {
            let report = search(&dots, Limits::nodes(40), seed).best();
            let first = &report.moves[0];
            if first.exact && promised.is_none() {
                let value = first.value as i32;
                promised = Some(if seat == Seat::First { value } else { -value });
                exact += 1;
            }
            dots.play(report.choice.unwrap()).unwrap();
        }
        let score = dots.score();
        assert!(promised.is_none_or(|lead| lead == score[0] as i32 - score[1] as i32));
    }
    assert!(exact > 0);
}

#[test]
fn from_the_third_level_on_no_capture_is_left_lying() {
    let (dots, marked) = read(
        ". . . . . . . . .
         . . . . R . . . .
         . . . R B R . . .
         . . . R B R . . .
         . . . . * . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    for level in Level::all().skip(2) {
        for seed in 0..4 {
            let limits = Limits {
                level,
                ..Limits::nodes(600)
            };
            assert_eq!(
                search(&dots, limits, seed).best().choice,
                Some(marked[0]),
                "level {level}"
            );
        }
    }
}

#[test]
fn a_weak_level_looks_for_captures_on_a_large_board_too() {
    let setup = Setup::new(39, 32, Opening::Empty).unwrap();
    let mut dots = Dots::new(&setup);
    let mut rng = crate::Rng::new(3);
    for _ in 0..500 {
        let free: Vec<_> = dots.free_points().collect();
        let choice = free[rng.below(free.len() as u32) as usize];
        dots.play(choice).unwrap();
    }
    let limits = Limits {
        level: Level::new(3).unwrap(),
        ..Limits::NONE
    };
    let engine = search(&dots, limits, 1);
    assert!(engine.finding.depth >= 2, "{:?}", engine.finding);
    let choice = engine.best().choice.unwrap();
    assert!(engine.finding.moves().any(|mv| mv == choice), "{choice}");
}

#[test]
fn one_seed_errs_at_some_positions_of_a_game_and_not_at_others() {
    let mut dots = Dots::new(&Setup::new(20, 20, Opening::Cross).unwrap());
    let mut rng = crate::Rng::new(5);
    let limits = Limits {
        level: Level::new(6).unwrap(),
        ..Limits::NONE
    };
    let mut errs = 0;
    for _ in 0..40 {
        // Before the search nothing is urgent, so only the draw decides: 78 % of the moves.
        errs += usize::from(DotsEngine::new(&dots, limits, 1).errs());
        let free: Vec<_> = dots.free_points().collect();
        dots.play(free[rng.below(free.len() as u32) as usize])
            .unwrap();
    }
    assert!((22..=38).contains(&errs), "{errs} of 40");
}

#[test]
fn what_was_never_tried_is_not_drawn_from_the_fifth_level_on() {
    // So large a board that a weak level tries few moves.
    let mut dots = Dots::new(&Setup::new(39, 32, Opening::FourCrosses).unwrap());
    let mut others = 0;
    for seed in 0..12 {
        let limits = Limits {
            level: Level::new(5 + (seed % 3) as u8).unwrap(),
            ..Limits::NONE
        };
        let report = search(&dots, limits, seed).best();
        let choice = report.choice.unwrap();
        let chosen = report.moves.iter().find(|one| one.mv == choice).unwrap();
        assert!(chosen.visits > 0, "level {}: {choice}", limits.level);
        others += usize::from(choice != report.moves[0].mv);
        dots.play(choice).unwrap();
    }
    assert!(others > 0, "some moves are drawn");
}

#[test]
fn a_forced_move_ends_the_search() {
    let (dots, marked) = read(
        ". . . . . . .
         . . R . . . .
         . R B * . . .
         . . R . . . .
         . . . . . . .
         . . . . . . .",
    );
    let limits = Limits {
        depth: 4,
        ..Limits::nodes(1_000_000)
    };
    let report = search(&dots, limits, 1).best();
    assert_eq!(report.choice, Some(marked[0]));
    assert!(report.moves[0].visits >= 200, "its value is known");
    assert!(report.nodes < 20_000, "{} nodes", report.nodes);
}

#[test]
fn the_first_level_leaves_captures_lying() {
    let (dots, marked) = read(
        ". . . . . . . . .
         . . . . R . . . .
         . . . R B R . . .
         . . . . * . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let limits = Limits {
        level: Level::WEAKEST,
        ..Limits::nodes(300)
    };
    let left = (0..20)
        .filter(|&seed| search(&dots, limits, seed).best().choice != Some(marked[0]))
        .count();
    assert!(left >= 5, "{left} of 20");
}

#[test]
fn the_steps_do_not_change_the_result() {
    let (dots, _) = read(
        ". . . . . . . .
         . . B . R . . .
         . . R B . . . .
         . . . . B R . .
         . . . . . . . .
         . . . . . . . .",
    );
    let limits = Limits::nodes(3000);
    let whole = search(&dots, limits, 7).best();
    let mut engine = DotsEngine::new(&dots, limits, 7);
    while engine.step(1) == Progress::Running {
        let _ = engine.best();
    }
    assert_eq!(engine.best(), whole);
}

#[test]
fn a_step_is_short_inside_the_tactics_too() {
    // So many dots that there are too many trajectories to list them all.
    let setup = Setup::new(30, 30, Opening::Empty).unwrap();
    let mut dots = Dots::new(&setup);
    let mut rng = crate::Rng::new(1);
    for _ in 0..250 {
        let free: Vec<_> = dots.free_points().collect();
        let choice = free[rng.below(free.len() as u32) as usize];
        dots.play(choice).unwrap();
    }
    let mut engine = DotsEngine::new(&dots, Limits::nodes(14_000), 1);
    let (mut before, mut longest) = (0, 0);
    while engine.step(1) == Progress::Running {
        let nodes = engine.nodes();
        longest = longest.max(nodes - before);
        before = nodes;
    }
    assert!(engine.tactical_nodes > 6000, "the tactics have work");
    assert!(
        (300..=1800).contains(&longest),
        "{longest} nodes in one step"
    );
}

#[test]
fn the_tree_is_kept_from_one_move_to_the_next() {
    let setup = Setup::new(8, 8, Opening::Cross).unwrap();
    let mut dots = Dots::new(&setup);
    let mut engine = search(&dots, Limits::nodes(4000), 1);
    let line = engine.best().moves[0].pv.clone();
    for &mv in &line[..2] {
        dots.play(mv).unwrap();
    }
    engine.set_position(&dots, Limits::nodes(4000), 2);
    let visits: u64 = engine.best().moves.iter().map(|mv| mv.visits).sum();
    assert!(visits > 0, "nothing was searched yet");
    // A position that has nothing to do with it is searched from nothing.
    let other = Dots::new(&Setup::new(20, 20, Opening::Empty).unwrap());
    engine.set_position(&other, Limits::nodes(4000), 2);
    assert!(engine.best().moves.iter().all(|mv| mv.visits == 0));
    assert!(engine.best().choice.is_some());
}

#[test]
fn a_finished_game_has_no_choice() {
    let mut dots = Dots::new(&Setup::new(5, 5, Opening::Empty).unwrap());
    while dots.to_move().is_some() {
        let mv = dots.free_points().next().unwrap();
        dots.play(mv).unwrap();
    }
    let mut engine = DotsEngine::new(&dots, Limits::NONE, 1);
    assert_eq!(engine.step(1000), Progress::Done);
    assert_eq!(engine.best().choice, None);
    assert!(engine.best().moves.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn it_finds_a_legal_move_in_any_position(
        (width, height) in (1..=50_u8, 1..=50_u8),
        start in 0..3_usize,
        choices in prop::collection::vec((prop::bool::weighted(0.9), any::<prop::sample::Index>()), 0..250),
        level in 1..=8_u8,
        seed in any::<u64>(),
    ) {
        let setup = Setup::new(width, height, Opening::ALL[start])
            .unwrap_or_else(|_| Setup::new(width, height, Opening::Empty).unwrap());
        let mut dots = Dots::new(&setup);
        for (in_turn, choice) in choices {
            let Some(turn) = dots.to_move() else { break };
            let free: Vec<_> = dots.free_points().collect();
            let seat = if in_turn { turn } else { turn.other() };
            dots.play_as(seat, free[choice.index(free.len())]).unwrap();
        }
        let limits = Limits {
            nodes: 60,
            level: Level::new(level).unwrap(),
            memory: 4 << 20,
            ..Limits::NONE
        };
        let mut engine = DotsEngine::new(&dots, limits, seed);
        let first = engine.best();
        prop_assert_eq!(first.choice.is_some(), dots.to_move().is_some());
        while engine.step(20) == Progress::Running {}
        let report = engine.best();
        prop_assert_eq!(report.choice.is_some(), dots.to_move().is_some());
        if let Some(choice) = report.choice {
            prop_assert!(dots.is_free(choice).is_ok());
            prop_assert!(report.moves.iter().any(|mv| mv.mv == choice));
            dots.play(choice).unwrap();
        }
        engine.set_position(&dots, limits, seed);
        engine.step(20);
        prop_assert_eq!(engine.best().choice.is_some(), dots.to_move().is_some());
    }
}
