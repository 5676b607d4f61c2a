//! The strengths of features of moves in Dots, learnt by the Bradley–Terry model from games that the engine plays against
//! itself: the move that the search chose has won against the other moves of its position.
//!
//! The weight of a 3 × 3 pattern is the sum of a part for its numbers of dots and openings and of a part of its own, so that rare
//! patterns have sensible weights.
//!
//! The games are played by a rule of thumb. Games that are played by the learnt weights taught nothing more.

use crate::bradley_terry::Competitions;
use std::time::Instant;
use tochki_engine::{
    Engine, Limits, Progress, Rng,
    dots::{
        is_settled,
        training::{self, CLASSES, FEATURES, KINDS, UNIT, Weights, class, gaps},
    },
};
use tochki_rules::{
    Game,
    dots::{Dots, Opening, Point, Setup},
};

/// Games that are learnt from.
const GAMES: u64 = 48;

/// Nodes of a move.
const NODES: u64 = 8_000;

/// Steps of the fit, of which each goes over all kinds.
const STEPS: usize = 40;

/// The number of coarse patterns: numbers of dots and openings of each side, and whether a neighbour is closed.
const COARSE: usize = 9 * 9 * 8;

/// Kinds of features with the coarse one of the pattern.
const ALL_KINDS: usize = KINDS.len() + 1;

/// Trains, prints its progress, and writes the weights to the file.
pub(crate) fn train(file: &str) -> std::io::Result<()> {
    let start = Instant::now();
    let coarse = coarse_of_classes();
    let competitions = play(&rule_of_thumb(), &coarse, &mut Rng::new(1));
    println!(
        "{} moves after {} s",
        competitions.len(),
        start.elapsed().as_secs()
    );
    std::fs::write(file, fit(&competitions, &coarse).encode())?;
    println!("written after {} s", start.elapsed().as_secs());
    Ok(())
}

/// Writes the rule of thumb that the training begins with, to hold the trained weights against.
pub(crate) fn write_rule_of_thumb(file: &str) -> std::io::Result<()> {
    std::fs::write(file, rule_of_thumb().encode())
}

/// The rings of each pattern that neighbours can make: the mover's dots, the other's, and the closed points.
fn patterns() -> impl Iterator<Item = [u8; 3]> {
    (0..1_u32 << 16).map(|pattern| {
        let (low, high) = (pattern as u8, (pattern >> 8) as u8);
        [low & !high, high & !low, low & high]
    })
}

/// The coarse pattern of each class, which it has in common with others.
fn coarse_of_classes() -> Vec<u16> {
    let mut coarse = vec![0; CLASSES];
    for [own, enemy, closed] in patterns() {
        let counts = own.count_ones() * 9 + enemy.count_ones();
        let links = |ring: u8| u32::from(gaps(ring) >= 2);
        let bits = links(own) << 2 | links(enemy) << 1 | u32::from(closed != 0);
        coarse[usize::from(class(own, enemy, closed))] = (counts * 8 + bits) as u16;
    }
    coarse
}

/// Weights by rules of thumb: near the last dots, beside few dots, linking and cutting, captures and saved dots, away from the
/// edge.
fn rule_of_thumb() -> Weights {
    const OWN: [f32; 9] = [1.0, 1.3, 1.0, 0.7, 0.4, 0.2, 0.1, 0.1, 0.1];
    const ENEMY: [f32; 9] = [0.7, 1.2, 1.3, 1.1, 0.8, 0.5, 0.3, 0.2, 0.1];
    let link = |ring: u8, other: u8| match gaps(ring) {
        0 | 1 => 1.0,
        _ if other == 0 => 1.2,
        _ => 2.0,
    };
    let mut classes = vec![1.0; CLASSES];
    for [own, enemy, closed] in patterns() {
        classes[usize::from(class(own, enemy, closed))] = OWN[own.count_ones() as usize]
            * ENEMY[enemy.count_ones() as usize]
            * link(own, enemy)
            * link(enemy, own);
    }
    let last: [f32; KINDS[1]] = [
        5.0, 5.0, 4.0, 4.0, 3.2, 2.5, 2.0, 1.5, 1.5, 1.3, 1.2, 1.1, 1.0, 1.0, 1.0, 1.0,
    ];
    let before: [f32; KINDS[2]] = [
        2.0, 2.0, 2.5, 2.5, 2.1, 1.8, 1.5, 1.3, 1.3, 1.1, 1.1, 1.0, 1.0, 1.0, 1.0, 1.0,
    ];
    let edge: [f32; KINDS[3]] = [0.15, 0.6, 0.9, 1.0, 1.0];
    let won: [f32; KINDS[4]] = [1.0, 40.0, 50.0, 60.0, 100.0];
    let saved: [f32; KINDS[5]] = [1.0, 30.0, 40.0, 50.0, 90.0];
    let kinds: [&[f32]; 7] = [
        &classes,
        &last,
        &before,
        &edge,
        &won,
        &saved,
        &[1.0; KINDS[6]],
    ];
    let strengths = kinds.into_iter().flatten().map(|&it| f64::from(it));
    Weights::new(strengths.map(unit))
}

/// The logarithm of a strength in units of the file.
fn unit(strength: f64) -> i8 {
    (f64::from(UNIT) * strength.ln())
        .round()
        .clamp(-127.0, 127.0) as i8
}

/// The moves of games that the weights play against themselves, each against the others of its position.
fn play(weights: &Weights, coarse: &[u16], rng: &mut Rng) -> Competitions<ALL_KINDS> {
    let limits = Limits {
        memory: 16 << 20,
        ..Limits::nodes(NODES)
    };
    let mut competitions = Competitions::new();
    for _ in 0..GAMES {
        let mut position = opening(rng);
        let mut engine = training::engine(&position, limits, rng.bits(), weights);
        while position.to_move().is_some() && !is_settled(&position) {
            while engine.step(NODES) == Progress::Running {}
            let report = engine.best();
            let Some(best) = report.choice else { break };
            let moves = training::moves(&position);
            if let Some(winner) = moves.iter().position(|&(mv, _)| mv == best) {
                let teams = moves.iter().map(|(_, features)| team(*features, coarse));
                competitions.add(teams, winner);
            }
            // Now and then another good move, so that positions differ.
            let among = if rng.below(16) == 0 { 4 } else { 1 };
            let nth = rng.below(report.moves.len().min(among) as u32) as usize;
            let mv = if nth == 0 { best } else { report.moves[nth].mv };
            assert!(position.play(mv).is_ok(), "the engine plays legal moves");
            engine.set_position(&position, limits, rng.bits());
        }
    }
    competitions
}

/// A board of 15 to 25 points each way with a few random dots.
fn opening(rng: &mut Rng) -> Dots {
    let [width, height] = [(); 2].map(|()| 15 + rng.below(11) as u8);
    let start = Opening::ALL[rng.below(3) as usize];
    let setup = Setup::new(width, height, start).expect("a board");
    let mut position = Dots::new(&setup);
    let dots = 2 * (1 + rng.below(3));
    let mut placed = 0;
    while placed < dots {
        let x = 3 + rng.below(u32::from(width) - 6) as u8;
        let y = 3 + rng.below(u32::from(height) - 6) as u8;
        placed += u32::from(position.play(Point::new(x, y)).is_ok());
    }
    position
}

/// The features of a move as members of a team, counted from 0 for each kind.
fn team(features: training::MoveFeatures, coarse: &[u16]) -> [u16; ALL_KINDS] {
    let mut team = [0; ALL_KINDS];
    let mut first = 0;
    for (kind, size) in KINDS.into_iter().enumerate() {
        team[kind] = features[kind] - first;
        first += size as u16;
    }
    team[KINDS.len()] = coarse[usize::from(features[0])];
    team
}

/// The weights that fit the competitions best. The mean strength of a move is 1.
fn fit(competitions: &Competitions<ALL_KINDS>, coarse: &[u16]) -> Weights {
    let mut sizes = [COARSE; ALL_KINDS];
    sizes[..KINDS.len()].copy_from_slice(&KINDS);
    let mut strengths = competitions.fit(sizes, STEPS);
    let (logarithm, first) = competitions.judge(&strengths);
    println!(
        "  a chosen move has the probability e^{logarithm:.3}, and the largest in {first:.3} of them"
    );
    for (kind, strengths) in strengths.iter().enumerate().skip(1).take(6) {
        let strengths: Vec<_> = strengths.iter().map(|it| format!("{it:.2}")).collect();
        println!("  kind {kind}: {}", strengths.join(" "));
    }
    // Each move has a distance to the edge.
    let mean = competitions.mean(&strengths);
    for strength in &mut strengths[3] {
        *strength /= mean;
    }
    let mut weights = Vec::with_capacity(FEATURES);
    for (class, coarse) in coarse.iter().enumerate() {
        weights.push(strengths[0][class] * strengths[KINDS.len()][usize::from(*coarse)]);
    }
    weights.extend(strengths[1..KINDS.len()].iter().flatten());
    Weights::new(weights.into_iter().map(unit))
}
