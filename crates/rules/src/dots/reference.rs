//! The rule of Dots once more, slowly: the three steps as they are written, over the whole board after every move.
//!
//! Only tests and the fuzz target use this module, to check the fast implementation. It shares nothing with that but `Point`,
//! `Seat` and `Setup`, and it prefers the plainest way of saying a thing.

use super::{Point, Seat, Setup};

/// A place on the paper or just beyond its edge.
type Place = (i16, i16);

const UP: Place = (0, -1);

/// A position: the dots and the captured areas.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    width: i16,
    height: i16,
    dots: Vec<Option<Seat>>,
    areas: Vec<Option<Seat>>,
}

/// A face that was captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Captured {
    pub(crate) seat: Seat,
    pub(crate) line: Vec<Point>,
    pub(crate) area: Vec<Point>,
}

impl Reference {
    pub(crate) fn new(setup: Setup) -> Self {
        let area = usize::from(setup.area());
        let mut new = Self {
            width: setup.width().into(),
            height: setup.height().into(),
            dots: vec![None; area],
            areas: vec![None; area],
        };
        for (point, seat) in setup.start_dots() {
            let index = new.index((point.x.into(), point.y.into()));
            new.dots[index] = Some(seat);
        }
        new
    }

    /// Places a dot and makes captures, first for the player who moved, then for the other.
    pub(crate) fn play(&mut self, seat: Seat, point: Point) -> Vec<Captured> {
        assert!(self.is_free(point));
        let index = self.index((point.x.into(), point.y.into()));
        self.dots[index] = Some(seat);
        let mut captured = self.capture(seat);
        captured.extend(self.capture(seat.other()));
        captured
    }

    /// Returns whether the point is free: it holds no dot and lies in no captured area.
    pub(crate) fn is_free(&self, point: Point) -> bool {
        let place = (point.x.into(), point.y.into());
        self.is_on_board(place) && self.dot(place).is_none() && self.area(place).is_none()
    }

    /// The dot at the point and whether it lives, and the holder of the area that the point lies in.
    pub(crate) fn point_state(&self, point: Point) -> (Option<(Seat, bool)>, Option<Seat>) {
        let place = (point.x.into(), point.y.into());
        (
            self.dot(place).map(|seat| (seat, self.lives(place, seat))),
            self.area(place),
        )
    }

    /// The score: for each player the number of dead enemy dots in areas that this player holds.
    pub(crate) fn score(&self) -> [u32; 2] {
        Seat::BOTH.map(|seat| {
            let enemy = seat.other();
            let dead =
                |place: &Place| self.dot(*place) == Some(enemy) && self.area(*place) == Some(seat);
            self.places().filter(dead).count() as u32
        })
    }

    /// Takes the three steps for one colour. Returns the captured faces.
    pub(crate) fn capture(&mut self, seat: Seat) -> Vec<Captured> {
        let before = self.clone();
        let mut captured = Vec::new();
        for face in before.faces(seat) {
            let closed = !face.iter().any(|&place| before.is_at_edge(place));
            let inhabited = face.iter().any(|&place| before.lives(place, seat.other()));
            if closed && inhabited {
                let line = before.line(seat, &face);
                let area: Vec<Place> = before
                    .places()
                    .filter(|&place| is_inside(&line, place))
                    .collect();
                for &place in &area {
                    let index = self.index(place);
                    self.areas[index] = Some(seat);
                }
                let points = |places: &[Place]| {
                    places
                        .iter()
                        .map(|&(x, y)| Point::new(x as u8, y as u8))
                        .collect()
                };
                captured.push(Captured {
                    seat,
                    line: points(&line),
                    area: points(&area),
                });
            }
        }
        captured
    }

    /// Step 1. Walls are the live dots of the colour; a face is a set of other points, joined through the four straight
    /// directions.
    fn faces(&self, seat: Seat) -> Vec<Vec<Place>> {
        let mut seen = vec![false; self.dots.len()];
        let mut faces = Vec::new();
        for place in self.places() {
            if seen[self.index(place)] || self.lives(place, seat) {
                continue;
            }
            let mut face = vec![place];
            seen[self.index(place)] = true;
            let mut next = 0;
            while next < face.len() {
                let mut side = UP;
                for _ in 0..4 {
                    let neighbour = add(face[next], side);
                    if self.is_on_board(neighbour)
                        && !self.lives(neighbour, seat)
                        && !seen[self.index(neighbour)]
                    {
                        seen[self.index(neighbour)] = true;
                        face.push(neighbour);
                    }
                    side = turn_left(side);
                }
                next += 1;
            }
            faces.push(face);
        }
        faces
    }

    /// Step 2, its first half: the outer line of a face without the loops that hang inside it.
    ///
    /// A walker goes inside the face with a hand on the wall, once round, from the first point in reading order, which has the
    /// outer line above it. A dot that the hand touches twice splits the line into two loops; the loop that does not have the
    /// face inside is cut off.
    fn line(&self, seat: Seat, face: &[Place]) -> Vec<Place> {
        let first = *face.iter().min_by_key(|&&(x, y)| (y, x)).unwrap();
        let mut line = Vec::new();
        let (mut place, mut hand) = (first, UP);
        loop {
            line.push(add(place, hand));
            let ahead = turn_left(hand);
            let (next, corner) = (add(place, ahead), add(add(place, ahead), hand));
            if self.lives(next, seat) {
                hand = ahead;
            } else if self.lives(corner, seat) {
                place = next;
            } else {
                place = corner;
                hand = turn_right(hand);
            }
            if (place, hand) == (first, UP) {
                break;
            }
        }
        while let Some((from, to)) = twice(&line) {
            let loose: Vec<Place> = line.drain(from..to).collect();
            if is_inside(&loose, first) {
                line = loose;
            }
        }
        line
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn index(&self, (x, y): Place) -> usize {
        assert!(self.is_on_board((x, y)));
        (y * self.width + x) as usize
    }

    fn is_on_board(&self, (x, y): Place) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn is_at_edge(&self, (x, y): Place) -> bool {
        x == 0 || y == 0 || x == self.width - 1 || y == self.height - 1
    }

    fn dot(&self, place: Place) -> Option<Seat> {
        self.dots[self.index(place)]
    }

    fn area(&self, place: Place) -> Option<Seat> {
        self.areas[self.index(place)]
    }

    /// Returns whether a dot of the seat stands there that is not in an area of the other.
    fn lives(&self, place: Place, seat: Seat) -> bool {
        self.dot(place) == Some(seat) && self.area(place) != Some(seat.other())
    }
}

/// Finds the first dot that stands on the line twice: its two places.
fn twice(line: &[Place]) -> Option<(usize, usize)> {
    (0..line.len()).find_map(|from| {
        let to = (from + 1..line.len()).find(|&to| line[to] == line[from])?;
        Some((from, to))
    })
}

/// Step 2, its second half: whether a place is inside a closed line, and not on it.
///
/// A ray to the right from just below the place crosses the line an odd number of times. The line goes by steps to
/// neighbours, so it crosses the ray where a step begins or ends in the row of the place and ends or begins below.
fn is_inside(line: &[Place], (x, y): Place) -> bool {
    if line.contains(&(x, y)) {
        return false;
    }
    let steps = line.iter().zip(line.iter().cycle().skip(1));
    let crossings = steps.filter(|&(&a, &b)| {
        let (upper, lower) = if a.1 < b.1 { (a, b) } else { (b, a) };
        upper.1 == y && lower.1 > y && upper.0 > x
    });
    crossings.count() % 2 == 1
}

fn add((x, y): Place, (dx, dy): Place) -> Place {
    (x + dx, y + dy)
}

/// Turns from up to left, and from left to down.
fn turn_left((x, y): Place) -> Place {
    (y, -x)
}

fn turn_right((x, y): Place) -> Place {
    (-y, x)
}
