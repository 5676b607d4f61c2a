//! Duels started from the command line, also with programs that misbehave.

use std::path::Path;
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_tochki-engine");

fn run(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().unwrap()
}

/// The table of a duel that is played to its end.
#[track_caller]
fn duel(a: &str, b: &str, arguments: &[&str]) -> String {
    let output = run(&[&["duel", a, b, "--quiet", "--seed", "1"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A program in shell that answers `ok` to all but `go`.
fn script_that_answers_go(answer: &str) -> String {
    format!("sh -c 'while read verb rest; do case $verb in go) {answer};; *) echo ok;; esac; done'")
}

/// A sound opponent that does not look at the time.
const SOUND: &str = "self:--random --seed 3";

/// Plays two games of Reversi, in which A has so many milliseconds for a move, and B has no limit.
#[track_caller]
fn check_fault(a: &str, limit: &str, fault: &str) {
    let limit = format!("--limit-a={limit}");
    let table = duel(
        a,
        SOUND,
        &["--game", "reversi", "--games", "2", "--plies", "0", &limit],
    );
    assert!(table.contains("B won      2 "), "{table}");
    assert!(
        table.contains(&format!("A lost by  2 {fault}\n")),
        "{table}"
    );
    assert!(!table.contains("B lost by"), "{table}");
}

#[test]
fn a_program_that_ends_has_lost() {
    check_fault("sh -c 'exit 1'", "none", "crash");
    check_fault("sh -c 'read game; echo ok; exit'", "none", "crash");
    check_fault(&script_that_answers_go("exit"), "none", "crash");
}

#[test]
fn a_program_that_plays_an_illegal_move_has_lost() {
    check_fault(
        &script_that_answers_go("echo move 0,0"),
        "none",
        "illegal_move",
    );
    check_fault(
        &script_that_answers_go("echo move 9,9"),
        "none",
        "illegal_move",
    );
}

#[test]
fn a_program_that_talks_nonsense_has_lost() {
    check_fault(
        &script_that_answers_go("echo hello"),
        "none",
        "garbled_answer",
    );
    check_fault(
        &script_that_answers_go("echo move"),
        "none",
        "garbled_answer",
    );
    check_fault(
        "sh -c 'printf \"\\377\\376\\n\"; cat'",
        "none",
        "garbled_answer",
    );
    check_fault("yes", "none", "garbled_answer");
    check_fault(
        &script_that_answers_go("echo error no_engine"),
        "none",
        "refusal",
    );
}

#[test]
fn a_program_that_takes_too_long_has_lost() {
    check_fault(&script_that_answers_go("sleep 100"), "time 50", "time");
    check_fault(
        &script_that_answers_go("while :; do echo info; done"),
        "time 50",
        "time",
    );
    check_fault(&script_that_answers_go("sleep 100"), "clock 100+0", "time");
}

#[test]
fn a_program_that_is_silent_has_lost() {
    // The sound program has as long, and answers at once.
    let silent = script_that_answers_go("sleep 100");
    let arguments = [
        "--game",
        "reversi",
        "--games",
        "2",
        "--plies",
        "0",
        "--idle-timeout",
        "1500",
    ];
    let table = duel(&silent, SOUND, &arguments);
    assert!(table.contains("A lost by  2 silence\n"), "{table}");
}

#[test]
fn a_program_that_cannot_be_started_ends_the_duel() {
    let output = run(&["duel", "/nowhere/engine", SOUND, "--game", "reversi"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot start"));
}

/// Checks random movers by two protocols: whichever side wins, none must lose by a fault.
#[track_caller]
fn check_protocols(game: &str, setup: &str, a: &str, b: &str) {
    let program = |protocol: &str| {
        format!("{protocol}:{BINARY} engine --protocol {protocol} --game {game} --random --seed 5")
    };
    let arguments = [
        "--game", game, "--setup", setup, "--games", "4", "--plies", "0",
    ];
    let table = duel(&program(a), &program(b), &arguments);
    assert!(table.contains("games      4\n"), "{table}");
    assert!(!table.contains("lost by"), "{table}");
}

#[test]
fn every_protocol_plays_every_game_it_knows() {
    check_protocols("dots", "6x5", "text", "text");
    check_protocols("boxes", "3x3", "text", "text");
    check_protocols("gomoku", "15", "gomocup", "text");
    check_protocols("gomoku", "15 standard", "gomocup", "gomocup");
    check_protocols("reversi", "{}", "gtp", "text");
    check_protocols("reversi", "{}", "nboard", "gtp");
    check_protocols("reversi", "{}", "nboard", "text");
}

/// The games that a duel writes.
fn saved(folder: &Path, name: &str, arguments: &[&str]) -> String {
    let path = folder.join(name);
    let path = path.to_str().unwrap();
    duel(
        "self:--random --seed 1",
        "self:--random --seed 2",
        &[arguments, &["--save", path]].concat(),
    );
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn games_are_kept_and_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let dots = [
        "--game", "dots", "--setup", "6x6", "--games", "2", "--plies", "0",
    ];
    let lines = saved(folder.path(), "games.jsonl", &dots);
    let mut scores = Vec::new();
    tochki_rules::replay::replay(lines.as_bytes(), &mut scores, true).unwrap();
    let told: Vec<_> = lines
        .lines()
        .map(|line| {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{}:{}\n", game["score"][0], game["score"][1])
        })
        .collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told.concat(), String::from_utf8(scores).unwrap());

    let sgf = saved(folder.path(), "games.sgf", &dots);
    assert_eq!(sgf.matches("(;GM[40]").count(), 2);
    let first = &sgf[..=sgf.find(")\n").unwrap()];
    assert!(tochki_rules::record::parse(first).is_ok());
}

#[test]
fn a_game_of_dots_ends_when_nothing_can_change_its_score() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary");
    // On two rows nothing can ever be enclosed.
    let arguments = [
        "--game",
        "dots",
        "--setup",
        "6x2",
        "--games",
        "2",
        "--plies",
        "0",
        "--name",
        "dots-6x2",
        "--summary",
        summary.to_str().unwrap(),
    ];
    let games = saved(folder.path(), "games.jsonl", &arguments);
    for line in games.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["reason"], "settled");
        assert_eq!(game["winner"], 0);
        assert_eq!(game["moves"].as_array().unwrap().len(), 1);
    }
    let summary = std::fs::read_to_string(summary).unwrap();
    assert!(summary.starts_with("dots-6x2 | 2 | 50.0 % | "), "{summary}");
}

/// A program that fills a row from the left and sees itself ahead by `value`.
fn script_that_fills(row: u8, value: i8) -> String {
    format!(
        "sh -c 'while read verb rest; do case $verb in game) n=0; echo ok;; \
         go) echo info value {value} exact false; echo move $n,{row}; n=$((n+1));; \
         *) echo ok;; esac; done'"
    )
}

#[test]
fn a_game_ends_when_both_programs_agree_who_wins() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, values: [i8; 2], moves: usize, reason: &str| {
        let path = folder.path().join(name);
        let arguments = [
            "--game",
            "dots",
            "--setup",
            "20x20",
            "--games",
            "2",
            "--plies",
            "0",
            "--most-plies",
            "30",
            "--adjudicate",
            "9",
            "--save",
            path.to_str().unwrap(),
        ];
        let [a, b] = values;
        let table = duel(
            &script_that_fills(0, a),
            &script_that_fills(9, b),
            &arguments,
        );
        let games = std::fs::read_to_string(path).unwrap();
        for (game, winner) in games.lines().zip([1, 2]) {
            let game: serde_json::Value = serde_json::from_str(game).unwrap();
            assert_eq!(game["moves"].as_array().unwrap().len(), moves, "{game}");
            assert_eq!(game["reason"], reason);
            if reason == "adjudicated" {
                assert_eq!(game["winner"], winner, "{game}");
            }
        }
        table
    };
    let table = check("agreed", [9, -9], 12, "adjudicated");
    assert!(table.contains("A won      2 "), "{table}");
    assert!(table.contains("adjudged   2 "), "{table}");
    check("one_is_not_sure", [9, -8], 30, "most_plies");
    check("both_think_they_win", [9, 9], 30, "most_plies");
}

#[test]
fn seeds_fix_a_duel() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--game",
        "boxes",
        "--games",
        "4",
        "--plies",
        "0",
        "--parallel",
        "1",
    ];
    let once = saved(folder.path(), "once", &arguments);
    let again = saved(folder.path(), "again", &arguments);
    assert_eq!(once, again);
    assert_eq!(once.lines().count(), 4);
}

#[test]
fn pairs_are_played_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--game",
        "boxes",
        "--games",
        "7",
        "--plies",
        "0",
        "--parallel",
        "3",
    ];
    let games = saved(folder.path(), "games", &arguments);
    assert_eq!(games.lines().count(), 8, "an odd number is made even");
}

#[test]
fn openings_are_written_read_and_played_with_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let openings = [
        "duel", "openings", "--game", "reversi", "--count", "2", "--plies", "6", "--nodes", "200",
        "--seed", "9",
    ];
    let output = run(&openings);
    assert!(output.status.success());
    let path = folder.path().join("openings");
    std::fs::write(&path, &output.stdout).unwrap();
    let arguments = [
        "--game",
        "reversi",
        "--games",
        "4",
        "--openings",
        path.to_str().unwrap(),
    ];
    let games = saved(folder.path(), "games", &arguments);
    let games: Vec<serde_json::Value> = games
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let drawn = String::from_utf8(output.stdout).unwrap();
    for (pair, opening) in games.chunks(2).zip(drawn.lines()) {
        let opening: serde_json::Value = serde_json::from_str(opening).unwrap();
        for game in pair {
            assert_eq!(
                game["moves"].as_array().unwrap()[..6],
                opening["moves"].as_array().unwrap()[..]
            );
        }
        assert_eq!(pair[0]["players"][0], pair[1]["players"][1]);
        assert_ne!(pair[0]["players"][0], pair[0]["players"][1]);
    }
}

#[test]
fn repeated_openings_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings");
    std::fs::write(
        &path,
        "{\"game\":\"reversi\",\"setup\":{},\"moves\":[\"d3\"]}\n",
    )
    .unwrap();
    let table = |games| {
        let openings = ["--game", "reversi", "--openings", path.to_str().unwrap()];
        duel(SOUND, SOUND, &[&openings[..], &["--games", games]].concat())
    };
    assert!(!table("2").contains("repeated"));
    let repeated = table("4");
    assert!(repeated.contains("1 openings of "), "{repeated}");
    assert!(repeated.contains("\nrepeated   pairs"), "{repeated}");
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    let check = |arguments: &[&str], why: &str| {
        let output = run(&[&["duel"], arguments].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(why), "{errors}");
    };
    check(&["a"], "two programs");
    check(&["a", "b"], "--game");
    check(&["a", "gtp:b", "--game", "dots"], "does not know dots");
    check(
        &["a", "gtp:b", "--game", "reversi", "--nodes", "5"],
        "no limit of that kind",
    );
    check(&["a", "b", "--game", "reversi", "--save", "x.sgf"], "SGF");
    check(
        &["a", "b", "--game", "dots", "--adjudicate=-1"],
        "more than 0 points",
    );
    check(
        &["a", "b", "--game", "dots", "--setup", "60x60"],
        "no board",
    );
    check(
        &["a", "b", "--game", "dots", "--openings", "/nowhere"],
        "/nowhere",
    );
    check(
        &["a", "b", "--game", "dots", "--limit-a", "fast"],
        "a limit is",
    );
}
