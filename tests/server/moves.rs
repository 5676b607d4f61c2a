//! A match move by move: what is accepted, what is refused and why, how it ends and what it is worth.

use super::app::{SMALL, TestApp, start_match, start_match_with};
use super::player::{Answer, Player};
use futures::future::join_all;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use tochki_rules::Game as _;
use tochki_rules::dots::{Dots, Opening, Setup};

/// Plays the moves in turn, the first player first.
async fn play(players: [&Player; 2], id: i64, moves: &str) {
    for (ply, mv) in moves.split_whitespace().enumerate() {
        players[ply % 2].moves(id, mv, &[]).await.given();
    }
}

/// The first player captures one dot in the middle of the board with the last move.
const CAPTURE: &str = "1,2 2,2 3,2 0,0 2,1 0,1 2,3";

#[tokio::test]
async fn a_move_is_answered_and_told() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let fresh = app.visitor().snapshot(id).await;
    let card = |player: &Player| json!({"id": player.id, "name": player.name, "rating": 1600.0});
    for (field, value) in [
        ("id", json!(id)),
        ("version", json!(0)),
        ("game", json!("dots")),
        ("setup", json!({"width": 5, "height": 5, "start": "empty"})),
        ("rated", json!(true)),
        ("players", json!([card(&ann), card(&bob)])),
        ("moves", json!([])),
        ("seats", json!([])),
        ("to_move", json!(1)),
        ("score", json!([0, 0])),
        ("clock", json!(null)),
        ("offer", json!(null)),
        ("present", json!([false, false])),
        ("status", json!("running")),
        ("result", json!(null)),
    ] {
        assert_eq!(fresh[field], value, "{field}");
    }

    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    let answer = ann.moves(id, " 3, 04", &[("version", "0"), ("client_id", "a-1")]);
    assert_eq!(answer.await.given(), json!({"version": 1}));
    let told = stream.next().await;
    assert_eq!((told.id, told.name.as_str()), (Some(1), "moved"));
    assert_eq!(
        told.data,
        json!({
            "seat": 1, "mv": "3,4", "score": [0, 0], "to_move": 2, "passed": false, "clock": null,
            "client_id": "a-1",
        })
    );
    bob.moves(id, "0,0", &[]).await.given();
    assert_eq!(stream.expect("moved").await["client_id"], Value::Null);

    let snapshot = app.visitor().snapshot(id).await;
    assert_eq!(snapshot["version"], 2);
    assert_eq!(snapshot["moves"], json!(["3,4", "0,0"]));
    assert_eq!(snapshot["seats"], json!([1, 2]));
    assert_eq!(snapshot["to_move"], 1);
}

#[tokio::test]
async fn a_capture_is_scored_at_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    play([&ann, &bob], id, CAPTURE).await;
    let moves = stream.take(7).await;
    assert!(
        moves[..6]
            .iter()
            .all(|event| event.data["score"] == json!([0, 0]))
    );
    assert_eq!(moves[6].data["score"], json!([1, 0]));
    assert_eq!(moves[6].data["to_move"], 2);
    assert_eq!(ann.snapshot(id).await["score"], json!([1, 0]));
}

#[tokio::test]
async fn a_refused_move_says_why_and_changes_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    // Red holds a dead dot at 2,2 and the empty point beside it.
    play(
        [&ann, &bob],
        id,
        "1,2 2,2 2,1 0,0 3,1 0,1 4,2 0,2 2,3 0,3 3,3",
    )
    .await;
    let before = ann.snapshot(id).await;
    assert_eq!(
        (&before["score"], &before["to_move"]),
        (&json!([1, 0]), &json!(2))
    );

    for text in [
        "", "zz", "1", "1;2", "1,2,3", "+1,2", "1.5,2", "1,2\0", "١,٢", "a1", "null",
    ] {
        bob.moves(id, text, &[])
            .await
            .refused(400, "malformed_move");
    }
    for (mv, reason) in [
        ("5,0", "off_board"),
        ("0,5", "off_board"),
        ("-1,0", "off_board"),
        ("0,99999999999999999999999", "off_board"),
        ("-99999999999999999999999,0", "off_board"),
        ("1,2", "occupied"),
        ("0,0", "occupied"),
        ("2,2", "occupied"),
        ("3,2", "captured_area"),
    ] {
        let refused = bob.moves(id, mv, &[]).await;
        assert_eq!(refused.refused(422, "illegal")["reason"], reason, "{mv}");
    }
    ann.moves(id, "4,4", &[])
        .await
        .refused(409, "not_your_turn");
    for version in ["0", "10", "12", "4294967295"] {
        bob.moves(id, "4,4", &[("version", version)])
            .await
            .refused(409, "stale");
    }
    eve.moves(id, "4,4", &[]).await.refused(403, "not_a_player");
    eve.moves(id, "zz", &[]).await.refused(403, "not_a_player");
    eve.resigns(id).await.refused(403, "not_a_player");
    for unknown in [id + 1, 0, -1, i64::MAX] {
        bob.moves(unknown, "4,4", &[])
            .await
            .refused(404, "no_such_match");
        bob.resigns(unknown).await.refused(404, "no_such_match");
        bob.get(&format!("/api/match?id={unknown}"))
            .await
            .refused(404, "no_such_match");
    }
    assert_eq!(ann.snapshot(id).await, before);
    bob.moves(id, "4,4", &[("version", "11")]).await.given();
}

#[tokio::test]
async fn a_move_sent_twice_is_made_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let longest = "Az09_-".repeat(11);
    let named = |name| [("client_id", name), ("version", "0")];
    let name = &longest[..64];
    let first = ann.moves(id, "1,2", &named(name)).await.version();
    assert_eq!(first, 1);
    let again = async || {
        // With the version it was first sent with, and in another spelling of the same point.
        assert_eq!(ann.moves(id, "1,2", &named(name)).await.version(), 1);
        assert_eq!(
            ann.moves(id, "01, 2", &[("client_id", name)])
                .await
                .version(),
            1
        );
        ann.moves(id, "4,4", &named(name))
            .await
            .refused(409, "client_id_reused");
    };
    again().await;
    // The same name is another name in another player's mouth.
    bob.moves(id, "2,2", &[("client_id", name)]).await.given();
    again().await;
    ann.moves(id, "3,2", &[("client_id", "2")]).await.given();
    bob.resigns(id).await.given();
    again().await;
    ann.moves(id, "4,4", &[("client_id", "3")])
        .await
        .refused(409, "finished");
    ann.moves(id, "4,4", &[("client_id", &longest[..65])])
        .await
        .refused(400, "bad_request");
    assert_eq!(ann.snapshot(id).await["version"], 4);

    // A refused move leaves its name free; another match does not know the name.
    let next = start_match(&bob, &ann, SMALL).await;
    bob.moves(next, "5,5", &[("client_id", "x")])
        .await
        .refused(422, "illegal");
    bob.moves(next, "4,4", &[("client_id", "x")]).await.given();
    ann.moves(next, "3,3", &[("client_id", name)]).await.given();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_sent_many_times_at_once_is_made_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    for (player, mv) in [(&ann, "0,0"), (&bob, "1,1"), (&ann, "2,2")] {
        let form = [("client_id", mv.split_once(',').unwrap().0)];
        let answers = join_all((0..5).map(|_| player.moves(id, mv, &form))).await;
        let versions: Vec<_> = answers.iter().map(Answer::version).collect();
        assert!(
            versions.iter().all(|version| *version == versions[0]),
            "{versions:?}"
        );
    }
    let events: i64 = sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(events, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_moves_at_once_one_is_made() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, "{}").await;
    let mut made = Vec::new();
    for x in 0..10 {
        let mover = [&ann, &bob][x % 2];
        let (here, there) = (format!("{x},0"), format!("{x},1"));
        let version = x.to_string();
        let form = [("version", version.as_str())];
        let form = if x % 3 == 0 { &[][..] } else { &form };
        let answers = tokio::join!(mover.moves(id, &here, form), mover.moves(id, &there, form));
        let (one, other, mv) = if answers.0.status == 200 {
            (answers.0, answers.1, here)
        } else {
            (answers.1, answers.0, there)
        };
        assert_eq!(one.version() as usize, x + 1);
        assert_eq!(other.status, 409, "{other:?}");
        made.push(mv);
    }
    assert_eq!(ann.snapshot(id).await["moves"], json!(made));
}

#[tokio::test]
async fn giving_up_counts_at_any_time() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
    // Before the first move, and out of turn.
    assert_eq!(bob.resigns(id).await.version(), 1);
    let result = json!({
        "winner": 1, "reason": "resigned",
        "ratings": [{"before": 1600.0, "after": 1612.5}, {"before": 1600.0, "after": 1587.5}],
    });
    let told = stream.next().await;
    assert_eq!((told.id, told.name.as_str()), (Some(1), "finished"));
    assert_eq!(told.data, json!({"result": result}));
    for player in [&ann, &bob] {
        player.resigns(id).await.refused(409, "finished");
        player.moves(id, "1,1", &[]).await.refused(409, "finished");
    }
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["status"], "finished");
    assert_eq!(snapshot["result"], result);
    assert_eq!(snapshot["to_move"], Value::Null);

    // The next game begins from the new ratings.
    let next = start_match(&ann, &bob, SMALL).await;
    assert_eq!(ann.snapshot(next).await["players"][0]["rating"], 1612.5);
    ann.resigns(next).await.given();
    let ratings = ann.snapshot(next).await["result"]["ratings"].clone();
    let after = |seat: usize| ratings[seat]["after"].as_f64().unwrap();
    assert!((after(0) - 1_599.101_9).abs() < 0.001, "{ratings}");
    assert!((after(0) + after(1) - 3200.0).abs() < 1e-9, "{ratings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_rated_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    for played in 1..=4 {
        let id = start_match(&ann, &bob, SMALL).await;
        let answers = tokio::join!(
            ann.resigns(id),
            bob.resigns(id),
            ann.resigns(id),
            bob.resigns(id)
        );
        let all = [answers.0, answers.1, answers.2, answers.3];
        let won: Vec<_> = all.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(won.len(), 1, "{all:?}");
        let refused = all.iter().filter_map(Answer::code);
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
async fn a_match_for_nothing_leaves_the_ratings_alone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    ann.resigns(id).await.given();
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

/// Plays random moves until the board is full; the last answer.
async fn fill(players: [&Player; 2], id: i64, dots: &mut Dots, dice: &mut SmallRng) -> Answer {
    loop {
        let seat = dots.to_move().expect("the board is not full");
        let point = dots.free_points().choose(dice).expect("a free point");
        let name = format!("{}", dice.random::<u64>());
        let mv = point.to_string();
        let form = [("client_id", name.as_str())];
        let answer = players[seat.index()].moves(id, &mv, &form).await;
        dots.play(point).expect("it was free");
        if dots.outcome().is_some() {
            let again = players[seat.index()].moves(id, &mv, &form).await;
            assert_eq!(again.given(), answer.given(), "also for the last move");
            return answer;
        }
        answer.given();
    }
}

#[tokio::test]
async fn a_full_board_ends_the_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
    play([&ann, &bob], id, CAPTURE).await;
    let mut dots = Dots::new(&Setup::new(5, 5, Opening::Empty).unwrap());
    for mv in CAPTURE.split(' ') {
        dots.play(mv.parse().unwrap()).unwrap();
    }
    let last = fill([&ann, &bob], id, &mut dots, &mut SmallRng::seed_from_u64(7)).await;

    let events = stream.all_until("finished").await;
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
        player.moves(id, "0,0", &[]).await.refused(409, "finished");
        player.resigns(id).await.refused(409, "finished");
    }
}

#[tokio::test]
async fn a_draw_between_equals_changes_nothing_and_counts() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
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
            "ratings": [{"before": 1600.0, "after": 1600.0}, {"before": 1600.0, "after": 1600.0}],
        })
    );
    let games: Vec<i32> = sqlx::query_scalar("select games from ratings")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(games, [1, 1]);
}

#[tokio::test]
async fn who_runs_out_of_time_has_lost() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    // It began ten seconds ago, which we do not wait for.
    sqlx::query(
        "update matches set started_at = started_at - interval '10 s', deadline_at = deadline_at - interval '10 s'",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    let result = stream.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(2), &json!("time"))
    );
    ann.moves(id, "1,1", &[]).await.refused(409, "finished");
}

#[tokio::test]
async fn a_move_after_the_flag_has_fallen_is_too_late() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    // The sweeper does not know yet.
    sqlx::query("update matches set started_at = started_at - interval '10 s'")
        .execute(&app.db)
        .await
        .unwrap();
    ann.moves(id, "1,1", &[]).await.refused(409, "finished");
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["result"]["reason"], "time");
    assert_eq!(snapshot["moves"], json!([]));
    assert_eq!(snapshot["clock"]["running"], Value::Null);
}

#[tokio::test]
async fn clocks_are_charged_and_incremented() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "100+5")];
    let id = start_match_with(&ann, &bob, &form).await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    ann.moves(id, "1,1", &[]).await.given();
    let clock = stream.expect("moved").await["clock"].clone();
    let left = clock["left_ms"][0].as_i64().unwrap();
    assert!((100_000..=105_000).contains(&left), "{clock}");
    assert_eq!(clock["left_ms"][1], 100_000);
    assert_eq!(clock["running"], 2);
    assert_eq!(ann.snapshot(id).await["clock"], clock);
    let deadline: i64 = sqlx::query_scalar("select ms(deadline_at) from matches")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(deadline, clock["at"].as_i64().unwrap() + 100_000);
}

#[tokio::test]
async fn a_match_that_cannot_be_read_stops_no_other_clock() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let broken = start_match_with(&ann, &bob, &form).await;
    let (carol, dave) = (app.with_user("carol").await, app.with_user("dave").await);
    let id = start_match_with(&carol, &dave, &form).await;
    sqlx::query("update matches set setup = jsonb_build_object('width', 0) where id = $1")
        .bind(broken)
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query(
        "update matches set started_at = started_at - interval '10 s', deadline_at = started_at - interval '1 m' + id * interval '1 s'",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let mut stream = dave.stream(&format!("/events/match/{id}")).await;
    let result = stream.next_named("finished").await["result"].clone();
    assert_eq!(result["reason"], "time");
    assert_eq!(
        ann.get(&format!("/api/match?id={broken}")).await.status,
        500
    );
}
