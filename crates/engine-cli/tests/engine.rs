//! `engine` from the side of another program: bytes in, lines out.

use std::io::Write;
use std::process::{Command, Stdio};
use tochki_rules::{GameKind, Position, Setup};

/// The answers of the engine to an input that ends; it must end, too, and without a fault.
#[track_caller]
fn answers(arguments: &[&str], input: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tochki-engine"))
        .arg("engine")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A thread writes, because a long input is only read as far as it is answered.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Small boards.
const BOARDS: [(GameKind, &str); 4] = [
    (GameKind::Dots, r#"{"width":8,"height":7}"#),
    (GameKind::Boxes, r#"{"cols":3,"rows":3}"#),
    (GameKind::Gomoku, r#"{"size":15}"#),
    (GameKind::Reversi, "{}"),
];

/// The moves that an engine plays against itself.
fn moves(seed: &str, session: &str) -> Vec<String> {
    answers(&["--seed", seed], session.as_bytes())
        .lines()
        .filter_map(|line| line.strip_prefix("move "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn nodes_and_a_seed_fix_the_moves_and_they_are_legal() {
    for (kind, setup) in BOARDS {
        let session = format!("game {kind} {setup}\n{}quit\n", "go nodes 100\n".repeat(8));
        let played = moves("7", &session);
        assert_eq!(played.len(), 8, "{kind}");
        assert_eq!(moves("7", &session), played, "{kind}");
        let fields = serde_json::from_str(setup).unwrap();
        let mut position = Position::new(&Setup::parse(kind, Some(&fields)).unwrap());
        for mv in &played {
            position.play(position.parse_move(mv).unwrap()).unwrap();
        }
    }
}

#[test]
fn every_level_plays_on_a_clock() {
    for (kind, setup) in BOARDS {
        for level in ["1", "8"] {
            let session = format!("game {kind} {setup}\ngo clock 200 200 0\n");
            let text = answers(&["--level", level], session.as_bytes());
            assert_eq!(text.matches("move ").count(), 1, "{kind} {text}");
        }
    }
}

#[test]
fn invalid_lines_end_no_session() {
    let mut bytes: Vec<u8> = (0..=255).cycle().take(3000).collect();
    bytes.extend(vec![b'y'; 200_000]);
    bytes.extend(b"\n\xf0\x28\x8c\x28\n\0\0\n");
    for protocol in ["text", "gomocup", "gtp", "nboard"] {
        let text = answers(&["--protocol", protocol, "--nodes", "10"], &bytes);
        assert!(text.lines().count() > 3, "{protocol}: {text}");
    }
}

#[test]
fn a_protocol_has_its_game() {
    let output = Command::new(env!("CARGO_BIN_EXE_tochki-engine"))
        .args(["engine", "--protocol", "gtp", "--game", "dots"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr).trim(),
        "this protocol is only for reversi"
    );
}

#[test]
fn memory_beyond_the_bounds_is_refused() {
    for bytes in ["1000000", "2147483649"] {
        let output = Command::new(env!("CARGO_BIN_EXE_tochki-engine"))
            .args(["engine", "--memory", bytes])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("from 3145728 to 2147483648"), "{errors}");
    }
}
