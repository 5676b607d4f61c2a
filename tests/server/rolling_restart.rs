//! A new release of an arena of three instances behind a proxy: each in turn is told to end and is started again, while matches
//! are played and pages are loaded.

use super::app::wait_until;
use super::cluster::Database;
use super::fault_table::print_row;
use super::live_matches::LiveMatches;
use super::player::{Visitor, try_send};
use super::process::Server;
use super::proxies::{Proxy, ProxyKind};
use sqlx::PgPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// The pages that are loaded all the time, beside that of a match.
const PAGES: [&str; 4] = ["/", "/play", "/rules/dots", "/standings"];

/// The pages that the visitors have loaded.
#[derive(Clone, Copy, Debug, Default)]
struct PagesLoaded {
    /// The number of pages that came.
    loaded: usize,
    /// The number of those among them that came at the second attempt.
    again: usize,
    slowest: Duration,
}

/// Loads these pages one after the other, without end. A page that does not come is asked for once more.
async fn load_pages(visitor: Visitor, paths: Vec<String>, stop: CancellationToken) -> PagesLoaded {
    let mut seen = PagesLoaded::default();
    for path in paths.iter().cycle() {
        if stop.is_cancelled() {
            break;
        }
        let begun = Instant::now();
        if let Err(why) = load(&visitor, path).await {
            seen.again += 1;
            eprintln!("{path} is loaded again: {why}");
            sleep(Duration::from_millis(100)).await;
            if let Err(why) = load(&visitor, path).await {
                panic!("{path} did not load twice in a row: {why}");
            }
        }
        seen.loaded += 1;
        seen.slowest = seen.slowest.max(begun.elapsed());
        sleep(Duration::from_millis(50)).await;
    }
    seen
}

async fn load(visitor: &Visitor, path: &str) -> Result<(), String> {
    let asked = visitor.request(reqwest::Method::GET, path);
    let answer = try_send(asked)
        .await
        .map_err(|error| format!("{error:?}"))?;
    if answer.status == 200 && answer.text.contains("</html>") {
        Ok(())
    } else {
        Err(format!("{} {}", answer.status, answer.text))
    }
}

/// Keeps the longest absence of any player, in milliseconds, until the task is aborted.
fn watch_absences(db: PgPool) -> (JoinHandle<()>, Arc<AtomicI64>) {
    let longest = Arc::<AtomicI64>::default();
    let noted = longest.clone();
    let watching = tokio::spawn(async move {
        loop {
            let absent: i64 = sqlx::query_scalar(
                "select coalesce(max(extract(epoch from now() - since)) * 1000, 0)::bigint from reported_absences",
            )
            .fetch_one(&db)
            .await
            .expect("absences");
            noted.fetch_max(absent, Ordering::SeqCst);
            sleep(Duration::from_millis(250)).await;
        }
    });
    (watching, longest)
}

/// Restarts all instances so often, one by one, while so many matches are played, with this pause after each move.
async fn restart_all(kind: ProxyKind, rounds: usize, matches: usize, pace: Duration) {
    let database = Database::fresh().await;
    let behind_one = || vec![("TRUST_PROXY", "1".to_owned())];
    let mut instances = Vec::new();
    for _ in 0..3 {
        instances.push(Server::start_with_settings(database.clone(), behind_one()).await);
    }
    let addresses: Vec<_> = instances.iter().map(|instance| instance.address).collect();
    let Some(proxy) = Proxy::before(kind, &addresses).await else {
        return;
    };
    let visitor = Visitor::at(proxy.address);
    let db = database.pool();
    let begun = Instant::now();
    let live = LiveMatches::start(&visitor, matches, &[], pace).await;
    eprintln!("{matches} matches began within {:?}", begun.elapsed());
    let (watching, longest) = watch_absences(db.clone());
    let stop = CancellationToken::new();
    let page = format!("/match/{}", live.ids()[0]);
    let paths = PAGES.iter().map(ToString::to_string).chain([page]);
    let loading = tokio::spawn(load_pages(visitor.clone(), paths.collect(), stop.clone()));

    for number in 0..rounds * instances.len() {
        let one = number % instances.len();
        let instance = &mut instances[one];
        let told = Instant::now();
        instance.terminate();
        assert!(instance.wait_for_exit().await.success());
        let (ended, begun) = (told.elapsed(), Instant::now());
        instance.restart().await;
        eprintln!(
            "an instance ended within {ended:.1?} and was ready {:.1?} later",
            begun.elapsed()
        );
    }
    let whole = live.wait_until_whole().await;
    wait_until("everybody to be there", async || {
        let absent: i64 = sqlx::query_scalar("select count(*) from absences")
            .fetch_one(&db)
            .await
            .expect("absences");
        (absent == 0).then_some(())
    })
    .await;
    stop.cancel();
    let pages = loading.await.expect("all pages load");
    let refusals = live.refusals();
    let cost = live.finish(&db).await;
    watching.abort();
    let longest = longest.load(Ordering::SeqCst);
    eprintln!(
        "refused moves: {refusals:?}; {pages:?}; the longest absence that was told: {longest} ms"
    );
    print_row(
        &format!("rolling restart of three instances behind {kind:?}, {matches} matches"),
        cost,
        whole,
    );
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    proxy.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_loses_no_move_and_nobody_is_absent() {
    restart_all(ProxyKind::Nginx, 2, 6, Duration::from_millis(300)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_behind_caddy_loses_no_move_and_nobody_is_absent() {
    restart_all(ProxyKind::Caddy, 1, 6, Duration::from_millis(300)).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes: `cargo make faults`"]
async fn a_rolling_restart_with_200_matches() {
    let matches = std::env::var("ROLLING_MATCHES").ok();
    let matches = matches.map_or(200, |count| count.parse().expect("a number of matches"));
    restart_all(ProxyKind::Nginx, 1, matches, Duration::from_secs(3)).await;
}
