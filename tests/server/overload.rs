//! A database that is too slow gets no more to do because of that: a failed statement is tried a few times as a whole, not by
//! each request that waits for it. Statements are counted, so that nothing here depends on the speed of the machine.

use super::app::{TestApp, begin, start_match_with, wait_until, wait_until_blocked};
use super::cluster::Database;
use super::player::Player;
use futures::future::join_all;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use std::time::Duration;
use tochki_play::{Command, Terms};
use tochki_protocol::{Code, MatchId, PlayerId, limits};
use tochki_rules::{GameKind, Seat};
use tochki_server::presence::PresenceGuard;
use tochki_server::presence::place::Place;
use tochki_server::{Error, db};
use tokio::time::{Instant, sleep, timeout};

/// The number of matches and streams.
const MANY: usize = 64;

/// The timeout of a statement here.
const STATEMENT: Duration = Duration::from_millis(500);

/// Starts a server whose database gives up soon.
async fn impatient() -> TestApp {
    let timeouts = db::Timeouts {
        statement: STATEMENT,
        ..db::Timeouts::default()
    };
    TestApp::with_timeouts(Database::fresh().await, TestApp::settings(), timeouts).await
}

/// Starts a server with the time-outs of production.
async fn in_production() -> TestApp {
    let timeouts = db::Timeouts::default();
    TestApp::with_timeouts(Database::fresh().await, TestApp::settings(), timeouts).await
}

/// Stores so many players, who need no session here.
async fn players(db: &PgPool, count: usize) -> Vec<PlayerId> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "insert into players (name, name_key, name_skeleton)
         select 'p' || n, 'p' || n, 'p' || n from generate_series(1, $1) n returning id",
    )
    .bind(i32::try_from(count).expect("a few"))
    .fetch_all(db)
    .await
    .expect("players");
    ids.into_iter().map(PlayerId).collect()
}

/// Stores so many running matches.
async fn matches(db: &PgPool, count: usize) -> Vec<MatchId> {
    let terms = Terms {
        setup: GameKind::Dots.default_setup(),
        clock: "none".parse().expect("a clock"),
        rated: false,
    };
    let mut ids = Vec::new();
    for pair in players(db, 2 * count).await.chunks(2) {
        let mut tx = db::begin(db).await.expect("a transaction");
        let started =
            tochki_server::pairing::db::start_match(&mut tx, [pair[0], pair[1]], &terms).await;
        ids.push(started.expect("a match"));
        tx.commit().await.expect("a commit");
    }
    ids
}

/// Makes the first move in all of these matches at once.
async fn move_in(app: &TestApp, ids: &[MatchId]) -> Vec<Result<u32, Error>> {
    let moves = ids.iter().map(|id| async move {
        let command = Command::Move {
            seat: Seat::BOTH[0],
            mv: "1,1".to_owned(),
            version: None,
            client_id: None,
        };
        let live = app.state.matches.get(*id).await?;
        Ok(live.command(command).await?.version)
    });
    join_all(moves).await
}

/// Opens a stream of each of these players at once.
async fn join(app: &TestApp, players: &[PlayerId]) -> Vec<Result<PresenceGuard, Error>> {
    let here = Place::Lobby(GameKind::Dots);
    let presence = &app.state.presence;
    join_all(players.iter().map(|player| presence.join(*player, here))).await
}

/// Counts the statements that insert into a table, also those that fail, and does this to each.
async fn count_inserts(db: &PgPool, table: &str, body: &str) {
    let script = format!(
        "create sequence if not exists inserts;
         create or replace function count_insert() returns trigger language plpgsql as
             $$ begin perform nextval('inserts'); {body}; return null; end $$;
         create or replace trigger counted before insert on {table} for each statement execute function count_insert();
         select setval('inserts', 1, false)"
    );
    sqlx::raw_sql(AssertSqlSafe(script))
        .execute(db)
        .await
        .expect("a trigger");
}

/// Returns the number of such statements since then.
async fn inserts(db: &PgPool) -> i64 {
    sqlx::query_scalar("select case when is_called then last_value else 0 end from inserts")
        .fetch_one(db)
        .await
        .expect("a count")
}

/// Returns the greatest number of statements that slept at one moment, until this is done.
async fn most_at_once<T>(db: &PgPool, work: impl Future<Output = T>) -> (T, i64) {
    let mut most = 0;
    let mut work = Box::pin(work);
    loop {
        if let Ok(done) = timeout(Duration::from_millis(20), &mut work).await {
            return (done, most);
        }
        let asleep: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and wait_event = 'PgSleep'",
        )
        .fetch_one(db)
        .await
        .expect("a count");
        most = most.max(asleep);
    }
}

#[tokio::test]
async fn a_stalled_database_is_not_asked_for_an_append_by_each_match() {
    let app = impatient().await;
    let ids = matches(&app.db, MANY).await;
    // All are in memory, so that only appends are needed.
    for id in &ids {
        app.state.matches.get(*id).await.expect("a match");
    }
    count_inserts(&app.db, "match_events", "perform pg_sleep(60)").await;
    let moving = move_in(&app, &ids);
    let (moved, at_once) = most_at_once(&app.db, moving).await;
    for result in &moved {
        let refused = result.as_ref().expect_err("nothing can be stored");
        assert_eq!(refused.code(), Code::Unavailable);
    }
    // Two attempts for all, or for the first and the others.
    let tried = inserts(&app.db).await;
    assert!(tried <= 4, "{tried} statements for {MANY} moves");
    assert_eq!(at_once, 1, "the others have the rest of the pool");

    count_inserts(&app.db, "match_events", "null").await;
    for result in move_in(&app, &ids).await {
        assert_eq!(result.expect("it is over"), 1);
    }
    let tried = inserts(&app.db).await;
    assert!(tried <= 8, "{tried} statements for {MANY} moves");
}

#[tokio::test]
async fn a_stalled_database_is_not_asked_for_presence_by_each_stream() {
    let app = impatient().await;
    let players = players(&app.db, MANY).await;
    count_inserts(&app.db, "presence", "perform pg_sleep(60)").await;
    let (joined, at_once) = most_at_once(&app.db, join(&app, &players)).await;
    for result in joined {
        let refused = result.err().expect("nothing can be stored");
        assert_eq!(refused.code(), Code::Unavailable);
    }
    let tried = inserts(&app.db).await;
    assert!(tried <= 4, "{tried} statements for {MANY} streams");
    assert_eq!(at_once, 1);

    count_inserts(&app.db, "presence", "null").await;
    let joined: Vec<PresenceGuard> = join(&app, &players)
        .await
        .into_iter()
        .map(|result| result.expect("it is over"))
        .collect();
    let tried = inserts(&app.db).await;
    assert!(tried <= 8, "{tried} statements for {MANY} streams");
    assert_eq!(present(&app.db).await, MANY as i64);
    drop(joined);
}

/// Returns the number of players with a stream.
async fn present(db: &PgPool) -> i64 {
    sqlx::query_scalar("select count(distinct player_id) from presence where gone_at is null")
        .fetch_one(db)
        .await
        .expect("a count")
}

#[tokio::test]
async fn a_match_that_cannot_be_appended_to_is_found_in_a_few_statements() {
    let app = in_production().await;
    let ids = matches(&app.db, MANY).await;
    for id in &ids {
        app.state.matches.get(*id).await.expect("a match");
    }
    count_inserts(&app.db, "match_events", "null").await;
    let broken = ids[MANY / 2];
    // An event that nobody has counted: the next one has its key.
    sqlx::query(
        "insert into match_events (match_id, version, kind, body) values ($1, 1, 'x', '{}')",
    )
    .bind(broken.0)
    .execute(&app.db)
    .await
    .expect("an event");
    let before = inserts(&app.db).await;
    for (id, result) in ids.iter().zip(move_in(&app, &ids).await) {
        match result {
            Ok(version) => assert_eq!((version, *id != broken), (1, true)),
            Err(error) => assert_eq!((error.code(), *id), (Code::Internal, broken)),
        }
    }
    // Each time in halves: two statements for each of six sizes, and the batches before.
    let tried = inserts(&app.db).await - before;
    assert!(tried <= 20, "{tried} statements for {MANY} moves");
}

#[tokio::test]
async fn streams_of_others_do_not_wait_for_a_player_whose_row_is_locked_or_gone() {
    let app = in_production().await;
    let players = players(&app.db, 20).await;
    let (locked, gone, others) = (players[0], players[1], &players[2..]);
    sqlx::query("delete from players where id = $1")
        .bind(gone.0)
        .execute(&app.db)
        .await
        .expect("a deletion");
    let mut held = app.db.begin().await.expect("a transaction");
    sqlx::query("select from players where id = $1 for update")
        .bind(locked.0)
        .execute(&mut *held)
        .await
        .expect("a lock");
    let begun = Instant::now();
    let presence = app.state.presence.clone();
    let here = Place::Lobby(GameKind::Dots);
    let waiting = tokio::spawn(async move { presence.join(locked, here).await });
    let presence = app.state.presence.clone();
    let vanished = tokio::spawn(async move { presence.join(gone, here).await });
    for joined in join(&app, others).await {
        joined.expect("a stream");
    }
    assert!(begun.elapsed() < limits::LOCK_TIMEOUT, "they did not wait");
    assert!(!waiting.is_finished());
    held.rollback().await.expect("a rollback");
    waiting.await.expect("no panic").expect("a stream");
    let refused = vanished.await.expect("no panic").err().expect("nobody");
    assert_eq!(refused.code(), Code::Unavailable);
}

/// Sends a request on a connection of its own, which the caller can drop.
async fn send_and_leave(
    player: &Player,
    path: &str,
    form: &[(&str, &str)],
    until: impl AsyncFnOnce(),
) {
    let request = player.post_request(path).form(form);
    let sent = tokio::spawn(request.send());
    until().await;
    assert!(!sent.is_finished(), "{path} waits");
    sent.abort();
    let _ = sent.await;
    // The server drops the handlers of a closed connection at once; nothing tells when it has noticed.
    sleep(Duration::from_millis(200)).await;
}

#[tokio::test]
async fn a_request_whose_client_has_left_is_carried_out_with_all_that_follows() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let boss = app.with_operator("boss").await;
    let id = start_match_with(&ann, &bob, &[]).await;
    begin(&ann, &bob, id).await;
    let mut stream = ann.stream("/events/me").await;
    stream.frame().await.expect("a stream");

    // The account is closed and committed; ending its match waits for a lock.
    let mut held = app.db.begin().await.expect("a transaction");
    sqlx::query("select from playing where match_id = $1 for update")
        .bind(id)
        .execute(&mut *held)
        .await
        .expect("a lock");
    let target = ann.id.to_string();
    let form = [("player", target.as_str()), ("closed", "true")];
    send_and_leave(&boss, "/api/operator_close", &form, async || {
        wait_until_blocked(&app.db, 1).await;
        let closed: bool =
            sqlx::query_scalar("select closed_at is not null from players where id = $1")
                .bind(ann.id)
                .fetch_one(&app.db)
                .await
                .expect("a player");
        assert!(closed, "it is committed");
    })
    .await;
    held.rollback().await.expect("a rollback");
    stream.collect_rest().await;
    let snapshot = wait_until("the end of the match", async || {
        let snapshot = bob.snapshot(id).await;
        (!snapshot["result"].is_null()).then_some(snapshot)
    })
    .await;
    assert_eq!(
        snapshot["result"]["reason"],
        json!("resigned"),
        "{snapshot}"
    );
}

#[tokio::test]
async fn what_a_guest_asks_who_is_deleted_meanwhile_is_refused() {
    let app = TestApp::init().await;
    let bob = app.with_user("bob").await;
    let to = bob.id.to_string();
    let table: [(&str, &[(&str, &str)]); 3] = [
        ("/api/say", &[("place", "lobby"), ("text", "hello")]),
        ("/api/open_table", &[("game", "dots")]),
        ("/api/mute", &[("player", &to), ("muted", "true")]),
    ];
    for (number, (path, form)) in table.into_iter().enumerate() {
        let visitor = app.visitor();
        let name = format!("gus-{number}");
        let id = visitor
            .post("/api/be_guest", &[("name", &name)])
            .await
            .id("id");
        let guest = Player::from_visitor(visitor, id, name);
        let mut deleting = app.db.begin().await.expect("a transaction");
        sqlx::query("delete from players where id = $1")
            .bind(id)
            .execute(&mut *deleting)
            .await
            .expect("a deletion");
        let deleted = async {
            wait_until_blocked(&app.db, 1).await;
            deleting.commit().await.expect("a commit");
        };
        let (refused, ()) = tokio::join!(guest.post(path, form), deleted);
        refused.assert_error(401, "signed_out");
    }
}
