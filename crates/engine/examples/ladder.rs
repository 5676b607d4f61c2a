//! The ladder of levels: each level against the one below, and levels 1 and 3 of Boxes and of Reversi against a beginner.
//!
//! `ladder GAME [GAMES [NODES [SEED [LEVEL]]]]`: so many games a match, nodes a move at most, the seed of the first
//! opening, and one level alone. Each opening of random moves is played twice, with the sides swapped.

use tochki_engine::{AnyEngine, Level, Limits, Progress, Rng};
use tochki_rules::{GameKind, Move, Outcome, Position, Seat, Setup, boxes, dots};

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    /// A person who learnt the rules today.
    Beginner,
    Level(Level),
}

fn drawn(moves: &[Move], rng: &mut Rng) -> Move {
    moves[rng.below(moves.len() as u32) as usize]
}

/// A few random moves, on a large board in its middle.
fn opening(kind: GameKind, seed: u64) -> Position {
    let (setup, plies) = match kind {
        GameKind::Dots => {
            let setup = dots::Setup::new(20, 20, dots::Opening::Cross);
            (Setup::Dots(setup.expect("a board")), 4)
        }
        GameKind::Boxes => {
            let setup = boxes::Setup::new(5, 5);
            (Setup::Boxes(setup.expect("a board")), 6)
        }
        GameKind::Gomoku => (kind.default_setup(), 4),
        GameKind::Reversi => (kind.default_setup(), 6),
    };
    let mut rng = Rng::new(seed);
    let mut position = Position::new(&setup);
    for _ in 0..plies {
        let mut moves = position.legal_moves();
        moves.retain(|mv| match mv {
            Move::Dots(point) => (6..14).contains(&point.x) && (6..14).contains(&point.y),
            Move::Gomoku(point) => (5..10).contains(&point.x) && (5..10).contains(&point.y),
            _ => true,
        });
        let mv = drawn(&moves, &mut rng);
        assert!(position.play(mv).is_ok(), "a legal move");
    }
    position
}

/// The points that the side to move gains at once by a move.
fn gain(position: &mut Position, mv: Move) -> i64 {
    let seat = position.to_move().expect("a side to move");
    let ahead = |position: &Position| {
        let score = position.score();
        i64::from(score[seat.index()]) - i64::from(score[seat.other().index()])
    };
    let before = ahead(position);
    assert!(position.play(mv).is_ok(), "a legal move");
    let gain = ahead(position) - before;
    position.undo();
    gain
}

/// Takes a corner, otherwise the largest gain at once; in Boxes it looks at the next line, too, so it gives no box away as long
/// as it can. Among equal moves it draws.
fn beginner(position: &mut Position, rng: &mut Rng) -> Move {
    let mut best = (i64::MIN, Vec::new());
    for mv in position.legal_moves() {
        let mut worth = 100 * gain(position, mv);
        match mv {
            Move::Boxes(_) if worth == 0 => {
                assert!(position.play(mv).is_ok(), "a legal move");
                let replies = position.legal_moves();
                let most = replies.into_iter().map(|mv| gain(position, mv)).max();
                worth -= most.unwrap_or(0);
                position.undo();
            }
            Move::Reversi(point) if point.x % 7 == 0 && point.y % 7 == 0 => worth += 10_000,
            _ => {}
        }
        if worth > best.0 {
            best = (worth, Vec::new());
        }
        if worth == best.0 {
            best.1.push(mv);
        }
    }
    drawn(&best.1, rng)
}

/// The winner of a game.
fn play(mut position: Position, players: [Player; 2], nodes: u64, seed: u64) -> Option<Seat> {
    let mut engines: [Option<AnyEngine>; 2] = [None, None];
    let mut rng = Rng::new(seed);
    while let Some(seat) = position.to_move() {
        let mv = match players[seat.index()] {
            Player::Beginner => beginner(&mut position, &mut rng),
            Player::Level(level) => {
                let limits = Limits {
                    nodes,
                    level,
                    memory: 8 << 20,
                    ..Limits::NONE
                };
                let engine = &mut engines[seat.index()];
                match engine {
                    Some(engine) => assert!(engine.set_position(&position, limits, seed)),
                    None => *engine = Some(AnyEngine::new(&position, limits, seed)),
                }
                let engine = engine.as_mut().expect("just made");
                while engine.step(1_000) == Progress::Running {}
                let report = engine.best();
                if report.settled && report.choice.is_none() {
                    break;
                }
                report.choice.expect("a move")
            }
        };
        assert!(position.play(mv).is_ok(), "a legal move");
    }
    let [first, second] = position.score();
    match position.outcome() {
        Some(Outcome { winner, .. }) => winner,
        // The score does not change any more.
        None if first == second => None,
        None => Some(if first > second {
            Seat::First
        } else {
            Seat::Second
        }),
    }
}

/// Plays a match and prints the numbers of games that the first player has won, drawn and lost.
fn duel(kind: GameKind, players: [Player; 2], games: u64, nodes: u64, seed: u64) {
    let [one, other] = players;
    let mut score = [0; 3];
    for game in 0..games {
        let position = opening(kind, seed + game / 2);
        let (players, own) = if game % 2 == 0 {
            ([one, other], Seat::First)
        } else {
            ([other, one], Seat::Second)
        };
        let place = match play(position, players, nodes, seed + game) {
            Some(seat) if seat == own => 0,
            None => 1,
            Some(_) => 2,
        };
        score[place] += 1;
    }
    let share = (f64::from(score[0]) + f64::from(score[1]) / 2.0) / games as f64;
    println!(
        "{kind}: {one:?} against {other:?}: {score:?} {:.0} %",
        share * 100.0
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let kind = arguments.first().and_then(|name| name.parse().ok());
    let kind: GameKind = kind.expect("dots, boxes, gomoku or reversi");
    let number = |place: usize| arguments.get(place)?.parse::<u64>().ok();
    let (games, nodes) = (number(1).unwrap_or(100), number(2).unwrap_or(40_000));
    let (seed, only) = (number(3).unwrap_or(1), number(4));
    let is_wanted = |level: Level| only.is_none_or(|only| only == u64::from(level.number()));
    for level in Level::all().filter(|&level| is_wanted(level)) {
        let knows_beginner = matches!(kind, GameKind::Boxes | GameKind::Reversi);
        if knows_beginner && [1, 3].contains(&level.number()) {
            let players = [Player::Level(level), Player::Beginner];
            duel(kind, players, games, nodes, seed);
        }
        if let Ok(lower) = Level::new(level.number() - 1) {
            let players = [Player::Level(level), Player::Level(lower)];
            duel(kind, players, games, nodes, seed);
        }
    }
}
