//! Each level against the one below: `ladder boxes|gomoku GAMES NODES [LEVEL [SEED]]`; level 0 is all of them. Openings are
//! random moves, drawn from the seed and played with both sides.

use tochki_engine::{
    Engine, Level, Limits, Progress, Rng, boxes::BoxesEngine, gomoku::GomokuEngine,
};
use tochki_rules::{
    Game, Outcome, Point, Seat,
    boxes::{self, Boxes},
    gomoku::{self, Gomoku, Rule},
};

/// The winner of a game in which `levels` play.
fn play<E: Engine>(
    mut position: E::Game,
    levels: [Level; 2],
    nodes: u64,
    seed: u64,
) -> Option<Seat> {
    let mut engines: [Option<E>; 2] = [None, None];
    while let Some(seat) = position.to_move() {
        let limits = Limits {
            nodes,
            level: levels[seat.index()],
            memory: 8 << 20,
            ..Limits::NONE
        };
        let engine = &mut engines[seat.index()];
        match engine {
            Some(engine) => engine.set_position(&position, limits, seed),
            None => *engine = Some(E::new(&position, limits, seed)),
        }
        let engine = engine.as_mut().expect("just made");
        while engine.step(1_000) == Progress::Running {}
        let mv = engine.best().choice.expect("a move");
        assert!(position.play(mv).is_ok(), "a legal move");
    }
    position.outcome().and_then(|Outcome { winner, .. }| winner)
}

fn ladder<E: Engine>(
    opening: impl Fn(u64) -> E::Game,
    games: u64,
    nodes: u64,
    only: Option<u8>,
    first_seed: u64,
) {
    for lower in 1..8 {
        if only.is_some_and(|only| only != lower && only > 0) {
            continue;
        }
        let [low, high] = [lower, lower + 1].map(|level| Level::new(level).expect("a level"));
        let mut score = [0; 3];
        for game in 0..games {
            let game = first_seed + game;
            let position = opening(game / 2);
            let (levels, higher) = if game.is_multiple_of(2) {
                ([high, low], Seat::First)
            } else {
                ([low, high], Seat::Second)
            };
            let place = match play::<E>(position, levels, nodes, game + 1) {
                Some(seat) if seat == higher => 0,
                None => 1,
                Some(_) => 2,
            };
            score[place] += 1;
        }
        let share = (f64::from(score[0]) + f64::from(score[1]) / 2.0) / games as f64;
        println!("{high} against {low}: {score:?} {:.0} %", share * 100.0);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| {
        arguments
            .get(place)
            .and_then(|text| text.parse::<u64>().ok())
    };
    let (games, nodes) = (number(1).unwrap_or(40), number(2).unwrap_or(40_000));
    let only = number(3).map(|level| level as u8);
    // Even, so that the two games of an opening stay together.
    let seed = number(4).unwrap_or(0) * 2;
    if arguments.first().is_some_and(|game| game == "boxes") {
        let opening = |seed| {
            let mut rng = Rng::new(seed);
            let mut position = Boxes::new(&boxes::Setup::new(5, 5).expect("a board"));
            for _ in 0..6 {
                let free: Vec<_> = position.free_lines().collect();
                let line = free[rng.below(free.len() as u32) as usize];
                let _ = position.play(line);
            }
            position
        };
        ladder::<BoxesEngine>(opening, games, nodes, only, seed);
    } else {
        let opening = |seed| {
            let mut rng = Rng::new(seed);
            let setup = gomoku::Setup::new(15, Rule::Freestyle).expect("a board");
            let mut position = Gomoku::new(&setup);
            let mut stones = 0;
            while stones < 4 {
                let point = Point::new(5 + rng.below(5) as u8, 5 + rng.below(5) as u8);
                stones += u8::from(position.play(point).is_ok());
            }
            position
        };
        ladder::<GomokuEngine>(opening, games, nodes, only, seed);
    }
}
