//! Properties of every game of Dots, checked on random games.
//!
//! Dots placed anywhere hardly ever make an area within an area, so other games are drawn with rings, or with small diamonds that
//! crowd each other.

use super::{Dot, Dots, Opening, Point, PointState, Setup, reference::Reference};
use crate::properties::{ListMoves, check_properties};
use crate::{Game, Illegal, Seat};
use proptest::prelude::*;

/// Moves to try, of either side in any order; moves on points that are not free are skipped.
type Moves = Vec<(Seat, Point)>;

impl ListMoves for Dots {
    fn moves(&self, _: Seat) -> Vec<Point> {
        self.free_points().collect()
    }

    fn places(&self) -> Vec<Point> {
        let (width, height) = (self.setup.width() + 2, self.setup.height() + 2);
        (0..height)
            .flat_map(|y| (0..width).map(move |x| Point::new(x, y)))
            .collect()
    }
}

fn seat() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::First), Just(Seat::Second)]
}

fn setup(longest: u8) -> impl Strategy<Value = Setup> {
    (1..=longest, 1..=longest, 0..3_usize).prop_map(|(width, height, start)| {
        Setup::new(width, height, Opening::ALL[start])
            .unwrap_or_else(|_| Setup::new(width, height, Opening::Empty).unwrap())
    })
}

/// Dots anywhere, mostly in turn.
fn scattered() -> impl Strategy<Value = (Setup, Moves)> {
    let moves = prop::collection::vec((prop::bool::weighted(0.9), 0..12_u8, 0..12_u8), 0..200);
    (setup(12), moves).prop_map(|(setup, moves)| {
        let mut seat = Seat::Second;
        let moves = moves.into_iter().map(|(in_turn, x, y)| {
            seat = if in_turn { seat.other() } else { seat };
            (seat, Point::new(x % setup.width(), y % setup.height()))
        });
        (setup, moves.collect())
    })
}

/// Rings of both colours and all sizes, round few centres, some with holes, and single dots among them.
fn ringed() -> impl Strategy<Value = (Setup, Moves)> {
    let ring = (seat(), 0..3_usize, 0..6_i16, any::<bool>(), any::<u16>());
    let rings = prop::collection::vec(ring, 1..14);
    let centres = prop::collection::vec((0..14_i16, 0..14_i16), 3);
    let singles = prop::collection::vec((seat(), 0..14_u8, 0..14_u8), 0..40);
    (
        setup(14),
        centres,
        rings,
        singles,
        any::<prop::sample::Index>(),
    )
        .prop_map(|(setup, centres, rings, singles, place)| {
            let mut moves = Moves::new();
            let mut left_out = Moves::new();
            for (seat, centre, radius, square, holes) in rings {
                for (number, (x, y)) in ring_round(centres[centre], radius, square)
                    .into_iter()
                    .enumerate()
                {
                    if let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y)) {
                        // A ring with a hole is closed later, when there is more round it and in it.
                        let later = holes & 1 << (number % 16) != 0 && holes.is_multiple_of(3);
                        let moves = if later { &mut left_out } else { &mut moves };
                        moves.push((seat, Point::new(x, y)));
                    }
                }
            }
            let singles = singles
                .into_iter()
                .map(|(seat, x, y)| (seat, Point::new(x, y)));
            let place = place.index(moves.len() + 1);
            moves.splice(place..place, singles);
            moves.extend(left_out);
            (setup, moves)
        })
}

/// A diamond or a square, point after point.
fn ring_round((x, y): (i16, i16), radius: i16, square: bool) -> Vec<(i16, i16)> {
    let all = (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
    let distance = |&(dx, dy): &(i16, i16)| {
        if square {
            dx.abs().max(dy.abs())
        } else {
            dx.abs() + dy.abs()
        }
    };
    all.filter(|step| distance(step) == radius)
        .map(|(dx, dy)| (x + dx, y + dy))
        .collect()
}

/// Small boards filled to the last point, each with a few points of one colour next to each other: houses, and dots that enter
/// them.
fn crowded() -> impl Strategy<Value = (Setup, Moves)> {
    let runs = prop::collection::vec((seat(), 1..6_usize, 0..9_u8, 0..9_u8), 30..60);
    (setup(9), runs).prop_map(|(setup, runs)| {
        let dots = runs.into_iter().flat_map(|(seat, length, x, y)| {
            let around = ring_round((x.into(), y.into()), 1, false);
            around
                .into_iter()
                .take(length)
                .map(move |(x, y)| (seat, x, y))
        });
        let last = setup.points().map(|point| (Seat::First, point));
        let moves = dots.filter_map(|(seat, x, y)| {
            Some((seat, Point::new(x.try_into().ok()?, y.try_into().ok()?)))
        });
        (setup, moves.chain(last).collect())
    })
}

fn game() -> impl Strategy<Value = (Setup, Moves)> {
    prop_oneof![scattered(), ringed(), crowded()]
}

/// A line from its least dot on, so that two lines compare however they begin.
fn from_least(mut line: Vec<Point>) -> Vec<Point> {
    let least = (0..line.len())
        .min_by_key(|&index| line[index])
        .unwrap_or(0);
    line.rotate_left(least);
    line
}

#[track_caller]
fn assert_same(dots: &Dots, reference: &Reference) {
    for point in dots.setup().points() {
        let PointState { dot, area } = dots.at(point);
        let fast = (dot.map(|Dot { seat, alive }| (seat, alive)), area);
        assert_eq!(fast, reference.point_state(point), "at {point}");
        assert_eq!(
            dots.is_free(point).is_ok(),
            reference.is_free(point),
            "at {point}"
        );
    }
    assert_eq!(dots.score(), reference.score());
}

/// Checks the score: points may be won and lost, but never without a dot, so the score is the number of dead dots on the board.
#[track_caller]
fn assert_sound(dots: &Dots) {
    let dead = |seat| {
        dots.dead_dots()
            .filter(|&(_, holder)| holder == seat)
            .count() as u32
    };
    assert_eq!(dots.score(), Seat::BOTH.map(dead));
    let free = dots.free_points().count();
    assert_eq!(dots.outcome().is_some(), free == 0);
    assert_eq!(dots.to_move().is_none(), free == 0);
    let area = usize::from(dots.setup().area());
    assert_eq!(usize::from(dots.progress()), (area - free) * 100 / area);
    let mut held = 0;
    for enclosure in dots.enclosures() {
        assert!(
            enclosure
                .area()
                .all(|point| dots.at(point).area == Some(enclosure.seat()))
        );
        let wall = Some(Dot {
            seat: enclosure.seat(),
            alive: true,
        });
        assert!(enclosure.line().all(|point| dots.at(point).dot == wall));
        let dead = enclosure
            .area()
            .filter(|&point| dots.at(point).dot.is_some_and(|dot| !dot.alive));
        assert_eq!(enclosure.dead(), dead.count() as u32);
        let line: Vec<_> = enclosure.line().collect();
        for (a, b) in line.iter().zip(line.iter().cycle().skip(1)) {
            assert!(a != b && a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1);
        }
        held += enclosure.area().len();
    }
    // Every captured point lies in exactly one enclosure that stands.
    assert_eq!(
        held,
        dots.setup()
            .points()
            .filter(|&point| dots.at(point).area.is_some())
            .count()
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_move_does_what_the_rule_says((setup, moves) in game()) {
        let mut dots = Dots::new(&setup);
        let mut reference = Reference::new(setup);
        for (seat, point) in moves {
            if dots.is_free(point).is_err() {
                continue;
            }
            let before = dots.score();
            let change = dots.play_as(seat, point).unwrap();
            let captured = reference.play(seat, point);
            assert_same(&dots, &reference);
            assert_sound(&dots);

            // The move tells its actual effect.
            prop_assert_eq!((change.seat, change.point), (seat, point));
            prop_assert_eq!(dots.to_move(), dots.outcome().is_none().then_some(seat.other()));
            let captors: Vec<_> = captured.iter().map(|captured| captured.seat).collect();
            prop_assert!(captors.iter().all(|captor| Some(*captor) == change.captor));
            prop_assert_eq!(captors.is_empty(), change.captor.is_none());
            if let Some(captor) = change.captor {
                let (won, freed) = (captor.index(), captor.other().index());
                prop_assert_eq!(dots.score()[won] - before[won], change.won);
                prop_assert_eq!(before[freed] - dots.score()[freed], change.freed);
            }

            // Both draw the same lines.
            let mut drawn: Vec<_> = dots.captures_of(&change).map(|capture| from_least(capture.line().collect())).collect();
            let mut expected: Vec<_> = captured.iter().map(|capture| from_least(capture.line.clone())).collect();
            drawn.sort();
            expected.sort();
            prop_assert_eq!(drawn, expected);

            // There is nothing left to capture.
            prop_assert_eq!(reference.clone().capture(seat), []);
            prop_assert_eq!(reference.clone().capture(seat.other()), []);
        }
    }

    #[test]
    fn it_keeps_the_laws_of_all_games((setup, moves) in game()) {
        check_properties::<Dots>(&setup, &moves);
    }

    #[test]
    fn the_free_points_can_be_played_and_no_others((setup, moves) in game(), seat in seat()) {
        let mut dots = Dots::new(&setup);
        for (seat, point) in moves {
            let _ = dots.play_as(seat, point);
        }
        let before = dots.clone();
        let free: Vec<_> = dots.free_points().collect();
        let mut playable = Vec::new();
        for point in (0..=u8::MAX).flat_map(|y| (0..=u8::MAX).map(move |x| Point::new(x, y))) {
            match dots.preview(seat, point, |after, change| after.score()[0] + after.score()[1] + change.won) {
                Ok(_) => playable.push(point),
                Err(Illegal::OffBoard) => prop_assert!(!setup.contains(point)),
                Err(Illegal::Occupied) => prop_assert!(dots.at(point).dot.is_some()),
                Err(_) => prop_assert!(dots.at(point).dot.is_none() && dots.at(point).area.is_some()),
            }
        }
        prop_assert_eq!(free, playable);
        prop_assert_eq!(dots, before);
    }

    #[test]
    fn rings_tell_what_stands_beside((setup, moves) in game()) {
        const STEPS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
        let mut dots = Dots::new(&setup);
        for (seat, point) in moves {
            let _ = dots.play_as(seat, point);
        }
        for point in setup.points() {
            let state = dots.at(point);
            let alive = state.dot.filter(|dot| dot.alive).map(|dot| dot.seat);
            prop_assert_eq!(dots.live(point), alive);
            prop_assert!(dots.house(point).is_none() || dots.is_free(point).is_ok());
            for seat in Seat::BOTH {
                let (ring, links) = (dots.ring(point, seat), dots.links_around(point, seat));
                for (bit, (dx, dy)) in STEPS.into_iter().enumerate() {
                    let near = Point::new(point.x.wrapping_add_signed(dx), point.y.wrapping_add_signed(dy));
                    let on_board = setup.contains(near);
                    let stands = on_board && dots.live(near) == Some(seat);
                    prop_assert_eq!(ring >> bit & 1 == 1, stands);
                    // A link has walls in two places at least, and no dot on it.
                    if links >> bit & 1 == 1 {
                        prop_assert!(on_board && dots.is_free(near).is_ok());
                        prop_assert!(dots.ring(near, seat).count_ones() >= 2);
                    }
                    // A dot that captures for its own side is a link.
                    if on_board && dots.is_free(near).is_ok() {
                        let captor = dots.preview(seat, near, |_, change| change.captor).unwrap();
                        prop_assert!(captor != Some(seat) || links >> bit & 1 == 1);
                    }
                }
            }
        }
    }
}
