//! Enclosures without a live enemy, and dots that enter them.

use super::{Drawing, check, play};
use crate::{Game, Seat, dots::Point};

#[test]
fn a_dot_in_a_large_house_is_taken_with_all_of_it() {
    check(
        "
        blue
        . R R R .      . R R R .
        R . . . R      R 1 1 1 R
        R . * . R      R 1 b 1 R
        R . . . R      R 1 1 1 R
        . R R R .      . R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_that_was_divided_is_two_houses() {
    check(
        "
        blue
        . R R R .      . R R R .
        R . R . R      R 1 R . R
        R . R . R      R 1 R . R
        R * R . R      R b R . R
        . R R R .      . R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_in_a_house_entered_inside() {
    check(
        "
        blue
        . R R R R R .      . R R R R R .
        R . . R . . R      R . . R . . R
        R . R . R . R      R . R 1 R . R
        R . R * R . R      R . R b R . R
        R . . R . . R      R . . R . . R
        . R R R R R .      . R R R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_in_a_house_entered_outside() {
    check(
        "
        blue
        . R R R R R .      . R R R R R .
        R . . . . . R      R 1 1 1 1 1 R
        R . . R . . R      R 1 1 R 1 1 R
        R . R . R . R      R 1 R 1 R 1 R
        R * . R . . R      R b 1 R 1 1 R
        R . . . . . R      R 1 1 1 1 1 R
        . R R R R R .      . R R R R R .
        => 1:0
        ",
    );
}

#[test]
fn three_houses_one_in_the_other_entered_in_the_middle_one() {
    check(
        "
        blue
        . R R R R R R R .      . R R R R R R R .
        R . . . . . . . R      R . . . . . . . R
        R . . R R R . . R      R . . R R R . . R
        R . R . . . R . R      R . R 1 1 1 R . R
        R . R . R * R . R      R . R 1 R b R . R
        R . R R . R R . R      R . R R . R R . R
        R . R . R . R . R      R . R . R . R . R
        R . . R R R . . R      R . . R R R . . R
        R . . . . . . . R      R . . . . . . . R
        . R R R R R R R .      . R R R R R R R .
        => 1:0
        ",
    );
}

#[test]
fn an_area_in_a_house_stays_as_it_is() {
    check(
        "
        blue
        . R R R R R .      . R R R R R .
        R . . . . . R      R 1 1 1 1 1 R
        R . . R . . R      R 1 1 R 1 1 R
        R . R b R . R      R 1 R b R 1 R
        R . . R . . R      R 1 1 R 1 1 R
        R * . . . . R      R b 1 1 1 1 R
        . R R R R R .      . R R R R R .
        => 2:0
        ",
    );
}

#[test]
fn a_house_beside_an_area_is_open_to_its_owner() {
    check(
        "
        red
        . R . R .      . R . R .
        R b R * R      R b R R R
        . R . R .      . R . R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_beside_an_area_takes_what_enters() {
    check(
        "
        blue
        . R . R .      . R . R .
        R b R * R      R b R b R
        . R . R .      . R . R .
        => 2:0
        ",
    );
}

#[test]
fn entering_a_house_by_a_capture_breaks_it() {
    check(
        "
        blue
        . R R B .      . R R B .
        R . * R B      R . B r B
        . R R B .      . R R B .
        => 0:1
        ",
    );
}

#[test]
fn a_broken_house_is_open_again() {
    check(
        "
        blue
        . R R B .      . R R B .
        R * B r B      R B B r B
        . R R B .      . R R B .
        => 0:1
        ",
    );
}

#[test]
fn red_too_may_enter_and_capture() {
    check(
        "
        red
        . B R .      . B R .
        B * B R      B R b R
        . B R .      . B R .
        => 1:0
        ",
    );
}

#[test]
fn an_enemy_who_cannot_capture_dies_in_the_house() {
    check(
        "
        blue
        . R R .      . R R .
        R . * R      R 1 b R
        R . . R      R 1 1 R
        . R R .      . R R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_on_two_slants() {
    check(
        "
        blue
        . R . . .      . R . . .
        R . R . .      R . R . .
        . R * R .      . R b R .
        . . R . .      . . R . .
        => 1:0
        ",
    );
}

#[test]
fn filling_the_last_point_of_ones_house() {
    check(
        "
        red
        . R .      . R .
        R * R      R R R
        . R .      . R .
        => 0:0
        ",
    );
}

#[test]
fn a_dot_beside_a_house_captures_nothing() {
    check(
        "
        blue
        . R . .      . R . .
        R . R *      R . R B
        . R . .      . R . .
        => 0:0
        ",
    );
}

#[test]
fn a_house_on_the_edge_is_none() {
    check(
        "
        blue
        R . * . R      R . B . R
        . R R R .      . R R R .
        . . . . .      . . . . .
        => 0:0
        ",
    );
}

#[test]
fn a_house_once_broken_takes_nothing_any_more() {
    let mut dots = play(&Drawing::read(
        "
        blue
        . R R B .      . R R B .
        R . * R B      R . B r B
        . R R B .      . R R B .
        => 0:1
        ",
    ));
    dots.play_as(Seat::Second, Point::new(1, 1)).unwrap();
    assert_eq!(dots.score(), [0, 1]);
}

#[test]
fn a_house_whose_breaking_is_undone_takes_what_enters() {
    let mut dots = play(&Drawing::read(
        "
        blue
        . R R B .      . R R B .
        R . * R B      R . B r B
        . R R B .      . R R B .
        => 0:1
        ",
    ));
    dots.undo();
    dots.play_as(Seat::Second, Point::new(1, 1)).unwrap();
    assert_eq!(dots.score(), [1, 0]);
}
