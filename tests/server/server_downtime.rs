//! Server downtime: time during which no server ran is credited to all clocks and deadlines, once.
//!
//! No test waits for such a time: everything stored is moved into the past.

use super::app::{BEGUN, SMALL, TestApp, begin, start_match_with, wait_until};
use super::player::Player;
use super::process::Server;
use serde_json::{Value, json};
use sqlx::PgPool;

const HOUR: i64 = 3_600_000;

/// Moves everything stored one hour into the past.
async fn age_everything_by_an_hour(db: &PgPool) {
    let mut tx = db.begin().await.unwrap();
    for statement in [
        "update heartbeat set beat_at = beat_at - interval '1 h'",
        "update matches set started_at = started_at - interval '1 h', deadline_at = deadline_at - interval '1 h'",
        "update absences set since = since - interval '1 h'",
        "update presence set beat_at = beat_at - interval '1 h', gone_at = gone_at - interval '1 h'",
        "update challenges set expires_at = expires_at - interval '1 h'",
        "update match_events set at = at - interval '1 h'",
        "update match_events set body = jsonb_set(body::jsonb, '{clock,at}',
             to_jsonb((body::jsonb -> 'clock' ->> 'at')::bigint - 3600000))::text where body::jsonb -> 'clock' ? 'at'",
        "update match_events set body = jsonb_set(body::jsonb, '{expires_at}',
             to_jsonb((body::jsonb ->> 'expires_at')::bigint - 3600000))::text where body::jsonb ? 'expires_at'",
        "update match_events set body = jsonb_set(body::jsonb, '{move_by}',
             to_jsonb((body::jsonb ->> 'move_by')::bigint - 3600000))::text where body::jsonb ->> 'move_by' is not null",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn now() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// Starts a match with a clock and version 4, in which Ann has moved for the second time and has offered a draw.
async fn start_timed_match(ann: &Player, bob: &Player) -> i64 {
    let form = [("setup", SMALL), ("clock", "20+0")];
    let id = start_match_with(ann, bob, &form).await;
    begin(ann, bob, id).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    ann.offer(id, "draw").await.assert_ok();
    id
}

/// Returns the milliseconds given back, and the number of outages. A server that first starts may count one, while nothing runs:
/// the migrations take longer on a busy machine than a heartbeat may.
async fn outage_count(db: &PgPool) -> (i64, i32) {
    sqlx::query_as(
        "select (select coalesce(sum(lost_ms), 0)::bigint from outages), outages from heartbeat",
    )
    .fetch_one(db)
    .await
    .unwrap()
}

#[tokio::test]
async fn hour_without_a_server_is_credited() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let (eve, dan) = (server.with_user("eve").await, server.with_user("dan").await);
    let id = start_timed_match(&ann, &bob).await;
    let path = format!("/events/match/{id}");
    let _anns = ann.stream(&path).await;
    drop(bob.stream(&path).await);
    wait_until("an absence", async || {
        let away: i64 = sqlx::query_scalar("select count(*) from absences where not awaited")
            .fetch_one(&server.db)
            .await
            .unwrap();
        (away == 1).then_some(())
    })
    .await;
    let _waiting = (eve.join_lobby().await, dan.join_lobby().await);
    let challenge = eve.challenge(&dan, &[]).await.id("id");
    let before = ann.snapshot(id).await;
    let deadlines = "select ms(deadline_at), (select ms(since) from absences where not awaited),
                            (select ms(expires_at) from challenges where closed_at is null) from matches";
    let due: (i64, i64, i64) = sqlx::query_as(deadlines)
        .fetch_one(&server.db)
        .await
        .unwrap();
    let (_, known) = outage_count(&server.db).await;
    let killed = now();
    server.kill().await;
    age_everything_by_an_hour(&server.db).await;
    server.restart().await;

    let (lost, outages) = outage_count(&server.db).await;
    assert_eq!(outages, known + 1);
    let late = lost - HOUR;
    assert!((0..=now() - killed + 1_000).contains(&late), "{late} ms");
    let after = ann.snapshot(id).await;
    assert_eq!(after["clock"]["left_ms"], before["clock"]["left_ms"]);
    for (after, before) in [
        (&after["clock"]["at"], &before["clock"]["at"]),
        (
            &after["offer"]["expires_at"],
            &before["offer"]["expires_at"],
        ),
    ] {
        assert_eq!(after.as_i64().unwrap(), before.as_i64().unwrap() + late);
    }
    let (deadline, since, expires): (i64, i64, i64) = sqlx::query_as(deadlines)
        .fetch_one(&server.db)
        .await
        .unwrap();
    // The last move was made shortly before or after the last heartbeat; this much may be charged to the clock.
    assert_eq!(deadline, due.0 + late);
    let about = |time: i64, due: i64| (0..1_500).contains(&(time - due - late));
    assert!(
        about(since, due.1) && about(expires, due.2),
        "{since} {expires} {due:?}"
    );
    assert_eq!(
        ann.snapshot(id).await["present"],
        json!([true, false]),
        "she has a moment to come back"
    );

    // The match continues where it was.
    let mut back = ann.resume(&path, 3).await;
    back.expect("resync").await;
    assert_eq!(back.next().await.name, "offered");
    dan.answer_challenge(challenge, true).await.id("match");
    bob.answer_offer(id, true).await.assert_ok();
    assert_eq!(
        back.next_named("finished").await["result"]["reason"],
        "agreed_draw"
    );
}

#[tokio::test]
async fn concurrent_starts_credit_an_outage_once() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_timed_match(&ann, &bob).await;
    let before = ann.snapshot(id).await;
    let (_, known) = outage_count(&server.db).await;
    server.kill().await;
    let (database, db) = (&server.database, &server.db);
    age_everything_by_an_hour(db).await;
    let start = || TestApp::on(database.clone(), TestApp::settings());
    let (one, two, three) = tokio::join!(start(), start(), start());
    let (lost, outages) = outage_count(db).await;
    assert_eq!(outages, known + 1);
    assert!((HOUR..HOUR + 60_000).contains(&lost), "{lost}");
    for instance in [&one, &two, &three] {
        let after = instance.visitor().snapshot(id).await;
        let at = before["clock"]["at"].as_i64().unwrap() - HOUR + lost;
        assert_eq!(after["clock"]["at"], at);
        assert_eq!(after["offer"]["seat"], 1);
    }
}

#[tokio::test]
async fn running_servers_credit_a_pause_and_send_resync() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_timed_match(&ann, &bob).await;
    let path = format!("/events/match/{id}?after=4");
    let mut streams = [
        ann.stream(&path).await,
        bob.at_instance(there.address).stream(&path).await,
    ];
    let before = ann.snapshot(id).await;
    let (_, known) = outage_count(&app.db).await;
    // As after the machine was suspended.
    age_everything_by_an_hour(&app.db).await;
    for stream in &mut streams {
        assert_eq!(stream.expect("resync").await, json!({}));
    }
    assert_eq!(outage_count(&app.db).await.1, known + 1);
    for instance in [&app, &there] {
        let after = instance.visitor().snapshot(id).await;
        assert_eq!(after["version"], 4);
        let late = |value: &Value| value.as_i64().unwrap();
        let moved = late(&after["clock"]["at"]) - late(&before["clock"]["at"]);
        assert!((0..10_000).contains(&moved), "{moved} ms");
    }
    assert_eq!(
        bob.make_move(id, "2,2", &[("version", "4")])
            .await
            .version(),
        6
    );
    for stream in &mut streams {
        stream.expect("offer_closed").await;
        let clock = stream.expect("moved").await["clock"].clone();
        assert!(clock["left_ms"][1].as_i64().unwrap() > 0, "{clock}");
    }
}

#[tokio::test]
async fn by_correspondence_only_near_deadlines_are_extended() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let slow = [("setup", SMALL), ("clock", "3d")];
    let mut games = Vec::new();
    for _ in 0..2 {
        let asked = ann.challenge(&bob, &slow).await.id("id");
        games.push(bob.answer_challenge(asked, true).await.id("match"));
    }
    // In an hour and a half: after an outage of an hour, half an hour would be left.
    sqlx::query("update matches set deadline_at = now() + interval '90 min' where id = $1")
        .bind(games[0])
        .execute(&app.db)
        .await
        .unwrap();
    let (_, known) = outage_count(&app.db).await;
    age_everything_by_an_hour(&app.db).await;
    let lost = wait_until("an outage", async || {
        let (lost, outages) = outage_count(&app.db).await;
        (outages == known + 1).then_some(lost)
    })
    .await;
    assert!((HOUR..HOUR + 60_000).contains(&lost), "{lost} ms, once");
    let extended: Vec<i64> = sqlx::query_scalar("select match_id from outages")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(extended, games[..1]);
    for id in games {
        assert_eq!(ann.snapshot(id).await["status"], "running");
    }
}

#[tokio::test]
async fn unrated_match_without_a_clock_needs_no_credit() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    // A rated one has a limit for each move.
    let form = [("setup", SMALL), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}?after={BEGUN}");
    let mut anns = ann.stream(&path).await;
    let (_, known) = outage_count(&app.db).await;
    age_everything_by_an_hour(&app.db).await;
    wait_until("an outage", async || {
        (outage_count(&app.db).await == (0, known + 1)).then_some(())
    })
    .await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(anns.next().await.id, Some(3), "and nothing before it");
    let mut again = ann.resume(&path, BEGUN).await;
    assert_eq!(again.next().await.id, Some(3));
}
