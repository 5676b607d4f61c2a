//! The operator: what only they can see and do, and what becomes of those it is done to.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Answer, PASSWORD, Player};
use serde_json::{Value, json};

async fn with_boss() -> (TestApp, Player) {
    let app = TestApp::with(|settings| settings.operator = Some("Boss".to_owned())).await;
    let boss = app.with_user("boss").await;
    (app, boss)
}

impl Player {
    async fn desk(&self) -> Value {
        self.get("/api/operator_desk").await.given()
    }

    async fn does(&self, what: &str, player: &Player, more: &[(&str, &str)]) -> Answer {
        let player = player.id.to_string();
        let form = [&[("player", player.as_str())], more].concat();
        self.post(&format!("/api/operator_{what}"), &form).await
    }
}

/// What was done, latest first: what, to whom, and why.
fn audit(desk: &Value) -> Vec<[&str; 3]> {
    let acts = desk["audit"].as_array().expect("an audit").iter();
    acts.map(|act| ["act", "name", "why"].map(|key| act[key].as_str().unwrap_or("-")))
        .collect()
}

#[tokio::test]
async fn nobody_else_is_an_operator() {
    let (app, boss) = with_boss().await;
    let ann = app.with_user("ann").await;
    let id = ann.id.to_string();
    for (path, form) in [
        ("operator_dismiss", [("report", "1"), ("why", "")]),
        ("operator_mute", [("player", &*id), ("length", "ever")]),
        ("operator_close", [("player", &*id), ("closed", "true")]),
    ] {
        let path = format!("/api/{path}");
        ann.post(&path, &form).await.refused(403, "not_operator");
        let visitor = app.visitor();
        visitor.post(&path, &form).await.refused(401, "signed_out");
    }
    ann.get("/api/operator_desk")
        .await
        .refused(403, "not_operator");
    assert_eq!(ann.get("/operator").await.status, 404);
    assert_eq!(app.visitor().get("/operator").await.status, 404);
    assert_eq!(boss.get("/operator").await.status, 200);
    assert_eq!(
        boss.desk().await,
        json!({"reports": [], "waiting": 0, "found": [], "audit": [], "more": false})
    );
    ann.says("lobby", "I may still speak").await.given();
    // A guest may be called anything.
    sqlx::query("update players set guest = true, name = 'boss', name_key = null, password_hash = null where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    ann.get("/api/operator_desk")
        .await
        .refused(403, "not_operator");
    let plain = TestApp::init().await;
    let someone = plain.with_user("boss").await;
    someone
        .get("/api/operator_desk")
        .await
        .refused(403, "not_operator");
}

#[tokio::test]
async fn a_report_is_seen_to_and_what_was_done_is_written_down() {
    let (app, boss) = with_boss().await;
    let (ann, bob) = app.with_two().await;
    let message = bob.says("lobby", "you all stink").await.id("id");
    ann.reports(message, "rude").await.given();
    let other = bob.says("lobby", "sorry").await.id("id");
    ann.reports(other, "").await.given();
    let desk = boss.desk().await;
    assert_eq!(desk["waiting"], 2);
    let report = &desk["reports"][0];
    assert_eq!(report["from"]["name"], "ann");
    assert_eq!(report["about"]["player"]["name"], "bob");
    assert_eq!(
        (&report["text"], &report["reason"], &report["place"]),
        (&json!("you all stink"), &json!("rude"), &json!("lobby"))
    );
    let [first, second] = [0, 1].map(|n| desk["reports"][n]["id"].to_string());

    let hour = [
        ("length", "hour"),
        ("report", first.as_str()),
        ("why", "rude"),
    ];
    boss.does("mute", &bob, &hour).await.given();
    bob.says("lobby", "hm").await.refused(403, "muted");
    let form = [("report", second.as_str()), ("why", "polite")];
    boss.post("/api/operator_dismiss", &form).await.given();
    boss.post("/api/operator_dismiss", &form)
        .await
        .refused(404, "not_found");
    let desk = boss.desk().await;
    assert_eq!(desk["waiting"], 0);
    assert_eq!(
        audit(&desk),
        [
            ["dismissed", "bob", "polite"],
            ["muted_hour", "bob", "rude"]
        ]
    );
    assert_eq!(desk["audit"][0]["operator"], "boss");

    sqlx::query("update players set muted_until = muted_until - interval '1 hour'")
        .execute(&app.db)
        .await
        .unwrap();
    bob.says("lobby", "back again").await.given();
    for (length, act) in [("day", "muted_day"), ("ever", "muted_ever")] {
        boss.does("mute", &bob, &[("length", length)]).await.given();
        bob.says("lobby", "hm").await.refused(403, "muted");
        assert_eq!(audit(&boss.desk().await)[0], [act, "bob", ""]);
    }
    boss.does("mute", &bob, &[("length", "none")]).await.given();
    bob.says("lobby", "thanks").await.given();
    boss.does("mute", &bob, &[("length", "week")])
        .await
        .refused(400, "bad_request");
    boss.does("mute", &boss, &[("length", "day")])
        .await
        .refused(400, "yourself");
    let nobody = [("player", "999999"), ("length", "day")];
    boss.post("/api/operator_mute", &nobody)
        .await
        .refused(404, "no_such_player");
    assert_eq!(audit(&boss.desk().await).len(), 5, "refusals are no acts");
}

#[tokio::test]
async fn a_closed_account_has_no_session_no_stream_and_no_game() {
    let (app, boss) = with_boss().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let lobby = ann.waits().await;
    let elsewhere = ann.moved_to(there.address).waits().await;
    let mut bobs = bob.stream(&format!("/events/match/{id}")).await;
    boss.does("close", &ann, &[("closed", "true"), ("why", "cheats")])
        .await
        .given();
    let finished = bobs.next_named("finished").await;
    assert_eq!(finished["result"]["reason"], "resigned");
    assert_eq!(finished["result"]["winner"], 2);
    // Both streams end, that of the other instance a little later.
    lobby.rest().await;
    elsewhere.rest().await;
    assert_eq!(ann.get("/api/whoami").await.given(), Value::Null);
    ann.says("lobby", "still here")
        .await
        .refused(401, "signed_out");
    let sign_in = |password| {
        let visitor = app.visitor();
        async move {
            let form = [("name", "ann"), ("password", password)];
            visitor.post("/api/login", &form).await
        }
    };
    sign_in(PASSWORD).await.refused(403, "account_closed");
    sign_in("wrong password")
        .await
        .refused(401, "bad_credentials");

    let desk = boss.get("/api/operator_desk?find=AN").await.given();
    assert_eq!(desk["found"][0]["player"]["name"], "ann");
    assert!(desk["found"][0]["closed_at"].is_number());
    boss.does("close", &ann, &[("closed", "false")])
        .await
        .given();
    sign_in(PASSWORD).await.given();
    assert_eq!(
        audit(&boss.desk().await),
        [["opened", "ann", ""], ["closed", "ann", "cheats"]]
    );
}

#[tokio::test]
async fn even_a_session_that_is_left_over_is_none() {
    let (app, _boss) = with_boss().await;
    let ann = app.with_user("ann").await;
    sqlx::query("update players set closed_at = now() where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(ann.get("/api/whoami").await.given(), Value::Null);
}

#[tokio::test]
async fn what_was_done_is_read_page_by_page_and_players_are_found_by_name() {
    let (app, boss) = with_boss().await;
    let ann = app.with_user("Ann_1").await;
    app.with_user("Annika").await;
    app.with_user("joanna").await;
    for _ in 0..16 {
        for length in ["hour", "none"] {
            boss.does("mute", &ann, &[("length", length)]).await.given();
        }
    }
    let first = boss.desk().await;
    assert_eq!((audit(&first).len(), &first["more"]), (30, &json!(true)));
    let second = boss.get("/api/operator_desk?page=1").await.given();
    assert_eq!((audit(&second).len(), &second["more"]), (2, &json!(false)));
    let page = boss.get("/operator?page=1").await;
    assert!(page.text.contains("Ann_1"), "{}", page.text);
    for (find, names) in [
        ("ann", &["Ann_1", "Annika"][..]),
        ("ANN_", &["Ann_1"]),
        ("%25", &[]),
        ("na", &[]),
    ] {
        let desk = boss
            .get(&format!("/api/operator_desk?find={find}"))
            .await
            .given();
        let found = desk["found"].as_array().unwrap().iter();
        let found: Vec<_> = found
            .map(|one| one["player"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names, "{find}");
    }
}
