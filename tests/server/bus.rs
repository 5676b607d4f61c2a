//! The bus between instances: an event at one is told at the other at once. Here nobody polls, so that only the bus can have
//! brought it.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match, wait_until};
use super::cluster::Database;
use super::player::{PASSWORD, Player};
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tochki_server::settings::Settings;
use tokio::process::{Child, Command};

/// An interval longer than any test.
const NEVER: Duration = Duration::from_hours(24);

/// Returns the settings of an instance that does not poll.
fn without_polling() -> Settings {
    Settings {
        poll_interval: NEVER,
        session_poll_interval: NEVER,
        ..TestApp::settings()
    }
}

/// Two instances on one database, Ann at the first and Bob at the second.
struct Two {
    here: TestApp,
    there: TestApp,
    ann: Player,
    bob: Player,
}

impl Two {
    async fn with(settings: Settings) -> Self {
        let database = Database::fresh().await;
        let here = TestApp::on(database.clone(), settings.clone()).await;
        let there = TestApp::on(database, settings).await;
        let (ann, bob) = here.with_two_users().await;
        let bob = bob.at_instance(there.address);
        Self {
            here,
            there,
            ann,
            bob,
        }
    }
}

/// Checks every topic, in the order of an evening.
async fn check_all_topics_are_delivered(two: &Two) {
    let Two { ann, bob, .. } = two;
    // Presence in the waiting room, its chat, challenges, the start of a match.
    let mut anns = ann.join_lobby().await;
    let mut bobs = bob.join_lobby().await;
    loop {
        if anns.next_named("joined").await["id"] == bob.id {
            break;
        }
    }
    bob.say("lobby", "Hello!").await.assert_ok();
    assert_eq!(anns.next_named("said").await["text"], "Hello!");
    let challenge = ann.challenge(bob, &[("setup", SMALL)]).await.id("id");
    assert_eq!(bobs.next_named("challenged").await["id"], challenge);
    let id = bob.answer_challenge(challenge, true).await.id("match");
    assert_eq!(anns.next_named("match_started").await["match"], id);

    // Moves, presence at the match, its chat.
    let path = format!("/events/match/{id}");
    let mut watching = two.here.visitor().stream(&path).await;
    let mut anns_match = ann.stream(&path).await;
    let mut bobs_match = bob.stream(&path).await;
    for (n, (player, mv)) in [(ann, "1,1"), (bob, "2,2"), (ann, "3,3")]
        .into_iter()
        .enumerate()
    {
        player.make_move(id, mv, &[]).await.assert_ok();
        for stream in [&mut anns_match, &mut bobs_match, &mut watching] {
            let event = stream.next().await;
            assert_eq!((event.id, &*event.name), (Some(n as u32 + 1), "moved"));
        }
    }
    bob.say(id, "A good one.").await.assert_ok();
    assert_eq!(anns_match.next_named("said").await["text"], "A good one.");

    // The end, in the waiting room as well, and the rematch.
    bob.resign(id).await.assert_ok();
    anns_match.next_named("finished").await;
    assert_eq!(anns.next_named("match_finished").await["match"], id);
    ann.request_rematch(id).await.assert_ok();
    loop {
        let (name, told) = bobs_match.status_event().await;
        if name == "rematch" {
            assert_eq!(told, json!({"seat": 1}));
            break;
        }
    }
    let next = bob.request_rematch(id).await.id("match");
    loop {
        let (name, told) = anns_match.status_event().await;
        if name == "next_match" {
            assert_eq!(told, json!({"match": next}));
            break;
        }
    }
}

#[tokio::test]
async fn all_topics_are_delivered_by_postgres() {
    let two = Two::with(without_polling()).await;
    check_all_topics_are_delivered(&two).await;
}

#[tokio::test]
async fn the_audience_crosses() {
    let two = Two::with(without_polling()).await;
    let id = start_match(&two.ann, &two.bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut anns = two.ann.stream(&path).await;
    let _bobs = two.bob.stream(&path).await;
    let _one = two.there.visitor().stream(&path).await;
    assert_eq!(anns.expect_status("watching").await["count"], 1);
    let _other = two.there.visitor().stream(&path).await;
    assert_eq!(anns.expect_status("watching").await["count"], 2);
}

#[tokio::test]
async fn tables_cross() {
    let two = Two::with(without_polling()).await;
    let table = two.ann.open_table(&[]).await.assert_ok();
    let link = table["link"].as_str().expect("a link").to_owned();
    let mut anns = two.ann.stream(&format!("/events/table/{link}")).await;
    anns.expect("table").await;
    two.bob.sit(&table).await.assert_ok();
    assert_eq!(anns.expect("table").await["seats"][1]["id"], two.bob.id);
}

#[tokio::test]
async fn a_session_that_ends_ends_its_streams_and_moves_at_the_other_instance() {
    let two = Two::with(without_polling()).await;
    let id = start_match(&two.ann, &two.bob, SMALL).await;
    begin(&two.ann, &two.bob, id).await;
    let mut stream = two.bob.stream(&format!("/events/match/{id}?after=2")).await;
    // The instance there knows the session from the move a moment ago.
    let elsewhere = two.here.visitor();
    let sign_in = [("name", &*two.bob.name), ("password", PASSWORD)];
    elsewhere.post("/api/login", &sign_in).await.assert_ok();
    let change = [
        ("password", PASSWORD),
        ("new_password", "another battery staple"),
    ];
    let changed = elsewhere.post("/api/change_password", &change);
    changed.await.assert_ok();
    two.ann.make_move(id, "1,1", &[]).await.assert_ok();
    stream.next_named("signed_out").await;
    two.bob
        .make_move(id, "2,2", &[])
        .await
        .assert_error(401, "signed_out");
}

#[tokio::test]
async fn missed_events_are_read_after_the_bus_reconnects() {
    let two = Two::with(without_polling()).await;
    let id = start_match(&two.ann, &two.bob, SMALL).await;
    begin(&two.ann, &two.bob, id).await;
    let mut stream = two.bob.stream(&format!("/events/match/{id}?after=2")).await;
    for (n, (player, mv)) in [(&two.ann, "1,1"), (&two.bob, "2,2"), (&two.ann, "3,3")]
        .into_iter()
        .enumerate()
    {
        // All that are there are cut, so the move is told by another one, or read when the listener is back.
        wait_until("connections of the bus", async || {
            let cut: i64 = sqlx::query_scalar(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and application_name = 'tochki bus'",
            )
            .fetch_one(&two.here.db)
            .await
            .expect("an answer");
            (cut > 0).then_some(())
        })
        .await;
        player.make_move(id, mv, &[]).await.assert_ok();
        assert_eq!(stream.next().await.id, Some(n as u32 + 3));
    }
}

#[tokio::test]
async fn what_a_broken_connection_could_not_send_is_sent_by_the_next_one() {
    let two = Two::with(without_polling()).await;
    let id = start_match(&two.ann, &two.bob, SMALL).await;
    begin(&two.ann, &two.bob, id).await;
    let mut stream = two.bob.stream(&format!("/events/match/{id}?after=2")).await;
    // The listening connections stay, so nobody reads anything by connecting again.
    let cut: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
         where datname = current_database() and application_name = 'tochki bus' and query not ilike 'listen%'",
    )
    .fetch_one(&two.here.db)
    .await
    .expect("an answer");
    assert_eq!(cut, 2, "one of each instance");
    two.ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(stream.next().await.id, Some(3));
}

#[tokio::test]
async fn without_a_bus_the_poll_closes_the_gap() {
    // Nothing listens there.
    let two = Two::with(Settings {
        nats_url: Some("nats://127.0.0.1:1".to_owned()),
        ..TestApp::settings()
    })
    .await;
    check_all_topics_are_delivered(&two).await;
}

/// A running NATS server; it is killed when this is dropped.
struct Nats {
    address: SocketAddr,
    folder: TempDir,
    child: Child,
}

impl Nats {
    /// Starts a server at a free port, or returns `None` where it is not installed.
    async fn start() -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        Self::start_at(address).await
    }

    async fn start_at(address: SocketAddr) -> Option<Self> {
        let places = [
            "/usr/sbin/nats-server",
            "/usr/bin/nats-server",
            "/usr/local/bin/nats-server",
        ];
        let Some(program) = places.iter().find(|path| Path::new(path).exists()) else {
            eprintln!(
                "SKIPPED: nats-server is not installed (Debian: apt-get install nats-server)"
            );
            return None;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let child = Command::new(program)
            .args(["-a", &address.ip().to_string()])
            .args(["-p", &address.port().to_string()])
            .args(["-l", &folder.path().join("log").display().to_string()])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("nats-server starts");
        let nats = Self {
            address,
            folder,
            child,
        };
        wait_until("nats-server", async || {
            tokio::net::TcpStream::connect(address).await.ok().map(drop)
        })
        .await;
        Some(nats)
    }

    fn settings(&self) -> Settings {
        Settings {
            nats_url: Some(format!("nats://{}", self.address)),
            ..without_polling()
        }
    }

    async fn stop(mut self) -> SocketAddr {
        self.child.start_kill().expect("it is killed");
        let ended = tokio::time::timeout(TIMEOUT, self.child.wait()).await;
        ended.expect("in time").expect("it ends");
        drop(self.folder);
        self.address
    }
}

#[tokio::test]
async fn all_topics_are_delivered_by_nats() {
    let Some(nats) = Nats::start().await else {
        return;
    };
    let two = Two::with(nats.settings()).await;
    check_all_topics_are_delivered(&two).await;
    nats.stop().await;
}

#[tokio::test]
async fn a_nats_server_may_come_back() {
    let Some(nats) = Nats::start().await else {
        return;
    };
    let two = Two::with(nats.settings()).await;
    let id = start_match(&two.ann, &two.bob, SMALL).await;
    begin(&two.ann, &two.bob, id).await;
    let mut stream = two.bob.stream(&format!("/events/match/{id}?after=2")).await;
    two.ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(stream.next().await.id, Some(3));
    let address = nats.stop().await;
    two.bob.make_move(id, "2,2", &[]).await.assert_ok();
    assert_eq!(stream.next().await.id, Some(4), "their own instance knows");
    // Nobody tells of it; it is read when the server is back.
    two.ann.make_move(id, "3,3", &[]).await.assert_ok();
    let nats = Nats::start_at(address).await.expect("it is installed");
    assert_eq!(stream.next().await.id, Some(5));
    nats.stop().await;
}
