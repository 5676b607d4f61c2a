//! Crash safety and shutdown: the real binary, killed or terminated at critical points.

use super::app::{
    BEGUN, SMALL, TIMEOUT, begin, start_match, start_match_with, wait_until, wait_until_blocked,
};
use super::player::{Player, Response, Visitor, send, try_open, try_send};
use super::process::{Process, Server};
use super::sse_client::Event;
use futures::future::join_all;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rustix::process::Signal;
use serde_json::json;
use sqlx::PgPool;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tochki_rules::dots::{Dots, Opening, Setup};
use tochki_rules::{Game as _, Seat};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

/// Sends a move and does not read the response.
async fn send_without_reading(player: &Player, id: i64, mv: &str, client_id: &str) -> TcpStream {
    let body = format!("match_id={id}&mv={mv}&client_id={client_id}");
    let request = format!(
        "POST /api/move HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        player.address(),
        player.cookies(),
        body.len()
    );
    let mut connection = TcpStream::connect(player.address()).await.unwrap();
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

async fn events(db: &PgPool) -> i64 {
    sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(db)
        .await
        .unwrap()
}

#[tokio::test]
async fn kill_after_commit_keeps_the_move() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let connection = send_without_reading(&ann, id, "1,1", "a").await;
    wait_until("the committed move", async || {
        (events(&server.db).await == 1).then_some(())
    })
    .await;
    server.kill().await;
    drop(connection);

    server.restart().await;
    let form = [("client_id", "a"), ("version", "0")];
    assert_eq!(ann.make_move(id, "1,1", &form).await.version(), 1);
    assert_eq!(events(&server.db).await, 1);
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    assert_eq!(
        ann.snapshot(id).await["moves"],
        json!(["1,1", "2,2"]),
        "signed in as before, and the match goes on"
    );
}

#[tokio::test]
async fn kill_before_commit_loses_the_move() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let connection = send_without_reading(&ann, id, "1,1", "a").await;
    wait_until_blocked(&server.db, 1).await;
    server.kill().await;
    held.rollback().await.unwrap();
    drop(connection);

    server.restart().await;
    assert_eq!(events(&server.db).await, 0);
    assert_eq!(
        ann.make_move(id, "1,1", &[("client_id", "a")])
            .await
            .version(),
        1
    );
    assert_eq!(events(&server.db).await, 1);
}

#[tokio::test]
async fn kill_at_the_end_of_a_match_rates_it_once() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    // All but the last of 25 points: red from the left, blue from the right.
    let columns: Vec<_> = (0..25).map(|n| format!("{},{}", n / 5, n % 5)).collect();
    let (left, right) = columns.split_at(13);
    for n in 0..24 {
        [&ann, &bob][n % 2]
            .make_move(id, &[left, right][n % 2][n / 2], &[])
            .await
            .assert_ok();
    }
    let connection = send_without_reading(&ann, id, &left[12], "last").await;
    wait_until("the end", async || {
        (events(&server.db).await == 26).then_some(())
    })
    .await;
    server.kill().await;
    drop(connection);

    server.restart().await;
    let again = ann.make_move(id, &left[12], &[("client_id", "last")]).await;
    assert_eq!(again.version(), 26, "the version of the end, as at first");
    let games: Vec<i32> = sqlx::query_scalar("select games from ratings")
        .fetch_all(&server.db)
        .await
        .unwrap();
    assert_eq!(games, [1, 1]);
    // Both can start another match.
    start_match(&bob, &ann, SMALL).await;
}

const GAMES: usize = 20;
const MOVES: usize = 40;

/// A match of random moves, and those that the server has acknowledged.
struct Game {
    players: [Player; 2],
    id: i64,
    /// The move and `client_id` of each acknowledged move; the version is the position in the list, from 1.
    acknowledged: Vec<(String, String)>,
}

impl Game {
    /// Plays until all moves are acknowledged. A move without a response is sent again with the same `client_id`.
    async fn play(mut self, seed: u64, all: Arc<AtomicUsize>) -> Self {
        let mut dice = SmallRng::seed_from_u64(seed);
        let mut dots = Dots::new(&Setup::new(12, 12, Opening::Empty).unwrap());
        for ply in 0..MOVES {
            let seat = dots.to_move().expect("the board is large enough");
            let point = dots.free_points().choose(&mut dice).expect("a free point");
            let mv = point.to_string();
            let name = format!("{:016x}", dice.random::<u64>());
            let answer = self.send_until_answered(seat, ply, &mv, &name).await;
            assert_eq!(answer.version() as usize, ply + 1, "{answer:?}");
            dots.play(point).expect("it was free");
            self.acknowledged.push((mv, name));
            all.fetch_add(1, Ordering::SeqCst);
        }
        self
    }

    /// Sends a move until there is a response to it.
    async fn send_until_answered(&self, seat: Seat, ply: usize, mv: &str, name: &str) -> Response {
        let (id, version) = (self.id.to_string(), ply.to_string());
        let form = [
            ("match_id", id.as_str()),
            ("mv", mv),
            ("version", &version),
            ("client_id", name),
        ];
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let sent = self.players[seat.index()]
                .post_request("/api/move")
                .form(&form);
            match try_send(sent).await {
                Ok(answer) if answer.status != 503 => return answer,
                _ => assert!(Instant::now() < deadline, "the server does not come back"),
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Reads a match's stream as a browser does: it reconnects with the last version whenever the stream ends. The first event
/// may be `resync`, because the time without a server has shifted the deadline of the next move; the moves are the same.
async fn watch_until(visitor: Visitor, id: i64, count: usize) -> Vec<Event> {
    let mut seen: Vec<Event> = Vec::new();
    let mut reconnects = 0;
    while seen.len() < count {
        let last = seen.last().and_then(|event| event.id).unwrap_or(0);
        let asks = visitor
            .request(reqwest::Method::GET, &format!("/events/match/{id}"))
            .header("last-event-id", last.to_string());
        if let Ok(mut stream) = try_open(asks).await {
            while seen.len() < count
                && let Some(event) = stream.event().await
            {
                if event.name != "resync" {
                    seen.push(event);
                }
            }
        }
        reconnects += 1;
        assert!(reconnects < 10_000, "the server does not come back");
        sleep(Duration::from_millis(20)).await;
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_matches_survive_a_killed_server() {
    let mut server = Server::start().await;
    let start = async |number: usize| {
        let players = [
            server.with_user(&format!("ann-{number}")).await,
            server.with_user(&format!("bob-{number}")).await,
        ];
        let setup = r#"{"width":12,"height":12}"#;
        let id = start_match(&players[0], &players[1], setup).await;
        Game {
            players,
            id,
            acknowledged: Vec::new(),
        }
    };
    let games = join_all((0..GAMES).map(start)).await;

    let all = Arc::new(AtomicUsize::new(0));
    let watching: Vec<_> = games
        .iter()
        .map(|game| tokio::spawn(watch_until(server.visitor(), game.id, MOVES)))
        .collect();
    let playing: Vec<_> = games
        .into_iter()
        .enumerate()
        .map(|(seed, game)| tokio::spawn(game.play(seed as u64, all.clone())))
        .collect();
    for third in [1, 2] {
        wait_until("a third of the moves", async || {
            (all.load(Ordering::SeqCst) >= third * GAMES * MOVES / 3).then_some(())
        })
        .await;
        server.kill().await;
        server.restart().await;
    }

    for (game, watched) in playing.into_iter().zip(watching) {
        let game = game.await.expect("every move is acknowledged");
        let watched = timeout(TIMEOUT, watched).await.unwrap().unwrap();
        let stored: Vec<(i32, String, i16, String)> = sqlx::query_as(
            "select version, body::jsonb ->> 'mv', seat, client_id from match_events where match_id = $1
             order by version",
        )
        .bind(game.id)
        .fetch_all(&server.db)
        .await
        .unwrap();
        let expected: Vec<_> = (1..)
            .zip(&game.acknowledged)
            .map(|(version, (mv, name))| {
                let seat = Seat::BOTH[(version as usize - 1) % 2].number();
                (version, mv.clone(), i16::from(seat), name.clone())
            })
            .collect();
        assert_eq!(stored, expected, "every acknowledged move, once");
        let names: HashSet<_> = stored.iter().map(|row| &row.3).collect();
        assert_eq!(names.len(), MOVES);

        let versions: Vec<_> = watched.iter().filter_map(|event| event.id).collect();
        assert!(
            versions.into_iter().eq(1..=MOVES as u32),
            "no gap, no repeat"
        );
        for (event, (mv, name)) in watched.iter().zip(&game.acknowledged) {
            assert_eq!(
                (&event.data["mv"], &event.data["client_id"]),
                (&json!(mv), &json!(name))
            );
        }
        let snapshot = server.visitor().snapshot(game.id).await;
        assert_eq!(snapshot["version"], MOVES);
        game.players[1].resign(game.id).await.assert_ok();
    }
}

#[tokio::test]
async fn sigterm_ends_streams_and_the_process() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    // Without a deadline, which the time without a server would shift.
    let form = [("setup", SMALL), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let table = ann.stream(&format!("{path}?after={BEGUN}")).await;
    let lobby = bob.join_lobby().await;
    // An open stream, and a request that is never completed.
    let idle = TcpStream::connect(server.address).await.unwrap();
    let mut stalled = TcpStream::connect(server.address).await.unwrap();
    let half = "POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nname=";
    stalled.write_all(half.as_bytes()).await.unwrap();

    server.terminate();
    assert!(table.collect_rest().await.is_empty(), "nothing happened");
    lobby.collect_rest().await;
    assert!(server.wait_for_exit().await.success());
    drop((idle, stalled));

    server.restart().await;
    let mut back = ann.resume(&path, BEGUN).await;
    bob.join_lobby().await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(back.next().await.id, Some(BEGUN + 1));
}

#[tokio::test]
async fn sigterm_finishes_requests_in_progress() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let in_hand = tokio::spawn({
        let ann = ann.clone();
        async move { ann.make_move(id, "1,1", &[]).await }
    });
    wait_until_blocked(&server.db, 1).await;
    server.terminate();
    let address = server.address;
    wait_until("the listener to be closed", async || {
        TcpStream::connect(address).await.is_err().then_some(())
    })
    .await;
    held.rollback().await.unwrap();
    assert_eq!(in_hand.await.unwrap().version(), 1);
    assert!(server.wait_for_exit().await.success());
    assert_eq!(events(&server.db).await, 1);
}

#[tokio::test]
async fn second_server_on_the_same_address_fails_to_start() {
    let server = Server::start().await;
    let second = Server::start_fails_at(server.address, &server.database).await;
    assert!(!second.status.success());
    let words = String::from_utf8_lossy(&second.stderr);
    assert!(
        words.contains(&format!("cannot listen on {}", server.address)),
        "{words}"
    );
    let healthy = server.visitor().request(reqwest::Method::GET, "/healthz");
    assert_eq!(
        send(healthy).await.status,
        200,
        "the first server keeps running"
    );
}

#[tokio::test]
async fn own_postgres_keeps_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start_with_own_postgres(folder.path()).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();

    server.terminate();
    assert!(server.wait_for_exit().await.success());
    server.restart().await;
    bob.make_move(id, "2,2", &[]).await.assert_ok();

    server.kill().await;
    server.restart().await;
    ann.make_move(id, "3,3", &[]).await.assert_ok();
    assert_eq!(
        ann.snapshot(id).await["moves"],
        json!(["1,1", "2,2", "3,3"])
    );
    // Its Postgres ends with it; only then can the folder be deleted.
    server.terminate();
    assert!(server.wait_for_exit().await.success());
}

#[tokio::test]
async fn sigterm_ends_the_process_with_a_hanging_database() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let connection = send_without_reading(&ann, id, "1,1", "a").await;
    wait_until_blocked(&server.db, 1).await;
    server.terminate();
    // The database does not respond.
    server.wait_for_exit().await;
    drop((held, connection));
}

#[tokio::test]
async fn a_second_signal_ends_the_process_at_once() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let connection = send_without_reading(&ann, id, "1,1", "a").await;
    wait_until_blocked(&server.db, 1).await;
    server.signal(Signal::INT);
    let address = server.address;
    wait_until("the listener to be closed", async || {
        TcpStream::connect(address).await.is_err().then_some(())
    })
    .await;
    // It waits for the request.
    server.signal(Signal::INT);
    assert_eq!(server.wait_for_exit().await.code(), Some(130));
    drop((held, connection));
}
