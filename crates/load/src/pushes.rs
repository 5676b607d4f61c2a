//! Notifications by push: so many a second to a push service of our own, and the moves of live matches meanwhile and without them.
//!
//! A release sends pushes by https alone, to port 443 of public addresses. So this measurement runs itself again in a network of its own
//! (`network`), in which the push service has such an address.

use crate::Result;
use crate::cli::Cli;
use crate::correspondence::seeded;
use crate::matches::{Match, play_evenly};
use crate::measure::Table;
use crate::network;
use crate::processes::cpu;
use crate::push_service::PushService;
use crate::tochki::{Setting, TochkiServer};
use own_postgres::OwnPostgres;
use std::time::{Duration, Instant};

/// The pushes a second.
const RATE: u64 = 1000;

/// The live matches, and how often one makes a move.
const MATCHES: usize = 50;
const PERIOD: Duration = Duration::from_secs(1);

/// The running matches by correspondence. In each of them one push waits at a time.
const SLOW_MATCHES: u64 = 20_000;

/// The time in which a server that has just started does what it does at the start.
const SETTLED: Duration = Duration::from_secs(5);

/// The time after which a push that was not accepted counts as lost.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    if !network::is_own() {
        return network::run_again().await;
    }
    let folder = tempfile::tempdir()?;
    let service = PushService::start(folder.path()).await?;
    let postgres = OwnPostgres::start(folder.path()).await?;
    let done = with_database(cli, &service, postgres.url()).await;
    postgres.stop().await;
    let mut table = Table::new(&[
        "pushes queued",
        "accepted",
        "accepted/s",
        "from the first to the last",
        "move p50 without",
        "p99",
        "move p50 with",
        "p99",
        "server CPU a push",
    ]);
    table.row(&done?);
    table.print();
    Ok(())
}

async fn with_database(cli: &Cli, service: &PushService, url: String) -> Result<Vec<String>> {
    let database = ("DATABASE_URL", url);
    let matches = ("SEEDED_MATCHES", SLOW_MATCHES.to_string());
    let fill = [database.clone(), matches, ("SEEDED_DUE", "0".to_owned())];
    seeded(cli, "correspondence", &fill).await?;
    let host = ("SEEDED_HOST", network::PUSH_HOST.to_owned());
    seeded(cli, "subscriptions", &[database.clone(), host]).await?;
    let settings: [Setting; 4] = [
        database.clone(),
        ("CONTACT", "operator@load.example".to_owned()),
        ("PUSH_HOSTS", network::PUSH_HOST.to_owned()),
        ("SSL_CERT_FILE", service.certificate().to_owned()),
    ];
    let tochki = TochkiServer::start(&cli.server, &settings).await?;
    let measured = measure(cli, &tochki, service, database).await;
    tochki.stop().await;
    measured
}

async fn measure(
    cli: &Cli,
    tochki: &TochkiServer,
    service: &PushService,
    database: Setting,
) -> Result<Vec<String>> {
    let matches = Match::begin_all(tochki, MATCHES).await?;
    tokio::time::sleep(SETTLED).await;
    let moves = usize::try_from(cli.seconds)? * 2;
    let (matches, mut without) = play_evenly(matches, PERIOD, moves, |_, _| {}).await?;
    let queued = RATE * cli.seconds * 2;
    let queue = [
        database,
        ("SEEDED_RATE", RATE.to_string()),
        ("SEEDED_SECONDS", (cli.seconds * 2).to_string()),
    ];
    let process = [tochki.process()];
    let cpu_before = cpu(&process);
    let (queued_all, played) = tokio::join!(
        seeded(cli, "pushes", &queue),
        play_evenly(matches, PERIOD, moves, |_, _| {})
    );
    queued_all?;
    let (_matches, mut with) = played?;
    let waited = Instant::now();
    while service.accepted() < queued && waited.elapsed() < TIMEOUT {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let used = cpu(&process).saturating_sub(cpu_before);
    let accepted = service.accepted();
    let span = service.span();
    Ok(vec![
        queued.to_string(),
        accepted.to_string(),
        format!("{:.0}", accepted as f64 / span.as_secs_f64().max(0.001)),
        format!("{:.1} s", span.as_secs_f64()),
        without.percentile(50),
        without.percentile(99),
        with.percentile(50),
        with.percentile(99),
        format!(
            "{:.0} µs",
            used.as_secs_f64() * 1e6 / accepted.max(1) as f64
        ),
    ])
}
