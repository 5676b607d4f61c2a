//! Who asks whom for a game: saying yes, saying no, taking it back, and everything at once.

use super::app::{SMALL, TestApp, until};
use super::player::{Answer, Player};
use super::stream::Stream;
use futures::future::join_all;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// A small board, as a field of the form.
const ON_SMALL: &[(&str, &str)] = &[("setup", SMALL)];

#[track_caller]
fn is_closed(event: &Value, id: i64, why: &str) {
    assert_eq!(*event, json!({"id": id, "why": why}));
}

/// The next end of a challenge on this stream is this one.
async fn closes(stream: &mut Stream, id: i64, why: &str) {
    is_closed(&stream.next_named("challenge_closed").await, id, why);
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("it is later than 1970").as_millis() as i64
}

async fn running_matches(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from matches where finished_at is null")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_challenge_is_accepted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut bobs, mut eves) = (ann.waits().await, bob.waits().await, eve.waits().await);

    let form = [("setup", SMALL), ("clock", "300+5"), ("rated", "false")];
    let before = now_ms();
    let asked = ann.challenges(&bob, &form).await.given();
    assert_eq!(asked["match"], Value::Null);
    let asked_at = asked["expires_at"].as_i64().unwrap() - 15_000;
    assert!((before - 10..=now_ms() + 10).contains(&asked_at), "{asked}");

    let challenge = json!({
        "id": asked["id"],
        "from": {"id": ann.id, "name": "ann", "rating": 1600.0},
        "to": {"id": bob.id, "name": "bob", "rating": 1600.0},
        "game": "dots",
        "setup": {"width": 5, "height": 5, "start": "empty"},
        "clock": "300+5",
        "rated": false,
        "expires_at": asked["expires_at"],
    });
    assert_eq!(bobs.next_named("challenged").await, challenge);
    assert_eq!(anns.next_named("challenged").await, challenge);
    let room = bob.get("/api/waiting_room?game=dots").await.given();
    assert_eq!(room["challenges"], json!([challenge]));
    let mut reloaded = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(
        reloaded.expect("snapshot").await["challenges"],
        json!([challenge])
    );
    let hers = eve.get("/api/waiting_room?game=dots").await.given();
    assert_eq!(hers["challenges"], json!([]), "it is no business of Eve's");

    let id = asked["id"].as_i64().unwrap();
    let started = bob.answers(id, true).await.id("match");
    for stream in [&mut anns, &mut bobs] {
        closes(stream, id, "accepted").await;
        assert_eq!(stream.next_named("match_started").await["match"], started);
    }
    let told = eves.all_until("match_started").await;
    assert!(
        told.iter()
            .all(|event| !event.name.starts_with("challenge")),
        "{told:?}"
    );

    let snapshot = eve.snapshot(started).await;
    assert_eq!(
        snapshot["players"][0]["id"], ann.id,
        "the challenger is first"
    );
    assert_eq!(snapshot["players"][1]["id"], bob.id);
    assert_eq!(snapshot["rated"], false);
    assert_eq!(snapshot["clock"]["left_ms"], json!([300_000, 300_000]));
    assert_eq!(snapshot["clock"]["running"], 1);
}

#[tokio::test]
async fn a_challenge_is_declined_or_taken_back_or_runs_out() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (mut anns, mut bobs) = (ann.waits().await, bob.waits().await);

    let declined = ann.challenges(&bob, &[]).await.id("id");
    assert_eq!(
        bob.answers(declined, false).await.given(),
        json!({"match": null})
    );
    closes(&mut anns, declined, "declined").await;
    closes(&mut bobs, declined, "declined").await;

    let cancelled = ann.challenges(&bob, &[]).await.id("id");
    assert_eq!(ann.cancels(cancelled).await.given(), Value::Null);
    closes(&mut anns, cancelled, "cancelled").await;
    closes(&mut bobs, cancelled, "cancelled").await;

    let expired = ann.challenges(&bob, &[]).await.id("id");
    sqlx::query("update challenges set expires_at = now() where id = $1")
        .bind(expired)
        .execute(&app.db)
        .await
        .unwrap();
    bob.answers(expired, true)
        .await
        .refused(404, "challenge_closed");
    closes(&mut anns, expired, "expired").await;
    closes(&mut bobs, expired, "expired").await;

    for id in [declined, cancelled, expired] {
        for accept in [true, false] {
            bob.answers(id, accept)
                .await
                .refused(404, "challenge_closed");
        }
        ann.cancels(id).await.refused(404, "challenge_closed");
    }
    assert_eq!(running_matches(&app).await, 0);
}

#[tokio::test]
async fn a_challenge_that_has_run_out_is_in_nobodys_way() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _bobs = bob.waits().await;
    for _ in 0..10 {
        ann.challenges(&bob, &[]).await.given();
        sqlx::query("update challenges set expires_at = now()")
            .execute(&app.db)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn challenges_that_cannot_be() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _bobs = bob.waits().await;
    let to_bob = bob.id.to_string();

    ann.challenges(&ann, &[])
        .await
        .refused(400, "self_challenge");
    for game in ["chess", "DOTS", ""] {
        ann.post("/api/challenge", &[("opponent", &to_bob), ("game", game)])
            .await
            .refused(400, "unknown_game");
    }
    for setup in [
        r#"{"width":4}"#,
        r#"{"width":51}"#,
        r#"{"width":-5}"#,
        r#"{"width":5.5}"#,
        r#"{"width":1e300}"#,
        r#"{"width":99999999999999999999}"#,
        r#"{"width":"20"}"#,
        r#"{"height":4}"#,
        r#"{"depth":3}"#,
        r#"{"start":"square"}"#,
        r#"{"start":"four_crosses","width":9}"#,
        r#"{"start":"\u0000"}"#,
        "[]",
        "7",
        "no JSON",
        "{",
    ] {
        ann.challenges(&bob, &[("setup", setup)])
            .await
            .refused(400, "invalid_setup");
    }
    ann.challenges(&bob, &[("setup[width]", "4")])
        .await
        .refused(400, "invalid_setup");
    for clock in [
        "5", "9+0", "300+61", "10801+0", "+5", "300+", "-300+5", "blitz", "300+5+5",
    ] {
        ann.challenges(&bob, &[("clock", clock)])
            .await
            .refused(400, "invalid_clock");
    }
    let nobody = (i64::MAX).to_string();
    for opponent in [nobody.as_str(), "0", "-1"] {
        ann.post(
            "/api/challenge",
            &[("opponent", opponent), ("game", "dots")],
        )
        .await
        .refused(404, "not_waiting");
    }
    bob.challenges(&ann, &[]).await.refused(404, "not_waiting");
    let open: i64 = sqlx::query_scalar("select count(*) from challenges")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(open, 0);
}

#[tokio::test]
async fn a_setup_is_json_or_a_field_for_each_part() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut bobs = bob.waits().await;
    for (form, setup, clock) in [
        (&[][..], json!([39, 32, "empty"]), "none"),
        (
            &[("setup", "{}"), ("clock", "none")],
            json!([39, 32, "empty"]),
            "none",
        ),
        (
            &[
                ("setup", r#"{"height":50,"start":"cross"}"#),
                ("clock", "10+0"),
            ],
            json!([39, 50, "cross"]),
            "10+0",
        ),
        (
            &[
                ("setup[width]", "12"),
                ("setup[start]", "four_crosses"),
                ("clock", "10800+60"),
            ],
            json!([12, 32, "four_crosses"]),
            "10800+60",
        ),
    ] {
        let id = ann.challenges(&bob, form).await.id("id");
        let told = bobs.next_named("challenged").await;
        let told_setup = &told["setup"];
        assert_eq!(
            json!([
                told_setup["width"],
                told_setup["height"],
                told_setup["start"]
            ]),
            setup
        );
        assert_eq!(told["clock"], clock);
        assert_eq!(told["rated"], true);
        ann.cancels(id).await.given();
    }
}

#[tokio::test]
async fn one_may_ask_one_and_be_asked_by_many() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let (_anns, mut bobs, _carols) = (ann.waits().await, bob.waits().await, carol.waits().await);
    let asked = ann.challenges(&bob, &[]).await.id("id");
    ann.challenges(&bob, &[])
        .await
        .refused(409, "already_challenging");
    ann.challenges(&carol, ON_SMALL)
        .await
        .refused(409, "already_challenging");
    let also = carol.challenges(&bob, &[]).await.id("id");
    for id in [asked, also] {
        assert_eq!(bobs.next_named("challenged").await["id"], id);
    }
    let room = bob.get("/api/waiting_room?game=dots").await.given();
    assert_eq!(room["challenges"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn challenges_belong_to_their_two_players() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let _bobs = bob.waits().await;
    let id = ann.challenges(&bob, &[]).await.id("id");
    for accept in [true, false] {
        eve.answers(id, accept).await.refused(403, "not_yours");
        ann.answers(id, accept).await.refused(403, "not_yours");
    }
    for player in [&eve, &bob] {
        player.cancels(id).await.refused(403, "not_yours");
    }
    for id in [id + 1, 0, -1, i64::MAX] {
        bob.answers(id, true).await.refused(404, "challenge_closed");
        ann.cancels(id).await.refused(404, "challenge_closed");
    }
    bob.answers(id, true).await.id("match");
}

#[tokio::test]
async fn accepting_closes_all_other_challenges_of_both() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (carol, dave) = (app.with_user("carol").await, app.with_user("dave").await);
    let mut streams = Vec::new();
    for player in [&ann, &bob, &carol, &dave] {
        streams.push(player.waits().await);
    }
    let accepted = ann.challenges(&bob, &[]).await.id("id");
    let out = bob.challenges(&carol, &[]).await.id("id");
    let into_ann = carol.challenges(&ann, ON_SMALL).await.id("id");
    let into_bob = dave.challenges(&bob, &[]).await.id("id");
    bob.answers(accepted, true).await.id("match");

    let mut ends_of = async |seen_by: usize, count: usize| {
        let mut ends = Vec::new();
        for _ in 0..count {
            let end = streams[seen_by].next_named("challenge_closed").await;
            ends.push((
                end["id"].as_i64().unwrap(),
                end["why"].as_str().unwrap().to_owned(),
            ));
        }
        ends
    };
    let busy = |id| (id, "busy".to_owned());
    assert_eq!(
        ends_of(0, 2).await,
        [(accepted, "accepted".to_owned()), busy(into_ann)]
    );
    assert_eq!(
        ends_of(1, 3).await,
        [(accepted, "accepted".to_owned()), busy(out), busy(into_bob)]
    );
    assert_eq!(ends_of(2, 2).await, [busy(out), busy(into_ann)]);
    assert_eq!(ends_of(3, 1).await, [busy(into_bob)]);
    for (player, id) in [(&carol, out), (&ann, into_ann), (&bob, into_bob)] {
        player
            .answers(id, true)
            .await
            .refused(404, "challenge_closed");
    }
    assert_eq!(running_matches(&app).await, 1);
}

#[tokio::test]
async fn who_leaves_the_room_leaves_their_challenges() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let (mut anns, bobs, mut carols) = (ann.waits().await, bob.waits().await, carol.waits().await);
    let to_bob = ann.challenges(&bob, &[]).await.id("id");
    let from_bob = bob.challenges(&carol, &[]).await.id("id");
    drop(bobs);
    closes(&mut anns, to_bob, "left").await;
    closes(&mut carols, from_bob, "left").await;
    assert_eq!(anns.next_named("left").await["id"], bob.id);
    bob.answers(to_bob, true)
        .await
        .refused(404, "challenge_closed");
    ann.challenges(&bob, &[]).await.refused(404, "not_waiting");
}

#[tokio::test]
async fn challenges_that_cross_for_the_same_are_one_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (mut anns, mut bobs) = (ann.waits().await, bob.waits().await);
    let id = ann
        .challenges(&bob, &[("setup", r#"{"width":39}"#), ("clock", "60+1")])
        .await
        .id("id");
    // The same in other words: what Ann said is the default.
    let crossing = bob
        .challenges(&ann, &[("clock", "60+1"), ("rated", "true")])
        .await;
    let started = crossing.id("match");
    assert_eq!(crossing.id("id"), id);
    for stream in [&mut anns, &mut bobs] {
        closes(stream, id, "accepted").await;
        assert_eq!(stream.next_named("match_started").await["match"], started);
    }
    let snapshot = ann.snapshot(started).await;
    assert_eq!(
        snapshot["players"][0]["id"], ann.id,
        "the earlier challenger has the first seat"
    );
}

#[tokio::test]
async fn challenges_that_cross_for_different_things_both_stand() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (_anns, _bobs) = (ann.waits().await, bob.waits().await);
    for other in [("setup", SMALL), ("clock", "60+1"), ("rated", "false")] {
        let hers = ann.challenges(&bob, &[]).await.id("id");
        let crossing = bob.challenges(&ann, &[other]).await.given();
        assert_eq!(crossing["match"], Value::Null, "{other:?}");
        let room = ann.get("/api/waiting_room?game=dots").await.given();
        assert_eq!(room["challenges"].as_array().unwrap().len(), 2);
        ann.cancels(hers).await.given();
        bob.cancels(crossing["id"].as_i64().unwrap()).await.given();
    }
    let hers = ann.challenges(&bob, &[]).await.id("id");
    let his = bob.challenges(&ann, ON_SMALL).await.id("id");
    let started = ann.answers(his, true).await.id("match");
    let snapshot = ann.snapshot(started).await;
    assert_eq!(snapshot["setup"]["width"], 5);
    assert_eq!(snapshot["players"][0]["id"], bob.id);
    bob.answers(hers, true)
        .await
        .refused(404, "challenge_closed");
}

#[tokio::test]
async fn nobody_plays_two_games_at_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let (_anns, _bobs, _carols) = (ann.waits().await, bob.waits().await, carol.waits().await);
    let id = ann.challenges(&bob, ON_SMALL).await.id("id");
    let started = bob.answers(id, true).await.id("match");
    // Bob is still in the waiting room, in another window.
    carol
        .challenges(&bob, &[])
        .await
        .refused(409, "already_playing");
    ann.challenges(&carol, &[])
        .await
        .refused(409, "already_playing");
    ann.challenges(&bob, &[])
        .await
        .refused(409, "already_playing");
    ann.resigns(started).await.given();
    carol.challenges(&bob, &[]).await.given();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_challenges_at_once_one_is_the_answer_to_the_other() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (_anns, _bobs) = (ann.waits().await, bob.waits().await);
    for _ in 0..8 {
        let (hers, his) = tokio::join!(
            ann.challenges(&bob, ON_SMALL),
            bob.challenges(&ann, ON_SMALL)
        );
        let both = [hers.given()["match"].clone(), his.given()["match"].clone()];
        assert_eq!(both.iter().filter(|id| id.is_null()).count(), 1, "{both:?}");
        assert_eq!(running_matches(&app).await, 1);
        let started = both.iter().find_map(Value::as_i64).unwrap();
        let earlier = if both[0].is_null() { &ann } else { &bob };
        let snapshot = ann.snapshot(started).await;
        assert_eq!(snapshot["players"][0]["id"], earlier.id);
        ann.resigns(started).await.given();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_acceptances_at_once_one_starts_a_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let carol = app.with_user("carol").await;
    let (_anns, _bobs, _carols) = (ann.waits().await, bob.waits().await, carol.waits().await);
    for _ in 0..8 {
        let from_bob = bob.challenges(&ann, ON_SMALL).await.id("id");
        let from_ann = ann.challenges(&carol, ON_SMALL).await.id("id");
        let answers = tokio::join!(ann.answers(from_bob, true), carol.answers(from_ann, true));
        let (one, other) = if answers.0.status == 200 {
            answers
        } else {
            (answers.1, answers.0)
        };
        let started = one.id("match");
        assert!(
            matches!(
                other.code().as_deref(),
                Some("challenge_closed" | "already_playing")
            ),
            "{other:?}"
        );
        assert_eq!(running_matches(&app).await, 1);
        ann.resigns(started).await.given();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_evening_breaks_nothing() {
    let app = TestApp::init().await;
    let other = app.another().await;
    let mut players: Vec<Player> = Vec::new();
    let mut streams = Vec::new();
    for (number, name) in ["ann", "bob", "carol", "dave", "eve", "frank"]
        .iter()
        .enumerate()
    {
        let player = app.with_user(name).await;
        let address = [app.address, other.address][number % 2];
        let player = player.moved_to(address);
        streams.push(player.waits().await);
        players.push(player);
    }
    for round in 1..players.len() {
        let ask = |number: usize| {
            let opponent = &players[(number + round) % players.len()];
            players[number].challenges(opponent, ON_SMALL)
        };
        let asked = join_all((0..players.len()).map(ask)).await;
        asked.iter().for_each(is_no_fault_of_ours);
        let accept = async |number: usize| {
            let me = &players[number];
            let room = me.get("/api/waiting_room?game=dots").await.given();
            let mine = room["challenges"].as_array().unwrap().iter();
            let to_me = mine.filter(|challenge| challenge["to"]["id"] == me.id);
            let ids: Vec<_> = to_me
                .map(|challenge| challenge["id"].as_i64().unwrap())
                .collect();
            join_all(ids.into_iter().map(|id| me.answers(id, true))).await
        };
        let answers = join_all((0..players.len()).map(accept)).await.concat();
        answers.iter().for_each(is_no_fault_of_ours);

        let seats: Vec<(i64, i64)> =
            sqlx::query_as("select seat1, seat2 from matches where finished_at is null")
                .fetch_all(&app.db)
                .await
                .unwrap();
        let mut seated: Vec<_> = seats.iter().flat_map(|(one, two)| [*one, *two]).collect();
        seated.sort_unstable();
        let count = seated.len();
        seated.dedup();
        assert_eq!(seated.len(), count, "somebody plays twice: {seats:?}");
        assert!(count > 0, "nobody plays: {asked:?} {answers:?}");

        let mut playing: Vec<i64> = sqlx::query_scalar("select player_id from playing")
            .fetch_all(&app.db)
            .await
            .unwrap();
        playing.sort_unstable();
        assert_eq!(playing, seated);
        for player in players.iter().filter(|player| seated.contains(&player.id)) {
            let id: Option<i64> = sqlx::query_scalar(
                "select id from matches where finished_at is null and $1 in (seat1, seat2)",
            )
            .bind(player.id)
            .fetch_optional(&app.db)
            .await
            .unwrap();
            if let Some(id) = id {
                player.resigns(id).await.given();
            }
        }
        sqlx::query("update challenges set expires_at = now() where closed_at is null")
            .execute(&app.db)
            .await
            .unwrap();
        until("an empty desk", async || {
            let open: i64 =
                sqlx::query_scalar("select count(*) from challenges where closed_at is null")
                    .fetch_one(&app.db)
                    .await
                    .unwrap();
            (open == 0).then_some(())
        })
        .await;
    }
}

#[track_caller]
fn is_no_fault_of_ours(answer: &Answer) {
    assert!(answer.status < 500, "{answer:?}");
}
