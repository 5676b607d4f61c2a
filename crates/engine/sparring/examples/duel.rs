//! Plays matches between engines of Dots in one process: pairs of games from the same opening with the sides swapped.
//!
//! `cargo run --release -p tochki-sparring --example duel -- engine minimax 20 20 40 50ms 1`: the players, the width, the
//! height, the number of games, the time or nodes a move, the seed.

use std::time::{Duration, Instant};
use tochki_engine::{
    Engine, Limits, Progress, Rng,
    dots::{DotsEngine, is_settled},
};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Opening, Point, Setup},
};
use tochki_sparring::{Beginner, LadderUct, Minimax, Uct};

/// The time or the nodes of a player for a move.
#[derive(Clone, Copy)]
enum Budget {
    Time(Duration),
    Nodes(u64),
}

/// A player, with any engine.
trait Player {
    fn choose(&mut self, position: &Dots, budget: Budget, seed: u64) -> Point;
}

struct Stepped<E> {
    engine: Option<E>,
    level: tochki_engine::Level,
}

impl<E: Engine<Game = Dots>> Player for Stepped<E> {
    fn choose(&mut self, position: &Dots, budget: Budget, seed: u64) -> Point {
        let start = Instant::now();
        let limits = match budget {
            Budget::Time(_) => Limits::NONE,
            Budget::Nodes(nodes) => Limits::nodes(nodes),
        };
        let limits = Limits {
            level: self.level,
            ..limits
        };
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.set_position(position, limits, seed);
                engine
            }
            none => none.insert(E::new(position, limits, seed)),
        };
        while engine.step(200) == Progress::Running {
            if let Budget::Time(time) = budget
                && start.elapsed() >= time
            {
                break;
            }
        }
        let report = engine.best();
        if std::env::var_os("DEPTH").is_some() {
            let first = &report.moves[0];
            println!(
                "{}: depth {}, value {:.1}, nodes {}, visits {}, {:?}",
                std::any::type_name::<E>()
                    .rsplit(':')
                    .next()
                    .unwrap_or_default(),
                first.depth,
                first.value,
                report.nodes,
                report.moves.iter().map(|mv| mv.visits).sum::<u64>(),
                start.elapsed()
            );
        }
        report.choice.expect("the game goes on")
    }
}

fn player(name: &str) -> Box<dyn Player> {
    fn new<E: Engine<Game = Dots> + 'static>(level: u8) -> Box<dyn Player> {
        Box::new(Stepped::<E> {
            engine: None,
            level: tochki_engine::Level::new(level).expect("a level"),
        })
    }
    match name {
        "engine" => new::<DotsEngine>(8),
        "uct" => new::<Uct>(8),
        "ladders" => new::<LadderUct>(8),
        "minimax" => new::<Minimax>(8),
        "beginner" => new::<Beginner>(8),
        _ => match name
            .strip_prefix("level")
            .and_then(|level| level.parse().ok())
        {
            Some(level) => new::<DotsEngine>(level),
            None => panic!("no such player: {name}"),
        },
    }
}

/// A few dots anywhere but at the edge, the same number for both sides, none next to another.
fn opening(setup: Setup, rng: &mut Rng) -> Dots {
    let mut dots = Dots::new(&setup);
    let mut placed = 0;
    while placed < 4 {
        let x = 3 + rng.below(u32::from(setup.width()) - 6) as u8;
        let y = 3 + rng.below(u32::from(setup.height()) - 6) as u8;
        let point = Point::new(x, y);
        let is_alone = Seat::BOTH.iter().all(|&seat| dots.ring(point, seat) == 0);
        if is_alone && dots.play(point).is_ok() {
            placed += 1;
        }
    }
    dots
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, width, height, games, budget, seed] = arguments.as_slice() else {
        panic!("usage: duel PLAYER PLAYER WIDTH HEIGHT GAMES (TIMEms | NODES) SEED");
    };
    let number = |text: &String| text.parse::<u64>().expect("a number");
    let setup =
        Setup::new(number(width) as u8, number(height) as u8, Opening::Empty).expect("a board");
    let budget = match budget.strip_suffix("ms") {
        Some(time) => Budget::Time(Duration::from_millis(time.parse().expect("a number"))),
        None => Budget::Nodes(number(budget)),
    };
    let (mut sum, mut squares, mut leads, mut pairs) = (0.0, 0.0, 0, 0);
    let mut results = [0; 3];
    for pair in 0..number(games) / 2 {
        let mut rng = Rng::new(number(seed) * 1000 + pair);
        let start = opening(setup, &mut rng);
        let mut points = 0.0;
        for swapped in [false, true] {
            let mut players = [player(first), player(second)];
            let mut dots = start.clone();
            while let Some(seat) = dots.to_move() {
                if is_settled(&dots) {
                    break;
                }
                let turn = usize::from((seat == Seat::Second) != swapped);
                let point = players[turn].choose(&dots, budget, rng.bits());
                if dots.play(point).is_err() {
                    println!("player {turn} plays {point}, which is illegal");
                    return;
                }
            }
            let score = dots.score();
            let own = usize::from(swapped);
            let lead = score[own] as i32 - score[1 - own] as i32;
            leads += lead;
            results[(lead.signum() + 1) as usize] += 1;
            points += f64::from(lead.signum() + 1) / 2.0;
            if std::env::var_os("SHOW").is_some() {
                let mut past = dots.clone();
                let mut moves: Vec<String> = std::iter::from_fn(|| past.undo())
                    .map(|p| p.to_string())
                    .collect();
                moves.reverse();
                println!(
                    "pair {pair} swapped {swapped} lead {lead}: {}",
                    moves.join(" ")
                );
            }
        }
        let share = points / 2.0;
        sum += share;
        squares += share * share;
        pairs += 1;
        let n = f64::from(pairs);
        let mean = sum / n;
        let error = ((squares / n - mean * mean).max(0.0) / n.max(2.0)).sqrt();
        println!(
            "{first} - {second}: {} games, +{} ={} -{}, {:.1} % ± {:.1}, mean lead {:.1}",
            pairs * 2,
            results[2],
            results[1],
            results[0],
            mean * 100.0,
            error * 196.0,
            f64::from(leads) / n / 2.0
        );
    }
}
