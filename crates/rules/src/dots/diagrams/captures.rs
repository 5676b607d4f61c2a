//! One line, one area: the points inside and outside of it.

use super::check;

#[test]
fn blue_captures_as_red_does() {
    check(
        "
        blue
        . B .      . B .
        B R B      B r B
        . * .      . B .
        => 0:1
        ",
    );
}

#[test]
fn square_corners_enclose_no_more_than_slanting_ones() {
    check(
        "
        red
        R R R      R R R
        R B R      R b R
        R * R      R R R
        => 1:0
        ",
    );
}

#[test]
fn the_inner_of_two_walls_is_the_line() {
    check(
        "
        red
        . . R . .      . . R . .
        . . R . .      . . R . .
        R R B R R      R R b R R
        . . * . .      . . R . .
        . . R . .      . . R . .
        => 1:0
        ",
    );
}

#[test]
fn empty_points_are_taken_with_the_dot() {
    check(
        "
        red
        . R R R .      . R R R .
        R . . . R      R 1 1 1 R
        R . B . R      R 1 b 1 R
        R . . . R      R 1 1 1 R
        . R * R .      . R R R .
        => 1:0
        ",
    );
}

#[test]
fn own_dots_inside_stay_alive() {
    check(
        "
        red
        . R R R .      . R R R .
        R . R . R      R 1 R 1 R
        R . . B R      R 1 1 b R
        R . . R R      R 1 1 R R
        . R * R .      . R R R .
        => 1:0
        ",
    );
}

#[test]
fn several_dots_at_once() {
    check(
        "
        red
        . R R R R .      . R R R R .
        R B . B . R      R b 1 b 1 R
        R . B . . R      R 1 b 1 1 R
        R B . . B R      R b 1 1 b R
        . R R R * .      . R R R R .
        => 5:0
        ",
    );
}

#[test]
fn a_line_may_run_along_the_edge() {
    check(
        "
        red
        R R R R      R R R R
        R B B R      R b b R
        R * R R      R R R R
        => 2:0
        ",
    );
}

#[test]
fn the_edge_closes_no_line() {
    check(
        "
        red
        . R B      . R B
        . R .      . R .
        . * .      . R .
        => 0:0
        ",
    );
}

#[test]
fn a_dot_in_the_corner_cannot_be_taken() {
    check(
        "
        red
        B * .      B R .
        R R .      R R .
        . . .      . . .
        => 0:0
        ",
    );
}

#[test]
fn one_row_has_no_inside() {
    check(
        "
        red
        R B *      R B R
        => 0:0
        ",
    );
}

#[test]
fn two_rows_have_no_inside() {
    check(
        "
        red
        R B R      R B R
        R * R      R R R
        => 0:0
        ",
    );
}

#[test]
fn enemy_dots_in_the_corners_do_not_cut_a_line() {
    check(
        "
        red
        B R B      B R B
        R B R      R b R
        B * B      B R B
        => 1:0
        ",
    );
}

#[test]
fn a_pocket_of_the_line_stays_open() {
    check(
        "
        red
        . R R R R . .      . R R R R . .
        R B . . . R .      R b 1 1 1 R .
        R . R R R . .      R 1 R R R . .
        R . R . . R .      R 1 R . . R .
        R . R R R . .      R 1 R R R . .
        R . . . . R .      R 1 1 1 1 R .
        . R R * R . .      . R R R R . .
        => 1:0
        ",
    );
}

#[test]
fn an_area_of_many_corners() {
    check(
        "
        red
        . R R . . R .      . R R . . R .
        R B . R R . R      R b 1 R R 1 R
        R . . . . B R      R 1 1 1 1 b R
        . R . . R R .      . R 1 1 R R .
        . . R * . . .      . . R R . . .
        => 2:0
        ",
    );
}

#[test]
fn a_line_round_the_whole_board() {
    check(
        "
        red
        R R R R R R      R R R R R R
        R . . B . R      R 1 1 b 1 R
        R . B . . R      R 1 b 1 1 R
        R . . . . R      R 1 1 1 1 R
        R R R * R R      R R R R R R
        => 2:0
        ",
    );
}

#[test]
fn next_to_a_corner_of_the_board() {
    check(
        "
        blue
        . . . .      . . . .
        . . B B      . . B B
        . B R B      . B r B
        . . * B      . . B B
        => 0:1
        ",
    );
}

#[test]
fn a_spur_of_the_line_is_inside() {
    check(
        "
        red
        . R R R R .      . R R R R .
        R . . . . R      R 1 1 1 1 R
        R . R R R R      R 1 R R R R
        R . . B . R      R 1 1 b 1 R
        . R R R * .      . R R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_line_of_walls_across_an_area_divides_it() {
    check(
        "
        red
        . R R R R .      . R R R R .
        R B R . . R      R b R . . R
        R . R . . R      R 1 R . . R
        R . R . . R      R 1 R . . R
        . * R R R .      . R R R R .
        => 1:0
        ",
    );
}

#[test]
fn a_dot_may_close_a_line_from_the_middle_of_the_board() {
    check(
        "
        red
        . R R R .      . R R R .
        R B . R .      R b 1 R .
        R . * . .      R 1 R . .
        . R R . .      . R R . .
        => 1:0
        ",
    );
}
