//! Any text at all as a setup, a move or a game: JSON objects of setups, records for `tochki replay`, moves of every game.

use tochki_rules::replay::replay;
use tochki_rules::{GameKind, Position, Setup};

pub(crate) fn run(bytes: &[u8]) {
    let mut answers = Vec::new();
    replay(bytes, &mut answers, false).expect("writing into memory");
    assert!(answers.is_empty() || answers.ends_with(b"\n"));
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    for &kind in GameKind::ALL {
        let position = Position::new(&kind.default_setup());
        if let Ok(mv) = position.parse_move(text) {
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
        }
        let Ok(fields) = serde_json::from_str(text) else {
            continue;
        };
        if let Ok(setup) = Setup::parse(kind, Some(&fields)) {
            let written = setup.fields().expect("a setup can be written");
            assert_eq!(Setup::parse(kind, Some(&written)), Ok(setup));
        }
    }
}
