//! Streams that open and close by the hundred, while the database is far away. The players of a match beside them are present
//! all along, and nobody is given time.

use crate::cluster::Database;
use crate::database_proxy::DatabaseProxy;
use crate::fault_table::print_row;
use crate::live_matches::LiveMatches;
use crate::process::Server;
use sqlx::{Connection as _, PgConnection, PgPool};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

/// The delay to the database, one way.
const DELAY: Duration = Duration::from_millis(3);

/// The time for which a spectator stays.
const STAY: Duration = Duration::from_millis(300);

/// The number of streams that may be about to open at once. More only wait when the machine is slow.
const AT_ONCE: usize = 500;

/// The numbers of streams by outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Churned {
    opened: usize,
    /// The answers of another status, and connections that broke.
    refused: usize,
    lasted: Duration,
}

/// Opens and closes so many streams a second. Every other spectator is signed in, by these cookies.
async fn churn(
    address: SocketAddr,
    path: &str,
    cookies: &[String],
    rate: u32,
    lasting: Duration,
) -> Churned {
    let begun = Instant::now();
    let mut ticks = interval(Duration::from_secs(1) / rate);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut open: JoinSet<bool> = JoinSet::new();
    let mut churned = Churned::default();
    let mut spectators = cookies
        .iter()
        .flat_map(|cookie| [cookie.as_str(), ""])
        .cycle();
    let count = |churned: &mut Churned, opened: bool| {
        if opened {
            churned.opened += 1;
        } else {
            churned.refused += 1;
        }
    };
    while begun.elapsed() < lasting {
        ticks.tick().await;
        while open.len() >= AT_ONCE
            && let Some(opened) = open.join_next().await
        {
            count(&mut churned, opened.expect("no panic"));
        }
        let cookie = spectators.next().expect("they come again");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
        open.spawn(async move { open_and_close(address, &request).await.unwrap_or(false) });
    }
    churned.lasted = begun.elapsed();
    while let Some(opened) = open.join_next().await {
        count(&mut churned, opened.expect("no panic"));
    }
    churned
}

/// Opens a stream, and closes it after a moment. Returns whether it was opened.
async fn open_and_close(address: SocketAddr, request: &str) -> std::io::Result<bool> {
    let mut connection = TcpStream::connect(address).await?;
    connection.write_all(request.as_bytes()).await?;
    let mut status = [0; 12];
    connection.read_exact(&mut status).await?;
    // The events of the stream are left to the buffer of the socket.
    sleep(STAY).await;
    Ok(status == *b"HTTP/1.1 200")
}

/// The rows of presence and time in the database.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
struct Observed {
    /// The age in seconds of the oldest beat of a row that is not marked as gone.
    oldest_beat: f64,
    /// The age in seconds of the oldest beat of the match's players.
    players_beat: f64,
    /// The number of rows of the players.
    present: i64,
    /// The number of their absences.
    absences: i64,
    /// The number of outages that were counted, and of matches that were given time.
    outages: i32,
    given_back: i64,
}

impl Observed {
    async fn now(db: &PgPool, players: &[i64]) -> Self {
        sqlx::query_as(
            "select coalesce(max(age), 0)::float8 as oldest_beat,
                    coalesce(max(age) filter (where player_id = any($1)), 0)::float8 as players_beat,
                    count(*) filter (where player_id = any($1)) as present,
                    (select count(*) from absences where player_id = any($1)) as absences,
                    (select outages from heartbeat),
                    (select count(*) from outages) as given_back
             from (select player_id, extract(epoch from now() - beat_at) as age from presence where gone_at is null) as beats",
        )
        .bind(players)
        .fetch_one(db)
        .await
        .expect("presence can be read")
    }

    /// Returns the worse of both.
    fn max(self, other: Self) -> Self {
        Self {
            oldest_beat: self.oldest_beat.max(other.oldest_beat),
            players_beat: self.players_beat.max(other.players_beat),
            present: self.present.min(other.present),
            absences: self.absences.max(other.absences),
            outages: self.outages.max(other.outages),
            given_back: self.given_back.max(other.given_back),
        }
    }
}

/// Returns the time that a statement takes through the proxy.
async fn round_trip(database: &Database) -> Duration {
    let mut connection = PgConnection::connect_with(&database.options())
        .await
        .expect("a connection");
    let begun = Instant::now();
    for _ in 0..10 {
        sqlx::raw_sql("select 1")
            .execute(&mut connection)
            .await
            .expect("an answer");
    }
    begun.elapsed() / 10
}

/// Opens and closes streams beside a match of two players with open streams, of whom none is absent. Returns the rows before, and
/// the worst of those meanwhile.
async fn play_beside_churn(
    connections: u32,
    rate: u32,
    spectators: usize,
    lasting: Duration,
) -> (Observed, Observed) {
    let database = Database::fresh().await;
    let proxy = DatabaseProxy::with_delay(&database, DELAY).await;
    let far = database.through(proxy.address());
    let settings = vec![("DATABASE_CONNECTIONS", connections.to_string())];
    let server = Server::start_with_settings(far.clone(), settings).await;
    // The test's own connections are near.
    let db = database.pool();
    let mut cookies = Vec::new();
    for number in 0..spectators {
        cookies.push(server.with_user(&format!("eve-{number}")).await.cookies());
    }
    let pace = Duration::from_millis(500);
    let live = LiveMatches::start(&server.visitor(), 1, &[("clock", "300+0")], pace).await;
    let (players, path) = (
        live.player_ids(),
        format!("/events/match/{}", live.ids()[0]),
    );
    let before = Observed::now(&db, &players).await;
    assert_eq!((before.present, before.absences), (2, 0), "{before:?}");

    let address = server.address;
    let churning =
        tokio::spawn(async move { churn(address, &path, &cookies, rate, lasting).await });
    let (mut worst, mut looks) = (before, 0);
    while !churning.is_finished() {
        worst = worst.max(Observed::now(&db, &players).await);
        looks += 1;
        sleep(Duration::from_millis(100)).await;
    }
    let churned = churning.await.expect("no panic");
    let whole = live.wait_until_whole().await;
    let cost = live.finish(&db).await;
    let rate = churned.opened as f64 / churned.lasted.as_secs_f64();
    let far = round_trip(&far).await;
    println!(
        "{rate:.0} streams a second with a database {far:.1?} away: {churned:?}; {looks} looks: {worst:?}"
    );
    print_row(
        &format!(
            "{rate:.0} streams a second open and close, database {:.0} ms away",
            far.as_secs_f64() * 1000.0
        ),
        cost,
        whole,
    );
    assert_eq!((worst.absences, worst.present), (0, 2), "{worst:?}");
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    assert!(churned.opened > 0, "{churned:?}");
    (before, worst)
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_that_open_and_close_make_nobody_absent() {
    play_beside_churn(6, 50, 5, Duration::from_secs(3)).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a while: `cargo make faults`"]
async fn streams_that_open_and_close_250_times_a_second_delay_no_beat() {
    let (before, worst) = play_beside_churn(40, 250, 20, Duration::from_secs(20)).await;
    assert_eq!(worst.outages, before.outages, "no load is an outage");
    assert_eq!(worst.given_back, 0, "nobody is given time");
    assert!(worst.oldest_beat < 6.0, "{worst:?}");
}
