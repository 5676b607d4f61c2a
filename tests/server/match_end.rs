//! The end of a match: resignation, full boards, draws, clocks, and its effect on ratings.

use super::app::{BEGUN, SMALL, TestApp, backdate_match, begin, start_match, start_match_with};
use super::moves::{CAPTURE, play};
use super::player::{Player, Response};
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use tochki_rules::Game as _;
use tochki_rules::dots::{Dots, Opening, Setup};

#[tokio::test]
async fn resignation_is_possible_at_any_time() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}?after={BEGUN}");
    let mut stream = app.visitor().stream(&path).await;
    // Right after his first move, and out of turn.
    assert_eq!(bob.resign(id).await.version(), 3);
    let result = json!({
        "winner": 1, "reason": "resigned",
        "ratings": [{"before": 1600.0, "after": 1612.5, "provisional": true},
                {"before": 1600.0, "after": 1587.5, "provisional": true}],
    });
    let told = stream.next().await;
    assert_eq!((told.id, told.name.as_str()), (Some(3), "finished"));
    assert_eq!(told.data, json!({"result": result}));
    for player in [&ann, &bob] {
        player.resign(id).await.assert_error(409, "finished");
        player
            .make_move(id, "1,1", &[])
            .await
            .assert_error(409, "finished");
    }
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["status"], "finished");
    assert_eq!(snapshot["result"], result);
    assert_eq!(snapshot["to_move"], Value::Null);

    // The next match starts from the new ratings.
    let next = start_match(&ann, &bob, SMALL).await;
    assert_eq!(ann.snapshot(next).await["players"][0]["rating"], 1612.5);
    begin(&ann, &bob, next).await;
    ann.resign(next).await.assert_ok();
    let ratings = ann.snapshot(next).await["result"]["ratings"].clone();
    let after = |seat: usize| ratings[seat]["after"].as_f64().unwrap();
    assert!((after(0) - 1_599.101_9).abs() < 0.001, "{ratings}");
    assert!((after(0) + after(1) - 3200.0).abs() < 1e-9, "{ratings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn match_is_rated_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for played in 1..=4 {
        let id = start_match(&ann, &bob, SMALL).await;
        begin(&ann, &bob, id).await;
        let answers = tokio::join!(
            ann.resign(id),
            bob.resign(id),
            ann.resign(id),
            bob.resign(id)
        );
        let all = [answers.0, answers.1, answers.2, answers.3];
        let won: Vec<_> = all.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(won.len(), 1, "{all:?}");
        let refused = all.iter().filter_map(Response::code);
        assert!(
            refused.into_iter().all(|code| code == "finished"),
            "{all:?}"
        );
        let rated: Vec<(i32, i64)> = sqlx::query_as(
            "select r.games, (select count(*) from rating_history h where h.player_id = r.player_id)
             from ratings r",
        )
        .fetch_all(&app.db)
        .await
        .unwrap();
        assert_eq!(rated, [(played, i64::from(played)); 2]);
    }
}

#[tokio::test]
async fn unrated_match_keeps_ratings() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();
    let result = ann.snapshot(id).await["result"].clone();
    assert_eq!(
        result,
        json!({"winner": 2, "reason": "resigned", "ratings": null})
    );
    let rated: i64 = sqlx::query_scalar("select count(*) from ratings where rating <> 1600")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(rated, 0);
}

/// Plays random moves until the board is full; the last response.
async fn play_until_full(
    players: [&Player; 2],
    id: i64,
    dots: &mut Dots,
    dice: &mut SmallRng,
) -> Response {
    loop {
        let seat = dots.to_move().expect("the board is not full");
        let point = dots.free_points().choose(dice).expect("a free point");
        let name = format!("{}", dice.random::<u64>());
        let mv = point.to_string();
        let form = [("client_id", name.as_str())];
        let answer = players[seat.index()].make_move(id, &mv, &form).await;
        dots.play(point).expect("it was free");
        if dots.outcome().is_some() {
            let again = players[seat.index()].make_move(id, &mv, &form).await;
            assert_eq!(
                again.assert_ok(),
                answer.assert_ok(),
                "also for the last move"
            );
            return answer;
        }
        answer.assert_ok();
    }
}

#[tokio::test]
async fn full_board_ends_the_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
    play([&ann, &bob], id, CAPTURE).await;
    let mut dots = Dots::new(&Setup::new(5, 5, Opening::Empty).unwrap());
    for mv in CAPTURE.split(' ') {
        dots.play(mv.parse().unwrap()).unwrap();
    }
    let last = play_until_full([&ann, &bob], id, &mut dots, &mut SmallRng::seed_from_u64(7)).await;

    let events = stream.collect_until("finished").await;
    let [.., moved, finished] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(moved.data["to_move"], Value::Null);
    assert_eq!(finished.id, moved.id.map(|version| version + 1));
    assert_eq!(
        Some(last.version()),
        finished.id,
        "the answer is the version of the command's last event"
    );
    let outcome = dots.outcome().expect("the board is full");
    let result = &finished.data["result"];
    assert_eq!(result["reason"], "board_full");
    assert_eq!(
        result["winner"],
        outcome.winner.map_or(0, tochki_rules::Seat::number)
    );
    assert_eq!(moved.data["score"], json!(dots.score()));
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["result"], *result);
    assert_eq!(snapshot["score"], json!(dots.score()));
    for player in [&ann, &bob] {
        player
            .make_move(id, "0,0", &[])
            .await
            .assert_error(409, "finished");
        player.resign(id).await.assert_error(409, "finished");
    }
}

#[tokio::test]
async fn draw_between_equal_ratings_counts_as_rated() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    // Column by column, red from the left and blue from the right: nobody encloses anything.
    let columns: Vec<_> = (0..25).map(|n| format!("{},{}", n / 5, n % 5)).collect();
    let (left, right) = columns.split_at(13);
    let points: Vec<_> = (0..25)
        .map(|n| [left, right][n % 2][n / 2].as_str())
        .collect();
    play([&ann, &bob], id, &points.join(" ")).await;
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["score"], json!([0, 0]));
    assert_eq!(
        snapshot["result"],
        json!({
            "winner": 0, "reason": "board_full",
            "ratings": [{"before": 1600.0, "after": 1600.0, "provisional": true},
                {"before": 1600.0, "after": 1600.0, "provisional": true}],
        })
    );
    let games: Vec<i32> = sqlx::query_scalar("select games from ratings")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(games, [1, 1]);
}

#[tokio::test]
async fn flag_fall_loses() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    backdate_match(&app.db, id, 10).await;
    let _there = app.another_instance().await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    let result = stream.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(2), &json!("time"))
    );
    ann.make_move(id, "1,1", &[])
        .await
        .assert_error(409, "finished");
}

#[tokio::test]
async fn move_after_flag_fall_is_refused() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    backdate_match(&app.db, id, 10).await;
    // No sweeper finds it.
    sqlx::query("update matches set deadline_at = now() + interval '1 h'")
        .execute(&app.db)
        .await
        .unwrap();
    let there = app.another_instance().await;
    let ann = ann.at_instance(there.address);
    ann.make_move(id, "1,1", &[])
        .await
        .assert_error(409, "finished");
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["result"]["reason"], "time");
    assert_eq!(snapshot["moves"], json!(["0,4", "4,0"]));
    assert_eq!(snapshot["clock"]["running"], Value::Null);
}

#[tokio::test]
async fn clocks_charge_time_and_add_increment() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "100+5")];
    let id = start_match_with(&ann, &bob, &form).await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let clock = stream.expect("moved").await["clock"].clone();
    let left = clock["left_ms"][0].as_i64().unwrap();
    assert!((100_000..=105_000).contains(&left), "{clock}");
    assert_eq!(clock["left_ms"][1], 100_000);
    assert_eq!(clock["running"], 2);
    assert_eq!(ann.snapshot(id).await["clock"], clock);
    let deadline = async || -> i64 {
        sqlx::query_scalar("select ms(deadline_at) from matches")
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    // Bob has a minute for his first move.
    assert_eq!(deadline().await, clock["at"].as_i64().unwrap() + 60_000);
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    let clock = stream.expect("moved").await["clock"].clone();
    assert_eq!(clock["left_ms"][0], left, "it was not running");
    assert_eq!(clock["running"], 1);
    assert_eq!(deadline().await, clock["at"].as_i64().unwrap() + left);
}

#[tokio::test]
async fn unreadable_match_does_not_stop_other_clocks() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let broken = start_match_with(&ann, &bob, &form).await;
    let (carol, dave) = (app.with_user("carol").await, app.with_user("dave").await);
    let id = start_match_with(&carol, &dave, &form).await;
    begin(&carol, &dave, id).await;
    backdate_match(&app.db, id, 10).await;
    sqlx::query("update matches set setup = jsonb_build_object('width', 0) where id = $1")
        .bind(broken)
        .execute(&app.db)
        .await
        .unwrap();
    // The broken one is due first.
    sqlx::query("update matches set deadline_at = deadline_at - interval '1 m' where id = $1")
        .bind(broken)
        .execute(&app.db)
        .await
        .unwrap();
    let _there = app.another_instance().await;
    let mut stream = dave.stream(&format!("/events/match/{id}")).await;
    let result = stream.next_named("finished").await["result"].clone();
    assert_eq!(result["reason"], "time");
    assert_eq!(
        ann.get(&format!("/api/match?id={broken}")).await.status,
        500
    );
}
