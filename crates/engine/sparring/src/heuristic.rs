//! A heuristic for one ply: marks a free point by the dots round it.

use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// The free points, the best first, with their marks.
pub(crate) fn ranked(dots: &Dots, seat: Seat) -> Vec<(i32, Point)> {
    let mut past = dots.clone();
    let last = [past.undo(), past.undo()];
    let mut points: Vec<(i32, Point)> = dots
        .free_points()
        .map(|point| (mark(dots, seat, point, last), point))
        .collect();
    points.sort_unstable_by(|a, b| b.cmp(a));
    points
}

/// Linking and cutting count most, then being near the last dots; crowded points and the edge count little.
fn mark(dots: &Dots, seat: Seat, point: Point, last: [Option<Point>; 2]) -> i32 {
    const OWN: [i32; 9] = [0, 4, 3, 1, -3, -6, -9, -12, -15];
    const ENEMY: [i32; 9] = [0, 5, 5, 3, 0, -4, -8, -12, -15];
    match dots.house(point) {
        Some(owner) if owner == seat => return -80,
        Some(_) => return -100,
        None => {}
    }
    let setup = dots.setup();
    let own = dots.ring(point, seat);
    let enemy = dots.ring(point, seat.other());
    let mut mark = OWN[own.count_ones() as usize] + ENEMY[enemy.count_ones() as usize];
    // Runs of walls round the point, less one: the groups that it links, or keeps apart.
    let links = |ring: u8| ((ring & !ring.rotate_left(1)).count_ones() as i32 - 1).max(0);
    mark += 4 * links(own) + 4 * links(enemy);
    for (near, weight) in last.into_iter().zip([6, 4]) {
        if let Some(near) = near {
            let distance = near.x.abs_diff(point.x).max(near.y.abs_diff(point.y));
            mark += weight * (4 - i32::from(distance.min(4))) / 2;
        }
    }
    // Own dots two steps away, which a dot here would be hard to cut from.
    for (dx, dy) in [
        (2, 0),
        (-2, 0),
        (0, 2),
        (0, -2),
        (2, 1),
        (2, -1),
        (-2, 1),
        (-2, -1),
        (1, 2),
        (-1, 2),
        (1, -2),
        (-1, -2),
    ] {
        let near = Point::new(
            point.x.wrapping_add_signed(dx),
            point.y.wrapping_add_signed(dy),
        );
        if setup.contains(near) {
            match dots.live(near) {
                Some(owner) if owner == seat => mark += 2,
                Some(_) => mark += 1,
                None => {}
            }
        }
    }
    let edge = point
        .x
        .min(point.y)
        .min(setup.width() - 1 - point.x)
        .min(setup.height() - 1 - point.y);
    mark - [12, 5, 1, 0][usize::from(edge.min(3))]
}
