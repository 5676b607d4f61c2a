//! Matches that are played at once, each as fast as its moves are acknowledged.

use crate::Result;
use crate::house::{House, Match};
use crate::measure::{Durations, cpu};
use std::time::{Duration, Instant};

/// The next match of a task that has filled its board.
async fn next_match(house: &House, number: usize) -> Result<Match> {
    house.begin_match(number).await
}

pub(crate) async fn measure(house: &House, count: usize, seconds: Duration) -> Result<Vec<String>> {
    let mut matches = Vec::new();
    for number in 0..count {
        matches.push(next_match(house, number).await?);
    }
    let process = [house.process()];
    let (cpu_before, begun) = (cpu(&process), Instant::now());
    let until = begun + seconds;
    let tasks: Vec<_> = matches
        .into_iter()
        .map(|mut game| {
            tokio::spawn(async move {
                let mut took = Durations::default();
                while Instant::now() < until && game.played() < Match::MOVES {
                    let sent = Instant::now();
                    game.play().await?.ok()?;
                    took.add(sent.elapsed());
                }
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>(took)
            })
        })
        .collect();
    let mut all = Durations::default();
    for task in tasks {
        all.merge(task.await??);
    }
    let elapsed = begun.elapsed();
    let used = cpu(&process).saturating_sub(cpu_before);
    let made = all.count();
    Ok(vec![
        format!("{count} matches"),
        format!("{:.0}", made as f64 / elapsed.as_secs_f64()),
        all.percentile(50),
        all.percentile(99),
        format!("{:.0} µs", used.as_secs_f64() * 1e6 / made.max(1) as f64),
    ])
}
