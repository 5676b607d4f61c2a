//! Sanctions stay with the person: new names from the same address, deleting and coming back.

use super::app::TestApp;
use super::operator::audit;
use super::player::{PASSWORD, Player, Response, Visitor, send};
use serde_json::Value;

/// Starts a server that believes `X-Forwarded-For`.
async fn behind_proxy() -> (TestApp, Player) {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let boss = app.with_operator("boss").await;
    (app, boss)
}

/// Posts a form from an address.
async fn post_from(
    visitor: &Visitor,
    address: &str,
    path: &str,
    form: &[(&str, &str)],
) -> Response {
    let request = visitor.post_request(path).form(form);
    send(request.header("x-forwarded-for", address)).await
}

/// Registers a new account at an address.
async fn register_at(app: &TestApp, address: &str, name: &str) -> (Visitor, Response) {
    let visitor = app.visitor();
    let form = [("name", name), ("password", PASSWORD)];
    let answer = post_from(&visitor, address, "/api/register", &form).await;
    (visitor, answer)
}

/// Signs in a new guest at an address.
async fn guest_at(app: &TestApp, address: &str, name: &str) -> (Visitor, Response) {
    let visitor = app.visitor();
    let answer = post_from(&visitor, address, "/api/be_guest", &[("name", name)]).await;
    (visitor, answer)
}

fn player(visitor: &Visitor, answer: &Response) -> Player {
    let account = answer.assert_ok();
    let name = account["name"].as_str().expect("a name").to_owned();
    Player::from_visitor(
        visitor.clone(),
        account["id"].as_i64().expect("an id"),
        name,
    )
}

/// Moves the addresses and sanctions of everybody into the past.
async fn pass(app: &TestApp, hours: f64) {
    for statement in [
        "update addresses set seen_at = seen_at - make_interval(secs => $1 * 3600)",
        "update players set sanctioned_at = sanctioned_at - make_interval(secs => $1 * 3600)",
    ] {
        sqlx::query(statement)
            .bind(hours)
            .execute(&app.db)
            .await
            .unwrap();
    }
}

const HERE: &str = "10.1.1.1";
const ELSEWHERE: &str = "10.2.2.2";

#[tokio::test]
async fn a_mute_holds_for_new_names_from_the_same_address_for_a_day() {
    let (app, boss) = behind_proxy().await;
    let (visitor, answer) = register_at(&app, HERE, "troll").await;
    let troll = player(&visitor, &answer);
    let (before, answer) = register_at(&app, HERE, "neighbour").await;
    let neighbour = player(&before, &answer);
    boss.act("mute", &troll, &[("length", "ever")])
        .await
        .assert_ok();
    troll.say("lobby", "hm").await.assert_error(403, "muted");
    // An account that was there before is somebody else's.
    neighbour.say("lobby", "hello").await.assert_ok();

    let (visitor, answer) = register_at(&app, HERE, "troll2").await;
    let second = player(&visitor, &answer);
    let (visitor, answer) = guest_at(&app, HERE, "Troll-3").await;
    let third = player(&visitor, &answer);
    for one in [&second, &third] {
        one.say("lobby", "hm").await.assert_error(403, "muted");
    }
    let (visitor, answer) = register_at(&app, ELSEWHERE, "honest").await;
    let honest = player(&visitor, &answer);
    honest.say("lobby", "hello").await.assert_ok();

    let found = boss.get("/api/operator_desk?find=troll").await.assert_ok();
    let from = [0, 1, 2].map(|n| found["found"][n]["sanction_of"].as_str());
    assert_eq!(from, [None, Some("troll"), Some("troll")]);
    let page = boss.get("/operator?find=troll2").await;
    assert!(
        page.text.contains("Carried over from troll"),
        "{}",
        page.text
    );
    // An operator lifts it for one name alone.
    boss.act("mute", &second, &[("length", "none")])
        .await
        .assert_ok();
    second.say("lobby", "thanks").await.assert_ok();
    third.say("lobby", "hm").await.assert_error(403, "muted");

    // An account that is muted only by the address hands the mute on to nobody.
    pass(&app, 25.0).await;
    post_from(&third, HERE, "/api/delete_account", &[])
        .await
        .assert_ok();
    let (visitor, answer) = register_at(&app, HERE, "tenant").await;
    let tenant = player(&visitor, &answer);
    tenant.say("lobby", "hello").await.assert_ok();
}

#[tokio::test]
async fn signing_in_elsewhere_takes_the_mute_along() {
    let (app, boss) = behind_proxy().await;
    let (visitor, answer) = register_at(&app, HERE, "troll").await;
    let troll = player(&visitor, &answer);
    boss.act("mute", &troll, &[("length", "day")])
        .await
        .assert_ok();
    let form = [("name", "troll"), ("password", PASSWORD)];
    post_from(&app.visitor(), ELSEWHERE, "/api/login", &form)
        .await
        .assert_ok();
    let (visitor, answer) = guest_at(&app, ELSEWHERE, "Guest-1").await;
    let guest = player(&visitor, &answer);
    guest.say("lobby", "hm").await.assert_error(403, "muted");
}

#[tokio::test]
async fn a_guest_who_deletes_everything_and_returns_stays_muted() {
    let (app, boss) = behind_proxy().await;
    let (visitor, answer) = guest_at(&app, HERE, "Guest-1").await;
    let guest = player(&visitor, &answer);
    boss.act("mute", &guest, &[("length", "day")])
        .await
        .assert_ok();
    pass(&app, 23.0).await;
    post_from(&guest, HERE, "/api/delete_account", &[])
        .await
        .assert_ok();
    pass(&app, 2.0).await;
    let (visitor, answer) = guest_at(&app, HERE, "Guest-1").await;
    let again = player(&visitor, &answer);
    assert_ne!(again.id, guest.id);
    again.say("lobby", "hm").await.assert_error(403, "muted");
    // Becoming an account changes nothing either.
    let form = [("name", "Account"), ("password", PASSWORD)];
    post_from(&again, HERE, "/api/keep_account", &form)
        .await
        .assert_ok();
    again.say("lobby", "hm").await.assert_error(403, "muted");
}

#[tokio::test]
async fn a_closed_account_closes_its_address_for_a_day() {
    let (app, boss) = behind_proxy().await;
    let (visitor, answer) = register_at(&app, HERE, "cheat").await;
    let cheat = player(&visitor, &answer);
    let (_, answer) = register_at(&app, HERE, "neighbour").await;
    answer.assert_ok();
    boss.act("close", &cheat, &[("closed", "true")])
        .await
        .assert_ok();
    let (_, refused) = register_at(&app, HERE, "cheat2").await;
    refused.assert_error(403, "address_closed");
    let (_, refused) = guest_at(&app, HERE, "Cheat-3").await;
    refused.assert_error(403, "address_closed");
    register_at(&app, ELSEWHERE, "honest").await.1.assert_ok();
    // Players who have an account there may use it.
    let form = [("name", "neighbour"), ("password", PASSWORD)];
    post_from(&app.visitor(), HERE, "/api/login", &form)
        .await
        .assert_ok();
    boss.act("close", &cheat, &[("closed", "false")])
        .await
        .assert_ok();
    register_at(&app, HERE, "cheat2").await.1.assert_ok();
    boss.act("close", &cheat, &[("closed", "true")])
        .await
        .assert_ok();
    pass(&app, 25.0).await;
    register_at(&app, HERE, "tenant").await.1.assert_ok();
}

#[tokio::test]
async fn several_operators_are_named_in_the_audit() {
    let (app, boss) = behind_proxy().await;
    let chief = app.with_operator("chief").await;
    let ann = app.with_user("ann").await;
    boss.act("mute", &ann, &[("length", "hour")])
        .await
        .assert_ok();
    chief
        .act("mute", &ann, &[("length", "none")])
        .await
        .assert_ok();
    let overview = chief.overview().await;
    let by: Vec<&Value> = (0..2).map(|n| &overview["audit"][n]["operator"]).collect();
    assert_eq!(by, ["chief", "boss"]);
    // An operator can close the account of another, who is none from then on.
    boss.act("close", &chief, &[("closed", "true")])
        .await
        .assert_ok();
    chief
        .get("/api/operator_desk")
        .await
        .assert_error(401, "signed_out");
    let (name, was) = tochki_server::moderation::dismiss(&app.db, "BOSS")
        .await
        .unwrap();
    assert_eq!((&*name, was), ("boss", true));
    boss.get("/api/operator_desk")
        .await
        .assert_error(403, "not_operator");
    for nobody in ["nobody", "tochki operator", ""] {
        let refused = tochki_server::moderation::appoint(&app.db, nobody).await;
        assert_eq!(
            refused.unwrap_err().code(),
            tochki_protocol::Code::NoSuchPlayer
        );
    }
}

#[tokio::test]
async fn a_removed_message_keeps_its_place_without_its_text() {
    let (app, boss) = behind_proxy().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let mut anns = ann.join_lobby().await;
    let mut elsewhere = ann.at_instance(there.address).join_lobby().await;
    let bad = bob.say("lobby", "<buy> here").await.id("id");
    for stream in [&mut anns, &mut elsewhere] {
        assert_eq!(stream.next_named("said").await["text"], "<buy> here");
    }
    for reporter in [&ann, &boss] {
        reporter.report(bad, "spam").await.assert_ok();
    }
    let overview = boss.overview().await;
    assert_eq!(
        overview["waiting"], 1,
        "reports of one message are one entry"
    );
    let report = &overview["reports"][0];
    assert_eq!(
        (
            &report["count"],
            &report["message"],
            &report["more_reasons"]
        ),
        (&2.into(), &bad.into(), &serde_json::json!(["spam"]))
    );
    let (message, report) = (bad.to_string(), report["id"].to_string());
    let form = [
        ("message", &*message),
        ("report", &*report),
        ("why", "spam"),
    ];
    boss.post("/api/operator_remove_message", &form)
        .await
        .assert_ok();
    for stream in [&mut anns, &mut elsewhere] {
        let said = stream.next_named("said").await;
        assert_eq!(
            (&said["id"], &said["text"], &said["removed"]),
            (&bad.into(), &"".into(), &true.into())
        );
    }
    let overview = boss.overview().await;
    assert_eq!(overview["waiting"], 0);
    assert_eq!(audit(&overview), [["message_removed", "bob", "spam"]]);
    boss.post("/api/operator_remove_message", &[("message", &*message)])
        .await
        .assert_error(404, "no_such_message");
    ann.report(bad, "")
        .await
        .assert_error(404, "no_such_message");
    let talk = ann.get("/api/talk?place=lobby").await.assert_ok();
    assert_eq!(talk["messages"][0]["text"], "");
    assert_eq!(talk["messages"][0]["from"]["name"], "bob");
    assert_eq!(talk["operator"], Value::Null);
    let talk = boss.get("/api/talk?place=lobby").await.assert_ok();
    assert_eq!(talk["operator"], true);
    let page = ann.get("/play").await.text;
    assert!(page.contains("An operator removed this message."), "{page}");
    assert!(!page.contains("buy"), "{page}");
    assert!(!page.contains("operator_remove_message"), "{page}");
    bob.say("lobby", "I am still here").await.assert_ok();
    assert!(
        boss.get("/play")
            .await
            .text
            .contains("operator_remove_message")
    );
}

#[tokio::test]
async fn reported_messages_are_paged_and_old_ones_deleted() {
    let (app, boss) = behind_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    for number in 0..21 {
        let id: i64 = sqlx::query_scalar(
            "insert into messages (place, player_id, text) values ('lobby', $1, $2) returning id",
        )
        .bind(bob.id)
        .bind(format!("message {number}"))
        .fetch_one(&app.db)
        .await
        .unwrap();
        for reporter in [&ann, &boss] {
            reporter.report(id, "").await.assert_ok();
        }
    }
    let first = boss.overview().await;
    assert_eq!(first["reports"].as_array().unwrap().len(), 20);
    assert_eq!(
        (&first["waiting"], &first["more_reports"]),
        (&21.into(), &true.into())
    );
    let second = boss.get("/api/operator_desk?reports=1").await.assert_ok();
    assert_eq!(second["reports"].as_array().unwrap().len(), 1);
    assert_eq!(second["reports"][0]["text"], "message 20");
    assert_eq!(second["more_reports"], false);
    let page = boss.get("/operator?reports=1").await.text;
    assert!(
        page.contains("message 20") && !page.contains("message 19"),
        "{page}"
    );

    boss.act("mute", &bob, &[("length", "hour")])
        .await
        .assert_ok();
    sqlx::query("update reports set at = at - interval '181 days' where text <> 'message 20'")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("update audit set at = at - interval '366 days' where act = 'operator_added'")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("update addresses set seen_at = seen_at - interval '3 days' where player_id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    tochki_server::moderation::db::delete_old(&app.db)
        .await
        .unwrap();
    tochki_server::accounts::db::sanctions::delete_old(&app.db)
        .await
        .unwrap();
    let left = boss.overview().await;
    assert_eq!(left["waiting"], 1);
    assert_eq!(left["audit"].as_array().unwrap().len(), 1);
    let known: i64 = sqlx::query_scalar("select count(*) from addresses where player_id = $1")
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(known, 0);
}
