//! Positions whose score cannot change any more.

use super::place::{PLACES, Place};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Returns whether no dot of either side can change the score any more, wherever it is placed.
///
/// A side can capture a dot only if it can do so with its own dots on all other free points, because more dots close no less. So
/// it is enough that each side could then capture nothing, neither of the dots on the board nor of those that are still to come:
/// the other side has to place one on every point that is left.
pub fn is_settled(dots: &Dots) -> bool {
    Seat::BOTH.iter().all(|&seat| captures_nothing(dots, seat))
}

/// Returns whether a side would capture nothing with dots on all free points, or on all but one that is the other's.
///
/// Points that it cannot enclose then are joined to the edge, in the straight directions, over points that are not its own.
fn captures_nothing(dots: &Dots, seat: Seat) -> bool {
    let setup = dots.setup();
    let (width, height) = (setup.width(), setup.height());
    let is_free = |point: Point| dots.is_free(point).is_ok();
    let at_edge = |point: Point| {
        point.x == 0 || point.y == 0 || point.x + 1 == width || point.y + 1 == height
    };
    let is_wall = |point: Point| dots.live(point) == Some(seat) || is_free(point);
    let mut reached = [false; PLACES];
    let mut queue: Vec<Point> = Vec::with_capacity(usize::from(setup.area()));
    for point in setup.points() {
        if at_edge(point) && !is_wall(point) {
            reached[Place::of(point).index()] = true;
            queue.push(point);
        }
    }
    let straight = |point: Point| Place::of(point).neighbours().into_iter().skip(1).step_by(2);
    while let Some(point) = queue.pop() {
        for near in straight(point) {
            let next = near.point();
            if setup.contains(next) && !reached[near.index()] && !is_wall(next) {
                reached[near.index()] = true;
                queue.push(next);
            }
        }
    }
    setup.points().all(|point| {
        let is_joined = || at_edge(point) || straight(point).any(|near| reached[near.index()]);
        if is_free(point) {
            is_joined()
        } else {
            dots.live(point) != Some(seat.other()) || reached[Place::of(point).index()]
        }
    })
}
