//! Reminders of tournaments: who is told before the start, once, and when that is taken back.

use super::app::{TestApp, wait_until};
use super::mail::start;
use super::mail_notices::{switch, unsubscribe};
use super::player::{Player, Response, Visitor, send};
use super::tournament_steps::{account, arena, join, make};
use reqwest::Method;
use serde_json::{Value, json};
use tochki_play::Millis;
use tochki_protocol::{Code, TournamentId};
use tochki_server::now;
use tochki_server::tournaments::NewTournament;

/// Returns an arena that begins in an hour.
fn later() -> NewTournament {
    NewTournament {
        starts_at: now() + Millis::from_hours(1),
        ..arena()
    }
}

/// Lets 55 minutes pass for a tournament.
async fn approach(app: &TestApp, id: TournamentId) {
    sqlx::query(
        "update tournaments set created_at = created_at - interval '55 minutes', starts_at = starts_at - interval '55 minutes'
         where id = $1",
    )
    .bind(id.0)
    .execute(&app.db)
    .await
    .unwrap();
}

/// Waits until the players of a tournament were reminded.
async fn reminded(app: &TestApp, id: TournamentId) {
    wait_until("reminders", async || {
        let is_done: bool =
            sqlx::query_scalar("select reminded_at is not null from tournaments where id = $1")
                .bind(id.0)
                .fetch_one(&app.db)
                .await
                .unwrap();
        is_done.then_some(())
    })
    .await;
    told(app).await;
}

/// Waits until all causes are made notifications.
async fn told(app: &TestApp) {
    wait_until("no cause is left", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from notification_causes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

async fn list(player: &Player) -> Vec<Value> {
    let page = player.get("/api/notifications").await.assert_ok();
    page["notifications"].as_array().expect("a list").clone()
}

async fn remind(app: &TestApp, player: &Player, id: TournamentId, is_on: bool) -> Result<(), Code> {
    let tournaments = &app.state.tournaments;
    let asked = tournaments.set_reminder(&account(player), id, is_on).await;
    asked.map_err(|error| error.code())
}

async fn page(visitor: &Visitor, path: &str) -> Response {
    let request = visitor.request(Method::GET, path);
    send(request.header("accept", "text/html")).await
}

#[tokio::test]
async fn who_has_entered_and_who_has_asked_is_told_once_before_the_start() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let id = make(&app, &ann, later()).await;
    join(&app, &ann, id).await.unwrap();
    remind(&app, &bob, id, true).await.unwrap();
    // Once more is no mistake, and with an entry no second reminder.
    remind(&app, &bob, id, true).await.unwrap();
    remind(&app, &ann, id, true).await.unwrap();
    remind(&app, &cid, id, true).await.unwrap();
    remind(&app, &cid, id, false).await.unwrap();
    let other = app.another_instance().await;
    approach(&app, id).await;
    reminded(&app, id).await;
    for player in [&ann, &bob] {
        let list = list(player).await;
        assert_eq!(list.len(), 1, "{list:?}");
        assert_eq!(list[0]["kind"], "tournament_soon");
        let link = json!({"id": id.0, "name": "Evening arena"});
        assert_eq!(list[0]["tournament"], link);
        assert_eq!(list[0].get("act"), None);
    }
    assert!(list(&cid).await.is_empty());
    // The notification leads to the tournament, and is read by that.
    let number = list(&bob).await[0]["id"].to_string();
    let shown = page(&bob, "/notifications").await;
    let to = format!("/tournament/{id}");
    assert!(shown.text.contains("Starting soon: Evening arena"));
    assert!(shown.text.contains(&format!("value=\"{to}\"")));
    bob.post("/api/read_notifications", &[("id", &*number)])
        .await
        .assert_ok();

    // With the next turn of the driver nobody is told of it again: each of the three causes so far was of somebody else.
    let next = make(&app, &ann, later()).await;
    join(&app, &cid, next).await.unwrap();
    approach(&app, next).await;
    reminded(&app, next).await;
    let causes: i64 = sqlx::query_scalar("select last_value from notification_causes_id_seq")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(causes, 3);
    drop(other);
    assert_eq!(list(&bob).await[0]["read"], true);
}

#[tokio::test]
async fn a_reminder_is_taken_back_with_its_reason() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let id = make(&app, &ann, later()).await;
    for player in [&ann, &bob] {
        join(&app, player, id).await.unwrap();
    }
    remind(&app, &cid, id, true).await.unwrap();
    // Who leaves before is not told, though they had asked, too.
    remind(&app, &bob, id, true).await.unwrap();
    let tournaments = &app.state.tournaments;
    tournaments.leave(&account(&bob), id).await.unwrap();
    approach(&app, id).await;
    reminded(&app, id).await;
    assert!(list(&bob).await.is_empty());
    assert_eq!(list(&ann).await.len(), 1);
    assert_eq!(list(&cid).await.len(), 1);

    // Who leaves then is not to come any more.
    tournaments.leave(&account(&ann), id).await.unwrap();
    told(&app).await;
    assert!(list(&ann).await.is_empty());

    // The start moves: it is not soon any more, and they are told anew before the other start.
    sqlx::query("update tournaments set starts_at = starts_at + interval '1 hour' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    told(&app).await;
    assert!(list(&cid).await.is_empty());
    approach(&app, id).await;
    reminded(&app, id).await;
    assert_eq!(list(&cid).await.len(), 1);

    // It is cancelled.
    tournaments.cancel(&account(&ann), true, id).await.unwrap();
    told(&app).await;
    assert!(list(&cid).await.is_empty());
}

#[tokio::test]
async fn nobody_is_reminded_of_what_begins_at_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let soon = make(&app, &ann, arena()).await;
    join(&app, &ann, soon).await.unwrap();
    let refused = remind(&app, &bob, soon, true).await;
    assert_eq!(refused, Err(Code::NotOpen));
    let missing = remind(&app, &bob, TournamentId(999_999), true).await;
    assert_eq!(missing, Err(Code::NoSuchTournament));
    // The driver has looked: another one that is due was told of.
    let id = make(&app, &bob, later()).await;
    join(&app, &bob, id).await.unwrap();
    approach(&app, id).await;
    reminded(&app, id).await;
    assert_eq!(list(&bob).await.len(), 1);
    assert!(list(&ann).await.is_empty());
}

#[tokio::test]
async fn the_button_is_a_form_for_who_has_not_entered() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = make(&app, &ann, later()).await;
    let path = format!("/tournament/{id}");
    let shown = page(&bob, &path).await;
    assert!(shown.text.contains("Remind me"), "{}", shown.text);
    assert!(!page(&app.visitor(), &path).await.text.contains("Remind me"));
    let number = id.to_string();
    let form = [("id", &*number), ("remind", "true")];
    let request = bob.post_request("/api/remind_of_tournament").form(&form);
    let answer = send(request.header("accept", "text/html")).await;
    assert_eq!(answer.header("location"), Some(&*path));
    let shown = page(&bob, &path).await;
    assert!(shown.text.contains("Cancel reminder") && !shown.text.contains("Remind me"));
    let entry = bob.get(&format!("/api/tournament_entry?id={id}")).await;
    assert_eq!(entry.assert_ok()["reminder"], true);
    // Who has entered is reminded in any case.
    join(&app, &bob, id).await.unwrap();
    let entered = page(&bob, &path).await;
    assert!(
        entered
            .text
            .contains("You’ll get a reminder 10 min before the start.")
    );
    assert!(!entered.text.contains("id=\"remind\""));
}

#[tokio::test]
async fn who_wants_a_mail_of_it_gets_one_at_once() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    bob.confirm_mail(&mut smtp, "bob@example.org").await;
    switch(&ann, "tournament_soon", "on").await;
    let [id, next] = [
        make(&app, &ann, later()).await,
        make(&app, &ann, later()).await,
    ];
    for tournament in [id, next] {
        for player in [&ann, &bob] {
            join(&app, player, tournament).await.unwrap();
        }
    }
    approach(&app, id).await;
    reminded(&app, id).await;
    app.state.mails.write_notices().await.unwrap();
    let mail = smtp.next().await;
    assert_eq!(mail.to, ["ann@example.org"]);
    assert_eq!(mail.subject, "Starting soon: Evening arena");
    mail.link(&format!("http://tochki.example/tournament/{id}"));
    // Twice is not written, and one click ends them.
    app.state.mails.write_notices().await.unwrap();
    unsubscribe(&app, &mail).await;
    approach(&app, next).await;
    reminded(&app, next).await;
    app.state.mails.write_notices().await.unwrap();
    let waiting: i64 = sqlx::query_scalar(
        "select count(*) from mails where kind = 'tournament_soon' and (sent_at is null or player_id <> $1)",
    )
    .bind(ann.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(waiting, 0);
    assert!(smtp.rest().is_empty());
}
