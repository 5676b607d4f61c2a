//! What was agreed is what begins: terms, players or names that change take every agreement back, and both are told.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::line_client::{Line, start};
use super::player::{PASSWORD, Player};
use super::tables::{get_table, seats};
use serde_json::{Value, json};

/// A guest becomes an account under another name.
async fn make_account(guest: &Player, name: &str) {
    let form = [("name", name), ("password", PASSWORD)];
    guest.post("/api/keep_account", &form).await.assert_ok();
}

/// The two have played all their rated matches of today, or none.
async fn rated_out(app: &TestApp, out: bool) {
    let define = if out {
        "create or replace function are_rated_out(one bigint, other bigint) returns boolean language sql stable return true"
    } else {
        "create or replace function are_rated_out(one bigint, other bigint) returns boolean language sql stable return false"
    };
    sqlx::query(define)
        .execute(&app.db)
        .await
        .expect("a function");
}

async fn ready_for(player: &Player, table: &Value) -> super::player::Response {
    let id = table["id"].to_string();
    let agreement = table["agreement"].as_str().expect("an agreement");
    let form = [("table", &*id), ("ready", "true"), ("agreement", agreement)];
    player.post("/api/ready", &form).await
}

#[track_caller]
fn assert_asked_again(table: &Value) {
    assert_eq!(table["terms_changed"], true, "{table}");
    let ready = seats(table).into_iter().flatten().any(|(_, ready)| ready);
    assert!(
        !ready && table.get("match").is_none_or(Value::is_null),
        "{table}"
    );
}

#[tokio::test]
async fn a_table_agreed_to_as_unrated_does_not_become_a_rated_match() {
    let app = TestApp::init().await;
    let bob = app.with_user("bob").await;
    let guest = app.visitor().be_guest("visitor").await;
    let table = guest.open_table(&[("rated", "true")]).await.assert_ok();
    let seen = bob.sit(&table).await.assert_ok();
    assert_eq!(seen["rated"], false, "as shown with a guest");
    let ready = bob.set_ready(&table, true).await.assert_ok();
    assert_eq!(
        seats(&ready),
        [Some(("visitor", false)), Some(("bob", true))]
    );

    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut bobs = bob.stream(&path).await;
    bobs.expect("table").await;
    make_account(&guest, "newcomer").await;
    // Both are told, and nobody is ready.
    let told = bobs.expect("table").await;
    assert_asked_again(&told);
    assert_eq!(told["rated"], true);
    let page = bob
        .get(&format!("/t/{}", table["link"].as_str().unwrap()))
        .await;
    assert!(
        page.text.contains("terms or the players have changed"),
        "{}",
        page.text
    );

    // What was seen before is not agreed to by it.
    ready_for(&guest, &ready)
        .await
        .assert_error(409, "terms_changed");
    let table = guest.set_ready(&table, true).await.assert_ok();
    assert!(table.get("match").is_none_or(Value::is_null), "{table}");
    assert_eq!(
        seats(&table),
        [Some(("newcomer", true)), Some(("bob", false))]
    );
    let id = ready_for(&bob, &table).await.id("match");
    assert_eq!(bob.snapshot(id).await["rated"], true);
}

#[tokio::test]
async fn each_change_takes_readiness_back() {
    let app = TestApp::init().await;
    for (number, change) in [
        "creator",
        "opponent",
        "rated out",
        "rated again",
        "opponent leaves",
    ]
    .into_iter()
    .enumerate()
    {
        rated_out(&app, change == "rated again").await;
        let ann = app.with_user(&format!("ann{number}")).await;
        let bob = app.with_user(&format!("bob{number}")).await;
        let guest = app.visitor().be_guest(&format!("visitor{number}")).await;
        let (creator, other) = match change {
            "creator" => (&guest, &ann),
            "opponent" => (&ann, &guest),
            _ => (&ann, &bob),
        };
        let table = creator.open_table(&[]).await.assert_ok();
        other.sit(&table).await.assert_ok();
        for ready in [creator, other] {
            // One after the other is ready, and the other one not.
            ready.set_ready(&table, true).await.assert_ok();
            match change {
                "creator" | "opponent" if ready.id == creator.id => {
                    make_account(&guest, &format!("newcomer{number}")).await;
                }
                "creator" | "opponent" => {}
                "rated out" => rated_out(&app, ready.id == creator.id).await,
                "rated again" => rated_out(&app, ready.id != creator.id).await,
                _ => {
                    other.stand_up(&table).await.assert_ok();
                    other.sit(&table).await.assert_ok();
                }
            }
            let now = get_table(&bob, &table).await;
            assert!(
                now.get("match").is_none_or(Value::is_null),
                "{change}: {now}"
            );
            if change == "opponent leaves" {
                assert!(seats(&now).into_iter().flatten().all(|(_, ready)| !ready));
            }
        }
        // For what is agreed to now it begins.
        let now = get_table(&bob, &table).await;
        let mut begun = None;
        for player in [creator, other] {
            begun = ready_for(player, &now).await.assert_ok()["match"].as_i64();
            if begun.is_some() {
                break;
            }
        }
        let id = begun.unwrap_or_else(|| panic!("{change}: it begins"));
        assert_eq!(bob.snapshot(id).await["rated"], now["rated"], "{change}");
    }
}

#[tokio::test]
async fn a_challenge_is_not_accepted_under_other_terms() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    let asked = ann.challenge(&bob, &[("rated", "true")]).await.id("id");
    rated_out(&app, true).await;
    bob.answer_challenge(asked, true)
        .await
        .assert_error(409, "terms_changed");
    for stream in [&mut anns, &mut bobs] {
        let closed = stream.next_named("challenge_closed").await;
        assert_eq!(closed, json!({"id": asked, "why": "terms_changed"}));
    }
    bob.answer_challenge(asked, true)
        .await
        .assert_error(404, "challenge_closed");

    // Who asks for a rated match does not accept an unrated one by it.
    let unrated = ann.challenge(&bob, &[("rated", "true")]).await.id("id");
    let crossing = bob.challenge(&ann, &[("rated", "true")]).await.assert_ok();
    assert!(crossing["match"].is_null(), "{crossing}");
    bob.cancel_challenge(crossing["id"].as_i64().unwrap())
        .await
        .assert_ok();
    let id = bob.answer_challenge(unrated, true).await.id("match");
    assert_eq!(bob.snapshot(id).await["rated"], false);
}

#[tokio::test]
async fn challenges_with_a_guest_end_when_the_guest_makes_an_account() {
    let app = TestApp::init().await;
    let bob = app.with_user("bob").await;
    let guest = app.visitor().be_guest("visitor").await;
    let (_there, mut bobs) = (guest.join_lobby().await, bob.join_lobby().await);
    let unrated = [("rated", "false")];
    let from = guest.challenge(&bob, &unrated).await.id("id");
    let to = bob.challenge(&guest, &[("rated", "false"), ("clock", "300+5")]);
    let to = to.await.id("id");
    make_account(&guest, "newcomer").await;
    let mut closed = Vec::new();
    for _ in 0..2 {
        let event = bobs.next_named("challenge_closed").await;
        assert_eq!(event["why"], "terms_changed");
        closed.push(event["id"].as_i64().unwrap());
    }
    closed.sort_unstable();
    assert_eq!(closed, [from.min(to), from.max(to)]);
    bob.answer_challenge(from, true)
        .await
        .assert_error(404, "challenge_closed");
}

#[tokio::test]
async fn a_rematch_is_what_both_asked_for() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let _there = (ann.stream(&path).await, bob.stream(&path).await);
    bob.resign(id).await.assert_ok();
    let ask = async |player: &Player, rated: Option<&str>| {
        let id = id.to_string();
        let mut form = vec![("match_id", &*id)];
        form.extend(rated.map(|rated| ("rated", rated)));
        player.post("/api/rematch", &form).await
    };
    ask(&ann, Some("true")).await.assert_ok();
    let mut watching = bob.stream(&format!("{path}?after=3")).await;
    assert_eq!(watching.expect_status("rematch").await["seat"], 1);
    rated_out(&app, true).await;
    // The page says what it asks for, and is told.
    ask(&bob, Some("true"))
        .await
        .assert_error(409, "terms_changed");
    // Ann has not asked for an unrated one: her request is over, and the pages read the match again.
    let answer = ask(&bob, Some("false")).await.assert_ok();
    assert_eq!(answer, json!({"match": null}));
    wait_until("a stream that begins anew", async || {
        watching
            .event()
            .await
            .filter(|event| event.name == "resync")
    })
    .await;
    assert_eq!(ann.snapshot(id).await["rematch"], json!([false, true]));
    let next = ask(&ann, Some("false")).await.id("match");
    assert_eq!(ann.snapshot(next).await["rated"], false);
}

#[tokio::test]
async fn a_rematch_asked_for_with_a_guest_is_over_with_the_account() {
    let app = TestApp::init().await;
    let bob = app.with_user("bob").await;
    let guest = app.visitor().be_guest("visitor").await;
    let _waiting = (guest.join_lobby().await, bob.join_lobby().await);
    let form = [("setup", SMALL), ("rated", "false")];
    let asked = guest.challenge(&bob, &form).await.id("id");
    let id = bob.answer_challenge(asked, true).await.id("match");
    begin(&guest, &bob, id).await;
    let path = format!("/events/match/{id}");
    let _there = (guest.stream(&path).await, bob.stream(&path).await);
    bob.resign(id).await.assert_ok();
    bob.request_rematch(id).await.assert_ok();
    make_account(&guest, "newcomer").await;
    assert_eq!(
        guest.request_rematch(id).await.assert_ok(),
        json!({"match": null})
    );
    assert_eq!(bob.snapshot(id).await["rematch"], json!([true, false]));
}

#[tokio::test]
async fn nothing_begins_with_a_closed_account() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let boss = app.with_operator("boss").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let _there = (ann.stream(&path).await, bob.stream(&path).await);
    bob.resign(id).await.assert_ok();
    ann.request_rematch(id).await.assert_ok();
    let form = [("player", &*ann.id.to_string()), ("closed", "true")];
    boss.post("/api/operator_close", &form).await.assert_ok();
    bob.request_rematch(id)
        .await
        .assert_error(404, "opponent_left");
}

#[tokio::test]
async fn a_line_leaves_a_table_that_becomes_rated() {
    let app = start().await;
    let guest = app.visitor().be_guest("visitor").await;
    let setup = r#"{"cols":3,"rows":3}"#;
    let form = [
        ("game", "boxes"),
        ("setup", setup),
        ("name", "corner"),
        ("rated", "true"),
    ];
    let table = guest.post("/api/open_table", &form).await.assert_ok();
    // The creator is there, so that the table is listed.
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let _here = guest.stream(&path).await;
    let ann = app.with_user("ann").await;
    let token = ann.create_token("play").await;
    let mut line = Line::connect(&app).await;
    line.ask(&format!("LOGIN|ann|{token}"), "OK").await;
    line.ask("JOIN|corner", "OK|visitor").await;
    wait_until("the line to be ready", async || {
        let now = get_table(&app.visitor(), &table).await;
        seats(&now).contains(&Some(("ann", true))).then_some(())
    })
    .await;
    make_account(&guest, "newcomer").await;
    line.expect("END|DRAW").await;
    let now = get_table(&app.visitor(), &table).await;
    assert_eq!(seats(&now), [Some(("newcomer", false)), None]);
}

#[tokio::test]
async fn the_page_of_a_table_says_what_is_agreed_to() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let table = bob.sit(&table).await.assert_ok();
    let page = bob
        .get(&format!("/t/{}", table["link"].as_str().unwrap()))
        .await;
    let field = format!(
        "name=\"agreement\" value=\"{}\"",
        table["agreement"].as_str().unwrap()
    );
    assert!(page.text.contains(&field), "{}", page.text);
    let form = [
        ("table", &*table["id"].to_string()),
        ("ready", "true"),
        ("agreement", "0123456789abcdef"),
    ];
    bob.post("/api/ready", &form)
        .await
        .assert_error(409, "terms_changed");
}
