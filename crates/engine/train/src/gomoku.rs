//! The weights of Gomoku's evaluation and of its order of moves, trained on games that the engine plays against itself.
//!
//! The evaluation is a logistic regression: the sum of the weights is the logarithm of the odds of winning. The order of moves is
//! a softmax regression: of all moves, the one that a search chose is to have the largest weight. A code's weight is the sum of a
//! part for each of its four classes, a part for its threat, and a part of its own that is drawn to zero, so that rare codes have
//! sensible weights.
//!
//! The training is done twice: first with games that a rule of thumb plays, then with more games that the first weights play.

use std::time::Instant;
use tochki_engine::{
    Engine, Limits, Progress, Rng,
    gomoku::{
        CODES, GomokuEngine, RANK_UNIT, THREATS, Weights,
        training::{Extractor, Features, LINE_CLASSES, codes},
    },
};
use tochki_rules::{
    Game, Outcome, Point, Seat,
    gomoku::{Gomoku, Rule, Setup},
};

/// Positions of each round, and nodes of a move.
const ROUNDS: [(usize, u64); 2] = [(20_000, 300), (80_000, 600)];

/// Units of the evaluation to a power of e of the odds.
const UNIT: f32 = 300.0;

/// The share of the search's value in a position's target, the rest being the result of the game.
const SEARCH_SHARE: f32 = 0.4;

/// The number of times that each position is looked at.
const EPOCHS: usize = 12;

/// Positions between two steps of the weights.
const BATCH: usize = 256;

/// The strength, a step, with which a code's own part is drawn to zero.
const RIDGE: f32 = 2e-5;

/// A position of a game.
struct Sample {
    features: Features,
    /// The share of wins that the side to move may expect.
    target: f32,
    /// The index of the move that was chosen.
    chosen: Option<usize>,
}

/// Trains, prints its progress, and writes the weights to the file.
pub(crate) fn train(file: &str) -> std::io::Result<()> {
    let start = Instant::now();
    let mut weights = rule_of_thumb();
    for (round, (positions, nodes)) in (1..).zip(ROUNDS) {
        let samples = games(&weights, positions, nodes, &mut Rng::new(round));
        println!(
            "round {round}: {} positions after {} s",
            samples.len(),
            start.elapsed().as_secs()
        );
        weights = fit(&samples, &weights);
        std::fs::write(file, weights.encode())?;
        println!("  written after {} s", start.elapsed().as_secs());
    }
    Ok(())
}

/// Writes the weights of the rule of thumb, to compare the trained ones with.
pub(crate) fn write_rule_of_thumb(file: &str) -> std::io::Result<()> {
    std::fs::write(file, rule_of_thumb().encode())
}

/// Weights by rules of thumb: the longer a line and the more open, the better; several at once are better still.
fn rule_of_thumb() -> Weights {
    const VALUES: [i32; LINE_CLASSES] = [0, 0, 1, 3, 4, 9, 10, 11, 11, 20, 22, 26, 60, 100];
    const ATTACK: [i32; LINE_CLASSES] = [0, 0, 2, 6, 9, 24, 27, 30, 27, 66, 74, 90, 800, 4000];
    const DEFENCE: [i32; LINE_CLASSES] = [0, 0, 2, 5, 6, 18, 20, 22, 16, 50, 56, 44, 500, 2000];
    const BONUS: [i32; THREATS] = [0, 15, 0, 25, 90, 0, 20, 200, 0, 0];
    let mut weights = Weights::zero();
    for (code, (classes, threat)) in codes().into_iter().enumerate() {
        let sum = |values: &[i32; LINE_CLASSES]| -> i32 {
            classes
                .iter()
                .map(|&class| values[usize::from(class)])
                .sum()
        };
        let byte = |value: i32| value.clamp(-127, 127) as i8;
        let lines = classes.iter().filter(|&&class| class > 3).count() as i32;
        let value = sum(&VALUES) + BONUS[threat] / 5 + 2 * lines;
        weights.mover[code] = byte(value);
        weights.waiter[code] = byte(value);
        weights.attack[code] = byte((sum(&ATTACK) + BONUS[threat]) / 4);
        weights.defence[code] = byte((sum(&DEFENCE) + BONUS[threat] / 2) / 4);
    }
    for (threat, mover, waiter) in [(8, 0, 120), (7, 220, 90), (4, 90, 35), (6, 20, 10)] {
        weights.threats_of_mover[threat] = [mover, 2 * mover];
        weights.threats_of_waiter[threat] = [waiter, 2 * waiter];
    }
    weights.tempo = 25;
    weights
}

/// Makes so many positions of games that the weights play against themselves after a few random stones. A game ends where the
/// engine has proved the winner.
fn games(weights: &Weights, positions: usize, nodes: u64, rng: &mut Rng) -> Vec<Sample> {
    let extractor = Extractor::default();
    let mut samples = Vec::with_capacity(positions);
    let limits = Limits {
        nodes,
        memory: 6 << 20,
        ..Limits::NONE
    };
    let mut results = [0; 3];
    while samples.len() < positions {
        let (size, rule) = match rng.below(4) {
            0 => (19, Rule::Freestyle),
            1 => (15, Rule::Standard),
            _ => (15, Rule::Freestyle),
        };
        let mut position = opening(size, rule, rng);
        let mut engine = GomokuEngine::with_weights(&position, limits, rng.bits(), weights);
        let first = samples.len();
        let mut seats = Vec::new();
        let winner = loop {
            let Some(seat) = position.to_move() else {
                break position.outcome().and_then(|Outcome { winner, .. }| winner);
            };
            while engine.step(nodes) == Progress::Running {}
            let report = engine.best();
            let best = &report.moves[0];
            if best.value.abs() > 0.999 {
                let wins = best.value > 0.0;
                break Some(if wins { seat } else { seat.other() });
            }
            if let Some(features) = extractor.features(&position) {
                let chosen = features.moves.iter().position(|(mv, _)| *mv == best.mv);
                samples.push(Sample {
                    features,
                    target: f32::midpoint(1.0, best.value),
                    chosen,
                });
                seats.push(seat);
            }
            // Now and then another good move, so that positions differ.
            let among = if rng.below(12) == 0 { 4 } else { 1 };
            let nth = rng.below(report.moves.len().min(among) as u32) as usize;
            let legal = position.play(report.moves[nth].mv);
            assert!(legal.is_ok(), "the engine plays legal moves");
            engine.set_position(&position, limits, rng.bits());
        };
        results[winner.map_or(2, Seat::index)] += 1;
        for (sample, &seat) in samples[first..].iter_mut().zip(&seats) {
            let result = match winner {
                None => 0.5,
                Some(winner) if winner == seat => 1.0,
                Some(_) => 0.0,
            };
            sample.target = SEARCH_SHARE * sample.target + (1.0 - SEARCH_SHARE) * result;
        }
    }
    println!("  games won by the first, by the second, drawn: {results:?}");
    samples
}

/// A few random stones near the middle, and one near those.
fn opening(size: u8, rule: Rule, rng: &mut Rng) -> Gomoku {
    let setup = Setup::new(size, rule).expect("a board");
    loop {
        let mut position = Gomoku::new(&setup);
        let stones = 2 + rng.below(7) as usize;
        let reach = 4 + rng.below(5) as u8;
        let mut placed = 0;
        while placed < stones {
            let corner = (size - reach) / 2;
            let coordinate = |rng: &mut Rng| corner + rng.below(u32::from(reach)) as u8;
            let point = Point::new(coordinate(rng), coordinate(rng));
            placed += usize::from(position.play(point).is_ok());
        }
        if position.to_move().is_some() {
            return position;
        }
    }
}

/// Weights by code, as sums of [`LINE_CLASSES`] parts of lines, [`THREATS`] of threats, and [`CODES`] of their own.
struct Parts;

const PARTS: usize = LINE_CLASSES + THREATS + CODES;

impl Parts {
    fn sums(values: &[f32], codes: &[([u8; 4], usize)]) -> Vec<f32> {
        let sum = |(code, (classes, threat)): (usize, &([u8; 4], usize))| {
            let lines: f32 = classes
                .iter()
                .map(|&class| values[usize::from(class)])
                .sum();
            lines + values[LINE_CLASSES + threat] + values[LINE_CLASSES + THREATS + code]
        };
        codes.iter().enumerate().map(sum).collect()
    }

    /// The slopes of the parts, from those of the codes.
    fn slopes(slopes: &[f32], codes: &[([u8; 4], usize)], parts: &mut [f32]) {
        for (code, (&slope, (classes, threat))) in slopes.iter().zip(codes).enumerate() {
            for &class in classes {
                parts[usize::from(class)] += slope;
            }
            parts[LINE_CLASSES + threat] += slope;
            parts[LINE_CLASSES + THREATS + code] += slope;
        }
    }
}

/// Steps along a slope, each number with its own length (Adam).
struct Steps {
    mean: Vec<f32>,
    square: Vec<f32>,
    count: i32,
}

impl Steps {
    fn new(length: usize) -> Self {
        Self {
            mean: vec![0.0; length],
            square: vec![0.0; length],
            count: 0,
        }
    }

    fn step(&mut self, values: &mut [f32], slopes: &[f32], rate: f32) {
        self.count += 1;
        let [mean_share, square_share] = [0.9_f32, 0.999];
        let mean_scale = 1.0 - mean_share.powi(self.count);
        let square_scale = 1.0 - square_share.powi(self.count);
        for (place, (value, &slope)) in values.iter_mut().zip(slopes).enumerate() {
            let (mean, square) = (&mut self.mean[place], &mut self.square[place]);
            *mean += (1.0 - mean_share) * (slope - *mean);
            *square += (1.0 - square_share) * (slope * slope - *square);
            *value -= rate * (*mean / mean_scale) / ((*square / square_scale).sqrt() + 1e-6);
        }
    }
}

/// The weights that fit the samples best; every sixteenth is only looked at to see how well they do.
fn fit(samples: &[Sample], before: &Weights) -> Weights {
    let seen = samples.len() - samples.len() / 16;
    let (training, others) = samples.split_at(seen);
    let mut weights = Weights::zero();
    fit_evaluation(training, &mut weights);
    fit_moves(training, &mut weights);
    for (name, weights) in [("before", before), ("trained", &weights)] {
        println!(
            "  {name}: loss {:.4}, on others {:.4}; chosen moves {:.4}, on others {:.4}",
            loss(training, weights),
            loss(others, weights),
            moves_loss(training, weights),
            moves_loss(others, weights)
        );
    }
    weights
}

fn share(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The length of the numbers of the evaluation: two sides' parts, two sides' threats, and the tempo.
const EVALUATION: usize = 2 * PARTS + 4 * THREATS + 1;

fn fit_evaluation(samples: &[Sample], weights: &mut Weights) {
    let codes = codes();
    let mut values = vec![0.0; EVALUATION];
    let mut steps = Steps::new(EVALUATION);
    for epoch in 0..EPOCHS {
        let rate = 0.01 / (1.0 + epoch as f32);
        for batch in batches(samples, epoch) {
            let sums = [0, 1].map(|side| Parts::sums(&values[side * PARTS..], &codes));
            let mut slopes = vec![0.0; EVALUATION];
            let mut of_codes = [vec![0.0; CODES], vec![0.0; CODES]];
            for sample in batch {
                let Features {
                    points, threats, ..
                } = &sample.features;
                let mut logit = values[EVALUATION - 1];
                for &[own, other] in points {
                    logit += sums[0][usize::from(own)] - sums[1][usize::from(other)];
                }
                for (side, sign) in [(0, 1.0), (1, -1.0)] {
                    for (threat, &count) in threats[side].iter().enumerate() {
                        logit += counted(side, threat, count).map_or(0.0, |at| sign * values[at]);
                    }
                }
                let slope = (share(logit) - sample.target) / BATCH as f32;
                slopes[EVALUATION - 1] += slope;
                for &[own, other] in points {
                    of_codes[0][usize::from(own)] += slope;
                    of_codes[1][usize::from(other)] -= slope;
                }
                for (side, sign) in [(0, 1.0), (1, -1.0)] {
                    for (threat, &count) in threats[side].iter().enumerate() {
                        if let Some(at) = counted(side, threat, count) {
                            slopes[at] += sign * slope;
                        }
                    }
                }
            }
            for side in 0..2 {
                Parts::slopes(&of_codes[side], &codes, &mut slopes[side * PARTS..]);
            }
            draw_to_zero(&values, &mut slopes, 2);
            steps.step(&mut values, &slopes, rate);
        }
    }
    let unit = |value: f32| (value * UNIT).round();
    let bytes = |side: usize| -> Vec<i8> {
        let sums = Parts::sums(&values[side * PARTS..], &codes);
        sums.iter()
            .map(|&sum| unit(sum).clamp(-127.0, 127.0) as i8)
            .collect()
    };
    weights.mover = bytes(0);
    weights.waiter = bytes(1);
    let threats = |side: usize| -> [[i16; 2]; THREATS] {
        let of = |threat: usize, count: u16| {
            counted(side, threat, count).map_or(0, |at| unit(values[at]) as i16)
        };
        std::array::from_fn(|threat| [of(threat, 1), of(threat, 2)])
    };
    weights.threats_of_mover = threats(0);
    weights.threats_of_waiter = threats(1);
    weights.tempo = unit(values[EVALUATION - 1]) as i16;
}

/// The index of the weight of so many points with a threat.
fn counted(side: usize, threat: usize, count: u16) -> Option<usize> {
    let more = usize::from(count).min(2).checked_sub(1)?;
    Some(2 * PARTS + (side * THREATS + threat) * 2 + more)
}

fn draw_to_zero(values: &[f32], slopes: &mut [f32], sides: usize) {
    for side in 0..sides {
        for at in side * PARTS + LINE_CLASSES + THREATS..(side + 1) * PARTS {
            slopes[at] += RIDGE * values[at];
        }
    }
}

/// The samples in batches, another order in each epoch: a step that is coprime to their number.
fn batches(samples: &[Sample], epoch: usize) -> impl Iterator<Item = Vec<&Sample>> {
    let length = samples.len();
    let step = (length / 3 + 7 * epoch..length.max(1) * 2)
        .find(|&step| gcd(step, length) == 1)
        .unwrap_or(1);
    (0..length / BATCH).map(move |batch| {
        let places = batch * BATCH..(batch + 1) * BATCH;
        places
            .map(|place| &samples[place * step % length])
            .collect()
    })
}

const fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn fit_moves(samples: &[Sample], weights: &mut Weights) {
    let codes = codes();
    let mut values = vec![0.0; 2 * PARTS];
    let mut steps = Steps::new(2 * PARTS);
    for epoch in 0..EPOCHS {
        let rate = 0.01 / (1.0 + epoch as f32);
        for batch in batches(samples, epoch) {
            let sums = [0, 1].map(|side| Parts::sums(&values[side * PARTS..], &codes));
            let mut slopes = vec![0.0; 2 * PARTS];
            let mut of_codes = [vec![0.0; CODES], vec![0.0; CODES]];
            for sample in batch {
                let Some(chosen) = sample.chosen else {
                    continue;
                };
                let moves = &sample.features.moves;
                let rank = |&(_, [own, other]): &(Point, [u16; 2])| {
                    sums[0][usize::from(own)] + sums[1][usize::from(other)]
                };
                for (place, share) in shares(moves.iter().map(rank)).into_iter().enumerate() {
                    let wanted = if place == chosen { 1.0 } else { 0.0 };
                    let slope = (share - wanted) / BATCH as f32;
                    let (_, [own, other]) = moves[place];
                    of_codes[0][usize::from(own)] += slope;
                    of_codes[1][usize::from(other)] += slope;
                }
            }
            for side in 0..2 {
                Parts::slopes(&of_codes[side], &codes, &mut slopes[side * PARTS..]);
            }
            draw_to_zero(&values, &mut slopes, 2);
            steps.step(&mut values, &slopes, rate);
        }
    }
    let bytes = |side: usize| -> Vec<i8> {
        let sums = Parts::sums(&values[side * PARTS..], &codes);
        let unit = |sum: f32| (sum * RANK_UNIT).round().clamp(-127.0, 127.0) as i8;
        sums.into_iter().map(unit).collect()
    };
    weights.attack = bytes(0);
    weights.defence = bytes(1);
}

/// The softmax: the share of each in all, by its logarithm.
fn shares(ranks: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut shares: Vec<f32> = ranks.collect();
    let most = shares.iter().copied().fold(f32::MIN, f32::max);
    for share in &mut shares {
        *share = (*share - most).exp();
    }
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// The mean logarithmic loss of the evaluation.
fn loss(samples: &[Sample], weights: &Weights) -> f32 {
    let of = |sample: &Sample| {
        let Features {
            points, threats, ..
        } = &sample.features;
        let mut sum = f32::from(weights.tempo);
        for &[own, other] in points {
            sum += f32::from(weights.mover[usize::from(own)]);
            sum -= f32::from(weights.waiter[usize::from(other)]);
        }
        let sides = [weights.threats_of_mover, weights.threats_of_waiter];
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for (threat, &count) in threats[side].iter().enumerate() {
                if count > 0 {
                    sum += sign * f32::from(sides[side][threat][usize::from(count.min(2)) - 1]);
                }
            }
        }
        let share = share(sum / UNIT).clamp(1e-6, 1.0 - 1e-6);
        -(sample.target * share.ln() + (1.0 - sample.target) * (1.0 - share).ln())
    };
    samples.iter().map(of).sum::<f32>() / samples.len().max(1) as f32
}

/// The mean logarithmic loss of the order of moves.
fn moves_loss(samples: &[Sample], weights: &Weights) -> f32 {
    let mut sum = 0.0;
    let mut count = 0_u16;
    for sample in samples.iter().take(20_000) {
        let Some(chosen) = sample.chosen else {
            continue;
        };
        let rank = |&(_, [own, other]): &(Point, [u16; 2])| {
            let [own, other] = [own, other].map(usize::from);
            (f32::from(weights.attack[own]) + f32::from(weights.defence[other])) / RANK_UNIT
        };
        let shares = shares(sample.features.moves.iter().map(rank));
        sum -= shares[chosen].max(1e-6).ln();
        count += 1;
    }
    sum / f32::from(count.max(1))
}
