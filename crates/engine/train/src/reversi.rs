//! The weights of Reversi's evaluation, trained stage by stage from the end of the game.
//!
//! Positions come from games that an evaluation plays against itself after a random beginning. Near the end they are
//! solved. In an earlier stage their value is that of a search which reaches the stage after it, whose weights are known by
//! then. The weights of a stage are those with the least squared error (ridge regression by conjugate gradients).
//!
//! The training is done twice: first with few positions of games that a rule of thumb plays, then with many of games that the
//! first weights play.

use std::time::Instant;
use tochki_engine::{
    Rng,
    reversi::{
        Board, FEATURES, STAGES, Shallow, Solver, UNIT, WEIGHTS, Weights, features,
        representatives, stage,
    },
};

/// Positions of each stage in the two rounds.
const POSITIONS: [usize; 2] = [60_000, 400_000];

/// The most empty squares of a position that is looked at: with more there are few different positions.
const EARLIEST: u32 = 54;

/// The number of times that a weight has to be seen, or else it stays zero: it would be chance, and cost bytes.
const RARE: f32 = 6.0;

/// The number of empty squares up to which positions are solved.
const SOLVED: u32 = 12;

/// The strength with which weights are drawn to zero: as if each had been seen in so many positions of value zero.
const RIDGE: f32 = 6.0;

/// Steps of the conjugate gradients.
const STEPS: usize = 60;

/// Trains, prints its progress, and writes the weights to the file.
pub(crate) fn train(file: &str) -> std::io::Result<()> {
    let start = Instant::now();
    let mut weights = rule_of_thumb();
    for (round, positions) in (1..).zip(POSITIONS) {
        let seconds = start.elapsed().as_secs();
        println!("round {round}: {positions} positions a stage, after {seconds} s");
        let mut rng = Rng::new(round);
        let games = games(&weights, positions, &mut rng);
        println!("  games played after {} s", start.elapsed().as_secs());
        weights = stages(&games);
        let bytes = weights.encode();
        println!(
            "  {} bytes after {} s",
            bytes.len(),
            start.elapsed().as_secs()
        );
        std::fs::write(file, bytes)?;
    }
    Ok(())
}

/// Weights by rules of thumb: moves count, corners more, and X squares beside an empty corner count against. The numbers of
/// weights are those of `patterns` in the engine: corners come first, moves after all patterns.
fn rule_of_thumb() -> Weights {
    let mobility = WEIGHTS - 2 - 4 * 32;
    Weights::from_fn(|_, at| {
        let mut sum = 0;
        if at < 19_683 {
            let disc = |square: u32| [0, 1, -1][at / 3_usize.pow(square) % 3];
            sum += 64 * disc(0);
            if disc(0) == 0 {
                sum -= 32 * disc(4) + 8 * (disc(1) + disc(3));
            }
        } else if let Some(count) = at.checked_sub(mobility) {
            let number = (count % 32) as i32;
            sum += match count / 32 {
                0 => 6 * number,
                1 => -6 * number,
                2 => -3 * number,
                3 => 3 * number,
                _ => 0,
            };
        }
        sum.clamp(-127, 127) as i8
    })
}

const START: Board = Board {
    own: 1 << (8 * 3 + 4) | 1 << (8 * 4 + 3),
    enemy: 1 << (8 * 3 + 3) | 1 << (8 * 4 + 4),
};

/// So many positions of each stage, or as many as there are, from games of the weights against themselves.
fn games(weights: &Weights, positions: usize, rng: &mut Rng) -> [Vec<Board>; STAGES] {
    let mut all: [Vec<Board>; STAGES] = std::array::from_fn(|_| Vec::new());
    let mut search = Shallow { weights, nodes: 0 };
    while all[1..].iter().any(|stage| stage.len() < positions) {
        let random = 2 + rng.below(40);
        let mut board = START;
        loop {
            let mut legal = board.legal();
            if legal == 0 {
                board = board.passed();
                legal = board.legal();
                if legal == 0 {
                    break;
                }
            }
            let empties = board.empties();
            let seen = &mut all[stage(empties)];
            if seen.len() < positions && empties <= EARLIEST {
                seen.push(board);
            }
            let ply = 60_u32.saturating_sub(empties);
            let afters = (0..64)
                .filter(|square| legal >> square & 1 == 1)
                .map(|square| board.after(square, board.flips(square)));
            let by_chance = ply < random || rng.below(10) == 0;
            let next = if by_chance {
                afters
                    .into_iter()
                    .nth(rng.below(legal.count_ones()) as usize)
            } else {
                let mut worst = i32::MAX;
                let mut next = None;
                for after in afters {
                    let value = search.search(after, 1, -10_000, worst);
                    if value < worst {
                        worst = value;
                        next = Some(after);
                    }
                }
                next
            };
            let Some(next) = next else { break };
            board = next;
        }
    }
    all
}

/// Trains all stages, the last of the game first.
fn stages(games: &[Vec<Board>; STAGES]) -> Weights {
    let representatives = representatives();
    let mut all = vec![0_i8; STAGES * WEIGHTS];
    let mut solver = Solver::new(16 << 20);
    for (number, boards) in games.iter().enumerate() {
        let start = Instant::now();
        let known = Weights::from_fn(|stage, at| all[stage * WEIGHTS + at]);
        let mut search = Shallow {
            weights: &known,
            nodes: 0,
        };
        let lowest = (0..61)
            .find(|&empties| stage(empties) == number)
            .unwrap_or(0);
        let values: Vec<f32> = boards
            .iter()
            .map(|&board| {
                let empties = board.empties();
                if empties <= SOLVED {
                    solver.solve(board) as f32
                } else {
                    let depth = (empties + 1 - lowest).max(3);
                    search.search(board, depth, -10_000, 10_000) as f32 / UNIT as f32
                }
            })
            .collect();
        let labelled = start.elapsed();
        let start = Instant::now();
        let rows: Vec<[u32; FEATURES]> = boards
            .iter()
            .map(|&board| features(board, board.legal()).map(|at| representatives[at as usize]))
            .collect();
        // Every sixteenth position is only looked at to see how large the error is.
        let seen = rows.len() - rows.len() / 16;
        let weights = fit(&rows[..seen], &values[..seen]);
        for (at, &first) in representatives.iter().enumerate() {
            let weight = (weights[first as usize] * UNIT as f32).round();
            all[number * WEIGHTS + at] = weight.clamp(-127.0, 127.0) as i8;
        }
        let error = |from: usize, to: usize| {
            let sum: f32 = (from..to)
                .map(|row| {
                    let sum: i32 = rows[row]
                        .iter()
                        .map(|&at| i32::from(all[number * WEIGHTS + at as usize]))
                        .sum();
                    (sum as f32 / UNIT as f32 - values[row]).powi(2)
                })
                .sum();
            (sum / (to - from).max(1) as f32).sqrt()
        };
        println!(
            "  stage {number}: {} positions, error {:.2} discs, {:.2} on others; values {} s, weights {} s",
            seen,
            error(0, seen),
            error(seen, rows.len()),
            labelled.as_secs(),
            start.elapsed().as_secs(),
        );
    }
    Weights::from_fn(|stage, at| all[stage * WEIGHTS + at])
}

/// The weights w with the least Σ (w · row − value)² + [`RIDGE`] · w².
fn fit(rows: &[[u32; FEATURES]], values: &[f32]) -> Vec<f32> {
    let sum = |weights: &[f32], row: &[u32; FEATURES]| -> f32 {
        row.iter().map(|&at| weights[at as usize]).sum()
    };
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(&a, &b)| f64::from(a) * f64::from(b))
            .sum()
    };
    // The number of times that a weight is seen scales its steps (Jacobi's preconditioner).
    let mut scale = vec![RIDGE; WEIGHTS];
    let mut residual = vec![0.0; WEIGHTS];
    for (row, value) in rows.iter().zip(values) {
        for &at in row {
            scale[at as usize] += 1.0;
            residual[at as usize] += value;
        }
    }
    let scaled = |residual: &[f32]| -> Vec<f32> {
        residual
            .iter()
            .zip(&scale)
            .map(|(residual, scale)| residual / scale)
            .collect()
    };
    let mut weights = vec![0.0; WEIGHTS];
    let mut towards = scaled(&residual);
    let mut direction = towards.clone();
    let mut left = dot(&residual, &towards);
    for _ in 0..STEPS {
        let mut image: Vec<f32> = direction.iter().map(|weight| RIDGE * weight).collect();
        for row in rows {
            let sum = sum(&direction, row);
            for &at in row {
                image[at as usize] += sum;
            }
        }
        let curvature = dot(&direction, &image);
        if curvature <= 0.0 {
            break;
        }
        let step = (left / curvature) as f32;
        for at in 0..WEIGHTS {
            weights[at] += step * direction[at];
            residual[at] -= step * image[at];
        }
        towards = scaled(&residual);
        let next = dot(&residual, &towards);
        let keep = (next / left) as f32;
        left = next;
        for at in 0..WEIGHTS {
            direction[at] = towards[at] + keep * direction[at];
        }
    }
    for (weight, scale) in weights.iter_mut().zip(&scale) {
        if *scale < RIDGE + RARE {
            *weight = 0.0;
        }
    }
    weights
}

/// Depths of a search and of the shallower one that is to predict its value.
const DEPTHS: [(u32, u32); 5] = [(5, 3), (6, 2), (6, 4), (7, 3), (8, 4)];

/// Positions of each stage whose deep and shallow values are compared.
const COMPARED: usize = 60;

/// Prints, for the trained weights, the differences between the values of searches of different depths: the mean and the standard
/// deviation in discs. Multi-ProbCut takes its margins from these.
pub(crate) fn measure_cuts() {
    let weights = Weights::trained();
    let games = games(weights, 40 * COMPARED, &mut Rng::new(7));
    let mut search = Shallow { weights, nodes: 0 };
    for (number, boards) in games.iter().enumerate().skip(1) {
        // Positions in which both sides have a chance: others teach nothing.
        let boards: Vec<Board> = boards
            .iter()
            .step_by(11)
            .copied()
            .filter(|&board| search.search(board, 2, -10_000, 10_000).abs() < 20 * UNIT)
            .take(COMPARED)
            .collect();
        for (deep, shallow) in DEPTHS {
            let differences: Vec<f32> = boards
                .iter()
                .map(|&board| {
                    let [deep, shallow] =
                        [deep, shallow].map(|depth| search.search(board, depth, -10_000, 10_000));
                    (deep - shallow) as f32 / UNIT as f32
                })
                .collect();
            let count = differences.len() as f32;
            let mean = differences.iter().sum::<f32>() / count;
            let squares: f32 = differences.iter().map(|it| (it - mean).powi(2)).sum();
            let deviation = (squares / count).sqrt();
            println!(
                "stage {number}: {deep} by {shallow}: mean {mean:.2}, deviation {deviation:.2}"
            );
        }
    }
}
