//! Allocations of a position: once its buffers have grown, it allocates nothing, neither for moves, with captures or without, nor
//! for undoing them, and neither for previews nor for a new game on the same board.

use tochki_rules::{
    Game,
    boxes::{self, Boxes},
    dots::{Dots, Point, Setup},
    gomoku::{self, Gomoku},
    reversi::{self, Reversi},
};

/// All points of the usual board, in an order that makes captures of all sizes.
fn order() -> Vec<Point> {
    let mut points: Vec<_> = Setup::DEFAULT.points().collect();
    // Any order that looks random will do; this one is the same every time.
    points.sort_by_cached_key(|point| {
        let number = u64::from(point.y) * 39 + u64::from(point.x) + 1;
        (number * number * 617) % 1249 * 1249 + number * 331 % 1249
    });
    points
}

/// Plays a whole game, looking ahead at some points on the way.
fn play(dots: &mut Dots, order: &[Point]) {
    for &point in order {
        if let Some(seat) = dots.to_move() {
            let _ = dots.preview(seat.other(), point, |after, change| {
                after.captures_of(change).len()
            });
            let _ = dots.play(point);
        }
    }
}

#[test]
fn a_warm_position_allocates_nothing() {
    let order = order();
    let mut dots = Dots::new(&Setup::DEFAULT);
    play(&mut dots, &order);
    assert!(dots.outcome().is_some());
    assert!(
        dots.score().iter().sum::<u32>() > 50,
        "the game has captures: {:?}",
        dots.score()
    );

    let used = allocation_counter::measure(|| {
        for _ in 0..3 {
            dots.restart();
            play(&mut dots, &order);
        }
        while dots.undo().is_some() {}
    });
    assert_eq!(used.count_total, 0);
    assert_eq!(dots, Dots::new(&Setup::DEFAULT));
}

/// Plays every move that is legal, over and over, until none is.
fn play_all<G: Game>(game: &mut G, moves: &[G::Move]) {
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for &mv in moves {
            if let Some(seat) = game.to_move() {
                let legal = game.preview(seat, mv, |_, _| ()).is_ok();
                assert_eq!(game.play(mv).is_ok(), legal);
                goes_on |= legal;
            }
        }
    }
}

#[track_caller]
fn allocates_nothing<G: Game>(setup: &G::Setup, moves: impl Iterator<Item = G::Move>) {
    let moves: Vec<_> = moves.collect();
    let mut game = G::new(setup);
    play_all(&mut game, &moves);
    assert!(game.outcome().is_some());
    let used = allocation_counter::measure(|| {
        game.restart();
        play_all(&mut game, &moves);
        while game.undo().is_some() {}
    });
    assert_eq!(used.count_total, 0);
}

#[test]
fn neither_does_one_of_another_game() {
    let setup = boxes::Setup::DEFAULT;
    allocates_nothing::<Boxes>(&setup, setup.lines());
    let setup = gomoku::Setup::DEFAULT;
    allocates_nothing::<Gomoku>(&setup, setup.points());
    let squares = (0..8).flat_map(|y| (0..8).map(move |x| Point::new(x, y)));
    allocates_nothing::<Reversi>(&reversi::Setup::DEFAULT, squares);
}
