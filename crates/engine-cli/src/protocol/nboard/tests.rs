//! Sessions of the `NBoard` protocol, written out.

use super::*;
use crate::protocol::game_in_ggf;
use crate::protocol::testing::{RandomMover, check, converse, options};

fn session() -> Nboard<RandomMover> {
    Nboard::new(RandomMover::default(), options())
}

#[test]
fn a_session_as_the_protocol_shows_it() {
    check(
        &mut session(),
        "
        > nboard 2
        set myname Tochki
        > set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)
        > set depth 6
        set myname Tochki8
        > set contempt 0
        > ping 1
        pong 1
        > go
        status Tochki is thinking
        search G5 0.5 0 1
        nodestats 1000 0.03
        === G5/0.50/0.03
        status
        >
        > move G5/0.5/0.1
        > hint 2
        status Tochki is analyzing
        search C4 0.5 0 1
        search E3 0.5 0 1
        nodestats 1000 0.03
        status
        >
        > move A1
        status illegal move
        > move PA
        status there is a move, so nobody passes
        > learn
        learned
        > hello
        status unknown command hello
        > quit
        > ping 2
        ",
    );
}

#[test]
fn a_ping_stops_the_search() {
    check(
        &mut session(),
        "
        > go
        status Tochki is thinking
        > ping 7
        search C4 0.5 0 1
        nodestats 0 0.00
        === C4/0.50/0.00
        status
        pong 7
        ",
    );
}

#[test]
fn a_game_is_analyzed_from_its_end() {
    check(
        &mut session(),
        "
        > move d3
        > move c3
        > analyze
        status Tochki is analyzing
        analysis 2 0.5
        analysis 1 -0.5
        analysis 0 0.5
        status
        ",
    );
}

#[test]
fn only_the_usual_start_is_supported() {
    check(
        &mut session(),
        "
        > set game (;GM[Othello]BO[8 --------------------------OO*------*O--------------------------- *];)
        status only the usual start is supported
        > go
        status only the usual start is supported
        > set game (;GM[Othello])
        status the game has no board
        > set game [
        status the game ends in a bracket
        > set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[a1];)
        status illegal move
        ",
    );
    assert_eq!(session().position, game_of(&game_in_ggf(&[])).unwrap().0);
}

#[test]
fn passes_are_moves() {
    let mut position = start();
    // The shortest game in which a side has to pass: black, after eight moves.
    let moves = ["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3"];
    let mut made = Vec::new();
    for text in moves {
        let seat = position.to_move().unwrap();
        let mv = position.parse_move(text).unwrap();
        position.play(mv).unwrap();
        made.push((seat, mv));
    }
    let ggf = game_in_ggf(&made);
    let (read, owes_pass) = game_of(&ggf).unwrap();
    assert_eq!((&read, owes_pass), (&position, true));
    let passed = ggf.replace(";)", "B[PA];)");
    assert_eq!(game_of(&passed).unwrap(), (position.clone(), false));
    let next = position.legal_moves()[0];
    position.play(next).unwrap();
    let passed = ggf.replace(";)", &format!("B[PA]W[{next}];)"));
    assert_eq!(game_of(&passed).unwrap().0, position);
    let text = "
        > set game GAME
        > go
        === PA
        > hint 1
        search PA 0 0 0
        status
        > move PA
        > move NEXT
        ";
    let text = text.replace("GAME", &ggf);
    check(&mut session(), &text.replace("NEXT", &next.to_string()));
}

/// After eight moves black passes, which is the ninth; the board before and after it is the same.
#[test]
fn passes_count_in_an_analysis() {
    let mut session = session();
    for mv in ["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3", "PA", "d2"] {
        converse(&mut session, &[&format!("move {mv}")]);
    }
    let answers = converse(&mut session, &["analyze"]).concat();
    let numbers: Vec<_> = answers
        .iter()
        .filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next())
        .collect();
    let expected = ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "0"];
    assert_eq!(numbers, expected);
}
