//! Once its buffers have grown, a position of Dots allocates nothing: neither for moves with captures nor for undoing
//! them, and neither for previews nor for a new game on the same board.

use tochki::rules::{
    Game,
    dots::{Dots, Point, Setup},
};

/// All points of the usual board, in an order that makes captures of all sizes.
fn order() -> Vec<Point> {
    let mut points: Vec<_> = Setup::DEFAULT.points().collect();
    // Any order that looks like none will do; this one is the same every time.
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
