//! Requests whose bodies are JSON instead of forms.

use super::app::TestApp;
use super::player::{PASSWORD, Player, Response, Visitor, send};
use serde_json::{Value, json};

/// Posts a JSON body.
async fn post(visitor: &Visitor, path: &str, body: &Value) -> Response {
    send(
        visitor
            .post_request(path)
            .header("content-type", "application/json; charset=utf-8")
            .body(body.to_string()),
    )
    .await
}

async fn register(app: &TestApp, name: &str) -> Player {
    let visitor = app.visitor();
    let account = json!({"name": name, "password": PASSWORD});
    let id = post(&visitor, "/api/register", &account).await.id("id");
    Player::from_visitor(visitor, id, name.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_with_json_bodies() {
    let app = TestApp::init().await;
    let (ann, bob) = (register(&app, "ann").await, register(&app, "bob").await);
    let _waiting = (ann.join_lobby().await, bob.join_lobby().await);
    let challenge = json!({
        "opponent": bob.id, "game": "dots", "setup": {"width": 20, "height": 21, "start": "cross"},
        "clock": "300+5", "rated": false,
    });
    let challenge = post(&ann, "/api/challenge", &challenge).await.id("id");
    let answer = json!({"id": challenge, "accept": true});
    let id = post(&bob, "/api/answer_challenge", &answer)
        .await
        .id("match");
    let snapshot = ann.snapshot(id).await;
    assert_eq!(
        snapshot["setup"],
        json!({"width": 20, "height": 21, "start": "cross"})
    );
    assert_eq!(
        (&snapshot["time_control"], &snapshot["rated"]),
        (&json!("300+5"), &json!(false))
    );
    let mv = json!({"match_id": id, "mv": "0,0", "version": 0, "client_id": "a-1"});
    assert_eq!(post(&ann, "/api/move", &mv).await.version(), 1);
    assert_eq!(post(&ann, "/api/move", &mv).await.version(), 1);
    // An empty body has no fields.
    let logout = ann
        .post_request("/api/logout")
        .header("content-type", "application/json");
    assert_eq!(send(logout).await.assert_ok(), Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_json_is_a_bad_request() {
    let app = TestApp::init().await;
    let ann = register(&app, "ann").await;
    for body in [
        "{",
        "[]",
        "7",
        r#"{"opponent": 1}"#,
        r#"{"opponent": "x", "game": "dots"}"#,
        "\u{0}",
    ] {
        let request = ann
            .post_request("/api/challenge")
            .header("content-type", "application/json")
            .body(body);
        send(request).await.assert_error(400, "bad_request");
    }
    let setup = json!({"opponent": 1, "game": "dots", "setup": {"width": [1]}});
    post(&ann, "/api/challenge", &setup)
        .await
        .assert_error(400, "invalid_setup");
    let clock = json!({"opponent": 1, "game": "dots", "clock": "7"});
    post(&ann, "/api/challenge", &clock)
        .await
        .assert_error(400, "invalid_clock");
}

/// The server stays, whatever is nested in what: in JSON, in forms, in addresses, and in the JSON of a field.
#[tokio::test]
async fn arguments_nested_deep_are_bad_requests() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let opponent = bob.id.to_string();
    let nested = |open: &str, close: &str, depth| open.repeat(depth) + "1" + &close.repeat(depth);
    for deep in [
        nested("[", "]", 30_000),
        nested("[", "", 60_000),
        nested(r#"{"a":"#, "}", 9_000),
    ] {
        let setup = format!(r#"{{"opponent":{opponent},"game":"dots","setup":{deep}}}"#);
        for body in [&deep, &setup] {
            let request = ann.post_request("/api/challenge");
            let request = request.header("content-type", "application/json");
            let answer = send(request.body(body.clone())).await;
            assert_eq!(answer.status, 400, "{answer:?}");
        }
        let form = [
            ("opponent", &*opponent),
            ("game", "dots"),
            ("setup", &*deep),
        ];
        let posted = ann.post_request("/api/challenge").form(&form);
        // Escaped it is three times as long.
        assert!([400, 413].contains(&send(posted).await.status));
        let form = [
            ("setup", &deep[..15_000]),
            ("opponent", &*opponent),
            ("game", "dots"),
        ];
        assert_eq!(ann.post("/api/challenge", &form).await.status, 400);
    }
    let keys = "[a]".repeat(9_000);
    assert_eq!(ann.get(&format!("/api/match?id{keys}=1")).await.status, 400);
    let form = ann.post_request("/api/register");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let form = form.body(format!("password={PASSWORD}&name{keys}=carol"));
    assert_eq!(send(form).await.status, 400);
    ann.get("/api/whoami").await.assert_ok();
}
