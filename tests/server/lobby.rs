//! The lobby (waiting room) of one game: joining, leaving, the list and its events.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::player::{Player, send};
use super::process::Server;
use futures::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// Returns the names in a list of players.
fn names(room: &Value) -> Vec<&str> {
    room["players"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|player| player["name"].as_str().expect("a name"))
        .collect()
}

async fn room_of(player: &Player) -> Value {
    player.get("/api/waiting_room?game=dots").await.assert_ok()
}

async fn set_rating(db: &PgPool, player: &Player, rating: f64) {
    sqlx::query("insert into ratings (player_id, game, rating, games) values ($1, 'dots', $2, 1)")
        .bind(player.id)
        .bind(rating)
        .execute(db)
        .await
        .unwrap();
}

#[tokio::test]
async fn joining_and_leaving_are_streamed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.stream("/events/lobby?game=dots").await;
    let first = anns.expect("snapshot").await;
    assert_eq!(
        first,
        json!({
            "players": [{"id": ann.id, "name": "ann", "rating": 1600.0, "provisional": true}],
            "challenges": [], "matches": [], "tables": [], "finished": [],
        })
    );

    let mut bobs = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(names(&bobs.expect("snapshot").await), ["ann", "bob"]);
    assert_eq!(
        anns.expect("joined").await,
        json!({"id": bob.id, "name": "bob", "rating": 1600.0, "provisional": true})
    );
    assert_eq!(names(&room_of(&ann).await), ["ann", "bob"]);

    drop(bobs);
    assert_eq!(anns.expect("left").await, json!({"id": bob.id}));
    assert_eq!(names(&room_of(&ann).await), ["ann"]);
}

#[tokio::test]
async fn players_are_sorted_by_rating() {
    let app = TestApp::init().await;
    let mut streams = Vec::new();
    for (name, rating) in [
        ("ann", 1700.25),
        ("bob", 1599.9),
        ("carol", 1700.24),
        ("dave", 987.0),
    ] {
        let player = app.with_user(name).await;
        set_rating(&app.db, &player, rating).await;
        streams.push(player.join_lobby().await);
    }
    // New players have 1600 without a row.
    let eve = app.with_user("eve").await;
    let mut stream = eve.stream("/events/lobby?game=dots").await;
    let sorted = ["dave", "bob", "eve", "carol", "ann"];
    let snapshot = stream.expect("snapshot").await;
    assert_eq!(names(&snapshot), sorted);
    assert_eq!(snapshot["players"][4]["rating"], 1700.25, "not rounded");
    assert_eq!(names(&room_of(&eve).await), sorted);
}

#[tokio::test]
async fn filter_by_rounded_rating_or_name() {
    let app = TestApp::init().await;
    let mut streams = Vec::new();
    for (name, rating) in [("Ann", 1499.4), ("Hanna", 1499.5), ("Боб", 1612.5)] {
        let player = app.with_user(name).await;
        set_rating(&app.db, &player, rating).await;
        streams.push(player.join_lobby().await);
    }
    let eve = app.with_user("eve").await;
    for (filter, shown) in [
        ("", &["Ann", "Hanna", "Боб"][..]),
        ("&min=1500", &["Hanna", "Боб"]),
        ("&max=1499", &["Ann"]),
        ("&min=1500&max=1500", &["Hanna"]),
        ("&min=1612&max=1612", &["Боб"]),
        ("&max=1611", &["Ann", "Hanna"]),
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
            .assert_ok();
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
            .assert_error(400, "invalid_filter");
    }
}

#[tokio::test]
async fn unknown_games_are_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for game in ["chess", "Dots", "", "%00"] {
        for path in ["/api/waiting_room", "/events/lobby"] {
            ann.get(&format!("{path}?game={game}"))
                .await
                .assert_error(400, "unknown_game");
        }
    }
}

#[tokio::test]
async fn reading_the_lobby_does_not_join_it() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    assert!(names(&room_of(&ann).await).is_empty());
    assert!(names(&room_of(&bob).await).is_empty());
    bob.challenge(&ann, &[])
        .await
        .assert_error(404, "not_waiting");
}

#[tokio::test]
async fn player_with_two_streams_leaves_with_the_last() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let mut anns = ann.join_lobby().await;
    let first = bob.join_lobby().await;
    let second = bob.join_lobby().await;
    let carols = carol.join_lobby().await;
    drop(first);
    drop(carols);
    // Had Bob's first stream mattered, he would have left before Carol.
    let events = anns.collect_until("left").await;
    let left: Vec<_> = events
        .iter()
        .filter(|event| event.name == "left")
        .map(|event| event.data["id"].as_i64().unwrap())
        .collect();
    assert_eq!(left, [carol.id]);
    let joined = events.iter().filter(|event| event.name == "joined").count();
    assert_eq!(joined, 2, "a second window is no second player");
    drop(second);
    assert_eq!(anns.expect("left").await["id"], bob.id);
}

#[tokio::test]
async fn page_reload_is_not_reported() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let mut anns = ann.join_lobby().await;
    let mut bobs = bob.join_lobby().await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    for attempt in 0.. {
        let carols = carol.join_lobby().await;
        assert_eq!(anns.expect("joined").await["id"], carol.id);
        let gone = Instant::now();
        drop(bobs);
        bobs = bob.join_lobby().await;
        let took = gone.elapsed();
        // Bob's leaving would have been sent before Carol's.
        drop(carols);
        let events = anns.collect_until("left").await;
        if events.len() == 1 && events[0].data["id"] == carol.id {
            return;
        }
        // On a busy machine a reload can take long enough to be noticed.
        assert!(
            took > Duration::from_millis(500) && attempt < 50,
            "away for {took:?}: {events:?}"
        );
        assert_eq!(events[0].data["id"], bob.id);
        assert_eq!(anns.next_named("left").await["id"], carol.id);
    }
}

#[tokio::test]
async fn aborted_connection_is_noticed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.join_lobby().await;
    let mut connection = TcpStream::connect(app.address).await.unwrap();
    let request = format!(
        "GET /events/lobby?game=dots HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\n\r\n",
        app.address,
        bob.cookies()
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    let mut some = [0; 16];
    connection.read_exact(&mut some).await.unwrap();
    // With unread bytes the system resets the connection, without a FIN.
    drop(connection);
    assert_eq!(anns.expect("left").await["id"], bob.id);
}

#[tokio::test]
async fn page_load_without_scripts_joins_the_lobby() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.join_lobby().await;
    assert_eq!(bob.get("/play").await.status, 200);
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    ann.challenge(&bob, &[]).await.assert_ok();
    anns.expect("challenged").await;
    // Moved into the past by twelve seconds instead of waiting.
    let aged = sqlx::query(
        "update presence set beat_at = beat_at - interval '12 seconds', gone_at = gone_at - interval '12 seconds'
         where instance = 'page'",
    );
    assert_eq!(aged.execute(&app.db).await.unwrap().rows_affected(), 1);
    // The room may be read between this and the sweeper, which closes the challenge; then Bob has left first.
    let mut events = anns.take(2).await;
    events.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(events[0].name, "challenge_closed");
    assert_eq!(events[0].data["why"], "left");
    assert_eq!(events[1].name, "left");
    assert_eq!(events[1].data["id"], bob.id);
}

#[tokio::test]
async fn page_with_scripts_leaves_with_its_stream() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.join_lobby().await;
    bob.get("/play?game=dots").await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    let bobs = bob.join_lobby().await;
    // The page load must no longer count, or Bob would stay for an hour.
    let renewed =
        "update presence set beat_at = beat_at + interval '1 hour' where instance = 'page'";
    sqlx::query(renewed).execute(&app.db).await.unwrap();
    drop(bobs);
    assert_eq!(anns.expect("left").await["id"], bob.id);
}

#[tokio::test]
async fn match_start_and_end_are_streamed_to_everybody() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.join_lobby().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let started = eves.next_named("match_started").await;
    let players = json!([
        {"id": ann.id, "name": "ann", "rating": 1600.0, "provisional": true},
        {"id": bob.id, "name": "bob", "rating": 1600.0, "provisional": true},
    ]);
    assert_eq!(
        started,
        json!({"match": id, "game": "dots", "players": players})
    );
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let room = room_of(&eve).await;
    let listed = &room["matches"][0];
    assert_eq!(listed["id"], id);
    assert_eq!(listed["game"], "dots");
    assert_eq!(listed["players"], players);
    assert_eq!(listed["score"], json!([0, 0]));
    assert_eq!(listed["progress"], 4, "one point of twenty-five");
    assert!(listed["started_at"].as_i64().unwrap() > 1_600_000_000_000);

    bob.make_move(id, "2,2", &[]).await.assert_ok();
    bob.resign(id).await.assert_ok();
    assert_eq!(
        eves.next_named("match_finished").await,
        json!({"match": id})
    );
    assert_eq!(room_of(&eve).await["matches"], json!([]));
}

#[tokio::test]
async fn new_rating_is_streamed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.join_lobby().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    let finished = anns.next_named("match_finished").await;
    assert_eq!(finished["match"], id);
    let room = wait_until("the new rating", async || {
        let room = room_of(&ann).await;
        (room["players"][0]["rating"] == 1612.5).then_some(room)
    })
    .await;
    assert_eq!(names(&room)[0], "ann");
}

#[tokio::test]
async fn lobby_spans_instances() {
    let here = TestApp::init().await;
    let there = here.another_instance().await;
    let (ann, bob) = (here.with_user("ann").await, there.with_user("bob").await);
    let mut anns = ann.join_lobby().await;
    let mut bobs = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(names(&bobs.expect("snapshot").await), ["ann", "bob"]);
    assert_eq!(anns.expect("joined").await["id"], bob.id);

    let challenge = ann.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    assert_eq!(bobs.expect("challenged").await["id"], challenge);
    let id = bob.answer_challenge(challenge, true).await.id("match");
    assert_eq!(anns.next_named("match_started").await["match"], id);

    drop(bobs);
    assert_eq!(anns.next_named("left").await["id"], bob.id);
}

#[tokio::test]
async fn players_of_a_killed_instance_leave() {
    let app = TestApp::init().await;
    let mut killed = Server::start_on(app.database.clone()).await;
    let (ann, bob) = (app.with_user("ann").await, killed.with_user("bob").await);
    let mut anns = ann.join_lobby().await;
    let bobs = bob.join_lobby().await;
    assert_eq!(anns.expect("joined").await["id"], bob.id);
    killed.kill().await;
    assert_eq!(anns.expect("left").await["id"], bob.id);
    drop(bobs);
}

#[tokio::test]
async fn everybody_learns_how_many_wait() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let count = async || visitor.get("/api/waiting_count").await.assert_ok();
    let (ann, bob) = app.with_two_users().await;
    let _anns = ann.join_lobby().await;
    let _bobs = bob.join_lobby_of("gomoku").await;
    let _bobs_other = bob.join_lobby().await;
    assert_eq!(count().await, json!(2), "nobody counts twice");
    let front = visitor.get("/").await;
    assert!(front.text.contains("2 players are waiting"));
}

#[tokio::test]
async fn one_address_does_not_keep_all_bots_busy() {
    let app = TestApp::with_settings(|settings| {
        settings.trust_proxy = 1;
        settings.bot_games_by_address = 1.try_into().unwrap();
    })
    .await;
    let (one, other) = app.with_two_users().await;
    let names = ["one", "two", "three"];
    let [first, second, elsewhere] = join_all(names.map(|name| app.visitor().be_guest(name)))
        .await
        .try_into()
        .ok()
        .unwrap();
    sqlx::query("update players set bot = true where id in ($1, $2)")
        .bind(one.id)
        .bind(other.id)
        .execute(&app.db)
        .await
        .unwrap();
    let _rooms = join_all([&one, &other].map(Player::join_lobby)).await;
    let challenge = async |player: &Player, bot: &Player, address: &str| {
        let opponent = bot.id.to_string();
        let form = [
            ("opponent", &*opponent),
            ("game", "dots"),
            ("setup", SMALL),
            ("rated", "false"),
        ];
        let post = player.post_request("/api/challenge").form(&form);
        send(post.header("x-forwarded-for", address)).await
    };
    let asked = challenge(&first, &one, "2001:db8:1:1::1").await.id("id");
    let id = one.answer_challenge(asked, true).await.id("match");
    challenge(&second, &other, "2001:db8:1:2::2")
        .await
        .assert_error(409, "too_many_bot_games");
    challenge(&elsewhere, &other, "2001:db8:2:2::2")
        .await
        .assert_ok();
    // Once the game is over there is room for another one.
    first.abort(id).await.assert_ok();
    challenge(&second, &one, "2001:db8:1:2::2")
        .await
        .assert_ok();
}
