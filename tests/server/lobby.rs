//! Who waits, who is seen waiting, and who has gone.

use super::app::{SMALL, TestApp, start_match, until};
use super::player::Player;
use super::process::Server;
use serde_json::{Value, json};
use sqlx::PgPool;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

/// The names in a list of players.
fn names(room: &Value) -> Vec<&str> {
    room["players"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|player| player["name"].as_str().expect("a name"))
        .collect()
}

async fn room_of(player: &Player) -> Value {
    player.get("/api/waiting_room?game=dots").await.given()
}

async fn rate(db: &PgPool, player: &Player, rating: f64) {
    sqlx::query("insert into ratings (player_id, game, rating, games) values ($1, 'dots', $2, 1)")
        .bind(player.id)
        .bind(rating)
        .execute(db)
        .await
        .unwrap();
}

#[tokio::test]
async fn whoever_comes_and_goes_is_seen_by_the_others() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut anns = ann.stream("/events/lobby?game=dots").await;
    let first = anns.expect("snapshot").await;
    assert_eq!(
        first,
        json!({
            "players": [{"id": ann.id, "name": "ann", "rating": 1600.0}],
            "challenges": [], "matches": [], "tables": [],
        })
    );

    let mut bobs = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(names(&bobs.expect("snapshot").await), ["ann", "bob"]);
    assert_eq!(
        anns.expect("joined").await,
        json!({"id": bob.id, "name": "bob", "rating": 1600.0})
    );
    assert_eq!(names(&room_of(&ann).await), ["ann", "bob"]);

    drop(bobs);
    assert_eq!(anns.expect("left").await, json!({"id": bob.id}));
    assert_eq!(names(&room_of(&ann).await), ["ann"]);
}

#[tokio::test]
async fn the_list_ascends_by_rating() {
    let app = TestApp::init().await;
    let mut streams = Vec::new();
    for (name, rating) in [
        ("ann", 1700.25),
        ("bob", 1599.9),
        ("carol", 1700.24),
        ("dave", 987.0),
    ] {
        let player = app.with_user(name).await;
        rate(&app.db, &player, rating).await;
        streams.push(player.waits().await);
    }
    // Newcomers have 1600 without any row.
    let eve = app.with_user("eve").await;
    let mut stream = eve.stream("/events/lobby?game=dots").await;
    let sorted = ["dave", "bob", "eve", "carol", "ann"];
    let snapshot = stream.expect("snapshot").await;
    assert_eq!(names(&snapshot), sorted);
    assert_eq!(snapshot["players"][4]["rating"], 1700.25, "not rounded");
    assert_eq!(names(&room_of(&eve).await), sorted);
}

#[tokio::test]
async fn a_filter_is_a_range_of_rounded_ratings_or_a_part_of_a_name() {
    let app = TestApp::init().await;
    let mut streams = Vec::new();
    for (name, rating) in [("Ann", 1499.4), ("Hanna", 1499.5), ("Боб", 1612.5)] {
        let player = app.with_user(name).await;
        rate(&app.db, &player, rating).await;
        streams.push(player.waits().await);
    }
    let eve = app.with_user("eve").await;
    for (filter, shown) in [
        ("", &["Ann", "Hanna", "Боб"][..]),
        ("&min=1500", &["Hanna", "Боб"]),
        ("&max=1499", &["Ann"]),
        ("&min=1500&max=1500", &["Hanna"]),
        ("&min=1613&max=1613", &["Боб"]),
        ("&max=1612", &["Ann", "Hanna"]),
        ("&min=1700", &[]),
        ("&min=&max=&name=", &["Ann", "Hanna", "Боб"]),
        ("&name=aNN", &["Ann", "Hanna"]),
        ("&name=%20ann%20", &["Ann", "Hanna"]),
        ("&name=%D0%9E", &["Боб"]),
        ("&name=%25", &[]),
        ("&name=%00", &[]),
        ("&name=ann&min=1500", &["Hanna"]),
    ] {
        let room = eve
            .get(&format!("/api/waiting_room?game=dots{filter}"))
            .await
            .given();
        assert_eq!(names(&room), shown, "{filter}");
    }
    for filter in [
        "&min=a",
        "&max=1e999",
        "&min=NaN",
        "&min=2&max=1",
        "&max=1,5",
    ] {
        eve.get(&format!("/api/waiting_room?game=dots{filter}"))
            .await
            .refused(400, "invalid_filter");
    }
}

#[tokio::test]
async fn there_are_only_so_many_games() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for game in ["chess", "Dots", "", "%00"] {
        for path in ["/api/waiting_room", "/events/lobby"] {
            ann.get(&format!("{path}?game={game}"))
                .await
                .refused(400, "unknown_game");
        }
    }
}

#[tokio::test]
async fn reading_the_list_is_not_waiting() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    assert!(names(&room_of(&ann).await).is_empty());
    assert!(names(&room_of(&bob).await).is_empty());
    bob.challenges(&ann, &[]).await.refused(404, "not_waiting");
}

#[tokio::test]
async fn a_player_with_two_windows_waits_until_both_are_closed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let mut anns = ann.waits().await;
    let first = bob.waits().await;
    let second = bob.waits().await;
    let carols = carol.waits().await;
    drop(first);
    drop(carols);
    // Had Bob's first window been missed, it would have been missed before Carol.
    let told = anns.all_until("left").await;
    let left: Vec<_> = told
        .iter()
        .filter(|event| event.name == "left")
        .map(|event| event.data["id"].as_i64().unwrap())
        .collect();
    assert_eq!(left, [carol.id]);
    let joined = told.iter().filter(|event| event.name == "joined").count();
    assert_eq!(joined, 2, "a second window is no second player");
    drop(second);
    assert_eq!(anns.expect("left").await["id"], bob.id);
}

#[tokio::test]
async fn a_reload_makes_no_noise() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let mut anns = ann.waits().await;
    let mut bobs = bob.waits().await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    for attempt in 0.. {
        let carols = carol.waits().await;
        assert_eq!(anns.expect("joined").await["id"], carol.id);
        let gone = Instant::now();
        drop(bobs);
        bobs = bob.waits().await;
        let took = gone.elapsed();
        // Bob's absence would have been noticed before Carol's.
        drop(carols);
        let told = anns.all_until("left").await;
        if told.len() == 1 && told[0].data["id"] == carol.id {
            return;
        }
        // On a machine that is busy with other things a reload takes long enough to be noticed.
        assert!(
            took > Duration::from_millis(500) && attempt < 5,
            "away for {took:?}: {told:?}"
        );
        assert_eq!(told[0].data["id"], bob.id);
        assert_eq!(anns.next_named("left").await["id"], carol.id);
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_without_a_word_is_noticed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut anns = ann.waits().await;
    let mut line = TcpStream::connect(app.address).await.unwrap();
    let request = format!(
        "GET /events/lobby?game=dots HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\r\n",
        app.address,
        bob.cookies()
    );
    line.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    let mut some = [0; 16];
    line.read_exact(&mut some).await.unwrap();
    // With unread bytes the system resets the connection: no farewell on any layer.
    drop(line);
    assert_eq!(anns.expect("left").await["id"], bob.id);
}

#[tokio::test]
async fn a_page_that_runs_no_scripts_waits_by_being_loaded() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut anns = ann.waits().await;
    assert_eq!(bob.get("/play").await.status, 200);
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    ann.challenges(&bob, &[]).await.given();
    anns.expect("challenged").await;
    // Twelve seconds later without another load, which we do not wait for.
    let aged = sqlx::query(
        "update presence set beat_at = beat_at - interval '12 seconds' where instance = 'page'",
    );
    assert_eq!(aged.execute(&app.db).await.unwrap().rows_affected(), 1);
    let told = anns.all_until("left").await;
    assert_eq!(told[0].name, "challenge_closed");
    assert_eq!(told[0].data["why"], "left");
    assert_eq!(told.last().unwrap().data["id"], bob.id);
}

#[tokio::test]
async fn a_page_with_scripts_goes_with_its_stream() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut anns = ann.waits().await;
    bob.get("/play?game=dots").await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    let bobs = bob.waits().await;
    drop(bobs);
    // The page load's own twelve seconds must not count any more.
    let left = timeout(Duration::from_secs(8), anns.expect("left"));
    assert_eq!(left.await.expect("at once")["id"], bob.id);
}

#[tokio::test]
async fn games_begin_and_end_for_everybody_to_see() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.waits().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let started = eves.next_named("match_started").await;
    let players = json!([
        {"id": ann.id, "name": "ann", "rating": 1600.0},
        {"id": bob.id, "name": "bob", "rating": 1600.0},
    ]);
    assert_eq!(
        started,
        json!({"match": id, "game": "dots", "players": players})
    );
    ann.moves(id, "1,1", &[]).await.given();
    let room = room_of(&eve).await;
    let listed = &room["matches"][0];
    assert_eq!(listed["id"], id);
    assert_eq!(listed["game"], "dots");
    assert_eq!(listed["players"], players);
    assert_eq!(listed["score"], json!([0, 0]));
    assert_eq!(listed["progress"], 4, "one point of twenty-five");
    assert!(listed["started_at"].as_i64().unwrap() > 1_600_000_000_000);

    bob.resigns(id).await.given();
    assert_eq!(
        eves.next_named("match_finished").await,
        json!({"match": id})
    );
    assert_eq!(room_of(&eve).await["matches"], json!([]));
}

#[tokio::test]
async fn a_new_rating_moves_a_player_in_the_list() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut anns = ann.waits().await;
    let id = start_match(&ann, &bob, SMALL).await;
    bob.resigns(id).await.given();
    let told = anns.next_named("match_finished").await;
    assert_eq!(told["match"], id);
    let room = until("the new rating", async || {
        let room = room_of(&ann).await;
        (room["players"][0]["rating"] == 1612.5).then_some(room)
    })
    .await;
    assert_eq!(names(&room)[0], "ann");
}

#[tokio::test]
async fn two_instances_are_one_waiting_room() {
    let here = TestApp::init().await;
    let there = here.another().await;
    let (ann, bob) = (here.with_user("ann").await, there.with_user("bob").await);
    let mut anns = ann.waits().await;
    let mut bobs = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(names(&bobs.expect("snapshot").await), ["ann", "bob"]);
    assert_eq!(anns.expect("joined").await["id"], bob.id);

    let challenge = ann.challenges(&bob, &[("setup", SMALL)]).await.id("id");
    assert_eq!(bobs.expect("challenged").await["id"], challenge);
    let id = bob.answers(challenge, true).await.id("match");
    assert_eq!(anns.next_named("match_started").await["match"], id);

    drop(bobs);
    assert_eq!(anns.next_named("left").await["id"], bob.id);
}

#[tokio::test]
async fn the_players_of_an_instance_that_was_killed_leave() {
    let app = TestApp::init().await;
    let mut killed = Server::start_on(app.database.clone()).await;
    let (ann, bob) = (app.with_user("ann").await, killed.with_user("bob").await);
    let mut anns = ann.waits().await;
    let bobs = bob.waits().await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    killed.kill().await;
    assert_eq!(anns.expect("left").await["id"], bob.id);
    drop(bobs);
}
