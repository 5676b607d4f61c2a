//! The cases that the rule itself draws.

use super::check;

#[test]
fn capture() {
    check(
        "
        red
        . R .      . R .
        R B R      R b R
        . * .      . R .
        => 1:0
        ",
    );
}

#[test]
fn diagonals_close_the_empty_point_goes_too() {
    check(
        "
        red
        . R R .      . R R .
        R B . R      R b 1 R
        . R * .      . R R .
        => 1:0
        ",
    );
}

#[test]
fn the_edge_closes_nothing() {
    check(
        "
        red
        B R .      B R .
        * . .      R . .
        => 0:0
        ",
    );
}

#[test]
fn a_house_captures_nothing_and_stays_open() {
    check(
        "
        red
        . R .      . R .
        R . R      R . R
        . * .      . R .
        => 0:0
        ",
    );
}

#[test]
fn stepping_into_a_house() {
    check(
        "
        blue
        . R .      . R .
        R * R      R b R
        . R .      . R .
        => 1:0
        ",
    );
}

#[test]
fn stepping_into_a_house_and_capturing() {
    check(
        "
        blue
        . R B .      . R B .
        R * R B      R B r B
        . R B .      . R B .
        => 0:1
        ",
    );
}

#[test]
fn ones_own_house_may_be_filled() {
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
fn two_captures_with_one_dot() {
    check(
        "
        red
        . R . R .      . R . R .
        R B * B R      R b R b R
        . R . R .      . R . R .
        => 2:0
        ",
    );
}

#[test]
fn a_house_beside_the_capture_stays_open() {
    check(
        "
        red
        . R . R .      . R . R .
        R B R . R      R b R . R
        . * . R .      . R . R .
        => 1:0
        ",
    );
}

#[test]
fn a_house_inside_the_line_goes_too() {
    check(
        "
        red
        . R R R R R R .      . R R R R R R .
        R . . R . . . R      R 1 1 R 1 1 1 R
        R . R . R . . R      R 1 R 1 R 1 1 R
        R . . R . . . R      R 1 1 R 1 1 1 R
        R B . . . . . R      R b 1 1 1 1 1 R
        . R R * R R R .      . R R R R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_new_line_round_an_old_capture_takes_nothing() {
    check(
        "
        red
        . . R . .      . . R . .
        . R R R .      . R R R .
        R R b R R      R R b R R
        . R R R .      . R R R .
        . . * . .      . . R . .
        => 1:0
        ",
    );
}

#[test]
fn recapture_frees_the_dead() {
    check(
        "
        blue
        . . B . .      . . B . .
        . B R B .      . B r B .
        B R b R B      B r B r B
        . B R B .      . B r B .
        . . * . .      . . B . .
        => 0:4
        ",
    );
}

#[test]
fn dead_dots_close_no_line() {
    check(
        "
        blue
        . R . B .      . R . B .
        R b R . B      R b R . B
        . R * B .      . R B B .
        => 1:0
        ",
    );
}
