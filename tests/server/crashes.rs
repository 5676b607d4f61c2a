//! The real server as a process that is killed, or asked to end, in the middle of things.

use super::app::{PATIENCE, SMALL, start_match, until, until_waiting};
use super::player::{Answer, Player, Visitor, send, try_open, try_send};
use super::process::{Process, Server};
use super::stream::Event;
use futures::future::join_all;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
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

/// Sends a move and does not listen to the answer.
async fn shout(player: &Player, id: i64, mv: &str, client_id: &str) -> TcpStream {
    let body = format!("match_id={id}&mv={mv}&client_id={client_id}");
    let request = format!(
        "POST /api/move HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
        player.address(),
        player.cookies(),
        body.len()
    );
    let mut line = TcpStream::connect(player.address()).await.unwrap();
    line.write_all(request.as_bytes()).await.unwrap();
    line
}

async fn events(db: &PgPool) -> i64 {
    sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(db)
        .await
        .unwrap()
}

#[tokio::test]
async fn killed_between_commit_and_answer_it_still_knows_the_move() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let line = shout(&ann, id, "1,1", "a").await;
    until("the committed move", async || {
        (events(&server.db).await == 1).then_some(())
    })
    .await;
    server.kill().await;
    drop(line);

    server.start_again().await;
    let form = [("client_id", "a"), ("version", "0")];
    assert_eq!(ann.moves(id, "1,1", &form).await.version(), 1);
    assert_eq!(events(&server.db).await, 1);
    bob.moves(id, "2,2", &[]).await.given();
    assert_eq!(
        ann.snapshot(id).await["moves"],
        json!(["1,1", "2,2"]),
        "signed in as before, and the match goes on"
    );
}

#[tokio::test]
async fn killed_before_the_commit_it_never_knew_the_move() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let line = shout(&ann, id, "1,1", "a").await;
    until_waiting(&server.db, 1).await;
    server.kill().await;
    held.rollback().await.unwrap();
    drop(line);

    server.start_again().await;
    assert_eq!(events(&server.db).await, 0);
    assert_eq!(
        ann.moves(id, "1,1", &[("client_id", "a")]).await.version(),
        1
    );
    assert_eq!(events(&server.db).await, 1);
}

#[tokio::test]
async fn killed_at_the_end_of_a_game_it_has_rated_it_once() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    // All but the last of 25 points: red from the left, blue from the right.
    let columns: Vec<_> = (0..25).map(|n| format!("{},{}", n / 5, n % 5)).collect();
    let (left, right) = columns.split_at(13);
    for n in 0..24 {
        [&ann, &bob][n % 2]
            .moves(id, &[left, right][n % 2][n / 2], &[])
            .await
            .given();
    }
    let line = shout(&ann, id, &left[12], "last").await;
    until("the end", async || {
        (events(&server.db).await == 26).then_some(())
    })
    .await;
    server.kill().await;
    drop(line);

    server.start_again().await;
    let again = ann.moves(id, &left[12], &[("client_id", "last")]).await;
    assert_eq!(again.version(), 26, "the version of the end, as at first");
    let games: Vec<i32> = sqlx::query_scalar("select games from ratings")
        .fetch_all(&server.db)
        .await
        .unwrap();
    assert_eq!(games, [1, 1]);
    // Both are free for the next game.
    start_match(&bob, &ann, SMALL).await;
}

const GAMES: usize = 20;
const MOVES: usize = 40;

/// One game of random moves, and what the server has said to them.
struct Game {
    players: [Player; 2],
    id: i64,
    /// Move and name of every acknowledged move, in order: the version is the place.
    acknowledged: Vec<(String, String)>,
}

impl Game {
    /// Plays on until so many moves are acknowledged; a move without an answer is sent again under the same name.
    async fn play(mut self, seed: u64, all: Arc<AtomicUsize>) -> Self {
        let mut dice = SmallRng::seed_from_u64(seed);
        let mut dots = Dots::new(&Setup::new(12, 12, Opening::Empty).unwrap());
        for ply in 0..MOVES {
            let seat = dots.to_move().expect("the board is large enough");
            let point = dots.free_points().choose(&mut dice).expect("a free point");
            let mv = point.to_string();
            let name = format!("{:016x}", dice.random::<u64>());
            let answer = self.insist(seat, ply, &mv, &name).await;
            assert_eq!(answer.version() as usize, ply + 1, "{answer:?}");
            dots.play(point).expect("it was free");
            self.acknowledged.push((mv, name));
            all.fetch_add(1, Ordering::SeqCst);
        }
        self
    }

    /// Sends a move until there is an answer to it.
    async fn insist(&self, seat: Seat, ply: usize, mv: &str, name: &str) -> Answer {
        let (id, version) = (self.id.to_string(), ply.to_string());
        let form = [
            ("match_id", id.as_str()),
            ("mv", mv),
            ("version", &version),
            ("client_id", name),
        ];
        let deadline = Instant::now() + PATIENCE;
        loop {
            let sent = self.players[seat.index()].posts("/api/move").form(&form);
            match try_send(sent).await {
                Ok(answer) if answer.status != 503 => return answer,
                _ => assert!(Instant::now() < deadline, "the server stays away"),
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Watches a match as a browser does, which comes back with the last version it has whenever the stream ends.
async fn watch(visitor: Visitor, id: i64, count: usize) -> Vec<Event> {
    let mut seen: Vec<Event> = Vec::new();
    let mut cuts = 0;
    while seen.len() < count {
        let last = seen.last().and_then(|event| event.id).unwrap_or(0);
        let asks = visitor
            .asks(reqwest::Method::GET, &format!("/events/match/{id}"))
            .header("last-event-id", last.to_string());
        if let Ok(mut stream) = try_open(asks).await {
            while seen.len() < count
                && let Some(event) = stream.event().await
            {
                seen.push(event);
            }
        }
        cuts += 1;
        assert!(cuts < 10_000, "the server stays away");
        sleep(Duration::from_millis(20)).await;
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_games_survive_a_server_that_is_killed_in_their_middle() {
    let mut server = Server::start().await;
    let begin = async |number: usize| {
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
    let games = join_all((0..GAMES).map(begin)).await;

    let all = Arc::new(AtomicUsize::new(0));
    let watching: Vec<_> = games
        .iter()
        .map(|game| tokio::spawn(watch(server.visitor(), game.id, MOVES)))
        .collect();
    let playing: Vec<_> = games
        .into_iter()
        .enumerate()
        .map(|(seed, game)| tokio::spawn(game.play(seed as u64, all.clone())))
        .collect();
    for third in [1, 2] {
        until("a third of the moves", async || {
            (all.load(Ordering::SeqCst) >= third * GAMES * MOVES / 3).then_some(())
        })
        .await;
        server.kill().await;
        server.start_again().await;
    }

    for (game, watched) in playing.into_iter().zip(watching) {
        let game = game.await.expect("every move is acknowledged");
        let watched = timeout(PATIENCE, watched).await.unwrap().unwrap();
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
        game.players[1].resigns(game.id).await.given();
    }
}

#[tokio::test]
async fn asked_to_end_it_ends_its_streams_and_itself() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let table = ann.stream(&path).await;
    let lobby = bob.waits().await;
    // A window that was left open, and somebody who never finishes a sentence.
    let idle = TcpStream::connect(server.address).await.unwrap();
    let mut stalled = TcpStream::connect(server.address).await.unwrap();
    let half = "POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nname=";
    stalled.write_all(half.as_bytes()).await.unwrap();

    let asked = Instant::now();
    server.terminate();
    assert!(table.rest().await.is_empty(), "nothing happened");
    lobby.rest().await;
    assert!(server.ended().await.success());
    assert!(asked.elapsed() < Duration::from_secs(10), "promised");
    drop((idle, stalled));

    server.start_again().await;
    let mut back = ann.resume(&path, 0).await;
    bob.waits().await;
    ann.moves(id, "1,1", &[]).await.given();
    assert_eq!(back.next().await.id, Some(1));
}

#[tokio::test]
async fn asked_to_end_it_finishes_the_moves_in_hand() {
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
        async move { ann.moves(id, "1,1", &[]).await }
    });
    until_waiting(&server.db, 1).await;
    server.terminate();
    let address = server.address;
    until("a closed door", async || {
        TcpStream::connect(address).await.is_err().then_some(())
    })
    .await;
    held.rollback().await.unwrap();
    assert_eq!(in_hand.await.unwrap().version(), 1);
    assert!(server.ended().await.success());
    assert_eq!(events(&server.db).await, 1);
}

#[tokio::test]
async fn a_second_server_at_one_address_says_so() {
    let server = Server::start().await;
    let second = Server::refused_at(server.address, &server.database).await;
    assert!(!second.status.success());
    let words = String::from_utf8_lossy(&second.stderr);
    assert!(
        words.contains(&format!("cannot listen on {}", server.address)),
        "{words}"
    );
    let healthy = server.visitor().asks(reqwest::Method::GET, "/healthz");
    assert_eq!(send(healthy).await.status, 200, "the first is untouched");
}

#[tokio::test]
async fn without_a_database_it_brings_its_own_and_keeps_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start_alone(folder.path()).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    ann.moves(id, "1,1", &[]).await.given();

    server.terminate();
    assert!(server.ended().await.success());
    server.start_again().await;
    bob.moves(id, "2,2", &[]).await.given();

    server.kill().await;
    server.start_again().await;
    ann.moves(id, "3,3", &[]).await.given();
    assert_eq!(
        ann.snapshot(id).await["moves"],
        json!(["1,1", "2,2", "3,3"])
    );
    // Its Postgres ends with it, and only then can the folder go.
    server.terminate();
    assert!(server.ended().await.success());
}

#[tokio::test]
async fn asked_to_end_it_does_not_wait_for_ever() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let line = shout(&ann, id, "1,1", "a").await;
    until_waiting(&server.db, 1).await;
    let asked = Instant::now();
    server.terminate();
    // The database never answers.
    server.ended().await;
    assert!(asked.elapsed() < Duration::from_secs(10), "promised");
    drop((held, line));
}
