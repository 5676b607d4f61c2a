//! When nothing can change the score any more.

use super::place::{PLACES, Place};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Whether no dot of either side can change the score any more, wherever it is placed.
///
/// A side can capture nothing if it captures nothing even with dots on all free points: more dots close no less. And there
/// must be no house, because a side may have to enter it in the end.
pub fn is_settled(dots: &Dots) -> bool {
    let setup = dots.setup();
    setup.points().all(|point| dots.house(point).is_none())
        && Seat::BOTH.iter().all(|&seat| captures_nothing(dots, seat))
}

/// Whether a side would capture nothing with dots on all free points.
///
/// What it cannot enclose then is joined to the edge, in the straight directions, over points that are not its own.
fn captures_nothing(dots: &Dots, seat: Seat) -> bool {
    let setup = dots.setup();
    let (width, height) = (setup.width(), setup.height());
    let is_wall = |point: Point| dots.live(point) == Some(seat) || dots.is_free(point).is_ok();
    let mut reached = [false; PLACES];
    let mut queue: Vec<Point> = Vec::with_capacity(usize::from(setup.area()));
    for point in setup.points() {
        let at_edge = point.x == 0 || point.y == 0 || point.x + 1 == width || point.y + 1 == height;
        if at_edge && !is_wall(point) {
            reached[Place::of(point).index()] = true;
            queue.push(point);
        }
    }
    while let Some(point) = queue.pop() {
        for near in Place::of(point).neighbours().into_iter().skip(1).step_by(2) {
            let near_point = near.point();
            if setup.contains(near_point) && !reached[near.index()] && !is_wall(near_point) {
                reached[near.index()] = true;
                queue.push(near_point);
            }
        }
    }
    setup
        .points()
        .all(|point| dots.live(point) != Some(seat.other()) || reached[Place::of(point).index()])
}
