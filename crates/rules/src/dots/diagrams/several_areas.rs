//! Several areas closed by one dot.

use super::check;

#[test]
fn two_captures_of_one_and_of_two_dots() {
    check(
        "
        red
        . R . R R .      . R . R R .
        R B * B B R      R b R b b R
        . R . R R .      . R . R R .
        => 3:0
        ",
    );
}

#[test]
fn three_captures_with_one_dot() {
    check(
        "
        red
        . . R . .      . . R . .
        . R B R .      . R b R .
        R B * B R      R b R b R
        . R . R .      . R . R .
        . . . . .      . . . . .
        => 3:0
        ",
    );
}

#[test]
fn captures_above_and_below() {
    check(
        "
        red
        . R .      . R .
        R B R      R b R
        . * .      . R .
        R B R      R b R
        . R .      . R .
        => 2:0
        ",
    );
}

#[test]
fn a_capture_on_one_side_and_a_house_on_the_other() {
    check(
        "
        red
        . R . R .      . R . R .
        R B * . R      R b R . R
        . R . R .      . R . R .
        => 1:0
        ",
    );
}

#[test]
fn two_houses_with_one_dot() {
    check(
        "
        red
        . R . R .      . R . R .
        R . * . R      R . R . R
        . R . R .      . R . R .
        => 0:0
        ",
    );
}

#[test]
fn a_capture_in_a_house_that_closes_with_it() {
    check(
        "
        red
        . . R R . R R . .      . . R R . R R . .
        . R . . * . . R .      . R . . R . . R .
        R . . R . R . . R      R . . R 1 R . . R
        R . . R B R . . R      R . . R b R . . R
        R . . . R . . . R      R . . . R . . . R
        . R . . . . . R .      . R . . . . . R .
        . . R R R R R . .      . . R R R R R . .
        => 1:0
        ",
    );
}

#[test]
fn a_house_in_an_area_that_closes_with_it() {
    check(
        "
        red
        . . R R . R R . .      . . R R . R R . .
        . R . . * . . R .      . R 1 1 R 1 1 R .
        R . . R . R . . R      R 1 1 R 1 R 1 1 R
        R . . R . R . . R      R 1 1 R 1 R 1 1 R
        R . . . R . . . R      R 1 1 1 R 1 1 1 R
        . R . B . . . R .      . R 1 b 1 1 1 R .
        . . R R R R R . .      . . R R R R R . .
        => 1:0
        ",
    );
}

#[test]
fn an_area_in_an_area_that_closes_with_it() {
    check(
        "
        red
        . . R R . R R . .      . . R R . R R . .
        . R . . * . . R .      . R 1 1 R 1 1 R .
        R . . R . R . . R      R 1 1 R 1 R 1 1 R
        R . . R B R . . R      R 1 1 R b R 1 1 R
        R . . . R . . . R      R 1 1 1 R 1 1 1 R
        . R . B . . . R .      . R 1 b 1 1 1 R .
        . . R R R R R . .      . . R R R R R . .
        => 2:0
        ",
    );
}

#[test]
fn two_areas_that_share_a_wall() {
    check(
        "
        red
        . R R R R R .      . R R R R R .
        R . . R . . R      R 1 1 R 1 1 R
        R B . R . B R      R b 1 R 1 b R
        R . . * . . R      R 1 1 R 1 1 R
        . R R . R R .      . R R . R R .
        => 2:0
        ",
    );
}
