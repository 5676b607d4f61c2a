//! Areas in areas.

use super::check;

#[test]
fn two_rings_blue_round_red() {
    check(
        "
        blue
        . . B . .      . . B . .
        . B R B .      . B r B .
        B R . R B      B r 2 r B
        . B R B .      . B r B .
        . . * . .      . . B . .
        => 0:4
        ",
    );
}

#[test]
fn three_rings_red_round_blue_round_red() {
    check(
        "
        red
        . . . R . . .      . . . R . . .
        . . R B R . .      . . R b R . .
        . R B r B R .      . R b R b R .
        R B r B r B R      R b R b R b R
        . R B r B R .      . R b R b R .
        . . R B R . .      . . R b R . .
        . . . * . . .      . . . R . . .
        => 9:0
        ",
    );
}

#[test]
fn four_rings_blue_round_all() {
    check(
        "
        blue
        . . . . B . . . .      . . . . B . . . .
        . . . B R B . . .      . . . B r B . . .
        . . B R b R B . .      . . B r B r B . .
        . B R b R b R B .      . B r B r B r B .
        B R b R b R b R B      B r B r B r B r B
        . B R b R b R B .      . B r B r B r B .
        . . B R b R B . .      . . B r B r B . .
        . . . B R B . . .      . . . B r B . . .
        . . . . * . . . .      . . . . B . . . .
        => 0:16
        ",
    );
}

#[test]
fn an_old_area_that_hangs_inside_the_line_is_in_the_new_one() {
    check(
        "
        red
        . R R R R R .      . R R R R R .
        R . . R . . R      R 1 1 R 1 1 R
        R . R b R . R      R 1 R b R 1 R
        R . . R . . R      R 1 1 R 1 1 R
        R B . . . . R      R b 1 1 1 1 R
        . R R * R R .      . R R R R R .
        => 2:0
        ",
    );
}

#[test]
fn an_old_area_beside_the_line_stays_as_it_is() {
    check(
        "
        red
        . R . R .      . R . R .
        R b R B R      R b R b R
        . R . * .      . R . R .
        => 2:0
        ",
    );
}

#[test]
fn an_enemy_area_is_full_of_enemies() {
    check(
        "
        red
        . . R R R . .      . . R R R . .
        . R . B . R .      . R 1 b 1 R .
        R . B r B . R      R 1 b R b 1 R
        . R . B . R .      . R 1 b 1 R .
        . . R * R . .      . . R R R . .
        => 4:0
        ",
    );
}

#[test]
fn a_ring_round_ones_own_area_is_a_house() {
    check(
        "
        red
        . . R R R . .      . . R R R . .
        . R . R . R .      . R . R . R .
        R . R b R . R      R . R b R . R
        . R . R . R .      . R . R . R .
        . . R * R . .      . . R R R . .
        => 1:0
        ",
    );
}

#[test]
fn an_area_is_taken_with_its_line() {
    check(
        "
        blue
        . B B B .      . B B B .
        B R R R B      B r r r B
        B R b R B      B r B r B
        B . R . B      B 2 r 2 B
        . B * B .      . B B B .
        => 0:6
        ",
    );
}

#[test]
fn two_areas_taken_at_once() {
    check(
        "
        blue
        . B B B B B .      . B B B B B .
        B . R . R . B      B 2 r 2 r 2 B
        B R b R b R B      B r B r B r B
        B . R . R . B      B 2 r 2 r 2 B
        . B B B * B .      . B B B B B .
        => 0:7
        ",
    );
}

#[test]
fn dots_that_were_freed_hold_their_own_dead_again() {
    check(
        "
        red
        . . R R R . .      . . R R R . .
        . R B B B R .      . R b b b R .
        R B 2 r 2 B R      R b 1 R 1 b R
        R B r B r B R      R b R b R b R
        R B 2 r 2 B R      R b 1 R 1 b R
        . R B B B R .      . R b b b R .
        . . R * R . .      . . R R R . .
        => 13:0
        ",
    );
}

#[test]
fn the_dead_hold_no_house() {
    check(
        "
        red
        . . R R . .      . . R R . .
        . R B . R .      . R b 1 R .
        R B . B R .      R b 1 b R .
        . R B R . .      . R b R . .
        . . * . . .      . . R . . .
        => 4:0
        ",
    );
}

#[test]
fn a_house_falls_with_the_dots_that_made_it() {
    check(
        "
        red
        . . R . .      . . R . .
        . R B R .      . R b R .
        R B . B R      R b 1 b R
        . R B R .      . R b R .
        . . * . .      . . R . .
        => 4:0
        ",
    );
}
