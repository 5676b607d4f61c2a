//! The opponents are worth to be measured against: each takes free dots, saves dots that can be saved, values a position from the
//! mover's side, and plays legal moves within its limits on boards of every size.

use tochki_engine::{Engine, Limits, Progress, Report, Rng};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Opening, Point, Setup},
};
use tochki_sparring::{Beginner, LadderUct, Minimax, Uct};

/// A drawn position, red (`R`) to move, and the points marked `*`.
fn drawn(drawing: &str) -> (Dots, Vec<Point>) {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let size = (rows[0].len() as u8, rows.len() as u8);
    let setup = Setup::new(size.0, size.1, Opening::Empty).expect("a board");
    let mut dots = Dots::new(&setup);
    let of = |mark: char| {
        let is_marked = |point: &Point| rows[usize::from(point.y)][usize::from(point.x)] == mark;
        setup.points().filter(is_marked).collect::<Vec<_>>()
    };
    for (mark, seat) in [('R', Seat::First), ('B', Seat::Second)] {
        for point in of(mark) {
            dots.play_as(seat, point).expect("a free point");
        }
    }
    dots.give_turn(Seat::First);
    (dots, of('*'))
}

/// The position with the colours exchanged, blue to move.
fn exchanged(dots: &Dots) -> Dots {
    let mut other = Dots::new(dots.setup());
    for point in dots.setup().points() {
        if let Some(seat) = dots.live(point) {
            other.play_as(seat.other(), point).expect("a free point");
        }
    }
    other.give_turn(Seat::Second);
    other
}

fn searched<E: Engine<Game = Dots>>(dots: &Dots, nodes: u64) -> Report<Point> {
    let mut engine = E::new(dots, Limits::nodes(nodes), 1);
    while engine.step(500) == Progress::Running {}
    engine.best()
}

/// Both colours play one of the marked points.
#[track_caller]
fn plays<E: Engine<Game = Dots>>(drawing: &str, nodes: u64) {
    let (dots, marked) = drawn(drawing);
    for dots in [exchanged(&dots), dots] {
        let report = searched::<E>(&dots, nodes);
        let choice = report.choice.expect("the game goes on");
        assert!(marked.contains(&choice), "played {choice}, not {marked:?}");
    }
}

/// Three dots that red takes.
const CAPTURE: &str = "
    . . . . . . . .
    . . R R R . . .
    . R B B B * . .
    . . R R R . . .
    . . . . . . . .
    . . . . . . B .
    . . . . . B . .
    . . . . . . . .";

/// Three dots that blue would take.
const RESCUE: &str = "
    . . . . . . . .
    . . B B B . . .
    . B R R R * . .
    . . B B B . . .
    . . . . . . . .
    . . . . . . R .
    . . . . . R . .
    . . . . . . . .";

#[test]
fn they_take_what_lies_free() {
    plays::<Uct>(CAPTURE, 5_000);
    plays::<LadderUct>(CAPTURE, 5_000);
    plays::<Minimax>(CAPTURE, 5_000);
    plays::<Beginner>(CAPTURE, 0);
}

#[test]
fn they_save_what_can_be_saved() {
    plays::<Uct>(RESCUE, 5_000);
    plays::<LadderUct>(RESCUE, 5_000);
    plays::<Minimax>(RESCUE, 5_000);
    plays::<Beginner>(RESCUE, 0);
}

/// The value of the best move for either colour, which must be equal.
#[track_caller]
fn value<E: Engine<Game = Dots>>(dots: &Dots) -> f32 {
    let [value, other] =
        [dots, &exchanged(dots)].map(|dots| searched::<E>(dots, 5_000).moves[0].value);
    assert!((value - other).abs() < f32::EPSILON, "{value} and {other}");
    value
}

#[test]
fn a_value_is_the_lead_of_the_side_to_move() {
    let (capture, rescue) = (drawn(CAPTURE).0, drawn(RESCUE).0);
    assert!((value::<Minimax>(&capture) - 3.0).abs() < 0.5);
    assert!(value::<Minimax>(&rescue).abs() < 0.5);
    assert!(value::<Uct>(&capture) >= 2.0);
    assert!(value::<Uct>(&rescue) < 1.0);
    // Red has lost its three dots.
    let mut lost = rescue;
    lost.play_as(Seat::Second, Point::new(5, 2))
        .expect("a free point");
    assert_eq!(lost.score(), [0, 3]);
    lost.give_turn(Seat::First);
    let lead = |report: Report<Point>| report.moves[0].value;
    assert!((lead(searched::<Minimax>(&lost, 5_000)) + 3.0).abs() < 0.5);
    assert!(lead(searched::<Uct>(&lost, 5_000)) <= -2.0);
    lost.give_turn(Seat::Second);
    assert!((lead(searched::<Minimax>(&lost, 5_000)) - 3.0).abs() < 0.5);
    assert!(lead(searched::<Uct>(&lost, 5_000)) >= 2.0);
}

/// Each of red's dots beside the wall threatens to close below the runner, until the wall turns.
const LADDER: &str = "
    . . . . . . . . . .
    . . R . . . . . . .
    . R B * . . . . . .
    . R . . . . . . . .
    . R . . . . . . . .
    . R . . . . . . . .
    . R . . . . . . . .
    . R . . . . . . . .
    . . R . . . . . . .
    . . . . . . . . . .";

#[test]
fn a_ladder_is_begun_if_it_works() {
    plays::<LadderUct>(LADDER, 0);
    // A dot of the runner stands in its way.
    let mut broken = drawn(LADDER).0;
    broken
        .play_as(Seat::Second, Point::new(3, 4))
        .expect("a free point");
    broken.give_turn(Seat::First);
    assert_eq!(
        searched::<LadderUct>(&broken, 0).moves.len(),
        1,
        "nothing was searched"
    );
    let report = searched::<LadderUct>(&broken, 300);
    assert!(report.nodes > 0, "there is no ladder, so it searches");
}

const SIZES: [(u8, u8); 8] = [
    (10, 10),
    (10, 16),
    (12, 12),
    (15, 10),
    (20, 20),
    (25, 25),
    (30, 30),
    (39, 32),
];

/// Plays some moves of a game on each size, each searched with few nodes, and many dots by lot between them. `slack` is the
/// number of nodes that a search may exceed its limit by.
fn plays_legally<E: Engine<Game = Dots>>(nodes: u64, slack: impl Fn(Setup) -> u64) {
    const PLIES: usize = 4;
    for (game, (width, height)) in SIZES.into_iter().enumerate() {
        let start = Opening::ALL[game % Opening::ALL.len()];
        let setup = Setup::new(width, height, start).expect("a board");
        let mut dots = Dots::new(&setup);
        let mut rng = Rng::new(game as u64);
        let limits = Limits::nodes(nodes);
        let mut engine = E::new(&dots, limits, 1);
        let mut played = 0;
        for ply in 0..PLIES {
            engine.set_position(&dots, limits, ply as u64);
            while engine.step(nodes / 3) == Progress::Running {}
            let report = engine.best();
            let most = nodes + slack(setup);
            assert!(report.nodes <= most, "{} of {most}", report.nodes);
            for candidate in &report.moves {
                assert_eq!(dots.is_free(candidate.mv), Ok(()), "{}", candidate.mv);
            }
            let Some(choice) = report.choice else {
                assert_eq!(dots.to_move(), None);
                break;
            };
            dots.play(choice).expect("a legal move");
            played += 1;
            let free: Vec<Point> = dots.free_points().collect();
            for _ in 0..free.len() / PLIES {
                let _ = dots.play(free[rng.below(free.len() as u32) as usize]);
            }
        }
        assert_eq!(played, PLIES, "{width} × {height}");
    }
}

/// A playout is never cut, and 16 of its dots are a node.
fn of_a_playout(setup: Setup) -> u64 {
    u64::from(setup.area()) / 16 + 1
}

#[test]
fn uct_plays_legal_moves_within_its_nodes_on_boards_of_every_size() {
    plays_legally::<Uct>(150, of_a_playout);
}

#[test]
fn uct_with_ladders_does_so_too() {
    plays_legally::<LadderUct>(150, of_a_playout);
}

#[test]
fn minimax_does_so_too() {
    plays_legally::<Minimax>(1_500, |_| 0);
}

#[test]
fn a_finished_game_has_no_choice() {
    let mut dots = Dots::new(&Setup::new(5, 5, Opening::Empty).expect("a board"));
    while dots.to_move().is_some() {
        let first = dots.free_points().next().expect("a free point");
        dots.play(first).expect("a legal move");
    }
    assert_eq!(searched::<Uct>(&dots, 100).choice, None);
    assert_eq!(searched::<LadderUct>(&dots, 100).choice, None);
    assert_eq!(searched::<Minimax>(&dots, 100).choice, None);
    assert_eq!(searched::<Beginner>(&dots, 100).choice, None);
}

#[test]
fn a_seed_fixes_the_search_however_it_is_cut() {
    fn check<E: Engine<Game = Dots>>() {
        let (dots, _) = drawn(RESCUE);
        let report = |budget: u64| {
            let mut engine = E::new(&dots, Limits::nodes(1_500), 7);
            while engine.step(budget) == Progress::Running {}
            engine.best()
        };
        assert_eq!(report(100), report(u64::MAX));
    }
    check::<Uct>();
    check::<LadderUct>();
    check::<Minimax>();
    check::<Beginner>();
}
