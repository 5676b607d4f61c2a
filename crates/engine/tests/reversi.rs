//! The memory of Reversi's engine, and positions that are too large for a quick test.

use tochki_engine::{
    Engine, Limits, Progress,
    reversi::{Board, ReversiEngine},
};
use tochki_rules::{
    Game,
    reversi::{Reversi, Setup},
};

#[test]
fn it_never_allocates_more_than_it_may() {
    let start = Reversi::new(&Setup::DEFAULT);
    for memory in [
        ReversiEngine::MIN_MEMORY,
        Limits::MIN_MEMORY,
        5 << 20,
        Limits::DEFAULT_MEMORY,
    ] {
        let limits = Limits {
            memory,
            ..Limits::nodes(20_000)
        };
        let used = allocation_counter::measure(|| {
            let mut engine = ReversiEngine::new(&start, limits, 1);
            while engine.step(1000) == Progress::Running {}
            let mut game = start.clone();
            game.play(engine.best().choice.expect("a move"))
                .expect("a legal move");
            engine.set_position(&game, limits, 1);
            while engine.step(1000) == Progress::Running {}
        });
        assert!(
            used.bytes_max <= memory as u64,
            "{} of {memory}",
            used.bytes_max
        );
    }
}

#[test]
fn a_search_allocates_nothing() {
    let start = Reversi::new(&Setup::DEFAULT);
    let limits = Limits {
        memory: 5 << 20,
        ..Limits::nodes(20_000)
    };
    let mut engine = ReversiEngine::new(&start, limits, 1);
    let used = allocation_counter::measure(|| while engine.step(1000) == Progress::Running {});
    assert_eq!(used.count_total, 0);
}

/// Positions 40 to 43 of the French Othello Federation's endgame tests: `X` is black, then who is to move, the value for
/// them, and a best move.
const FFO: [(&str, char, i32, &[&str]); 4] = [
    (
        "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------",
        'X',
        38,
        &["a2"],
    ),
    (
        "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-",
        'X',
        0,
        &["h4"],
    ),
    (
        "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--",
        'X',
        6,
        &["g2"],
    ),
    (
        "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-",
        'O',
        -12,
        &["g3", "c7"],
    ),
];

fn board(discs: &str, mover: char) -> Board {
    let mut board = Board::default();
    for (square, disc) in discs.chars().enumerate() {
        match disc {
            '-' => {}
            disc if disc == mover => board.own |= 1 << square,
            _ => board.enemy |= 1 << square,
        }
    }
    board
}

#[test]
fn the_positions_of_the_french_federation_are_solved() {
    for (number, (discs, mover, value, moves)) in (40..).zip(FFO) {
        let mut engine = ReversiEngine::with_board(board(discs, mover), Limits::NONE, 1);
        while engine.step(1_000_000) == Progress::Running {}
        let report = engine.best();
        assert!(report.moves[0].exact);
        assert_eq!(report.moves[0].value as i32, value, "#{number}");
        let moves: Vec<_> = moves
            .iter()
            .map(|mv| Reversi::parse_move(mv).ok())
            .collect();
        assert!(moves.contains(&report.choice), "#{number}");
    }
}
