//! A database that answers nothing for some seconds, while many matches are played and watched. Afterwards everything takes as
//! long as before.

use crate::app::wait_until;
use crate::cluster::Database;
use crate::database_proxy::DatabaseProxy;
use crate::fault_table::{Cost, print_row};
use crate::player::{Player, Visitor, try_send};
use crate::process::Server;
use futures::StreamExt as _;
use futures::stream;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sqlx::PgPool;
use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_play::Terms;
use tochki_protocol::PlayerId;
use tochki_rules::GameKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// The timeout of an answer. The server gives up before.
const PATIENCE: Duration = Duration::from_secs(25);

/// The wait of a client before it sends a move again.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// The time for which the usual times are measured, before and afterwards.
const MEASURED: Duration = Duration::from_secs(10);

/// The number of clients that begin at once.
const AT_ONCE: usize = 64;

/// The sizes and times of a stall.
struct Stage {
    matches: usize,
    streams: usize,
    stall: Duration,
    /// The time after the stall at which everything has its usual time again.
    recovery: Duration,
    /// The time that a player thinks.
    pace: Duration,
}

/// The kind of a request, its time, and the time of its answer, if there was one.
type Answer = (&'static str, Instant, Option<Duration>);

/// The answers of the server.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<Vec<Answer>>>);

/// The answers of one kind within some time.
#[derive(Clone, Copy, Debug, Default)]
struct Summary {
    answered: usize,
    failed: usize,
    p50: Duration,
    p99: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            answered,
            failed,
            p50,
            p99,
        } = self;
        write!(
            f,
            "{answered} answered, p50 {p50:.0?}, p99 {p99:.0?}, {failed} failed"
        )
    }
}

impl Answers {
    fn note(&self, kind: &'static str, asked: Instant, answered: bool) {
        let took = answered.then(|| asked.elapsed());
        let mut all = self.0.lock().expect("no panic while the lock is held");
        all.push((kind, asked, took));
    }

    /// Summarizes the requests within this time, by kind.
    fn between(&self, from: Instant, to: Instant) -> HashMap<&'static str, Summary> {
        let all = self.0.lock().expect("no panic while the lock is held");
        let mut times: HashMap<&str, (Vec<Duration>, usize)> = HashMap::new();
        for (kind, asked, took) in all.iter() {
            if (from..to).contains(asked) {
                let of_kind = times.entry(kind).or_default();
                match took {
                    Some(took) => of_kind.0.push(*took),
                    None => of_kind.1 += 1,
                }
            }
        }
        let summary = |(kind, (mut times, failed)): (&'static str, (Vec<Duration>, usize))| {
            times.sort_unstable();
            let at = |share: f64| {
                let place = (times.len() as f64 * share) as usize;
                times
                    .get(place.min(times.len().saturating_sub(1)))
                    .copied()
                    .unwrap_or_default()
            };
            let summary = Summary {
                answered: times.len(),
                failed,
                p50: at(0.5),
                p99: at(0.99),
            };
            (kind, summary)
        };
        times.into_iter().map(summary).collect()
    }
}

/// Registers a guest at this server.
async fn guest(at: SocketAddr, number: usize) -> Player {
    let (visitor, name) = (Visitor::at(at), format!("fay-{number}"));
    let id = visitor
        .post("/api/be_guest", &[("name", &name)])
        .await
        .id("id");
    Player::from_visitor(visitor, id, name)
}

/// Starts a match of these two players.
async fn start(db: &PgPool, pair: &[Player]) -> i64 {
    let terms = Terms {
        setup: GameKind::Dots.default_setup(),
        clock: "none".parse().expect("a clock"),
        rated: false,
    };
    let mut tx = tochki_server::db::begin(db).await.expect("a transaction");
    let seats = [PlayerId(pair[0].id), PlayerId(pair[1].id)];
    let id = tochki_server::pairing::db::start_match(&mut tx, seats, &terms).await;
    tx.commit().await.expect("a commit");
    id.expect("a match").0
}

/// Plays a match until it is told to stop. Returns the number of acknowledged moves.
async fn play(
    id: i64,
    players: [Player; 2],
    answers: Answers,
    pace: Duration,
    stop: CancellationToken,
) -> u32 {
    let mut made = 0;
    // Not all at the same moment.
    sleep(pace * rand::random_range(0..100) / 100).await;
    while !stop.is_cancelled() {
        let next = Instant::now() + pace;
        // Far from each other, so that nothing is captured.
        let (mv, client_id) = (format!("{},{}", made % 39, made / 39), format!("m{made}"));
        let id = id.to_string();
        let form = [("match_id", &*id), ("mv", &mv), ("client_id", &client_id)];
        loop {
            let asked = Instant::now();
            let request = players[made as usize % 2]
                .post_request("/api/move")
                .form(&form);
            let answer = timeout(PATIENCE, try_send(request)).await;
            let status = answer.ok().and_then(Result::ok).map(|answer| answer.status);
            answers.note("move", asked, status == Some(200));
            match status {
                Some(200) => break,
                None | Some(503) if !stop.is_cancelled() => sleep(RETRY_DELAY).await,
                None | Some(503) => return made,
                Some(status) => panic!("{status} for move {made}"),
            }
        }
        made += 1;
        stop.run_until_cancelled(sleep_until(next)).await;
    }
    made
}

/// Opens a stream. Returns its connection if the status is 200.
async fn open(address: SocketAddr, path: &str, cookies: &str) -> Option<TcpStream> {
    let mut connection = TcpStream::connect(address).await.ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookies}\r\n\r\n");
    connection.write_all(request.as_bytes()).await.ok()?;
    let mut status = [0; 12];
    connection.read_exact(&mut status).await.ok()?;
    (status == *b"HTTP/1.1 200").then_some(connection)
}

/// Keeps a stream open, as a page does.
async fn watch(address: SocketAddr, path: String, cookies: String, answers: Answers) {
    let mut bytes = [0; 4096];
    loop {
        let asked = Instant::now();
        let opened = timeout(PATIENCE, open(address, &path, &cookies))
            .await
            .ok()
            .flatten();
        answers.note("stream", asked, opened.is_some());
        if let Some(mut connection) = opened {
            while connection
                .read(&mut bytes)
                .await
                .is_ok_and(|count| count > 0)
            {}
        }
        sleep(Duration::from_millis(rand::random_range(500..1500))).await;
    }
}

/// Requests the pages and lists that visitors look at, ten times a second, and opens a stream for a moment.
async fn probe(server: Visitor, ids: Vec<i64>, answers: Answers) {
    let mut asking = JoinSet::new();
    for id in ids.into_iter().cycle() {
        let (server, answers) = (server.clone(), answers.clone());
        asking.spawn(async move {
            let asked = Instant::now();
            let request = server.request(reqwest::Method::GET, &format!("/api/match?id={id}"));
            let answer = timeout(PATIENCE, try_send(request)).await;
            let found = answer.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status == 200));
            answers.note("match", asked, found);
            let asked = Instant::now();
            let path = format!("/events/match/{id}");
            let opened = timeout(PATIENCE, open(server.address(), &path, "")).await;
            answers.note("new stream", asked, opened.ok().flatten().is_some());
        });
        sleep(Duration::from_millis(100)).await;
        while asking.try_join_next().is_some() {}
    }
}

/// Returns the number of transactions of the database of this connection so far. The statistics are a second old at most.
async fn transactions(db: &PgPool) -> i64 {
    sqlx::query_scalar(
        "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()",
    )
    .fetch_one(db)
    .await
    .expect("a count")
}

async fn stall(stage: Stage) {
    let files = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: files.maximum,
        ..files
    };
    setrlimit(Resource::Nofile, raised).expect("more files");
    let database = Database::fresh().await;
    let proxy = DatabaseProxy::to(&database).await;
    let settings =
        ["GUESTS_BY_ADDRESS", "PAGES_BY_ADDRESS"].map(|name| (name, "1000000".to_owned()));
    let mut settings = settings.to_vec();
    settings.push(("DATABASE_CONNECTIONS", "16".to_owned()));
    let server = Server::start_with_settings(database.through(proxy.address()), settings).await;
    // The test's own connections are not stalled.
    let db = database.pool();
    let address = server.address;
    let players: Vec<Player> = stream::iter(0..2 * stage.matches)
        .map(|number| guest(address, number))
        .buffered(AT_ONCE)
        .collect()
        .await;
    let mut ids = Vec::new();
    for pair in players.chunks(2) {
        ids.push(start(&db, pair).await);
    }

    let (answers, stop) = (Answers::default(), CancellationToken::new());
    let mut background = JoinSet::new();
    let opened = |answers: &Answers| {
        let all = answers.0.lock().expect("no panic");
        let streams = all.iter().filter(|(kind, ..)| *kind == "stream");
        streams.filter(|(.., took)| took.is_some()).count()
    };
    for number in 0..stage.streams {
        let id = ids[number / 2 % ids.len()];
        let cookies = players
            .get(number)
            .map(|player| player.cookies())
            .unwrap_or_default();
        let path = format!("/events/match/{id}");
        background.spawn(watch(address, path, cookies, answers.clone()));
        // So fast that they are all there before long, and no faster than they are opened.
        while (number + 1).saturating_sub(opened(&answers)) > AT_ONCE {
            sleep(Duration::from_millis(10)).await;
        }
    }
    wait_until("all streams", async || {
        (opened(&answers) >= stage.streams).then_some(())
    })
    .await;
    let mut playing = JoinSet::new();
    for (id, pair) in ids.iter().zip(players.chunks(2)) {
        let pair = [pair[0].clone(), pair[1].clone()];
        let (id, answers, stop) = (*id, answers.clone(), stop.clone());
        let pace = stage.pace;
        playing.spawn(async move { (id, play(id, pair, answers, pace, stop).await) });
    }
    background.spawn(probe(server.visitor(), ids.clone(), answers.clone()));
    // Until each has made a move, and the beginning has settled.
    sleep(2 * stage.pace).await;

    let begun = Instant::now();
    let count = transactions(&db).await;
    sleep(MEASURED).await;
    let usual = answers.between(begun, Instant::now());
    let usual_count = transactions(&db).await - count;

    let (stalled, count) = (Instant::now(), transactions(&db).await);
    proxy.stall();
    sleep(stage.stall).await;
    proxy.flow();
    let over = Instant::now();
    sleep(stage.recovery).await;
    let meanwhile = answers.between(stalled, Instant::now());
    let count_meanwhile = transactions(&db).await - count;

    let (recovered, count) = (Instant::now(), transactions(&db).await);
    sleep(MEASURED).await;
    let again = answers.between(recovered, Instant::now());
    let again_count = transactions(&db).await - count;

    stop.cancel();
    let mut cost = Cost::default();
    while let Some(played) = playing.join_next().await {
        let (id, made) = played.expect("no panic");
        let (version, finished): (i32, bool) =
            sqlx::query_as("select version, finished_at is not null from matches where id = $1")
                .bind(id)
                .fetch_one(&db)
                .await
                .expect("a match");
        cost.acknowledged += made as usize;
        cost.lost += made.saturating_sub(version.cast_unsigned()) as usize;
        cost.wrongly_lost += usize::from(finished);
    }
    background.shutdown().await;

    println!(
        "transactions: {usual_count} in {MEASURED:?} before, {count_meanwhile} in the stall of {:?} and {:?} after it, {again_count} in {MEASURED:?} then",
        stage.stall, stage.recovery
    );
    for (kind, before) in &usual {
        let (meanwhile, after) = (meanwhile.get(kind), again.get(kind));
        println!("{kind}: before {before}");
        for (when, summary) in [("meanwhile", meanwhile), ("afterwards", after)] {
            if let Some(summary) = summary {
                println!("{kind}: {when} {summary}");
            }
        }
    }
    print_row(
        &format!(
            "the database stalled for {} s, {} matches, {} streams",
            stage.stall.as_secs(),
            stage.matches,
            stage.streams
        ),
        cost,
        recovered - over,
    );
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    for kind in ["move", "match", "new stream"] {
        let (before, after) = (usual[kind], again[kind]);
        assert_eq!(after.failed, 0, "{kind}: {after:?}");
        // The other load of this machine changes meanwhile.
        let bound = 2 * before.p99 + Duration::from_millis(100);
        assert!(after.p99 <= bound, "{kind}: {before:?}, then {after:?}");
    }
    let usual = usual_count.max(1);
    assert!(
        again_count <= 2 * usual,
        "{again_count} transactions instead of {usual}"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a minute: `cargo make faults`"]
async fn after_a_stall_of_6_seconds_everything_takes_its_usual_time() {
    stall(Stage {
        matches: 256,
        streams: 5000,
        stall: Duration::from_secs(6),
        recovery: Duration::from_secs(10),
        pace: Duration::from_secs(4),
    })
    .await;
}
