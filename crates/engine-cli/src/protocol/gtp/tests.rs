//! Sessions of GTP, written out.

use super::*;
use crate::protocol::testing::{RandomMover, check, converse, options};

fn session() -> Gtp<RandomMover> {
    Gtp::new(RandomMover::default(), options())
}

#[test]
fn a_game_of_othello() {
    check(
        &mut session(),
        "
        > 1 protocol_version
        =1 2
        > name
        = Tochki
        > 2 known_command genmove
        =2 true
        > known_command kgs-chat
        = false
        > set_game Othello
        =
        > set_game Go
        ? unknown game
        > boardsize 8
        =
        > boardsize 19
        ? unacceptable size
        > clear_board
        =
        > play b d3
        =
        > play b d3
        ? illegal move
        > 7 play white e3
        =7
        > play w i9
        ? illegal move
        > play w hello
        ? syntax error
        > play red d6
        ? syntax error
        > genmove w
        ? it is the other side's turn
        > play b pass
        ? illegal move
        > showboard
        =
        a b c d e f g h
        1 . . . . . . . .
        2 . . . . . . . .
        3 . . . X O . . .
        4 . . . X O . . .
        5 . . . X O . . .
        6 . . . . . . . .
        7 . . . . . . . .
        8 . . . . . . . .
        3:3, black to move
        > 12 genmove black   # a comment
        =12 F4
        > reg_genmove white
        = G3
        > final_score
        ? cannot score
        > undo
        =
        > undo
        =
        > undo
        =
        > undo
        ? cannot undo
        > komi 6.5
        =
        > 99
        ?99 unknown command
        > # nothing
        > 3 hello
        ?3 unknown command
        > play b
        ? syntax error
        > quit
        =
        > name
        ",
    );
}

#[test]
fn a_side_without_a_move_passes() {
    // The shortest game in which a side has to pass: black, after eight moves.
    check(
        &mut session(),
        "
        > play b c4
        =
        > play w c3
        =
        > play b f5
        =
        > play w b4
        =
        > play b a4
        =
        > play w a5
        =
        > play b c2
        =
        > play w a3
        =
        > play w pass
        ? illegal move
        > genmove b
        = PASS
        > play b pass
        =
        > genmove w
        = D2
        ",
    );
    let mut session = session();
    // Nine moves: black wins with all discs, and both sides pass then.
    let moves = ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"];
    let lines: Vec<_> = moves
        .iter()
        .zip(["b", "w"].iter().cycle())
        .map(|(mv, color)| format!("play {color} {mv}"))
        .chain(["genmove w", "play w pass", "genmove b", "final_score"].map(str::to_owned))
        .collect();
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let answers = converse(&mut session, &lines);
    let last: Vec<_> = answers[9..]
        .iter()
        .map(|answer| answer[0].as_str())
        .collect();
    assert_eq!(last, ["= PASS", "=", "= PASS", "= B+13"]);
}

#[test]
fn clocks_bound_a_move() {
    let mut session = session();
    let bounds = |session: &mut Gtp<RandomMover>, line: &str| {
        converse(session, &[line]);
        session.bounds(Seat::First).time
    };
    assert_eq!(bounds(&mut session, "name"), None);
    let Some(Time::Clock(clock)) = bounds(&mut session, "time_settings 60 0 0") else {
        panic!("a main time is a clock");
    };
    assert_eq!(clock.own, Duration::from_mins(1));
    let Some(Time::Clock(clock)) = bounds(&mut session, "time_left b 30.5 0") else {
        panic!("what is left is a clock");
    };
    assert_eq!(clock.own, Duration::from_millis(30_500));
    let period = Some(Time::Move(Duration::from_millis(900)));
    assert_eq!(bounds(&mut session, "time_left b 5 5"), period);
    assert_eq!(bounds(&mut session, "time_settings 0 10 10"), period);
    assert_eq!(bounds(&mut session, "time_settings 0 1 0"), None);
}

#[test]
fn quitting_waits_for_the_answer() {
    check(
        &mut session(),
        "
        > 1 genmove b
        =1 C4
        > 2 quit
        =2
        ",
    );
}

#[test]
fn a_clock_of_any_length_is_played_by() {
    for seconds in ["1e19", "18446744073709551615", "1e9", "0.0000000001"] {
        let mut session = session();
        let asked = [
            format!("time_settings {seconds} {seconds} 3"),
            format!("time_left b {seconds} 1"),
            "genmove b".to_owned(),
            format!("time_left w {seconds} 0"),
            "genmove w".to_owned(),
        ];
        let lines: Vec<_> = asked.iter().map(String::as_str).collect();
        for answers in converse(&mut session, &lines) {
            assert!(answers[0].starts_with('='), "{seconds}: {answers:?}");
        }
    }
}
