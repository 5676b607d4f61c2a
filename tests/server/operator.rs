//! Moderation: the pages and actions of the operator alone, and their effects.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{PASSWORD, Player, Response};
use serde_json::{Value, json};

pub(crate) async fn with_operator() -> (TestApp, Player) {
    let app = TestApp::init().await;
    let boss = app.with_operator("boss").await;
    (app, boss)
}

impl Player {
    pub(crate) async fn overview(&self) -> Value {
        self.get("/api/operator_desk").await.assert_ok()
    }

    pub(crate) async fn act(&self, what: &str, player: &Player, more: &[(&str, &str)]) -> Response {
        let player = player.id.to_string();
        let form = [&[("player", player.as_str())], more].concat();
        self.post(&format!("/api/operator_{what}"), &form).await
    }
}

/// Returns the audit, latest first: action, player and reason. Without the appointment of the operator, the first entry of all.
pub(crate) fn audit(overview: &Value) -> Vec<[&str; 3]> {
    let acts = overview["audit"].as_array().expect("an audit").iter();
    let acts = acts.filter(|act| act["act"] != "operator_added");
    acts.map(|act| ["act", "name", "why"].map(|key| act[key].as_str().unwrap_or("-")))
        .collect()
}

#[tokio::test]
async fn operator_endpoints_need_the_operator() {
    let (app, boss) = with_operator().await;
    let ann = app.with_user("ann").await;
    let id = ann.id.to_string();
    for (path, form) in [
        ("operator_dismiss", [("report", "1"), ("why", "")]),
        ("operator_mute", [("player", &*id), ("length", "ever")]),
        ("operator_close", [("player", &*id), ("closed", "true")]),
        ("operator_remove_message", [("message", "1"), ("why", "")]),
    ] {
        let path = format!("/api/{path}");
        ann.post(&path, &form)
            .await
            .assert_error(403, "not_operator");
        let visitor = app.visitor();
        visitor
            .post(&path, &form)
            .await
            .assert_error(401, "signed_out");
    }
    ann.get("/api/operator_desk")
        .await
        .assert_error(403, "not_operator");
    assert_eq!(ann.get("/operator").await.status, 404);
    assert_eq!(app.visitor().get("/operator").await.status, 404);
    assert_eq!(boss.get("/operator").await.status, 200);
    let mut overview = boss.overview().await;
    let appointed = overview["audit"][0].take();
    assert_eq!(
        [
            &appointed["operator"],
            &appointed["act"],
            &appointed["name"]
        ],
        ["tochki operator", "operator_added", "boss"]
    );
    assert_eq!(
        overview,
        json!({"reports": [], "more_reports": false, "waiting": 0, "found": [], "audit": [null], "more": false})
    );
    ann.say("lobby", "I may still speak").await.assert_ok();
    // The name alone makes nobody an operator.
    let plain = TestApp::init().await;
    let someone = plain.with_user("boss").await;
    someone
        .get("/api/operator_desk")
        .await
        .assert_error(403, "not_operator");
}

#[tokio::test]
async fn report_is_handled_and_audited() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let message = bob.say("lobby", "you all stink").await.id("id");
    ann.report(message, "rude").await.assert_ok();
    let other = bob.say("lobby", "sorry").await.id("id");
    ann.report(other, "").await.assert_ok();
    let overview = boss.overview().await;
    assert_eq!(overview["waiting"], 2);
    let report = &overview["reports"][0];
    assert_eq!(report["from"]["name"], "ann");
    assert_eq!(report["about"]["player"]["name"], "bob");
    assert_eq!(
        (&report["text"], &report["reason"], &report["place"]),
        (&json!("you all stink"), &json!("rude"), &json!("lobby"))
    );
    let [first, second] = [0, 1].map(|n| overview["reports"][n]["id"].to_string());

    let hour = [
        ("length", "hour"),
        ("report", first.as_str()),
        ("why", "rude"),
    ];
    boss.act("mute", &bob, &hour).await.assert_ok();
    bob.say("lobby", "hm").await.assert_error(403, "muted");
    let form = [("report", second.as_str()), ("why", "polite")];
    boss.post("/api/operator_dismiss", &form).await.assert_ok();
    boss.post("/api/operator_dismiss", &form)
        .await
        .assert_error(404, "not_found");
    let overview = boss.overview().await;
    assert_eq!(overview["waiting"], 0);
    assert_eq!(
        audit(&overview),
        [
            ["dismissed", "bob", "polite"],
            ["muted_hour", "bob", "rude"]
        ]
    );
    assert_eq!(overview["audit"][0]["operator"], "boss");

    sqlx::query("update players set muted_until = muted_until - interval '1 hour'")
        .execute(&app.db)
        .await
        .unwrap();
    bob.say("lobby", "back again").await.assert_ok();
    for (length, act) in [("day", "muted_day"), ("ever", "muted_ever")] {
        boss.act("mute", &bob, &[("length", length)])
            .await
            .assert_ok();
        bob.say("lobby", "hm").await.assert_error(403, "muted");
        assert_eq!(audit(&boss.overview().await)[0], [act, "bob", ""]);
    }
    boss.act("mute", &bob, &[("length", "none")])
        .await
        .assert_ok();
    bob.say("lobby", "thanks").await.assert_ok();
    boss.act("mute", &bob, &[("length", "week")])
        .await
        .assert_error(400, "bad_request");
    boss.act("mute", &boss, &[("length", "day")])
        .await
        .assert_error(400, "yourself");
    let nobody = [("player", "999999"), ("length", "day")];
    boss.post("/api/operator_mute", &nobody)
        .await
        .assert_error(404, "no_such_player");
    assert_eq!(
        audit(&boss.overview().await).len(),
        5,
        "refused actions are not audited"
    );
}

#[tokio::test]
async fn closing_an_account_ends_sessions_streams_and_matches() {
    let (app, boss) = with_operator().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let lobby = ann.join_lobby().await;
    let elsewhere = ann.at_instance(there.address).join_lobby().await;
    let mut bobs = bob.stream(&format!("/events/match/{id}")).await;
    boss.act("close", &ann, &[("closed", "true"), ("why", "cheats")])
        .await
        .assert_ok();
    let finished = bobs.next_named("finished").await;
    assert_eq!(finished["result"]["reason"], "resigned");
    assert_eq!(finished["result"]["winner"], 2);
    // Both streams end, the other instance's after its next poll.
    lobby.collect_rest().await;
    elsewhere.collect_rest().await;
    assert_eq!(ann.get("/api/whoami").await.assert_ok(), Value::Null);
    ann.say("lobby", "still here")
        .await
        .assert_error(401, "signed_out");
    let sign_in = |password| {
        let visitor = app.visitor();
        async move {
            let form = [("name", "ann"), ("password", password)];
            visitor.post("/api/login", &form).await
        }
    };
    sign_in(PASSWORD).await.assert_error(403, "account_closed");
    sign_in("wrong password")
        .await
        .assert_error(401, "bad_credentials");

    let overview = boss.get("/api/operator_desk?find=AN").await.assert_ok();
    assert_eq!(overview["found"][0]["player"]["name"], "ann");
    assert!(overview["found"][0]["closed_at"].is_number());
    boss.act("close", &ann, &[("closed", "false")])
        .await
        .assert_ok();
    sign_in(PASSWORD).await.assert_ok();
    assert_eq!(
        audit(&boss.overview().await),
        [["opened", "ann", ""], ["closed", "ann", "cheats"]]
    );
}

#[tokio::test]
async fn leftover_session_of_a_closed_account_is_invalid() {
    let (app, _boss) = with_operator().await;
    let ann = app.with_user("ann").await;
    sqlx::query("update players set closed_at = now() where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(ann.get("/api/whoami").await.assert_ok(), Value::Null);
}

#[tokio::test]
async fn audit_is_paged_and_players_are_searchable() {
    let (app, boss) = with_operator().await;
    let ann = app.with_user("Ann_1").await;
    app.with_user("Annika").await;
    app.with_user("joanna").await;
    for _ in 0..16 {
        for length in ["hour", "none"] {
            boss.act("mute", &ann, &[("length", length)])
                .await
                .assert_ok();
        }
    }
    let first = boss.overview().await;
    assert_eq!((audit(&first).len(), &first["more"]), (30, &json!(true)));
    let second = boss.get("/api/operator_desk?page=1").await.assert_ok();
    assert_eq!((audit(&second).len(), &second["more"]), (2, &json!(false)));
    assert_eq!(second["audit"][2]["act"], "operator_added");
    let page = boss.get("/operator?page=1").await;
    assert!(page.text.contains("Ann_1"), "{}", page.text);
    for (find, names) in [
        ("ann", &["Ann_1", "Annika"][..]),
        ("ANN_", &["Ann_1"]),
        ("%25", &[]),
        ("na", &[]),
    ] {
        let overview = boss
            .get(&format!("/api/operator_desk?find={find}"))
            .await
            .assert_ok();
        let found = overview["found"].as_array().unwrap().iter();
        let found: Vec<_> = found
            .map(|one| one["player"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names, "{find}");
    }
}
