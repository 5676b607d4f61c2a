//! Pages and files: the number in a second that the server sends to many connections that each ask for the next as soon as they
//! have one.

use crate::cli::Cli;
use crate::client::Client;
use crate::matches::Match;
use crate::measure::{Durations, Table};
use crate::numbers::find;
use crate::processes::{cpu, megabytes, memory};
use crate::tochki::{Setting, TochkiServer};
use crate::{Error, Result};
use std::time::{Duration, Instant};

/// The number of connections.
const CONNECTIONS: usize = 64;

/// The number of moves of the match whose page is requested.
const MOVES: usize = 40;

/// The longest time for which each address is requested.
const SECONDS_MAX: u64 = 5;

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    let mut table = Table::new(&[
        "page or file",
        "compressed",
        "a second",
        "p50",
        "p99",
        "bytes of each",
        "server CPU of each",
        "memory",
    ]);
    let tochki = TochkiServer::start(&cli.server, &site(cli)?).await?;
    let measured = measure_all(&tochki, cli.seconds.min(SECONDS_MAX), &mut table).await;
    tochki.stop().await;
    measured?;
    table.print();
    Ok(())
}

/// Returns the settings by which a server finds the site, as `script/server` has them.
fn site(cli: &Cli) -> Result<Vec<Setting>> {
    if !cli.site.join("pkg").is_dir() {
        eprintln!("there is no site at {}, only pages", cli.site.display());
        return Ok(Vec::new());
    }
    let root = std::path::absolute(&cli.site)?;
    Ok(vec![
        ("LEPTOS_OUTPUT_NAME", "tochki".to_owned()),
        ("LEPTOS_SITE_ROOT", root.display().to_string()),
        ("LEPTOS_HASH_FILES", "true".to_owned()),
        ("LEPTOS_ENV", "PROD".to_owned()),
    ])
}

async fn measure_all(tochki: &TochkiServer, seconds: u64, table: &mut Table) -> Result<()> {
    let mut game = Match::begin(tochki, 0).await?;
    while game.played() < MOVES {
        game.play().await?.ok()?;
    }
    let mut paths = vec![
        "/".to_owned(),
        "/rules/dots".to_owned(),
        format!("/match/{}", game.id),
    ];
    let mut client = Client::connect(tochki.address).await?;
    let mut module = None;
    for path in &paths {
        let page = client.get(path).await?.ok()?;
        module = module.or_else(|| module_path(&page.body));
    }
    match module {
        Some(path) if client.get(&path).await?.status == 200 => paths.push(path),
        _ => eprintln!("no page loads a WebAssembly module that is there"),
    }
    for path in &paths {
        for encoding in ["identity", "br"] {
            table.row(&measure(tochki, path, encoding, Duration::from_secs(seconds)).await?);
        }
    }
    Ok(())
}

/// Returns the address of the first WebAssembly module that a page names.
fn module_path(page: &[u8]) -> Option<String> {
    let end = find(page, b".wasm")?;
    let begin = page[..end].windows(5).rposition(|part| part == b"/pkg/")?;
    let path = std::str::from_utf8(&page[begin..end]).ok()?;
    Some(format!("{path}.wasm"))
}

async fn measure(
    tochki: &TochkiServer,
    path: &str,
    encoding: &'static str,
    seconds: Duration,
) -> Result<Vec<String>> {
    let mut clients = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        let client = Client::connect(tochki.address).await?;
        clients.push(client.with_header("accept-encoding", encoding));
    }
    let process = [tochki.process()];
    let (cpu_before, begun) = (cpu(&process), Instant::now());
    let tasks: Vec<_> = clients
        .into_iter()
        .map(|mut client| {
            let path = path.to_owned();
            tokio::spawn(async move {
                let (mut took, mut bytes) = (Durations::default(), 0);
                while begun.elapsed() < seconds {
                    let asked = Instant::now();
                    bytes += client.get(&path).await?.ok()?.body.len();
                    took.add(asked.elapsed());
                }
                Ok::<_, Error>((took, bytes))
            })
        })
        .collect();
    let (mut all, mut bytes) = (Durations::default(), 0);
    for task in tasks {
        let (took, of_task) = task.await??;
        all.merge(took);
        bytes += of_task;
    }
    let elapsed = begun.elapsed();
    let used = cpu(&process).saturating_sub(cpu_before);
    let count = all.count().max(1);
    Ok(vec![
        path.to_owned(),
        encoding.to_owned(),
        format!("{:.0}", count as f64 / elapsed.as_secs_f64()),
        all.percentile(50),
        all.percentile(99),
        (bytes / count).to_string(),
        format!("{:.0} µs", used.as_secs_f64() * 1e6 / count as f64),
        megabytes(memory(&process)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_found_in_the_page_that_loads_it() {
        let page = br#"<link href="/pkg/tochki.css"><link rel="preload" href="/pkg/tochki.Ab_3-x.wasm" as="fetch">"#;
        assert_eq!(
            module_path(page).as_deref(),
            Some("/pkg/tochki.Ab_3-x.wasm")
        );
        assert_eq!(module_path(b"<p>no .wasm</p>"), None);
        assert_eq!(module_path(b"<a href=\"/pkg/tochki.js\">"), None);
    }
}
