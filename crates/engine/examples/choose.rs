//! Chooses moves for scripts: each line of input is `boxes COLS ROWS` or `gomoku SIZE RULE`, then milliseconds (0: none), nodes (0: any), a level,
//! a seed, and the moves so far. The answer is the move, its value, whether that is exact, and the nodes.

use std::{
    io::{BufRead, stdin},
    time::{Duration, Instant},
};
use tochki_engine::{Engine, Level, Limits, Progress, boxes::BoxesEngine, gomoku::GomokuEngine};
use tochki_rules::{
    Game,
    boxes::{self, Boxes},
    gomoku::{self, Gomoku, Rule},
};

struct Asked<'a> {
    time: Duration,
    limits: Limits,
    seed: u64,
    moves: Vec<&'a str>,
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn answer<E: Engine>(engine: &mut Option<E>, mut position: E::Game, asked: &Asked)
where
    E::Game: Game,
{
    for text in &asked.moves {
        let mv = E::Game::parse_move(text).expect("a move");
        assert!(position.play(mv).is_ok(), "a legal move");
    }
    let start = Instant::now();
    match engine {
        Some(engine) => engine.set_position(&position, asked.limits, asked.seed),
        None => *engine = Some(E::new(&position, asked.limits, asked.seed)),
    }
    let engine = engine.as_mut().expect("just made");
    while engine.step(500) == Progress::Running {
        if !asked.time.is_zero() && start.elapsed() >= asked.time {
            break;
        }
    }
    let report = engine.best();
    let best = report.moves.first();
    match (report.choice, best) {
        (Some(mv), Some(best)) => {
            println!("{mv} {:.3} {} {}", best.value, best.exact, report.nodes);
        }
        _ => println!("none"),
    }
}

fn main() {
    let (mut of_boxes, mut of_gomoku) = (None::<BoxesEngine>, None::<GomokuEngine>);
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let nodes = number(words[4]);
        let asked = Asked {
            time: Duration::from_millis(number(words[3])),
            limits: Limits {
                nodes: if nodes == 0 { u64::MAX } else { nodes },
                level: Level::new(number(words[5]) as u8).expect("a level"),
                ..Limits::NONE
            },
            seed: number(words[6]),
            moves: words[7..].to_vec(),
        };
        if words[0] == "boxes" {
            let setup = boxes::Setup::new(number(words[1]) as u8, number(words[2]) as u8);
            answer(&mut of_boxes, Boxes::new(&setup.expect("a board")), &asked);
        } else {
            let rule = if words[2] == "standard" {
                Rule::Standard
            } else {
                Rule::Freestyle
            };
            let setup = gomoku::Setup::new(number(words[1]) as u8, rule);
            answer(
                &mut of_gomoku,
                Gomoku::new(&setup.expect("a board")),
                &asked,
            );
        }
    }
}
