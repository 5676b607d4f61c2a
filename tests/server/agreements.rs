//! Agreements: a match begins as it was agreed on. Terms, players or names that change take every agreement back, and both
//! players are told.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::bodies::all_routes;
use super::line_client::{Line, start};
use super::player::{PASSWORD, Player};
use super::tables::{get_table, seats};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::timeout;

/// Makes a guest an account under another name.
async fn make_account(guest: &Player, name: &str) {
    let form = [("name", name), ("password", PASSWORD)];
    guest.post("/api/keep_account", &form).await.assert_ok();
}

/// Lets the database say that any two have played all their rated matches of today, or none.
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

    // Terms that were seen before are not agreed to by it.
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
            // Each in turn is ready, and the other not.
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

    // A player who asks for a rated match does not accept an unrated one by it.
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

/// The sender of a request that concerns a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Creator,
    /// The opponent at the table, or a spectator where a seat is free.
    Other,
    /// A player who is at no table.
    Third,
    /// A visitor without an account.
    Visitor,
    Operator,
}

/// The requests that change the agreement at a table, or end it: the sender of each, and its arguments.
#[rustfmt::skip]
const CHANGES: &[(&str, By, &str)] = &[
    ("/api/be_guest", By::Visitor, "name={fresh}&table={table}&link={link}"),
    ("/api/sit", By::Third, "table={table}&link={link}"),
    ("/api/stand_up", By::Creator, "table={table}"),
    ("/api/stand_up", By::Other, "table={table}"),
    ("/api/remove_player", By::Creator, "table={table}&player={other}"),
    ("/api/open_table", By::Other, "game=dots"),
    ("/api/keep_account", By::Creator, "name={fresh}&password=correct horse"),
    ("/api/keep_account", By::Other, "name={fresh}&password=correct horse"),
    ("/api/become_bot", By::Creator, "password=correct horse"),
    ("/api/become_bot", By::Other, "password=correct horse"),
    ("/api/delete_account", By::Creator, ""),
    ("/api/delete_account", By::Other, ""),
    ("/api/operator_close", By::Operator, "player={creator}&closed=true"),
    ("/api/operator_close", By::Operator, "player={other}&closed=true"),
    ("/api/challenge", By::Creator, "opponent={third}&game=dots&rated=false"),
    ("/api/challenge", By::Other, "opponent={third}&game=dots&rated=false"),
    ("/api/answer_challenge", By::Creator, "id={challenge}&accept=true"),
    ("/api/answer_challenge", By::Other, "id={challenge}&accept=true"),
];

/// The requests that change something, but no agreement. Those with arguments are tried.
#[rustfmt::skip]
const OTHERS: &[(&str, By, &str)] = &[
    ("/api/mute", By::Creator, "player={other}&muted=true"),
    ("/api/mute", By::Other, "player={creator}&muted=true"),
    ("/api/operator_mute", By::Operator, "player={creator}&length=day"),
    ("/api/operator_mute", By::Operator, "player={other}&length=day"),
    ("/api/operator_annul_all", By::Operator, "player={other}"),
    ("/api/settings", By::Creator, "theme=night"),
    ("/api/say", By::Other, "place=lobby&text=hello"),
    ("/api/remember_choice", By::Other, "choice=game=dots"),
    ("/api/notices_read", By::Other, ""),
    ("/api/read_notifications", By::Other, ""),
    ("/api/subscribe_push", By::Other, ""),
    ("/api/unsubscribe_push", By::Other, "endpoint=https://push.example/a"),
    ("/api/change_notifications", By::Other, "kind=challenge&site=off"),
    // Waiting for it is no change, and all of this test have one address, so that nobody begins one.
    ("/api/quick_game", By::Creator, "game=dots&rated=false"), ("/api/quick_game", By::Other, "game=dots&rated=false"),
    ("/api/cancel_quick_game", By::Creator, ""),
    // Readiness itself; of the others each is about a match, an account alone, or what one person sees.
    ("/api/ready", By::Creator, ""),
    ("/api/register", By::Visitor, ""), ("/api/login", By::Visitor, ""), ("/api/logout", By::Other, ""),
    ("/api/recover", By::Visitor, ""), ("/api/recovery_codes", By::Other, ""), ("/api/change_password", By::Other, ""),
    ("/api/set_mail", By::Other, ""), ("/api/remove_mail", By::Other, ""), ("/api/mail_notices", By::Other, ""),
    ("/api/confirm_mail", By::Visitor, ""), ("/api/unsubscribe", By::Visitor, ""), ("/mail/unsubscribe/{token}", By::Visitor, ""),
    ("/api/forgot_password", By::Visitor, ""), ("/api/reset_by_mail", By::Visitor, ""),
    ("/api/reset_password", By::Other, ""), ("/api/end_session", By::Other, ""),
    ("/api/passkey_begin_registration", By::Other, ""), ("/api/passkey_finish_registration", By::Other, ""),
    ("/api/passkey_begin_sign_in", By::Visitor, ""), ("/api/passkey_finish_sign_in", By::Visitor, ""),
    ("/api/remove_passkey", By::Other, ""), ("/api/create_token", By::Other, ""), ("/api/end_token", By::Other, ""),
    ("/account/codes", By::Other, ""), ("/account/token", By::Other, ""), ("/sgf", By::Visitor, ""),
    ("/api/cancel_challenge", By::Other, ""),
    ("/api/move", By::Other, ""), ("/api/offer", By::Other, ""), ("/api/answer_offer", By::Other, ""),
    ("/api/cancel_offer", By::Other, ""), ("/api/adjourn", By::Other, ""), ("/api/answer_adjourn", By::Other, ""),
    ("/api/seal", By::Other, ""), ("/api/resume", By::Other, ""), ("/api/resign", By::Other, ""), ("/api/abort", By::Other, ""),
    ("/api/berserk", By::Other, ""),
    ("/api/rematch", By::Other, ""), ("/api/conditional_moves", By::Other, ""), ("/api/notes", By::Other, ""),
    ("/api/vacation", By::Other, ""), ("/api/automatic_vacation", By::Other, ""), ("/api/time_zone", By::Other, ""),
    ("/api/keep_computer_game", By::Other, ""), ("/api/delete_computer_game", By::Other, ""),
    ("/api/create_tournament", By::Other, ""), ("/api/join_tournament", By::Other, ""),
    ("/api/leave_tournament", By::Other, ""), ("/api/confirm_presence", By::Other, ""), ("/api/request_bye", By::Other, ""),
    ("/api/remind_of_tournament", By::Other, ""), ("/api/remove_from_tournament", By::Other, ""),
    ("/api/cancel_tournament", By::Other, ""), ("/api/close_tournament_entries", By::Other, ""),
    ("/api/choose_side", By::Other, ""), ("/api/propose_time", By::Other, ""),
    ("/api/open_league", By::Operator, ""), ("/api/end_league", By::Operator, ""),
    ("/api/join_league", By::Other, ""), ("/api/leave_league", By::Other, ""), ("/api/repeat_tournament", By::Operator, ""), ("/api/end_tournament_series", By::Operator, ""),
    ("/tournaments/new", By::Other, ""),
    ("/api/try_puzzle", By::Other, ""), ("/api/help_puzzle", By::Other, ""),
    ("/api/report", By::Other, ""), ("/api/report_failure", By::Other, ""),
    ("/api/operator_dismiss", By::Operator, ""), ("/api/operator_remove_message", By::Operator, ""),
    ("/api/operator_annul", By::Operator, ""),
];

/// The longest time until a change is told.
const TOLD: Duration = Duration::from_secs(10);

/// Two at a table, and others.
struct Party<'a> {
    app: &'a TestApp,
    boss: &'a Player,
    creator: Player,
    other: Player,
    third: Player,
    number: usize,
    table: Value,
}

impl<'a> Party<'a> {
    async fn meet(app: &'a TestApp, boss: &'a Player, number: usize, path: &str) -> Self {
        sqlx::query("delete from attempts")
            .execute(&app.db)
            .await
            .expect("no limit has been met");
        let name = |whose: &str| format!("{whose}{number}");
        let come = async |whose: &str| match path {
            "/api/become_bot" => app.with_user(&name(whose)).await,
            _ => app.visitor().be_guest(&name(whose)).await,
        };
        let (creator, other) = (come("ann").await, come("bob").await);
        let third = app.visitor().be_guest(&name("eve")).await;
        let table = creator.open_table(&[("rated", "false")]).await.assert_ok();
        if !matches!(path, "/api/sit" | "/api/be_guest") {
            other.sit(&table).await.assert_ok();
        }
        Self {
            app,
            boss,
            creator,
            other,
            third,
            number,
            table,
        }
    }

    /// Sends the request. Returns its status.
    async fn send(&self, path: &str, by: By, arguments: &str) -> u16 {
        let who = match by {
            By::Creator => &self.creator,
            By::Other => &self.other,
            By::Third => &self.third,
            By::Visitor => &self.app.visitor(),
            By::Operator => self.boss,
        };
        let mut waiting = Vec::new();
        let mut filled = arguments.to_owned();
        if path.ends_with("challenge") {
            for player in [&self.creator, &self.other, &self.third] {
                waiting.push(player.join_lobby().await);
            }
            let whom = if by == By::Creator {
                &self.creator
            } else {
                &self.other
            };
            let rated = [("rated", "false")];
            // One challenge is accepted, and the other has the terms that both have asked for.
            let id = self.third.challenge(whom, &rated).await.id("id");
            filled = filled.replace("{challenge}", &id.to_string());
        }
        for (placeholder, value) in [
            ("{table}", self.table["id"].to_string()),
            (
                "{link}",
                self.table["link"].as_str().expect("a link").to_owned(),
            ),
            ("{creator}", self.creator.id.to_string()),
            ("{other}", self.other.id.to_string()),
            ("{third}", self.third.id.to_string()),
            ("{fresh}", format!("newcomer{}", self.number)),
        ] {
            filled = filled.replace(placeholder, &value);
        }
        let form: Vec<(&str, &str)> = filled
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        who.post(path, &form).await.status
    }

    fn path(&self) -> String {
        let link = self.table["link"].as_str().expect("a link");
        format!("/events/table/{link}")
    }
}

fn nobody_is_ready(table: &Value) -> bool {
    let mut seated = seats(table).into_iter().flatten();
    seated.all(|(_, ready)| !ready) && table.get("match").is_none_or(Value::is_null)
}

#[tokio::test]
async fn every_request_that_changes_a_table_takes_readiness_back_and_is_told() {
    let app = TestApp::with_settings(|settings| {
        settings.guests_by_address = std::num::NonZeroU32::MAX;
        settings.tables_by_address = std::num::NonZeroU32::MAX;
        // One closed account must not close the address for the next.
        settings.sanction_hours = 0;
    })
    .await;
    let declared: BTreeSet<&str> = CHANGES.iter().chain(OTHERS).map(|row| row.0).collect();
    let routes = all_routes(&app);
    let posts = routes.iter().filter(|route| route.method == "POST");
    let routed: BTreeSet<&str> = posts.map(|route| route.path.as_str()).collect();
    assert_eq!(
        declared, routed,
        "each POST is a change of a table, or none"
    );

    let boss = app.with_operator("boss").await;
    let changes = CHANGES.iter().map(|row| (row, true));
    let others = OTHERS.iter().map(|row| (row, false));
    let tried = changes
        .chain(others)
        .filter(|((_, _, arguments), changes)| *changes || !arguments.is_empty());
    let (mut number, mut wrong) = (0, Vec::new());
    for (&(path, by, arguments), changes) in tried {
        // Of the two one is ready, and the other one looks on.
        for creator_is_ready in [true, false] {
            number += 1;
            let party = Party::meet(&app, &boss, number, path).await;
            let (ready, witness) = if creator_is_ready {
                (&party.creator, &party.other)
            } else {
                (&party.other, &party.creator)
            };
            if ready.set_ready(&party.table, true).await.status != 200 {
                // The seat is free.
                continue;
            }
            let mut told = witness.stream(&party.path()).await;
            assert!(!nobody_is_ready(&told.expect("table").await));
            let status = party.send(path, by, arguments).await;
            let now = get_table(&app.visitor(), &party.table).await;
            let is_over = now["closed"] == true || nobody_is_ready(&now);
            // A player who has left the house is told by the end of the stream.
            let telling = async {
                while let Some(event) = told.event().await {
                    if event.name != "table" || nobody_is_ready(&event.data) {
                        break;
                    }
                }
            };
            let is_told = !changes || timeout(TOLD, telling).await.is_ok();
            if status != 200 || is_over != changes || !is_told {
                wrong.push(format!(
                    "{path} by {by:?}, ready: the creator {creator_is_ready}: {status}, over {is_over}, told {is_told}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
