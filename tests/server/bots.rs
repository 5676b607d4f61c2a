//! Bots: becoming a bot, its mark, and the games that it plays for.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{PASSWORD, Player};
use serde_json::{Value, json};
use tochki_protocol::limits::RANKED_MATCHES;
use tochki_server::moderation;

async fn become_bot(player: &Player) {
    player
        .post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_ok();
}

/// Starts a match that both begin and `loser` resigns.
async fn play(first: &Player, second: &Player) -> Value {
    let id = start_match(first, second, SMALL).await;
    begin(first, second, id).await;
    second.resign(id).await.assert_ok();
    first.snapshot(id).await
}

async fn names(app: &TestApp, path: &str) -> Vec<String> {
    let answer = app.visitor().get(path).await.assert_ok();
    let list = answer.get("players").unwrap_or(&answer).clone();
    list.as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["player"]["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn only_a_new_account_becomes_a_bot_and_stays_one() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    ann.post("/api/become_bot", &[("password", "wrong horse")])
        .await
        .assert_error(403, "wrong_password");
    let id = start_match(&ann, &bob, SMALL).await;
    for player in [&ann, &bob] {
        let form = [("password", PASSWORD)];
        player
            .post("/api/become_bot", &form)
            .await
            .assert_error(409, "cannot_become_bot");
    }
    // Also when it has been aborted.
    ann.abort(id).await.assert_ok();
    ann.post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_error(409, "cannot_become_bot");
    let opal = app.with_operator("opal").await;
    opal.post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_error(409, "cannot_become_bot");

    let robot = app.with_user("robot").await;
    become_bot(&robot).await;
    become_bot(&robot).await;
    let expected = json!({"id": robot.id, "name": "robot", "bot": true});
    assert_eq!(robot.get("/api/whoami").await.assert_ok(), expected);
    assert!(moderation::appoint(&app.db, "robot").await.is_err());
    let program = robot.as_program("play").await;
    program
        .post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_error(403, "out_of_scope");
    let account = robot.get("/api/my_data").await.assert_ok()["account"].clone();
    assert_eq!(account["bot"], true);
}

#[tokio::test]
async fn a_bot_is_marked_wherever_its_name_stands() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    become_bot(&robot).await;
    let mut room = ann.join_lobby().await;
    let _waiting = robot.stream("/events/me?available=dots").await;
    assert_eq!(room.next_named("joined").await["bot"], true);
    let challenge = ann.challenge(&robot, &[("setup", SMALL)]).await.id("id");
    let challenged = room.next_named("challenged").await;
    assert_eq!(challenged["to"]["bot"], true);
    assert!(challenged["from"].get("bot").is_none());
    assert_eq!(challenged["rated"], false, "the challenge says so");
    let id = robot.answer_challenge(challenge, true).await.id("match");
    assert_eq!(
        room.next_named("match_started").await["players"][1]["bot"],
        true
    );
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["players"][1]["bot"], true);
    assert_eq!(snapshot["rated"], false);
    let page = ann.get(&format!("/match/{id}")).await.text;
    assert!(
        page.contains(r#"class="guest">bot<"#),
        "the page of the match"
    );
    robot
        .post("/api/say", &[("place", &*id.to_string()), ("text", "beep")])
        .await
        .assert_ok();
    let talk = ann.get(&format!("/api/talk?place={id}")).await.assert_ok();
    assert_eq!(talk["messages"][0]["from"]["bot"], true);
    robot.abort(id).await.assert_ok();
    let profile = ann.get("/api/profile?name=robot").await.assert_ok();
    assert_eq!(profile["bot"], true);
    assert!(ann.get("/@robot").await.text.contains("This is a bot."));
    let table = robot.open_table(&[]).await.assert_ok();
    assert_eq!(table["creator"]["bot"], true);
    assert_eq!(
        (&table["seats"][0]["bot"], &table["rated"]),
        (&json!(true), &json!(true))
    );
    let sat = ann
        .post("/api/sit", &[("table", &*table["id"].to_string())])
        .await;
    assert_eq!(sat.assert_ok()["rated"], false);
}

#[tokio::test]
async fn a_program_is_challenged_with_the_clocks_that_it_says_it_takes() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    become_bot(&robot).await;
    let challenge = async |clock: &str| {
        ann.challenge(&robot, &[("setup", SMALL), ("clock", clock)])
            .await
    };
    // A stream without the word, with it, and again without it.
    for (available, takes) in [("dots", false), ("dots,clocks", true), ("dots", false)] {
        let path = format!("/events/me?available={available}");
        let mut waiting = robot.stream(&path).await;
        waiting.expect("snapshot").await;
        for clock in ["none", "300+5"] {
            let sent = challenge(clock).await.id("id");
            ann.cancel_challenge(sent).await.assert_ok();
        }
        for clock in ["25/300", "600~30x5", "0~10x3"] {
            let sent = challenge(clock).await;
            if takes {
                ann.cancel_challenge(sent.id("id")).await.assert_ok();
            } else {
                sent.assert_error(400, "invalid_clock");
            }
        }
    }
    // People take all of them.
    let bob = app.with_user("bob").await;
    let _room = bob.join_lobby().await;
    let form = [("setup", SMALL), ("clock", "25/300")];
    ann.challenge(&bob, &form).await.assert_ok();
}

#[tokio::test]
async fn bots_have_ratings_and_standings_among_themselves() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (one, two) = (app.with_user("one").await, app.with_user("two").await);
    become_bot(&one).await;
    become_bot(&two).await;
    let mixed = play(&ann, &one).await;
    assert_eq!(
        (&mixed["rated"], &mixed["result"]["ratings"]),
        (&json!(false), &Value::Null)
    );
    for _ in 0..RANKED_MATCHES {
        let of_bots = play(&one, &two).await;
        assert_eq!(of_bots["rated"], true);
        assert!(of_bots["result"]["ratings"][0]["after"].as_f64() > Some(1600.0));
        let of_people = play(&ann, &bob).await;
        assert_eq!(of_people["rated"], true);
    }

    for path in [
        "/api/standings?game=dots",
        "/api/standings?game=dots&bots=false",
        "/api/top?game=dots",
    ] {
        assert_eq!(names(&app, path).await, ["ann", "bob"], "{path}");
    }
    assert_eq!(
        names(&app, "/api/standings?game=dots&bots=true").await,
        ["one", "two"]
    );
    let standings = one
        .get("/api/standings?game=dots&bots=true")
        .await
        .assert_ok();
    assert_eq!(standings["players"][0]["player"]["bot"], true);
    assert_eq!(
        (&standings["total"], &standings["mine"][0]["place"]),
        (&json!(2), &json!(1))
    );
    let standings = one.get("/api/standings?game=dots").await.assert_ok();
    assert_eq!(
        (&standings["total"], &standings["mine"]),
        (&json!(2), &Value::Null)
    );
    let page = app.visitor().get("/standings/dots?bots=true").await.text;
    assert!(page.contains(">one<") && !page.contains(">ann<"));
    let page = app.visitor().get("/standings/dots").await.text;
    assert!(page.contains(">ann<") && !page.contains(">one<"));
}

#[tokio::test]
async fn what_a_person_had_open_ends_when_they_become_a_bot() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    let (_ann, _robot) = (ann.join_lobby().await, robot.join_lobby().await);
    let table = robot.open_table(&[]).await.assert_ok();
    let challenge = ann.challenge(&robot, &[]).await.id("id");
    become_bot(&robot).await;
    robot
        .answer_challenge(challenge, true)
        .await
        .assert_error(404, "challenge_closed");
    let link = table["link"].as_str().unwrap();
    let table = ann.get(&format!("/api/table?link={link}")).await;
    assert!(
        table.status == 404 || table.json()["closed"] == true,
        "{table:?}"
    );
    let page = robot.get("/account").await.text;
    assert!(page.contains("This is a bot account"));
    assert!(
        app.visitor()
            .get("/rules")
            .await
            .text
            .contains("without help from engines")
    );
}
