//! Moves of many matches share a commit, and none of them is at the mercy of another.

use super::app::{SMALL, TestApp, begin, start_match, wait_until_blocked};
use super::player::Player;
use sqlx::PgPool;
use tochki_play::{Command, Decision};
use tochki_protocol::MatchId;
use tochki_rules::Seat;
use tochki_server::matches::db::Causes;
use tochki_server::matches::db::appends::{Append, AppendConnection, BatchAppend};
use tochki_server::matches::db::{self, StoredEvent};
use tochki_server::now;

/// Two players and their match, of which nothing has been played.
async fn fresh_match(app: &TestApp, names: [&str; 2]) -> ([Player; 2], i64) {
    let players = [app.with_user(names[0]).await, app.with_user(names[1]).await];
    let id = start_match(&players[0], &players[1], SMALL).await;
    (players, id)
}

/// The first move of a match, to be appended to this version.
async fn first_move(db: &PgPool, id: i64, before: u32) -> Append {
    let id = MatchId(id);
    let stored = db::load(db, id).await.unwrap().expect("a match");
    let mut after = stored.start.game();
    let command = Command::Move {
        seat: Seat::BOTH[0],
        mv: "1,1".to_owned(),
        version: None,
        client_id: None,
    };
    let Ok(Decision::Happens(events)) = after.decide(&command, now()) else {
        panic!("a move in an empty board");
    };
    let mut written = Vec::new();
    for (version, event) in (before + 1..).zip(events) {
        after.apply(&event).expect("as decided");
        let stored = StoredEvent::of(version, &event).unwrap();
        written.push((event, stored));
    }
    let players = stored.players.map(|card| card.id);
    Append::new(id, players, before, &written, &after, Causes::default())
}

async fn version(db: &PgPool, id: i64) -> (i32, i64) {
    sqlx::query_as(
        "select version, (select count(*) from match_events where match_id = id) from matches where id = $1",
    )
    .bind(id)
    .fetch_one(db)
    .await
    .unwrap()
}

#[tokio::test]
async fn only_the_match_with_another_version_is_left_out() {
    let app = TestApp::init().await;
    let (_, one) = fresh_match(&app, ["ann", "bob"]).await;
    let (_, other) = fresh_match(&app, ["cid", "dan"]).await;
    let mut connection = AppendConnection::open(&app.db).await.unwrap();
    let appends = [
        first_move(&app.db, one, 7).await,
        first_move(&app.db, other, 0).await,
    ];
    let appended = connection.append(&[&appends[0], &appends[1]]).await;
    let expected = [
        (MatchId(one), BatchAppend::Conflict),
        (MatchId(other), BatchAppend::Committed),
    ];
    assert_eq!(appended.unwrap(), expected.into());
    assert_eq!(version(&app.db, one).await, (0, 0), "untouched");
    assert_eq!(version(&app.db, other).await, (1, 1));
    // Twice is once.
    let again = connection.append(&[&appends[1]]).await.unwrap();
    assert_eq!(again, [(MatchId(other), BatchAppend::Conflict)].into());
    assert_eq!(version(&app.db, other).await, (1, 1));
}

#[tokio::test]
async fn a_locked_match_is_left_out_without_waiting() {
    let app = TestApp::init().await;
    let (_, one) = fresh_match(&app, ["ann", "bob"]).await;
    let (_, other) = fresh_match(&app, ["cid", "dan"]).await;
    let mut connection = AppendConnection::open(&app.db).await.unwrap();
    let appends = [
        first_move(&app.db, one, 0).await,
        first_move(&app.db, other, 0).await,
    ];
    let mut held = app.db.begin().await.unwrap();
    sqlx::query("select from matches where id = $1 for update")
        .bind(one)
        .execute(&mut *held)
        .await
        .unwrap();
    let appended = connection.append(&[&appends[0], &appends[1]]).await;
    let expected = [
        (MatchId(one), BatchAppend::Locked),
        (MatchId(other), BatchAppend::Committed),
    ];
    assert_eq!(appended.unwrap(), expected.into());
    held.rollback().await.unwrap();
    let appended = connection.append(&[&appends[0]]).await;
    let expected = [(MatchId(one), BatchAppend::Committed)];
    assert_eq!(appended.unwrap(), expected.into());
}

#[tokio::test]
async fn a_match_that_is_locked_holds_up_no_other() {
    let app = TestApp::init().await;
    let ([ann, bob], one) = fresh_match(&app, ["ann", "bob"]).await;
    let ([cid, dan], other) = fresh_match(&app, ["cid", "dan"]).await;
    begin(&ann, &bob, one).await;
    begin(&cid, &dan, other).await;
    let mut held = app.db.begin().await.unwrap();
    sqlx::query("select from matches where id = $1 for update")
        .bind(one)
        .execute(&mut *held)
        .await
        .unwrap();
    let waiting = {
        let ann = ann.clone();
        tokio::spawn(async move { ann.make_move(one, "1,1", &[]).await })
    };
    wait_until_blocked(&app.db, 1).await;
    assert_eq!(cid.make_move(other, "1,1", &[]).await.version(), 3);
    assert_eq!(dan.make_move(other, "2,2", &[]).await.version(), 4);
    assert!(!waiting.is_finished());
    held.rollback().await.unwrap();
    assert_eq!(waiting.await.unwrap().version(), 3);
}

#[tokio::test]
async fn a_match_whose_statement_fails_fails_alone() {
    let app = TestApp::init().await;
    let ([ann, bob], one) = fresh_match(&app, ["ann", "bob"]).await;
    let ([cid, dan], other) = fresh_match(&app, ["cid", "dan"]).await;
    begin(&ann, &bob, one).await;
    begin(&cid, &dan, other).await;
    // An event that nobody has counted: the next one has its key.
    sqlx::query(
        "insert into match_events (match_id, version, kind, body) values ($1, 3, 'x', '{}')",
    )
    .bind(one)
    .execute(&app.db)
    .await
    .unwrap();
    let (failed, made) = tokio::join!(
        ann.make_move(one, "1,1", &[]),
        cid.make_move(other, "1,1", &[])
    );
    assert_eq!(failed.status, 500, "{failed:?}");
    assert_eq!(made.version(), 3);
    assert_eq!(dan.make_move(other, "2,2", &[]).await.version(), 4);
}
