//! Threats that a level overlooks, and threats that it does not.

use super::*;

#[test]
fn open_threes_are_answered_from_the_third_level_on() {
    let position = drawn(
        Rule::Freestyle,
        "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X . . . . . .
        . . . . . . . . . . .
        . . . . O O O . . . .
        . . . . . . X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        ",
    );
    for level in Level::all().skip(2) {
        for seed in 0..8 {
            let limits = Limits {
                level,
                nodes: 600,
                ..SMALL
            };
            let choice = finished_with_seed(&position, limits, seed).choice.unwrap();
            assert!(
                choice.y == 5 && (2..=8).contains(&choice.x),
                "{level}: {choice}"
            );
        }
    }
}

#[test]
fn fives_are_seen_from_the_second_level_on() {
    let position = drawn(
        Rule::Freestyle,
        "
        . . . . . . . . .
        . . . X . . . . .
        . . . . . X . . .
        . . . . . . . . .
        . X O O O O . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        ",
    );
    for level in Level::all().skip(1) {
        for seed in 0..8 {
            let limits = Limits {
                level,
                nodes: 600,
                ..SMALL
            };
            let choice = finished_with_seed(&position, limits, seed).choice;
            assert_eq!(choice, Some(Point::new(6, 4)), "level {level}");
        }
    }
}

#[test]
fn from_the_third_level_on_no_win_is_passed_over_and_no_loss_chosen() {
    let (mut won, mut lost) = (0, 0);
    let mut rng = Rng::new(5);
    for seed in 0..150 {
        let mut position = Gomoku::new(&Setup::new(9, Rule::Freestyle).unwrap());
        let moves = 12 + rng.below(20) as usize;
        play_at_random(&mut position, moves, &mut rng);
        if position.to_move().is_none() {
            continue;
        }
        for level in Level::all().skip(2) {
            let limits = Limits {
                level,
                nodes: 1_000,
                ..SMALL
            };
            let report = finished_with_seed(&position, limits, seed);
            let value_of = |mv| report.moves.iter().find(|one| one.mv == mv).unwrap().value;
            let value = value_of(report.choice.unwrap());
            let best = report.moves[0].value;
            if best >= 1.0 {
                won += 1;
                assert!(value >= 1.0, "level {level}: {value}");
            } else if best > -1.0 {
                lost += usize::from(report.moves.iter().any(|one| one.value <= -1.0));
                assert!(value > -1.0, "level {level}: {value}");
            }
        }
    }
    assert!(won > 50 && lost > 50, "{won} won, {lost} with lost moves");
}
