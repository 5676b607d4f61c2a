//! Who is away from a running match: told after a moment, lost after half a minute, restored by coming back.
//!
//! No test waits for these times: it moves the beginning of an absence into the past.

use super::app::{SMALL, TestApp, start_match, start_match_with, until};
use super::player::Player;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Ann and Bob at a table of 5 × 5 points.
async fn at_a_table() -> (TestApp, Player, Player, i64) {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    (app, ann, bob, id)
}

/// Waits until an absence of this player has begun that came to the table before.
async fn until_away(db: &PgPool, player: &Player) -> i64 {
    until("an absence", async || {
        sqlx::query_scalar("select ms(since) from absences where player_id = $1 and not awaited")
            .bind(player.id)
            .fetch_optional(db)
            .await
            .unwrap()
    })
    .await
}

/// Lets the absence of this player have begun so many seconds earlier.
async fn earlier(db: &PgPool, player: &Player, seconds: i32) {
    sqlx::query("update absences set since = since - $2 * interval '1 s' where player_id = $1")
        .bind(player.id)
        .bind(seconds)
        .execute(db)
        .await
        .unwrap();
}

fn now() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

#[tokio::test]
async fn who_goes_is_missed_and_loses_after_half_a_minute() {
    let (app, ann, bob, id) = at_a_table().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    assert_eq!(ann.snapshot(id).await["gone_at"], json!([null, null]));
    let went = now();
    drop(bobs);
    let since = until_away(&app.db, &bob).await;
    assert!(
        (went - 50..now()).contains(&since),
        "it begins with the end of the stream"
    );
    let told = anns.notices("present").await;
    assert!(now() - since >= 3_000, "not before three seconds");
    assert_eq!(told, json!({"seat": 2, "present": false, "gone_at": since}));
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["present"], json!([true, false]));
    assert_eq!(snapshot["gone_at"], json!([null, since]));
    // Who comes later is told at once.
    let mut watching = app.visitor().stream(&path).await;
    assert_eq!(watching.notices("present").await["gone_at"], since);

    earlier(&app.db, &bob, 26).await;
    let result = anns.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("absence"))
    );
    assert_eq!(result["ratings"][0]["after"], 1612.5);
    bob.moves(id, "1,1", &[]).await.refused(409, "finished");
    let left: i64 = sqlx::query_scalar("select count(*) from absences")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0, "a finished match misses nobody");
    assert_eq!(ann.snapshot(id).await["gone_at"], json!([null, null]));
}

#[tokio::test]
async fn who_comes_back_in_time_is_welcome() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "300+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    ann.offers(id, "draw").await.given();
    let before = ann.snapshot(id).await;
    drop(bobs);
    until_away(&app.db, &bob).await;
    earlier(&app.db, &bob, 20).await;
    assert_eq!(anns.notices("present").await["present"], false);
    let _bobs = bob.stream(&path).await;
    let told = anns.notices("present").await;
    assert_eq!(told, json!({"seat": 2, "present": true, "gone_at": null}));
    assert_eq!(
        ann.snapshot(id).await,
        before,
        "offer and clocks are as they were"
    );
    bob.answers_offer(id, true).await.given();
}

#[tokio::test]
async fn a_reload_makes_no_noise() {
    let (app, ann, bob, id) = at_a_table().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    for _ in 0..3 {
        let bobs = bob.stream(&path).await;
        drop(bobs);
        until_away(&app.db, &bob).await;
    }
    let _bobs = bob.stream(&path).await;
    let left: i64 = sqlx::query_scalar("select count(*) from absences")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0);
    // The first thing that is told is the first thing that anybody should hear of.
    let _watching = app.visitor().stream(&path).await;
    assert_eq!(anns.notice().await.0, "watching");
}

#[tokio::test]
async fn a_second_tab_keeps_its_player_at_the_table() {
    let (app, ann, bob, id) = at_a_table().await;
    let there = app.another().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    let bob_there = bob.moved_to(there.address);
    let other_tab = bob_there.stream(&path).await;
    drop(bobs);
    until("the end of the first tab", async || {
        let rows: i64 = sqlx::query_scalar("select count(*) from presence where player_id = $1")
            .bind(bob.id)
            .fetch_one(&app.db)
            .await
            .unwrap();
        (rows == 1).then_some(())
    })
    .await;
    assert_eq!(ann.snapshot(id).await["present"], json!([true, true]));
    drop(other_tab);
    until_away(&app.db, &bob).await;
    assert_eq!(anns.notices("present").await["seat"], 2);
}

#[tokio::test]
async fn if_both_are_away_the_first_to_go_loses() {
    let (app, ann, bob, id) = at_a_table().await;
    let path = format!("/events/match/{id}");
    let (anns, bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    drop(bobs);
    until_away(&app.db, &bob).await;
    drop(anns);
    until_away(&app.db, &ann).await;
    let mut watching = app.visitor().stream(&path).await;
    sqlx::query("update absences set since = now() - interval '1 m' - interval '1 s' * (player_id = $1)::int")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .unwrap();
    let result = watching.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("absence"))
    );
}

#[tokio::test]
async fn a_match_nobody_comes_to_ends() {
    let (app, ann, _bob, id) = at_a_table().await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    let waits: Vec<f64> =
        sqlx::query_scalar("select extract(epoch from since - now())::float8 from absences")
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(waits.len(), 2);
    assert!(
        waits.iter().all(|wait| (90.0..=120.0).contains(wait)),
        "{waits:?}"
    );
    // Two minutes and 29 seconds.
    sqlx::query("update absences set since = since - interval '124 s'")
        .execute(&app.db)
        .await
        .unwrap();
    for seat in [1, 2] {
        let told = watching.notice().await;
        let told = if told.0 == "watching" {
            watching.notice().await
        } else {
            told
        };
        assert_eq!(
            (&told.1["seat"], &told.1["present"]),
            (&json!(seat), &Value::Bool(false))
        );
    }
    // Whoever plays all the same, as programs do, is not missed.
    ann.moves(id, "1,1", &[]).await.given();
    assert_eq!(watching.notices("present").await["present"], true);
    sqlx::query("update absences set since = since - interval '26 s' where since < now()")
        .execute(&app.db)
        .await
        .unwrap();
    let result = watching.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("absence"))
    );
}

#[tokio::test]
async fn if_neither_comes_the_one_to_move_loses() {
    let (app, _ann, _bob, id) = at_a_table().await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    sqlx::query("update absences set since = now() - interval '1 m'")
        .execute(&app.db)
        .await
        .unwrap();
    let result = watching.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(2), &json!("absence"))
    );
}

#[tokio::test]
async fn another_instance_misses_the_players_of_one_that_died() {
    let (app, ann, bob, id) = at_a_table().await;
    let there = app.another().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.moved_to(there.address).stream(&path).await;
    let died = now() - 11_000;
    // What an instance leaves behind that was killed eleven seconds ago.
    sqlx::query("insert into presence (player_id, place, instance, beat_at) values ($1, $2, 'dead', at_ms($3))")
        .bind(bob.id)
        .bind(format!("match:{id}"))
        .bind(died)
        .execute(&app.db)
        .await
        .unwrap();
    let told = anns.notices("present").await;
    assert_eq!(told, json!({"seat": 2, "present": false, "gone_at": died}));
    drop(app);
    earlier(&there.db, &bob, 20).await;
    assert_eq!(
        anns.next_named("finished").await["result"]["reason"],
        "absence"
    );
}

#[tokio::test]
async fn with_scripts_off_the_page_counts_for_twelve_seconds() {
    let (app, ann, bob, id) = at_a_table().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let loaded = now();
    assert_eq!(bob.get(&format!("/match/{id}")).await.status, 200);
    let loaded = (loaded, now());
    let (there, awaited): (Vec<i64>, i64) = (
        sqlx::query_scalar("select ms(gone_at) from presence where instance = 'page'")
            .fetch_all(&app.db)
            .await
            .unwrap(),
        sqlx::query_scalar("select count(*) from absences where player_id = $1")
            .bind(bob.id)
            .fetch_one(&app.db)
            .await
            .unwrap(),
    );
    assert!((loaded.0 + 12_000..=loaded.1 + 12_000).contains(&there[0]));
    assert_eq!(awaited, 0, "Bob has come");
    assert_eq!(ann.snapshot(id).await["present"], json!([true, true]));
    // Twelve seconds later it counts no more, and the absence has begun just then.
    sqlx::query("update presence set beat_at = beat_at - interval '15 s', gone_at = gone_at - interval '15 s' where instance = 'page'")
        .execute(&app.db)
        .await
        .unwrap();
    let told = anns.notices("present").await;
    assert_eq!(told["gone_at"], there[0] - 15_000);
    // The next load restores the table.
    assert_eq!(bob.get(&format!("/match/{id}")).await.status, 200);
    assert_eq!(anns.notices("present").await["present"], true);
}
