//! Absence from a running match: reported after 3 seconds, lost after 30, ended by returning.
//!
//! No test waits for these times: the start of an absence is moved into the past.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with, wait_until};
use super::player::Player;
use serde_json::{Value, json};
use sqlx::PgPool;

/// Starts a match of Ann and Bob on 5 × 5 points.
async fn start_small_match() -> (TestApp, Player, Player, i64) {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    (app, ann, bob, id)
}

/// Starts such a match, in which both have made their first move.
async fn begin_small_match() -> (TestApp, Player, Player, i64) {
    let (app, ann, bob, id) = start_small_match().await;
    begin(&ann, &bob, id).await;
    (app, ann, bob, id)
}

/// Waits until an absence of this player, who has joined the match before, is stored. Returns its beginning.
pub(crate) async fn wait_until_absent(db: &PgPool, player: &Player) -> i64 {
    wait_until("an absence", async || {
        sqlx::query_scalar("select ms(since) from absences where player_id = $1 and not awaited")
            .bind(player.id)
            .fetch_optional(db)
            .await
            .unwrap()
    })
    .await
}

/// Moves the start of this player's absence into the past.
pub(crate) async fn backdate_absence(db: &PgPool, player: &Player, seconds: i32) {
    sqlx::query("update absences set since = since - $2 * interval '1 s' where player_id = $1")
        .bind(player.id)
        .bind(seconds)
        .execute(db)
        .await
        .unwrap();
}

/// Returns the result of a match that this seat did not play on before it had begun.
pub(crate) fn aborted_by(seat: u8) -> Value {
    json!({"winner": null, "reason": "aborted", "ratings": null, "by": seat})
}

fn now() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

#[tokio::test]
async fn absent_player_is_reported_and_loses_after_30_seconds() {
    let (app, ann, bob, id) = begin_small_match().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    assert_eq!(ann.snapshot(id).await["gone_at"], json!([null, null]));
    let went = now();
    drop(bobs);
    let since = wait_until_absent(&app.db, &bob).await;
    assert!(
        (went - 50..now()).contains(&since),
        "it begins with the end of the stream"
    );
    let status = anns.expect_status("present").await;
    assert!(now() - since >= 3_000, "not before three seconds");
    assert_eq!(
        status,
        json!({"seat": 2, "present": false, "gone_at": since, "lost_at": since + 30_000})
    );
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["present"], json!([true, false]));
    assert_eq!(snapshot["gone_at"], json!([null, since]));
    assert_eq!(snapshot["lost_at"], json!([null, since + 30_000]));
    // A new stream is told at once.
    let mut watching = app.visitor().stream(&path).await;
    assert_eq!(watching.expect_status("present").await, status);

    backdate_absence(&app.db, &bob, 26).await;
    let result = anns.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("absence"))
    );
    assert_eq!(result["ratings"][0]["after"], 1612.5);
    bob.make_move(id, "1,1", &[])
        .await
        .assert_error(409, "finished");
    let left: i64 = sqlx::query_scalar("select count(*) from absences")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0, "nobody is absent from a finished match");
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["gone_at"], json!([null, null]));
    assert_eq!(snapshot["lost_at"], json!([null, null]));
}

#[tokio::test]
async fn returning_in_time_ends_the_absence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "300+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    ann.offer(id, "draw").await.assert_ok();
    let before = ann.snapshot(id).await;
    drop(bobs);
    wait_until_absent(&app.db, &bob).await;
    backdate_absence(&app.db, &bob, 20).await;
    assert_eq!(anns.expect_status("present").await["present"], false);
    let _bobs = bob.stream(&path).await;
    let status = anns.expect_status("present").await;
    assert_eq!(
        status,
        json!({"seat": 2, "present": true, "gone_at": null, "lost_at": null})
    );
    assert_eq!(
        ann.snapshot(id).await,
        before,
        "offer and clocks are as they were"
    );
    bob.answer_offer(id, true).await.assert_ok();
}

#[tokio::test]
async fn page_reload_is_not_reported() {
    let (app, ann, bob, id) = start_small_match().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    for _ in 0..3 {
        let bobs = bob.stream(&path).await;
        drop(bobs);
        wait_until_absent(&app.db, &bob).await;
    }
    let _bobs = bob.stream(&path).await;
    let left: i64 = sqlx::query_scalar("select count(*) from absences")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0);
    // The first status event is the first that should be sent: the reload caused none.
    let _watching = app.visitor().stream(&path).await;
    assert_eq!(anns.status_event().await.0, "watching");
}

#[tokio::test]
async fn second_tab_keeps_the_player_present() {
    let (app, ann, bob, id) = start_small_match().await;
    let there = app.another_instance().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let bobs = bob.stream(&path).await;
    let bob_there = bob.at_instance(there.address);
    let other_tab = bob_there.stream(&path).await;
    drop(bobs);
    wait_until("the end of the first tab", async || {
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
    wait_until_absent(&app.db, &bob).await;
    assert_eq!(anns.expect_status("present").await["seat"], 2);
}

#[tokio::test]
async fn if_both_are_absent_the_first_to_leave_loses() {
    let (app, ann, bob, id) = begin_small_match().await;
    let path = format!("/events/match/{id}");
    let (anns, bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    drop(bobs);
    wait_until_absent(&app.db, &bob).await;
    drop(anns);
    wait_until_absent(&app.db, &ann).await;
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
async fn if_both_are_absent_the_first_whose_time_ends_loses() {
    let (app, ann, bob, id) = begin_small_match().await;
    let path = format!("/events/match/{id}");
    let (anns, bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    let mut watching = app.visitor().stream(&path).await;
    // Of her two minutes, Ann has five seconds left.
    sqlx::query("insert into time_away values ($1, $2, 115000)")
        .bind(id)
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    drop(bobs);
    wait_until_absent(&app.db, &bob).await;
    drop(anns);
    wait_until_absent(&app.db, &ann).await;
    // Bob has left before her, and has 20 seconds left.
    sqlx::query("update absences set since = now() - interval '6 s' - interval '4 s' * (player_id = $1)::int")
        .bind(bob.id)
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
async fn match_that_nobody_joins_is_aborted() {
    let (app, ann, _bob, id) = start_small_match().await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    let from_the_start: i64 = sqlx::query_scalar(
        "select count(*) from absences a join matches m on m.id = a.match_id where a.since = m.started_at",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(from_the_start, 2);
    // Three seconds.
    sqlx::query("update absences set since = since - interval '3 s'")
        .execute(&app.db)
        .await
        .unwrap();
    for seat in [1, 2] {
        let status = watching.status_event().await;
        let status = if status.0 == "watching" {
            watching.status_event().await
        } else {
            status
        };
        assert_eq!(
            (&status.1["seat"], &status.1["present"]),
            (&json!(seat), &Value::Bool(false))
        );
    }
    // A program that plays without a stream is not absent.
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(watching.expect_status("present").await["present"], true);
    sqlx::query("update absences set since = since - interval '30 s' where since < now()")
        .execute(&app.db)
        .await
        .unwrap();
    let result = watching.next_named("finished").await["result"].clone();
    // Bob let it be, before his first move.
    assert_eq!(result, aborted_by(2));
}

/// A player who never opens the match is away from its start: the other is told at 3 s, and it is over at 30 s.
#[tokio::test]
async fn a_no_show_is_told_after_3_seconds_and_over_after_30() {
    let (app, ann, bob, id) = start_small_match().await;
    let mut anns = ann.stream(&format!("/events/match/{id}")).await;
    let started: i64 = sqlx::query_scalar("select ms(started_at) from matches where id = $1")
        .bind(id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    // The other has even moved.
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    backdate_absence(&app.db, &bob, 5).await;
    let gone_at = started - 5_000;
    let told =
        json!({"seat": 2, "present": false, "gone_at": gone_at, "lost_at": gone_at + 30_000});
    assert_eq!(anns.expect_status("present").await, told);
    let snapshot = app.visitor().snapshot(id).await;
    assert_eq!(snapshot["lost_at"], json!([null, gone_at + 30_000]));
    let page = ann.get(&format!("/match/{id}")).await.text;
    assert!(page.contains("The game is aborted in"), "{page}");
    // Also without scripts: the seconds of the absence.
    let seconds = countdowns(&page);
    assert!(
        seconds.iter().any(|seconds| (15..=25).contains(seconds)),
        "{seconds:?}"
    );
    backdate_absence(&app.db, &bob, 25).await;
    let result = anns.next_named("finished").await["result"].clone();
    assert_eq!(result, aborted_by(2));
}

/// Returns the numbers of all countdowns on a page. The copies of its islands, which follow it, have them once more.
fn countdowns(page: &str) -> Vec<u32> {
    let (page, _) = page
        .split_once(r#"id="islands""#)
        .expect("copies of islands");
    let numbers = page.split(r#"class="countdown"#).skip(1);
    let number = |rest: &str| {
        let (_, rest) = rest.split_once('>').expect("a tag");
        let (number, _) = rest.split_once('<').expect("a text");
        let digits: String = number.chars().filter(|c| !c.is_whitespace()).collect();
        digits
            .parse()
            .unwrap_or_else(|_| panic!("no seconds in {number:?}"))
    };
    numbers.map(number).collect()
}

#[tokio::test]
async fn a_page_without_scripts_has_the_seconds_of_every_countdown() {
    let (app, ann, bob, id) = start_small_match().await;
    let path = format!("/match/{id}");
    for visitor in [&*ann, &*bob, &app.visitor()] {
        let page = visitor.get(&path).await.text;
        let seconds = countdowns(&page);
        assert!(page.contains("First move within"), "{page}");
        assert!(matches!(seconds[..], [30..=60]), "{seconds:?}");
    }
    begin(&ann, &bob, id).await;
    ann.offer(id, "draw").await.assert_ok();
    for player in [&ann, &bob] {
        let seconds = countdowns(&player.get(&path).await.text);
        assert!(
            matches!(seconds[..], [500..=600, 1..=15] | [1..=15, 500..=600]),
            "{seconds:?}"
        );
    }
}

/// A program that plays without a stream is there as long as it asks.
#[tokio::test]
async fn reading_the_match_is_presence_of_a_program_without_a_stream() {
    let (app, ann, bob, id) = start_small_match().await;
    let program = bob.as_program("play").await;
    let mut anns = ann.stream(&format!("/events/match/{id}")).await;
    let since = async || -> f64 {
        sqlx::query_scalar(
            "select extract(epoch from since - now())::float8 from absences where player_id = $1",
        )
        .bind(bob.id)
        .fetch_one(&app.db)
        .await
        .unwrap()
    };
    backdate_absence(&app.db, &bob, 5).await;
    assert_eq!(anns.expect_status("present").await["present"], false);
    // Nobody else's read counts for Bob.
    ann.snapshot(id).await;
    app.visitor().snapshot(id).await;
    assert!(since().await < 0.0);
    program.snapshot(id).await;
    assert!(since().await > 90.0);
    assert_eq!(anns.expect_status("present").await["present"], true);
    // The next read comes too soon to be written again, and the one after that does not.
    backdate_absence(&app.db, &bob, 5).await;
    program.snapshot(id).await;
    assert!(since().await < 116.0);
    backdate_absence(&app.db, &bob, 10).await;
    program.snapshot(id).await;
    assert!(since().await > 116.0);
}

#[tokio::test]
async fn if_neither_joins_the_side_to_move_aborts() {
    let (app, _ann, _bob, id) = start_small_match().await;
    let mut watching = app.visitor().stream(&format!("/events/match/{id}")).await;
    sqlx::query("update absences set since = now() - interval '1 m'")
        .execute(&app.db)
        .await
        .unwrap();
    let result = watching.next_named("finished").await["result"].clone();
    assert_eq!(result, aborted_by(1));
}

#[tokio::test]
async fn absences_of_a_dead_instance_are_found_by_another() {
    let (app, ann, bob, id) = begin_small_match().await;
    let there = app.another_instance().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.at_instance(there.address).stream(&path).await;
    let died = now() - 11_000;
    // The rows of an instance that was killed eleven seconds ago.
    sqlx::query("insert into presence (player_id, place, instance, beat_at) values ($1, $2, 'dead', at_ms($3))")
        .bind(bob.id)
        .bind(format!("match:{id}"))
        .bind(died)
        .execute(&app.db)
        .await
        .unwrap();
    let status = anns.expect_status("present").await;
    assert_eq!(
        status,
        json!({"seat": 2, "present": false, "gone_at": died, "lost_at": died + 30_000})
    );
    drop(app);
    backdate_absence(&there.db, &bob, 20).await;
    assert_eq!(
        anns.next_named("finished").await["result"]["reason"],
        "absence"
    );
}

#[tokio::test]
async fn page_load_without_scripts_counts_as_presence_for_twelve_seconds() {
    let (app, ann, bob, id) = start_small_match().await;
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
    // After twelve seconds it no longer counts, and the absence begins at that time.
    sqlx::query("update presence set beat_at = beat_at - interval '15 s', gone_at = gone_at - interval '15 s' where instance = 'page'")
        .execute(&app.db)
        .await
        .unwrap();
    let status = anns.expect_status("present").await;
    assert_eq!(status["gone_at"], there[0] - 15_000);
    // The next page load ends the absence.
    assert_eq!(bob.get(&format!("/match/{id}")).await.status, 200);
    assert_eq!(anns.expect_status("present").await["present"], true);
}
