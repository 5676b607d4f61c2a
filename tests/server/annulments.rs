//! Annulled matches: both players get back what the match gave or took, once, and are told.

use super::app::{SMALL, TestApp, start_match, start_match_with};
use super::operator::{audit, with_operator};
use super::player::{Player, Response};
use serde_json::{Value, json};

impl Player {
    async fn annul(&self, id: i64, why: &str) -> Response {
        let id = id.to_string();
        let form = [("match_id", id.as_str()), ("why", why)];
        self.post("/api/operator_annul", &form).await
    }
}

/// Plays a rated match that `loser` resigns after a move of each.
async fn lost_match(winner: &Player, loser: &Player) -> i64 {
    let id = start_match(winner, loser, SMALL).await;
    winner.make_move(id, "0,0", &[]).await.assert_ok();
    loser.make_move(id, "1,1", &[]).await.assert_ok();
    loser.resign(id).await.assert_ok();
    id
}

/// Plays a rated match that ends in an agreed draw after a move of each.
async fn drawn_match(one: &Player, other: &Player) -> i64 {
    let id = start_match(one, other, SMALL).await;
    one.make_move(id, "0,0", &[]).await.assert_ok();
    other.make_move(id, "1,1", &[]).await.assert_ok();
    one.offer(id, "draw").await.assert_ok();
    other.answer_offer(id, true).await.assert_ok();
    id
}

/// Returns the rating and the number of rated games.
async fn rating(app: &TestApp, player: &Player) -> (f64, i32) {
    sqlx::query_as("select rating, games from ratings where player_id = $1 and game = 'dots'")
        .bind(player.id)
        .fetch_one(&app.db)
        .await
        .unwrap()
}

/// Returns the row of a player in `tallies` as JSON, without its key.
async fn tally(app: &TestApp, player: &Player) -> Option<Value> {
    sqlx::query_scalar(
        "select to_jsonb(t) - 'player_id' - 'game' from tallies t where player_id = $1 and game = 'dots'",
    )
    .bind(player.id)
    .fetch_optional(&app.db)
    .await
    .unwrap()
}

async fn profile(player: &Player) -> Value {
    let path = format!("/api/profile?name={}&game=dots", player.name);
    player.get(&path).await.assert_ok()
}

#[track_caller]
fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-9, "{got} is not {expected}");
}

#[tokio::test]
async fn both_players_get_back_what_the_match_gave_or_took() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    lost_match(&ann, &bob).await;
    let annulled = lost_match(&ann, &bob).await;
    lost_match(&eve, &ann).await;
    lost_match(&ann, &eve).await;
    let before = (rating(&app, &ann).await, rating(&app, &bob).await);
    let events_before: Vec<String> =
        sqlx::query_scalar("select body from match_events where match_id = $1 order by version")
            .bind(annulled)
            .fetch_all(&app.db)
            .await
            .unwrap();
    let snapshot = ann.snapshot(annulled).await;
    assert_eq!(snapshot.get("annulled"), None);
    let change = |seat: usize| {
        let change = &snapshot["result"]["ratings"][seat];
        change["after"].as_f64().unwrap() - change["before"].as_f64().unwrap()
    };
    boss.annul(annulled, "arranged").await.assert_ok();

    for (player, (rating_before, games), seat) in [(&ann, before.0, 0), (&bob, before.1, 1)] {
        let (now, games_now) = rating(&app, player).await;
        assert_near(now, rating_before - change(seat));
        assert_eq!(games_now, games - 1);
        let profile = profile(player).await;
        let last = profile["graph"].as_array().unwrap().last().unwrap();
        assert_near(last["rating"].as_f64().unwrap(), now);
        let game = &profile["games"][0];
        assert_near(game["rating"].as_f64().unwrap(), now);
        assert_eq!(game["rated"], games - 1);
    }
    // Ann: won, annulled, lost, won.
    assert_eq!(
        tally(&app, &ann).await.unwrap(),
        json!({"won1": 2, "drawn1": 0, "lost1": 0, "won2": 0, "drawn2": 0, "lost2": 1,
            "run_of": 1, "run": 1, "best_run": 1})
    );
    assert_eq!(
        tally(&app, &bob).await.unwrap(),
        json!({"won1": 0, "drawn1": 0, "lost1": 0, "won2": 0, "drawn2": 0, "lost2": 1,
            "run_of": -1, "run": 1, "best_run": 0})
    );
    let between = ann
        .get(&format!("/api/profile?name={}", bob.name))
        .await
        .assert_ok();
    assert_eq!(
        between["between"],
        json!([{"game": "dots", "tally": {"won": 1, "drawn": 0, "lost": 0}}])
    );

    let snapshot = bob.snapshot(annulled).await;
    assert_eq!(snapshot["annulled"], true);
    assert_eq!(snapshot["result"]["winner"], 1);
    let events: Vec<String> =
        sqlx::query_scalar("select body from match_events where match_id = $1 order by version")
            .bind(annulled)
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(events, events_before, "stored events do not change");
    assert_eq!(
        audit(&boss.overview().await),
        [["annulled", "-", "arranged"]]
    );
    let overview = boss.overview().await;
    assert_eq!(overview["audit"][0]["match"], annulled);
}

#[tokio::test]
async fn a_match_is_annulled_once() {
    let (app, boss) = with_operator().await;
    let chief = app.with_operator("chief").await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    let asked: Vec<_> = (0..8)
        .map(|n| if n % 2 == 0 { &boss } else { &chief })
        .map(|operator| operator.annul(id, ""))
        .collect();
    let answers = futures::future::join_all(asked).await;
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.assert_error(409, "annulled");
    }
    for player in [&ann, &bob] {
        assert_eq!(rating(&app, player).await, (1600.0, 0));
        assert_eq!(tally(&app, player).await, None);
    }
    assert_eq!(audit(&boss.overview().await).len(), 1);
    let standings = ann.get("/api/standings?game=dots").await.assert_ok();
    assert_eq!(standings["total"], 0);
}

#[tokio::test]
async fn matches_that_end_meanwhile_are_counted() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    // No more, because two players have five rated matches a day.
    for _ in 0..2 {
        let annulled = lost_match(&ann, &bob).await;
        let running = start_match(&bob, &ann, SMALL).await;
        bob.make_move(running, "0,0", &[]).await.assert_ok();
        ann.make_move(running, "1,1", &[]).await.assert_ok();
        let (annul, resign) = tokio::join!(boss.annul(annulled, ""), ann.resign(running));
        annul.assert_ok();
        resign.assert_ok();
    }
    let counts = json!({"won1": 0, "drawn1": 0, "lost1": 0, "won2": 0, "drawn2": 0, "lost2": 2,
        "run_of": -1, "run": 2, "best_run": 0});
    assert_eq!(tally(&app, &ann).await.unwrap(), counts);
    let ((anns, games), (bobs, _)) = (rating(&app, &ann).await, rating(&app, &bob).await);
    assert_eq!(games, 2);
    assert_near(anns + bobs, 3200.0);
    assert!(anns < 1600.0);
}

#[tokio::test]
async fn streaks_are_counted_again() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    lost_match(&ann, &bob).await;
    lost_match(&ann, &bob).await;
    let draw = drawn_match(&ann, &bob).await;
    lost_match(&ann, &bob).await;
    boss.annul(draw, "").await.assert_ok();
    let tally = tally(&app, &ann).await.unwrap();
    assert_eq!(
        [
            &tally["won1"],
            &tally["drawn1"],
            &tally["run"],
            &tally["best_run"]
        ],
        [3, 0, 3, 3]
    );
}

#[tokio::test]
async fn only_finished_rated_matches_can_be_annulled() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    boss.annul(999_999, "")
        .await
        .assert_error(404, "no_such_match");
    let id = start_match(&ann, &bob, SMALL).await;
    boss.annul(id, "").await.assert_error(409, "not_finished");
    ann.annul(id, "").await.assert_error(403, "not_operator");
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    ann.resign(id).await.assert_ok();
    let unrated = start_match_with(&ann, &bob, &[("setup", SMALL), ("rated", "false")]).await;
    ann.make_move(unrated, "0,0", &[]).await.assert_ok();
    bob.make_move(unrated, "1,1", &[]).await.assert_ok();
    ann.resign(unrated).await.assert_ok();
    boss.annul(unrated, "").await.assert_error(409, "not_rated");
    assert_eq!(audit(&boss.overview().await).len(), 0);
}

/// Returns whether the page of a rated match shows that it is annulled. The note is always there, for pages that are open.
#[track_caller]
fn shows_note(page: &str) -> bool {
    let (before, after) = page.split_once("id=\"annulled-note\"").expect("a note");
    let start = before.rfind('<').expect("its tag");
    let end = after.find('>').expect("the end of its tag");
    !before[start..].contains("hidden") && !after[..end].contains("hidden")
}

#[tokio::test]
async fn both_players_are_told() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    stream.next_named("finished").await;
    for path in [format!("/match/{id}"), format!("/match/{id}/replay")] {
        assert!(!shows_note(&bob.get(&path).await.text), "{path}");
    }
    boss.annul(id, "").await.assert_ok();
    stream.next_named("resync").await;
    stream.next_named("annulled").await;
    for (player, other, before) in [(&ann, "bob", 1612.5), (&bob, "ann", 1587.5)] {
        let notices = player.get("/api/notices").await.assert_ok();
        assert_eq!(notices.as_array().unwrap().len(), 1);
        let notice = &notices[0];
        assert_eq!(
            (&notice["match"], &notice["game"]),
            (&id.into(), &"dots".into())
        );
        assert_eq!(notice["opponent"], other);
        assert_near(notice["before"].as_f64().unwrap(), before);
        assert_near(notice["after"].as_f64().unwrap(), 1600.0);
        let text = format!("An operator annulled your game against {other} (Dots).");
        let own = format!("/@{}", player.name);
        for path in ["/play", "/history", &own] {
            let page = player.get(path).await.text;
            assert!(page.contains(&text), "{path}: {page}");
        }
        // On another's profile it is nobody's business.
        let page = player.get(&format!("/@{other}")).await.text;
        assert!(!page.contains(&text), "{page}");
        player.post("/api/notices_read", &[]).await.assert_ok();
        assert_eq!(player.get("/api/notices").await.assert_ok(), json!([]));
        assert!(!player.get("/play").await.text.contains(&text));
        let history = player.get("/api/history").await.assert_ok();
        assert_eq!(history["games"][0]["annulled"], true);
        assert_eq!(history["games"][0]["rating"], Value::Null);
        for (result, total) in [("won", 0), ("lost", 0)] {
            let path = format!("/api/history?result={result}");
            assert_eq!(player.get(&path).await.assert_ok()["total"], total);
        }
        for path in [format!("/match/{id}"), format!("/match/{id}/replay")] {
            assert!(shows_note(&player.get(&path).await.text), "{path}");
        }
        for path in [own, "/history".to_owned()] {
            let page = player.get(&path).await.text;
            assert!(page.contains("Annulled"), "{path}: {page}");
        }
    }
    assert_eq!(boss.get("/api/notices").await.assert_ok(), json!([]));
    // A stream that begins now is told nothing twice.
    let mut again = bob.stream(&format!("/events/match/{id}")).await;
    again.next_named("finished").await;
    ann.say(id, "well").await.assert_ok();
    let events = again.collect_until("said").await;
    assert!(
        events
            .iter()
            .all(|event| event.name != "resync" && event.name != "annulled"),
        "{events:?}"
    );
}

/// Players with an open page are told, wherever they are, and at whichever instance.
#[tokio::test]
async fn who_has_a_page_open_is_told_at_once() {
    let (app, boss) = with_operator().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut matches = Vec::new();
    for _ in 0..2 {
        matches.push(lost_match(&ann, &bob).await);
    }
    let others = start_match_with(&boss, &eve, &[("setup", SMALL)]).await;
    let bob_there = bob.at_instance(there.address);
    let mut streams = [
        ann.stream("/events/lobby?game=gomoku").await,
        ann.stream("/events/me").await,
        ann.stream(&format!("/events/match/{others}")).await,
        bob_there.stream("/events/lobby?game=dots").await,
    ];
    let mut eves = eve.stream("/events/me").await;
    eves.next_named("snapshot").await;
    for id in &matches {
        boss.annul(*id, "").await.assert_ok();
        for (number, stream) in streams.iter_mut().enumerate() {
            let notice = stream.next_named("rating_corrected").await;
            assert_eq!(
                (&notice["match"], &notice["game"]),
                (&json!(id), &json!("dots"))
            );
            let other = if number < 3 { "bob" } else { "ann" };
            assert_eq!(notice["opponent"], other);
            assert!(notice["before"] != notice["after"]);
        }
    }
    // It is nobody else's business.
    boss.make_move(others, "1,1", &[]).await.assert_ok();
    let told = eves.collect_until("your_move").await;
    assert!(told.iter().all(|event| event.name != "rating_corrected"));
}

#[tokio::test]
async fn the_other_player_is_repaid_when_one_has_gone() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    let form = [("password", super::player::PASSWORD)];
    ann.post("/api/delete_account", &form).await.assert_ok();
    boss.annul(id, "").await.assert_ok();
    assert_eq!(rating(&app, &bob).await, (1600.0, 0));
    assert_eq!(tally(&app, &bob).await, None);
}

#[tokio::test]
async fn only_operators_are_offered_to_annul() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    for path in [format!("/match/{id}"), format!("/match/{id}/replay")] {
        assert!(boss.get(&path).await.text.contains("/api/operator_annul"));
        assert!(!ann.get(&path).await.text.contains("/api/operator_annul"));
    }
    boss.annul(id, "").await.assert_ok();
    let page = boss.get(&format!("/match/{id}/replay")).await.text;
    assert!(!page.contains("/api/operator_annul"), "{page}");
}
