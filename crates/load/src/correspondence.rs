//! Running matches by correspondence: the memory of a server beside that of one without matches, the list of a player who plays
//! fifty, and the delay of results where the time of ten thousand ends within a minute.

use crate::cli::Cli;
use crate::client::Client;
use crate::measure::{Durations, Table};
use crate::processes::{megabytes, memory};
use crate::tochki::{Setting, TochkiServer};
use crate::{Error, Result};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// The time in which a server that has just started does what it does at the start.
const SETTLED: Duration = Duration::from_secs(15);

/// The time after which the matches that are due have ended: they are due between the first minute and the second.
const ENDED: Duration = Duration::from_secs(150);

/// The requests of each page.
const REQUESTS: usize = 100;

/// The password of the players, and the beginning of the line that names the one with the most matches.
const PASSWORD: &str = "tochki";
const NAMED: &str = "the player with the most matches is ";

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    let empty = {
        let data = tempfile::tempdir()?;
        // What the first start does once, as making the accounts of the house bots, is not compared.
        let tochki = TochkiServer::start_in(data.path(), &cli.server, &[]).await?;
        tokio::time::sleep(SETTLED).await;
        tochki.stop().await;
        let tochki = TochkiServer::start_in(data.path(), &cli.server, &[]).await?;
        tokio::time::sleep(SETTLED).await;
        let empty = memory(&[tochki.process()]);
        tochki.stop().await;
        empty
    };
    let data = tempfile::tempdir()?;
    let settings = [
        ("SEEDED_DIR", data.path().to_string_lossy().into_owned()),
        ("SEEDED_MATCHES", cli.slow_matches.to_string()),
    ];
    let filled = seeded(cli, "correspondence", &settings).await?;
    let name = filled.lines().find_map(|line| line.strip_prefix(NAMED));
    let name = name.ok_or("the database was not filled")?;
    let began = Instant::now();
    let tochki = TochkiServer::start_in(data.path(), &cli.server, &[]).await?;
    let measured = measure(&tochki, name, began).await;
    tochki.stop().await;
    let [settled, ended, games, my_games] = measured?;
    let delays = seeded(cli, "delays", &settings).await?;

    let mut table = Table::new(&[
        "matches",
        "memory without any",
        "with them",
        "after the ends",
        "`/games` of 50",
        "`/api/my_games`",
    ]);
    let cells = [
        cli.slow_matches.to_string(),
        megabytes(empty),
        settled,
        ended,
        games,
        my_games,
    ];
    table.row(&cells);
    table.print();
    let mut table = Table::new(&[
        "due in a minute",
        "still running",
        "delay p50",
        "p99",
        "most",
    ]);
    let cells: Vec<String> = delays.trim().split(" | ").map(str::to_owned).collect();
    table.row(&cells);
    table.print();
    Ok(())
}

/// Calls the program that fills the database, and returns its output.
pub(crate) async fn seeded(cli: &Cli, verb: &str, settings: &[Setting]) -> Result<String> {
    let program = std::path::absolute(&cli.seeded)?;
    let done = Command::new(&program)
        .arg(verb)
        .env_remove("DATABASE_URL")
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .output()
        .await
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned().into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

/// Returns the memory once the server has settled and after the ends, and the times of the pages.
async fn measure(tochki: &TochkiServer, name: &str, began: Instant) -> Result<[String; 4]> {
    let process = [tochki.process()];
    tokio::time::sleep(SETTLED).await;
    let settled = megabytes(memory(&process));
    let mut client = Client::connect(tochki.address).await?;
    let form = [("name", name), ("password", PASSWORD)];
    client.post("/api/login", &form).await?.ok()?;
    let games = times(&mut client, "/games").await?;
    let my_games = times(&mut client, "/api/my_games").await?;
    tokio::time::sleep_until((began + ENDED).into()).await;
    Ok([settled, megabytes(memory(&process)), games, my_games])
}

/// Returns the median and the 99th percentile of the time of a page.
async fn times(client: &mut Client, path: &str) -> Result<String> {
    let mut took = Durations::default();
    for _ in 0..REQUESTS {
        let asked = Instant::now();
        client.get(path).await?.ok()?;
        took.add(asked.elapsed());
    }
    Ok::<_, Error>(format!(
        "p50 {}, p99 {}",
        took.percentile(50),
        took.percentile(99)
    ))
}
