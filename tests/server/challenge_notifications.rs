//! Notifications of challenges and of requests for a rematch by correspondence.

use super::app::{SMALL, TestApp, begin, wait_until};
use super::cluster::Database;
use super::notifications::{notifications, page, told};
use super::player::{PASSWORD, Player};
use super::turn_notifications::her_turn;
use serde_json::{Value, json};
use std::time::Duration;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

#[tokio::test]
async fn a_challenge_by_correspondence_is_told_until_it_is_answered() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let list = notifications(&bob, 1).await;
    assert_eq!(list[0]["kind"], "challenge");
    assert_eq!(list[0]["player"]["name"], "ann");
    let html = bob.get("/notifications").await.text;
    assert!(html.contains("ann challenges you"), "{html}");
    bob.answer_challenge(challenge, false).await.assert_ok();
    notifications(&bob, 0).await;
    // Who has challenged learns of the answer.
    let list = notifications(&ann, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["why"]),
        (&json!("challenge"), &json!("declined"))
    );
    let html = ann.get("/notifications").await.text;
    assert!(html.contains("bob declined your challenge"), "{html}");
}

#[tokio::test]
async fn a_challenge_by_correspondence_and_its_notification_expire_after_seven_days() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    ann.challenge(&bob, &terms).await.assert_ok();
    notifications(&bob, 1).await;
    let age = async |seconds: i32| {
        sqlx::query(
            "update challenges set created_at = created_at - $1 * interval '1 s', expires_at = expires_at - $1 * interval '1 s'",
        )
        .bind(seconds)
        .execute(&app.db)
        .await
        .unwrap();
    };
    let week = i32::try_from(limits::CORRESPONDENCE_CHALLENGE_TIMEOUT.as_secs()).unwrap();
    age(week - 60).await;
    let open = bob.get("/api/my_challenges").await.assert_ok();
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    notifications(&bob, 1).await;
    age(60).await;
    notifications(&bob, 0).await;
    let open = bob.get("/api/my_challenges").await.assert_ok();
    assert_eq!(open, json!([]));
    let list = notifications(&ann, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["why"]),
        (&json!("challenge"), &json!("expired"))
    );
    let html = ann.get("/notifications").await.text;
    assert!(html.contains("bob did not answer your challenge"), "{html}");
}

/// No instance looks by itself: whoever makes a cause says so.
#[tokio::test]
async fn challenges_and_first_turns_are_told_at_once() {
    let patient = Settings {
        poll_interval: Duration::from_hours(1),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, patient).await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    assert_eq!(notifications(&bob, 1).await[0]["kind"], "challenge");
    ann.cancel_challenge(challenge).await.json();
    notifications(&bob, 0).await;
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    notifications(&bob, 1).await;
    bob.answer_challenge(challenge, false).await.assert_ok();
    notifications(&bob, 0).await;
    // The challenger moves first.
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    notifications(&bob, 1).await;
    let first = bob.answer_challenge(challenge, true).await.id("match");
    notifications(&bob, 0).await;
    // The first one tells of the challenge that was declined.
    assert_eq!(notifications(&ann, 2).await[0]["match"], first);
    // A table, whose seats are drawn, and a rematch.
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let table = ann.post("/api/open_table", &form).await.assert_ok();
    let second = bob.sit(&table).await.id("match");
    let seats = ann.snapshot(second).await["players"].clone();
    let (on_turn, count) = if seats[0]["id"] == ann.id {
        (&ann, 3)
    } else {
        (&bob, 1)
    };
    notifications(on_turn, count).await;
    begin(&ann, &bob, first).await;
    ann.resign(first).await.assert_ok();
    ann.request_rematch(first).await.assert_ok();
    let third = bob.request_rematch(first).await.id("match");
    wait_until("the turn of a rematch", async || {
        let list = page(&bob).await["notifications"].clone();
        let list = list.as_array().expect("a list").clone();
        list.iter().any(|each| each["match"] == third).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_request_for_a_rematch_by_correspondence_is_told_until_the_rematch_starts() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    ann.resign(id).await.assert_ok();
    assert_eq!(notifications(&bob, 1).await[0]["kind"], "game_over");
    ann.request_rematch(id).await.assert_ok();
    told(&app).await;
    let list = notifications(&bob, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["match"]),
        (&json!("challenge"), &json!(id))
    );
    assert_eq!(list[0]["player"]["name"], "ann");
    let html = bob.get("/notifications").await.text;
    assert!(html.contains("ann wants a rematch"), "{html}");
    assert!(html.contains(&format!("/match/{id}")), "{html}");
    // Asking again is no news.
    bob.post("/api/read_notifications", &[]).await.assert_ok();
    ann.request_rematch(id).await.assert_ok();
    told(&app).await;
    assert_eq!(page(&bob).await["unread"], 0);
    let next = bob.request_rematch(id).await.id("match");
    told(&app).await;
    let list = notifications(&bob, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["match"]),
        (&json!("your_turn"), &json!(next))
    );

    // Of a player whom she has muted she is told nothing.
    begin(&ann, &bob, next).await;
    bob.resign(next).await.assert_ok();
    ann.mute(&bob, true).await.assert_ok();
    bob.request_rematch(next).await.assert_ok();
    told(&app).await;
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["kind"], "game_over");
}

/// A challenge of a guest who makes an account, and one that cannot be rated any more, end by themselves.
#[tokio::test]
async fn both_are_told_of_a_challenge_whose_terms_have_changed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let guest = app.visitor().be_guest("guest").await;
    let terms = [("setup", SMALL), ("clock", "3d"), ("rated", "false")];
    guest.challenge(&bob, &terms).await.assert_ok();
    notifications(&bob, 1).await;
    let account = [("name", "gwen"), ("password", PASSWORD)];
    guest.post("/api/keep_account", &account).await.assert_ok();
    let changed = async |player: &Player, name: &str| {
        wait_until("the notification of the change", async || {
            let list = notifications(player, 1).await;
            (list[0]["why"] == "terms_changed").then_some(())
        })
        .await;
        let told = &notifications(player, 1).await[0];
        assert_eq!(told["kind"], "challenge");
        assert_eq!(told["player"]["name"], name);
        let html = player.get("/notifications").await.text;
        let words = format!("The challenge with {name} ended: its terms changed");
        assert!(html.contains(&words), "{html}");
        player
            .post("/api/read_notifications", &[])
            .await
            .assert_ok();
        sqlx::query("delete from notifications")
            .execute(&app.db)
            .await
            .unwrap();
    };
    // One after the other: the rows of both are deleted at the end of each.
    told(&app).await;
    changed(&bob, "gwen").await;
    guest.challenge(&bob, &terms).await.assert_ok();
    notifications(&bob, 1).await;

    // Muted meanwhile: nothing is left of it.
    bob.mute(&guest, true).await.assert_ok();
    sqlx::query("update challenges set closed_at = now(), closed_why = 'terms_changed' where closed_at is null")
        .execute(&app.db)
        .await
        .unwrap();
    notifications(&bob, 0).await;
    changed(&guest, "bob").await;

    // The five rated games of the day are played: who accepts is refused, and who has challenged is told.
    let rated = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &rated).await.id("id");
    sqlx::query(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, finished_at, winner, reason)
         select c.game, c.setup, 'none', true, c.from_id, c.to_id, 1600, 1600, 1, now(), 1, 'resigned'
         from challenges c, generate_series(1, 5) where c.id = $1",
    )
    .bind(challenge)
    .execute(&app.db)
    .await
    .unwrap();
    bob.answer_challenge(challenge, true)
        .await
        .assert_error(409, "terms_changed");
    told(&app).await;
    changed(&ann, "bob").await;
}

#[tokio::test]
async fn the_page_of_games_has_the_requests_for_a_rematch() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    let rematches = async |player: &Player| {
        let own = player.get("/api/my_games").await.assert_ok();
        own["rematches"].clone()
    };
    ann.resign(id).await.assert_ok();
    assert_eq!(rematches(&ann).await, Value::Null);
    ann.request_rematch(id).await.assert_ok();
    for (player, other, is_mine) in [(&ann, &bob, true), (&bob, &ann, false)] {
        let asked = rematches(player).await;
        assert_eq!(asked.as_array().map(Vec::len), Some(1), "{asked}");
        let asked = &asked[0];
        assert_eq!(
            (&asked["match"], &asked["mine"], &asked["opponent"]["id"]),
            (&json!(id), &json!(is_mine), &json!(other.id))
        );
        assert_eq!(
            (&asked["game"], &asked["time_control"], &asked["rated"]),
            (&json!("dots"), &json!("3d"), &json!(true))
        );
    }
    let html = ann.get("/games").await.text;
    assert!(html.contains("You asked bob for a rematch"), "{html}");
    let html = bob.get("/games").await.text;
    assert!(html.contains("ann wants a rematch"), "{html}");
    assert!(html.contains(r#"action="/api/rematch""#), "{html}");
    // Neither a request of a muted player nor one of long ago is listed.
    bob.mute(&ann, true).await.assert_ok();
    assert_eq!(rematches(&bob).await, Value::Null);
    bob.mute(&ann, false).await.assert_ok();
    let days = i32::try_from(limits::REMATCH_LISTED.as_secs() / 86_400).unwrap();
    for (age, listed) in [(days - 1, true), (days, false)] {
        sqlx::query("update matches set finished_at = now() - $2 * interval '1 day' where id = $1")
            .bind(id)
            .bind(age)
            .execute(&app.db)
            .await
            .unwrap();
        assert_eq!(rematches(&bob).await.is_array(), listed);
    }
    sqlx::query("update matches set finished_at = now() where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    // The answer by the form of the page leads to the game.
    let form = [("match_id", id.to_string()), ("rated", "true".to_owned())];
    let form = bob.post_request("/api/rematch").form(&form);
    let answer = super::player::send(form.header("accept", "text/html")).await;
    let place = answer.header("location").expect("a place").to_owned();
    assert!(place.contains("/match/"), "{place}");
    for player in [&ann, &bob] {
        assert_eq!(rematches(player).await, Value::Null);
    }
}
