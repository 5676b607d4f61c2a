//! Properties of every session, for any input: it never panics, and every line is answered.

use super::testing::{RandomMover, converse, options};
use super::{Gomocup, Gtp, Nboard, Precedence, Session, Text};
use proptest::prelude::*;
use std::io::Cursor;
use tochki_rules::GameKind;

/// Words of all protocols, numbers on and off the board, and other text.
fn words() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "game", "play", "undo", "go", "stop", "time", "nodes", "clock", "depth", "START", "RECTSTART",
        "BEGIN", "TURN", "BOARD", "DONE", "INFO", "TAKEBACK", "RESTART", "ABOUT", "rule", "max_memory",
        "timeout_turn", "time_left", "timeout_match", "genmove", "reg_genmove", "boardsize", "clear_board",
        "time_settings", "showboard", "final_score", "known_command", "komi", "nboard", "set", "move",
        "hint", "ping", "learn", "analyze", "contempt", "dots", "boxes", "gomoku", "reversi", "othello",
        "b", "w", "black", "white", "pass", "PA", "d3", "c5", "i9", "a0", "3,2", "5,5,1", "5,6,2", "7,7,3",
        "-1,3", "h:0,0", "v:3,0", "{}", "{\"width\":5,\"height\":5}", "{\"size\":15}", "5x5", "15", "19",
        "20", "8", "0", "-1", "2147483647", "99999999999999999999", "1e9", "1e19", "9223372036854775807", "NaN", "inf", "#", "=", "",
        "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[d3];)",
        "(;BO[8 *]B[", "B[d3]W[PA]", "[", "]",
    ])
    .prop_map(str::to_owned);
    prop_oneof![8 => known, 1 => "\\PC{0,12}", 1 => any::<String>()]
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let line =
        prop::collection::vec(words(), 1..5).prop_map(|words| words.join(" ").replace('\n', " "));
    prop::collection::vec(line, 1..25)
}

/// Checks that the lines are read, and each is answered unless `silent` says that it need not be.
fn check(session: &mut impl Session, lines: &[String], silent: fn(&str) -> bool) {
    let read: Vec<_> = lines.iter().map(String::as_str).collect();
    let all = converse(session, &read);
    for (number, (line, answers)) in read.iter().zip(&all).enumerate() {
        // A search that is interrupted is answered then.
        let interrupted = read
            .get(number + 1)
            .is_some_and(|next| session.precedence(next) != Precedence::Timeouts);
        assert!(
            !answers.is_empty() || silent(line.trim()) || interrupted,
            "{line:?} is not answered"
        );
        for answer in answers {
            assert!(!answer.contains('\r') && answer.len() < 3000, "{answer:?}");
        }
    }
    assert!(!session.thinks());
}

/// Checks that the loop reads all bytes, and that lines that are neither blank nor cut off by control characters are answered.
fn run_on(session: &mut impl Session, bytes: &[u8]) {
    let mut output = Vec::new();
    crate::io::run(session, Cursor::new(bytes.to_owned()), &mut output).unwrap();
    let unreadable = bytes
        .split(|&byte| byte == b'\n')
        .any(|line| std::str::from_utf8(line).is_err());
    assert!(!unreadable || !output.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn text_answers_everything(lines in lines(), game in prop::sample::select(GameKind::ALL)) {
        let mut session = Text::new(RandomMover::default(), options(), game);
        check(&mut session, &lines, |line| line.is_empty() || line.split_whitespace().next() == Some("stop"));
    }

    #[test]
    fn gtp_answers_everything(lines in lines()) {
        let mut session = Gtp::new(RandomMover::default(), options());
        check(&mut session, &lines, |line| {
            line.split('#').next().unwrap().chars().all(|one| one.is_whitespace() || one.is_control())
        });
    }

    #[test]
    fn gomocup_answers_what_it_must(lines in lines()) {
        let mut session = Gomocup::new(RandomMover::default(), options());
        // A line of a listed board is only answered by a move, or by an error at its end.
        let mut all = lines;
        all.push("DONE".into());
        if let Some(first) = all.iter().position(|line| line.to_ascii_uppercase().trim().starts_with("BOARD")) {
            check(&mut session, &all[..first], |line| line.is_empty() || starts(line, &["INFO", "STOP", "YXSTOP"]));
            check(&mut session, &all[first..], |_| true);
        } else {
            check(&mut session, &all, |line| line.is_empty() || starts(line, &["INFO", "STOP", "YXSTOP"]));
        }
    }

    #[test]
    fn bytes_end_no_session(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n')], 0..300)) {
        let searcher = RandomMover::default;
        run_on(&mut Text::new(searcher(), options(), GameKind::Dots), &bytes);
        run_on(&mut Gomocup::new(searcher(), options()), &bytes);
        run_on(&mut Gtp::new(searcher(), options()), &bytes);
        run_on(&mut Nboard::new(searcher(), options()), &bytes);
    }

    #[test]
    fn nboard_never_panics(lines in lines()) {
        let mut session = Nboard::new(RandomMover::default(), options());
        check(&mut session, &lines, |line| line.is_empty() || starts(line, &["SET", "MOVE"]));
    }
}

/// Checks that reading is no recursion, however deep the nesting: no stack overflows, and the session goes on.
#[test]
fn lines_a_million_deep_end_no_session() {
    let depth = 1_000_000;
    let lines = [
        format!("game dots {}", r#"{"a":"#.repeat(depth)),
        format!("game dots {}", "[".repeat(depth)),
        format!("set game {}", "(;".repeat(depth)),
        format!("set game (;GM[Othello]{}", "B[d3".repeat(depth)),
        format!("set game {}", "BO[8 [".repeat(depth)),
        format!("play {}", "(".repeat(depth)),
        format!("move {}", "(".repeat(depth)),
        format!("TURN {}", "(".repeat(depth)),
        "[".repeat(depth),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let searcher = RandomMover::default;
    converse(
        &mut Text::new(searcher(), options(), GameKind::Dots),
        &lines,
    );
    converse(&mut Gomocup::new(searcher(), options()), &lines);
    converse(&mut Gtp::new(searcher(), options()), &lines);
    let mut nboard = Nboard::new(searcher(), options());
    converse(&mut nboard, &lines);
    let answers = converse(&mut nboard, &["ping 7"]);
    assert_eq!(answers, [["pong 7"]]);
}

fn starts(line: &str, words: &[&str]) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    words.iter().any(|word| first.eq_ignore_ascii_case(word))
}
