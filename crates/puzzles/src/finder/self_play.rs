//! Games of the engines against themselves, from which puzzles are made. A seed and a number fix a game.

use tochki_engine::{AnyEngine, Level, Limits, Progress, Rng};
use tochki_rules::{
    GameKind, Move, Position, Setup, boxes,
    dots::{self, Opening},
    gomoku::{self, Rule},
};

/// The game with this number, and its moves. The sides are of middle strength, so that there is something to find.
#[must_use]
pub fn play(game: GameKind, seed: u64, number: u64) -> (Setup, Vec<Move>) {
    let mut rng = Rng::new(seed ^ (number << 8) ^ game as u64);
    let setup = setup(game, &mut rng);
    let mut position = Position::new(&setup);
    let mut moves = Vec::new();
    let mut engine: Option<AnyEngine> = None;
    let opening = opening(game, &mut rng);
    let levels = [0, 1].map(|_| Level::new(3 + rng.below(4) as u8).unwrap_or(Level::STRONGEST));
    while let Some(seat) = position.to_move() {
        let mv = if moves.len() < opening {
            random_move(&position, &mut rng)
        } else {
            let limits = Limits {
                level: levels[seat.index()],
                memory: 4 << 20,
                ..Limits::nodes(nodes(game))
            };
            let seed = rng.bits();
            let set = engine
                .as_mut()
                .is_some_and(|engine| engine.set_position(&position, limits, seed));
            if !set {
                engine = Some(AnyEngine::new(&position, limits, seed));
            }
            let Some(engine) = engine.as_mut() else { break };
            while engine.step(1_000) == Progress::Running {}
            let report = engine.best();
            if report.settled {
                break;
            }
            report.choice
        };
        let Some(mv) = mv else { break };
        if position.play(mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    (setup, moves)
}

fn setup(game: GameKind, rng: &mut Rng) -> Setup {
    let chosen = match game {
        GameKind::Dots => {
            let size = [12, 14, 16][rng.below(3) as usize];
            dots::Setup::new(size, size, Opening::Cross).map(Setup::Dots)
        }
        GameKind::Boxes => {
            let (cols, rows) = [(3, 3), (4, 3), (4, 4), (5, 5)][rng.below(4) as usize];
            boxes::Setup::new(cols, rows).map(Setup::Boxes)
        }
        GameKind::Gomoku => {
            let rule = Rule::ALL[usize::from(rng.below(4) == 0)];
            gomoku::Setup::new(15, rule).map(Setup::Gomoku)
        }
        GameKind::Reversi => Ok(game.default_setup()),
    };
    chosen.unwrap_or(game.default_setup())
}

/// Random moves at the start, so that no two games are alike.
fn opening(game: GameKind, rng: &mut Rng) -> usize {
    (match game {
        GameKind::Dots => 2,
        GameKind::Boxes => 4 + rng.below(6),
        GameKind::Gomoku => 3,
        GameKind::Reversi => 4 + rng.below(8),
    }) as usize
}

const fn nodes(game: GameKind) -> u64 {
    match game {
        GameKind::Dots => 500,
        GameKind::Boxes => 600,
        GameKind::Gomoku | GameKind::Reversi => 1_500,
    }
}

/// A move drawn by lot, near the middle where the board is large.
fn random_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let size = match position.setup() {
        Setup::Dots(setup) => setup.width(),
        Setup::Gomoku(setup) => setup.size(),
        Setup::Boxes(_) | Setup::Reversi(_) => 0,
    };
    let central = |mv: &Move| match mv {
        Move::Dots(point) | Move::Gomoku(point) => {
            point.x.abs_diff(size / 2) <= 3 && point.y.abs_diff(size / 2) <= 3
        }
        Move::Boxes(_) | Move::Reversi(_) => true,
    };
    let moves: Vec<Move> = moves.into_iter().filter(central).collect();
    moves.get(rng.below(moves.len() as u32) as usize).copied()
}
