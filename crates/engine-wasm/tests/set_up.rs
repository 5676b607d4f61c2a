//! Positions that are set up by hand: moves out of turn, and a turn that is given. Every engine searches them, and finds a
//! move of the side that was named.

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tochki_engine::Engine;
use tochki_engine::boxes::BoxesEngine;
use tochki_engine::dots::DotsEngine;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::reversi::ReversiEngine;
use tochki_engine_wasm::{EngineGame, EngineGameError};
use tochki_rules::{Game, Seat};

const MEMORY: usize = 8 << 20;

/// Moves by lot, of which many are refused; then a search for one side, some moves more, and a search in turn.
fn check<E>(setup: &str, moves: &[(bool, String)], named: Seat)
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let parsed: <E::Game as Game>::Setup = serde_json::from_str(setup).expect("a setup");
    let mut game = E::Game::new(&parsed);
    let mut engine_game = EngineGame::<E>::new(setup).expect("a setup");
    let (first, second) = moves.split_at(moves.len() / 2);
    for (part, turn) in [(first, Some(named)), (second, None)] {
        for (is_first, text) in part {
            let seat = if *is_first { Seat::First } else { Seat::Second };
            let mv = E::Game::parse_move(text).expect("a move");
            let played = engine_game.play(&format!("{}.{text}", seat.number()));
            let expected = game.to_move().is_some() && game.play_as(seat, mv).is_ok();
            assert_eq!(played.is_ok(), expected, "{text}");
        }
        let mut searched = game.clone();
        if let Some(seat) = turn {
            engine_game.set_turn(seat.number()).expect("a seat");
            searched.give_turn(seat);
        }
        engine_game.search(60, 8, MEMORY, 1).expect("a level");
        while engine_game.step(20) {}
        let report: Value = serde_json::from_str(&engine_game.best()).expect("JSON");
        match (report["choice"].as_str(), searched.to_move()) {
            (Some(choice), Some(_)) => {
                let mv = E::Game::parse_move(choice).expect("a move");
                assert!(searched.play(mv).is_ok(), "{choice} is illegal");
            }
            (choice, to_move) => assert_eq!((choice, to_move), (None, None)),
        }
    }
}

fn moves(text: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<(bool, String)>> {
    prop::collection::vec((any::<bool>(), text), 0..60)
}

fn seat() -> impl Strategy<Value = Seat> {
    any::<bool>().prop_map(|first| if first { Seat::First } else { Seat::Second })
}

fn point(size: u8) -> impl Strategy<Value = String> {
    (0..size, 0..size).prop_map(|(x, y)| format!("{x},{y}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn dots(moves in moves(point(10)), seat in seat()) {
        check::<DotsEngine>(r#"{"width":10,"height":10,"start":"cross"}"#, &moves, seat);
    }

    #[test]
    fn boxes(moves in moves((any::<bool>(), point(4)).prop_map(|(across, point)| format!("{}:{point}", if across { 'h' } else { 'v' }))), seat in seat()) {
        check::<BoxesEngine>(r#"{"cols":3,"rows":3}"#, &moves, seat);
    }

    #[test]
    fn gomoku(moves in moves(point(9)), seat in seat()) {
        check::<GomokuEngine>(r#"{"size":15,"rule":"standard"}"#, &moves, seat);
    }

    #[test]
    fn reversi(moves in moves(point(8)), seat in seat()) {
        check::<ReversiEngine>("{}", &moves, seat);
    }
}

#[test]
fn invalid_seat_is_refused() {
    let mut engine_game = EngineGame::<ReversiEngine>::new("{}").expect("a setup");
    assert_eq!(engine_game.set_turn(0), Err(EngineGameError::Seat));
    assert_eq!(engine_game.set_turn(3), Err(EngineGameError::Seat));
    assert!(engine_game.play("3.2,3").is_err());
}
