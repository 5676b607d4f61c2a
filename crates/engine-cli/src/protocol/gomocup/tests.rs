//! Sessions of the Gomocup protocol, written out.

use super::*;
use crate::protocol::testing::{RandomMover, check, converse, options};

fn session() -> Gomocup<RandomMover> {
    Gomocup::new(RandomMover::default(), options())
}

#[test]
fn a_match_from_its_start() {
    check(
        &mut session(),
        "
        > BEGIN
        ERROR there is no board yet
        > TURN 3,3
        ERROR there is no board yet
        > START 4
        ERROR size 4 is not supported
        > START 23
        ERROR size 23 is not supported
        > START x
        ERROR unreadable size
        > RECTSTART 15,20
        ERROR rectangular boards are not supported
        > RECTSTART 15,15
        OK
        > start 15
        OK
        > INFO timeout_turn 1000
        > INFO timeout_match 100000
        > INFO time_left 100000
        > INFO max_memory 83886080
        > INFO game_type 1
        > INFO rule 0
        > INFO folder /tmp
        > INFO
        > BEGIN
        MESSAGE value 0.5 nodes 29024 time 908
        7,6
        > TURN 7,6
        ERROR 7,6 is occupied
        > TURN 15,0
        ERROR 15,0 is off the board
        > TURN 1
        ERROR unreadable coordinates
        > TURN 8,8
        MESSAGE value 0.5 nodes 29024 time 908
        6,6
        > BEGIN
        ERROR the board is not empty
        > TAKEBACK 6,6
        OK
        > TAKEBACK 6,6
        ERROR 6,6 is free
        > RESTART
        OK
        > TURN 8,8
        MESSAGE value 0.5 nodes 29024 time 908
        7,6
        > TURN 8,9
        > END
        > BEGIN
        ",
    );
}

#[test]
fn boards_have_5_to_22_points_each_way() {
    for size in 5..=22_u8 {
        let corner = size - 1;
        let (start, turn) = (format!("START {size}"), format!("TURN {corner},{corner}"));
        let answers = converse(&mut session(), &[&start, &turn]);
        assert_eq!(answers[0], ["OK"], "{size}");
        let answer = answers[1].last().expect("a move");
        let (x, y) = answer.split_once(',').expect("a point");
        for at in [x, y] {
            assert!(
                at.parse::<u8>().is_ok_and(|at| at < size),
                "{size}: {answer}"
            );
        }
    }
}

#[test]
fn a_board_is_listed_and_its_owner_moves() {
    check(
        &mut session(),
        "
        > START 15
        OK
        > BOARD
        > 7,7,1
        > 8,8,2
        > DONE
        MESSAGE value 0.5 nodes 1000 time 32
        6,6
        > BOARD
        > 8,8,2
        > done
        MESSAGE value 0.5 nodes 1000 time 32
        7,6
        > BOARD
        > DONE
        MESSAGE value 0.5 nodes 1000 time 32
        7,6
        > BOARD
        > 7,7,1
        > DONE
        ERROR it is not our turn on this board
        > BOARD
        > 7,7,2
        > 7,7,1
        > DONE
        ERROR 7,7 is listed twice
        > BOARD
        > BEGIN
        > DONE
        ERROR unreadable stone
        > BOARD
        > 0,0,1
        > 0,1,1
        > 0,2,1
        > 0,3,1
        > 0,4,1
        > 5,0,2
        > 5,1,2
        > 5,2,2
        > 5,3,2
        > 5,5,2
        > DONE
        ERROR 5,0 is occupied
        > TURN 0,0
        MESSAGE value 0.5 nodes 1000 time 32
        8,6
        ",
    );
}

#[test]
fn rules_are_those_of_the_tournaments() {
    let mut session = session();
    session.size = Some(15);
    for (info, rule) in [
        ("0", Ok(Rule::Freestyle)),
        ("1", Ok(Rule::Standard)),
        ("3", Ok(Rule::Standard)),
        ("4", Err(4)),
    ] {
        session.info(&format!("rule {info}"));
        assert_eq!(session.rule, rule, "{info}");
        assert_eq!(session.position().is_ok(), rule.is_ok());
    }
    check(
        &mut session,
        "
        > BEGIN
        ERROR rule 4 is not supported
        > HELLO world
        UNKNOWN command HELLO
        > YXSTOP
        ",
    );
}

#[test]
fn the_time_left_bounds_a_move() {
    let mut session = session();
    session.info("timeout_turn 0");
    assert_eq!(session.bounds(), Bounds::time(Duration::ZERO));
    session.info("timeout_turn 1000");
    assert_eq!(session.bounds(), Bounds::time(Duration::from_millis(930)));
    session.info("time_left 2147483647");
    assert_eq!(session.bounds(), Bounds::time(Duration::from_millis(930)));
    session.info("time_left -5");
    let Some(Time::Clock(clock)) = session.bounds().time else {
        panic!("there is a clock now");
    };
    assert_eq!(clock.own, Duration::ZERO);
}

#[test]
fn a_search_is_stopped_with_the_best_so_far() {
    check(
        &mut session(),
        "
        > START 15
        OK
        > BEGIN
        > YXSTOP
        MESSAGE value 0.5 nodes 0 time 1
        7,6
        > TURN 0,0
        > END
        > TURN 0,1
        ",
    );
}

#[test]
fn memory_without_end_is_not_taken() {
    for bytes in ["2147483648", "107374182400", "9223372036854775807"] {
        let mut session = session();
        converse(&mut session, &[&format!("INFO max_memory {bytes}")]);
        let memory = session.search.options().limits.memory;
        assert_eq!(memory, crate::search::MAX_MEMORY, "{bytes}");
    }
}
