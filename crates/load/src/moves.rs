//! Matches that are played at once, each as fast as its moves are acknowledged.

use crate::cli::Cli;
use crate::matches::Match;
use crate::measure::{Durations, Table};
use crate::processes::cpu;
use crate::sampler::{self, Run};
use crate::tochki::TochkiServer;
use crate::{Error, Result};
use std::time::{Duration, Instant};

/// More is another program's business.
const MATCHES_MAX: usize = 1000;

/// Measures each number of matches at a server of its own.
pub(crate) async fn run(cli: &Cli, runs: &mut Vec<Run>) -> Result<()> {
    let mut table = Table::new(&["moves", "moves/s", "p50", "p99", "server CPU a move"]);
    let seconds = Duration::from_secs(cli.seconds);
    for &count in &cli.matches {
        let count = count.min(MATCHES_MAX);
        let tochki = TochkiServer::start(&cli.server, &cli.metrics()?).await?;
        let measured = measure(&tochki, count, seconds);
        let row = sampler::during(&tochki, format!("{count} matches"), runs, measured).await;
        tochki.stop().await;
        table.row(&row?);
    }
    table.print();
    Ok(())
}

async fn measure(tochki: &TochkiServer, count: usize, seconds: Duration) -> Result<Vec<String>> {
    let matches = Match::begin_all(tochki, count).await?;
    let process = [tochki.process()];
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
                Ok::<_, Error>(took)
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
