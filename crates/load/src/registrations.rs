//! Registrations, which hash passwords: the memory that they leave behind.

use crate::cli::Cli;
use crate::client::Client;
use crate::measure::Table;
use crate::processes::{megabytes, memory};
use crate::tochki::TochkiServer;
use crate::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The number of registrations at a time.
const CONCURRENCY: usize = 8;

/// The number of registrations before the memory is read first, so that every thread that hashes has taken the memory which it
/// keeps.
const WARM_UP_REGISTRATIONS: usize = 64;

/// The largest number of registrations; more are another program's business.
const REGISTRATIONS_MAX: usize = 10_000;

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    let mut table = Table::new(&[
        "registrations",
        "memory at the start",
        &format!("before (after {WARM_UP_REGISTRATIONS})"),
        "most",
        "after",
        "after : before",
        "took",
    ]);
    let tochki = TochkiServer::start(&cli.server, &[]).await?;
    let row = measure(&tochki, cli.registrations.min(REGISTRATIONS_MAX)).await;
    tochki.stop().await;
    table.row(&row?);
    table.print();
    Ok(())
}

async fn measure(tochki: &TochkiServer, count: usize) -> Result<Vec<String>> {
    let process = [tochki.process()];
    let at_start = memory(&process);
    register(tochki, "First", WARM_UP_REGISTRATIONS).await?;
    let (before, begun) = (memory(&process), Instant::now());
    let most = register(tochki, "Load", count).await?;
    let took = begun.elapsed();
    let after = memory(&process);
    Ok(vec![
        count.to_string(),
        megabytes(at_start),
        megabytes(before),
        megabytes(most.max(after)),
        megabytes(after),
        format!("{:.2}", after as f64 / before.max(1) as f64),
        format!("{:.1} s", took.as_secs_f64()),
    ])
}

/// Registers so many players, and returns the most memory that the server had meanwhile.
async fn register(tochki: &TochkiServer, name: &'static str, count: usize) -> Result<u64> {
    let (address, process) = (tochki.address, tochki.process());
    let begun = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..CONCURRENCY)
        .map(|_| {
            let begun = begun.clone();
            tokio::spawn(async move {
                let mut most = 0;
                loop {
                    let number = begun.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return Ok::<_, Error>(most);
                    }
                    let name = format!("{name}-{number}");
                    let form = [("name", &*name), ("password", "correct horse battery")];
                    let mut client = Client::connect(address).await?;
                    client.post("/api/register", &form).await?.ok()?;
                    most = most.max(memory(&[process]));
                }
            })
        })
        .collect();
    let mut most = 0;
    for task in tasks {
        most = most.max(task.await??);
    }
    Ok(most)
}
