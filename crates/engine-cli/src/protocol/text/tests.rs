//! Sessions of the text protocol, written out.

use super::*;
use crate::protocol::testing::{RandomMover, check, options};

fn session() -> Text<RandomMover> {
    Text::new(RandomMover::default(), options(), GameKind::Dots)
}

#[test]
fn a_game_is_set_up_played_and_taken_back() {
    check(
        &mut session(),
        r#"
        > game dots {"width":20,"height":20}
        ok
        > play 5,5
        ok
        > play 5,5
        error occupied
        > play 20,0
        error off_board
        > play d3
        error malformed_move
        > undo
        ok
        > undo
        error nothing_to_undo
        > game boxes {"cols":1,"rows":1}
        ok
        > play h:0,0
        ok
        > play h:0,0
        error already_drawn
        > play h:0,1
        ok
        > play v:0,0
        ok
        > play v:1,0
        ok
        > play v:1,0
        error finished
        > go nodes 1
        error finished
        > game reversi
        ok
        > play D3
        ok
        > play 0,0
        error flips_nothing
        > game gomoku {"size":15,"rule":"standard"}
        ok
        > quit
        > play 0,0
        "#,
    );
}

#[test]
fn a_search_is_told_and_its_move_is_played() {
    check(
        &mut session(),
        "
        > game reversi {}
        ok
        > go nodes 300
        info value 0.5 exact false nodes 300 time 10 pv 2,3
        move 2,3
        > play 4,5
        error flips_nothing
        > go time 20
        info value 0.5 exact false nodes 544 time 18 pv 4,2
        move 4,2
        > undo
        ok
        > undo
        ok
        > undo
        error nothing_to_undo
        > go clock 1000 1000 0
        info value 0.5 exact false nodes 1216 time 39 pv 2,3
        move 2,3
        > go 1000 1000 0
        info value 0.5 exact false nodes 1216 time 39 pv 4,2
        move 4,2
        > go
        info value 0.5 exact false nodes 1000 time 32 pv 5,3
        move 5,3
        ",
    );
}

#[test]
fn a_search_is_stopped() {
    check(
        &mut session(),
        "
        > game reversi
        ok
        > stop
        > go infinite
        > stop
        info value 0.5 exact false nodes 0 time 1 pv 2,3
        move 2,3
        > go infinite
        > quit
        info value 0.5 exact false nodes 0 time 1 pv 4,2
        move 4,2
        > play 0,0
        ",
    );
}

#[test]
fn what_is_not_understood_is_told() {
    check(
        &mut session(),
        r#"
        > hello
        error unknown_command
        > GO
        error unknown_command
        > game
        error malformed_command
        > game chess
        error unknown_game
        > game dots {"width":51}
        error invalid_setup
        > game dots {"width":
        error invalid_setup
        > game dots 39
        error invalid_setup
        > go fast
        error malformed_command
        > go time
        error malformed_command
        > go nodes -1
        error malformed_command
        > go clock 1 2
        error malformed_command
        > go clock 1 2 3 move
        error malformed_command
        > go clock 1 2 3 periods 5
        error malformed_command
        > go clock 1 2 3 periods -1 5
        error malformed_command
        > go clock 1 2 3 move 5 periods 1 5
        error malformed_command
        > go 1 2 3 move 5
        error malformed_command
        > play
        error malformed_move
        >
        "#,
    );
}

#[test]
fn banks_and_periods_are_read() {
    let clock = |words: &str| match bounds(words, Bounds::default())?.time? {
        Time::Clock(clock) => Some((clock.own.as_millis(), clock.free)),
        Time::Move(_) => None,
    };
    let (bank, period) = (Duration::from_secs(25), Duration::from_secs(30));
    let expected = [
        ("clock 1000 900 0", (1000, FreeTime::None)),
        ("clock 1000 900 0 move 25000", (1000, FreeTime::First(bank))),
        ("clock 0 900 0 periods 5 30000", (0, FreeTime::Last(period))),
        ("clock 5 900 0 periods 0 30000", (5, FreeTime::None)),
    ];
    for (words, read) in expected {
        assert_eq!(clock(words), Some(read), "{words}");
    }
}

#[test]
fn setups_are_read_in_words() {
    let check = |kind, words, fields: &str| {
        let fields: Value = serde_json::from_str(fields).unwrap();
        let setup = setup_in_words(kind, words).unwrap();
        assert_eq!(setup.fields().unwrap(), fields, "{words}");
    };
    check(
        GameKind::Dots,
        "20x10 cross",
        r#"{"width":20,"height":10,"start":"cross"}"#,
    );
    check(
        GameKind::Dots,
        "39x32",
        r#"{"width":39,"height":32,"start":"empty"}"#,
    );
    check(GameKind::Boxes, "5x4", r#"{"cols":5,"rows":4}"#);
    check(
        GameKind::Gomoku,
        "15 standard",
        r#"{"size":15,"rule":"standard"}"#,
    );
    check(
        GameKind::Gomoku,
        "19x19",
        r#"{"size":19,"rule":"freestyle"}"#,
    );
    check(GameKind::Reversi, "8x8", "{}");
    for words in ["", "x", "5", "5x5 empty empty", "300x1"] {
        assert_eq!(setup_in_words(GameKind::Dots, words), None, "{words}");
    }
    for kind in GameKind::ALL {
        let setup = kind.default_setup();
        assert_eq!(setup_in_words(*kind, &in_words(&setup)), Some(setup));
    }
    let small = setup_in_words(GameKind::Dots, "20x15 cross").unwrap();
    assert_eq!(in_words(&small), "20x15 cross");
}
