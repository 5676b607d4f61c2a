//! The own account: changing the password, sessions, data export, deletion.

use super::absences::aborted_by;
use super::app::{SMALL, TestApp, begin, start_match, wait_until, wait_until_blocked};
use super::computer_games::keep;
use super::player::{PASSWORD, Player, Response, Visitor, send};
use serde_json::{Value, json};
use tochki_protocol::limits;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn change_password(player: &Player, old: &str, new: &str) -> Response {
    let form = [("password", old), ("new_password", new)];
    player.post("/api/change_password", &form).await
}

async fn sign_in(visitor: &Visitor, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/login", &form).await
}

async fn delete_account(player: &Player, password: &str) -> Response {
    player
        .post("/api/delete_account", &[("password", password)])
        .await
}

async fn sessions(visitor: &Visitor) -> Vec<Value> {
    let listed = visitor.get("/api/sessions").await.assert_ok();
    listed.as_array().expect("a list").clone()
}

#[tokio::test]
async fn password_change_ends_other_sessions() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let elsewhere = app.visitor();
    sign_in(&elsewhere, "ann", PASSWORD).await.assert_ok();
    let mut open = elsewhere.stream("/events/lobby?game=dots").await;
    open.expect("snapshot").await;

    change_password(&ann, "not hers", "a new one")
        .await
        .assert_error(403, "wrong_password");
    change_password(&ann, PASSWORD, "short")
        .await
        .assert_error(400, "invalid_password");
    assert_eq!(
        sessions(&elsewhere).await.len(),
        2,
        "the password is unchanged"
    );

    assert!(
        change_password(&ann, PASSWORD, "a new one")
            .await
            .assert_ok()
            .is_null()
    );
    open.next_named("signed_out").await;
    assert!(open.event().await.is_none(), "the other's stream has ended");
    assert!(elsewhere.get("/api/whoami").await.assert_ok().is_null());
    assert_eq!(ann.get("/api/whoami").await.assert_ok()["name"], "ann");
    sign_in(&app.visitor(), "ann", PASSWORD)
        .await
        .assert_error(401, "bad_credentials");
    sign_in(&app.visitor(), "ann", "a new one")
        .await
        .assert_ok();
    change_password_without_session(&app.visitor()).await;
}

async fn change_password_without_session(visitor: &Visitor) {
    for path in ["change_password", "end_session", "delete_account"] {
        let form = [("password", PASSWORD), ("new_password", PASSWORD)];
        visitor
            .post(&format!("/api/{path}"), &form)
            .await
            .assert_error(401, "signed_out");
    }
    for path in ["sessions", "my_data"] {
        visitor
            .get(&format!("/api/{path}"))
            .await
            .assert_error(401, "signed_out");
    }
}

#[tokio::test]
async fn wrong_old_passwords_are_rate_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = std::num::NonZeroU32::new(3).unwrap();
    })
    .await;
    let ann = app.with_user("ann").await;
    for _ in 0..3 {
        change_password(&ann, "a guess", "a new one")
            .await
            .assert_error(403, "wrong_password");
    }
    change_password(&ann, PASSWORD, "a new one")
        .await
        .assert_error(429, "too_many_attempts");
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (phone, desktop) = (app.visitor(), app.visitor());
    let form = [("name", "ann"), ("password", PASSWORD)];
    send(
        phone
            .post_request("/api/login")
            .form(&form)
            .header("user-agent", FIREFOX),
    )
    .await
    .assert_ok();
    sign_in(&desktop, "ann", PASSWORD).await.assert_ok();

    let seen = sessions(&phone).await;
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0]["current"], true, "this one comes first");
    assert_eq!(seen[0]["agent"], "Firefox, Linux");
    assert!(seen[1..].iter().all(|other| other["current"] == false));

    let of_bob = sessions(&bob).await[0]["id"].to_string();
    phone
        .post("/api/end_session", &[("id", &*of_bob)])
        .await
        .assert_error(404, "no_such_session");
    assert_eq!(bob.get("/api/whoami").await.assert_ok()["name"], "bob");

    let first = sessions(&ann).await[0]["id"].to_string();
    assert!(
        ann.post("/api/end_session", &[("id", &*first)])
            .await
            .assert_ok()
            .is_null(),
        "the current session can be ended, too"
    );
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());

    phone.post("/api/end_session", &[]).await.assert_ok();
    assert!(desktop.get("/api/whoami").await.assert_ok().is_null());
    assert_eq!(sessions(&phone).await.len(), 1);
}

#[tokio::test]
async fn one_session_too_many_ends_the_one_used_least_recently() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let mut stream = ann.stream("/events/me").await;
    sqlx::query("update sessions set seen_at = now() - interval '10 minutes'")
        .execute(&app.db)
        .await
        .unwrap();
    let others = limits::SESSIONS_PER_PLAYER - 1;
    sqlx::query(
        "insert into sessions (token_hash, player_id, expires_at)
         select sha256(n::text::bytea), $1, now() + interval '1 day' from generate_series(1, $2) n",
    )
    .bind(ann.id)
    .bind(i32::try_from(others).unwrap())
    .execute(&app.db)
    .await
    .unwrap();
    assert!(!ann.get("/api/whoami").await.assert_ok().is_null());
    let phone = app.visitor();
    sign_in(&phone, "ann", PASSWORD).await.assert_ok();
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());
    stream.next_named("signed_out").await;
    let listed = sessions(&phone).await;
    assert_eq!(listed.len(), limits::SESSIONS_PER_PLAYER as usize);
}

#[tokio::test]
async fn two_sessions_opened_at_once_are_none_too_many() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let others = limits::SESSIONS_PER_PLAYER - 1;
    sqlx::query(
        "insert into sessions (token_hash, player_id, expires_at, seen_at)
         select sha256(n::text::bytea), $1, now() + interval '1 day', now() - interval '1 day' from generate_series(1, $2) n",
    )
    .bind(ann.id)
    .bind(i32::try_from(others).unwrap())
    .execute(&app.db)
    .await
    .unwrap();
    // Both have begun before one of them ends.
    let mut held = app.db.begin().await.unwrap();
    sqlx::query("select from players where id = $1 for no key update")
        .bind(ann.id)
        .execute(&mut *held)
        .await
        .unwrap();
    let (phone, tablet) = (app.visitor(), app.visitor());
    let released = async {
        wait_until_blocked(&app.db, 2).await;
        held.rollback().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(
        sign_in(&phone, "ann", PASSWORD),
        sign_in(&tablet, "ann", PASSWORD),
        released
    );
    one.assert_ok();
    other.assert_ok();
    let open: i64 = sqlx::query_scalar("select count(*) from sessions where player_id = $1")
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(open, i64::from(limits::SESSIONS_PER_PLAYER));
    // Nobody's own new session is the one that ends.
    for browser in [&phone, &tablet] {
        assert!(!browser.get("/api/whoami").await.assert_ok().is_null());
    }
}

#[tokio::test]
async fn my_data_is_one_document() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    bob.resign(id).await.assert_ok();
    let said = [("place", "lobby"), ("text", "Hello!")];
    ann.post("/api/say", &said).await.assert_ok();
    let answer = ann.get("/api/my_data").await;
    let disposition = answer.header("content-disposition").unwrap();
    assert!(disposition.starts_with("attachment"), "{disposition}");
    let data = answer.assert_ok();
    assert_eq!(data["account"]["name"], "ann");
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(data["ratings"][0]["rating"], 1612.5);
    assert_eq!(data["challenges"].as_array().unwrap().len(), 1);
    assert_eq!(data["messages"][0]["text"], "Hello!");
    let game = &data["matches"][0];
    assert_eq!(game["players"], json!(["ann", "bob"]));
    assert_eq!((&game["seat"], &game["winner"]), (&json!(1), &json!(1)));
    assert_eq!(game["events"][0]["body"]["mv"], "1,1");
    assert_eq!(game["rating"]["after"], 1612.5);
    assert!(
        !answer.text.contains("argon2"),
        "no hash leaves the database"
    );
    let data = app
        .with_user("eve")
        .await
        .get("/api/my_data")
        .await
        .assert_ok();
    assert_eq!(data["matches"], json!([]));
}

#[tokio::test]
async fn my_data_includes_many_matches() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    sqlx::query(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, finished_at, winner, reason)
         select 'reversi', '{}', 'none', false, case when n % 2 = 0 then $1 else $2 end,
             case when n % 2 = 0 then $2 else $1 end, 1600, 1600, now(), 0, 'agreed_draw'
         from generate_series(1, 151) n",
    )
    .bind(ann.id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    let data = ann.get("/api/my_data").await.assert_ok();
    let ids: Vec<i64> = data["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 151);
    assert!(ids.is_sorted(), "the oldest first");
}

#[tokio::test]
async fn deleting_the_account_resigns_and_anonymizes() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let old = start_match(&ann, &bob, SMALL).await;
    ann.make_move(old, "1,1", &[]).await.assert_ok();
    bob.make_move(old, "2,2", &[]).await.assert_ok();
    ann.resign(old).await.assert_ok();
    let running = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, running).await;
    let mut bobs = bob.stream(&format!("/events/match/{running}")).await;
    let mut anns = ann.stream("/events/lobby?game=dots").await;
    anns.expect("snapshot").await;

    let said = [("place", "lobby"), ("text", "Hello!")];
    ann.post("/api/say", &said).await.assert_ok();

    keep(&ann, &[]).await.assert_ok();
    sqlx::query("insert into operators (player_id) values ($1)")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();

    delete_account(&ann, "not hers")
        .await
        .assert_error(403, "wrong_password");
    assert_eq!(ann.get("/api/whoami").await.assert_ok()["name"], "ann");

    assert!(delete_account(&ann, PASSWORD).await.assert_ok().is_null());
    let result = bobs.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(2), &json!("resigned"))
    );
    while anns.event().await.is_some() {}
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());
    sign_in(&app.visitor(), "ann", PASSWORD)
        .await
        .assert_error(401, "bad_credentials");

    // The opponent keeps the match.
    for id in [old, running] {
        for instance in [&app, &app.another_instance().await] {
            let game = instance.visitor().snapshot(id).await;
            assert_eq!(game["players"][0]["name"], "deleted player");
            assert_eq!(game["players"][1]["name"], "bob");
        }
    }
    let sgf = app.visitor().get(&format!("/match/{old}/sgf")).await;
    assert!(
        sgf.text.contains("deleted player") && !sgf.text.contains("ann"),
        "{}",
        sgf.text
    );
    let page = app.visitor().get(&format!("/match/{old}/replay")).await;
    assert!(page.text.contains("deleted player") && !page.text.contains("/@deleted"));
    let kept: i64 = sqlx::query_scalar(
        "select (select count(*) from ratings where player_id = $1)
             + (select count(*) from messages where player_id = $1)
             + (select count(*) from computer_games where player_id = $1)
             + (select count(*) from operators where player_id = $1)",
    )
    .bind(ann.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn deleted_name_is_reserved_for_ninety_days() {
    let app = TestApp::init().await;
    let ann = app.with_user("Ann").await;
    delete_account(&ann, PASSWORD).await.assert_ok();
    let form = [("name", "aNN"), ("password", PASSWORD)];
    app.visitor()
        .post("/api/register", &form)
        .await
        .assert_error(409, "name_taken");
    let aged = |days: i32| {
        sqlx::query("update players set deleted_at = now() - make_interval(days => $1)").bind(days)
    };
    aged(89).execute(&app.db).await.unwrap();
    tochki_server::accounts::db::management::release_names(&app.db)
        .await
        .unwrap();
    app.visitor()
        .post("/api/register", &form)
        .await
        .assert_error(409, "name_taken");
    aged(91).execute(&app.db).await.unwrap();
    tochki_server::accounts::db::management::release_names(&app.db)
        .await
        .unwrap();
    app.visitor().post("/api/register", &form).await.assert_ok();
}

#[tokio::test]
async fn match_started_while_deleting_is_aborted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _waiting = (ann.join_lobby().await, bob.join_lobby().await);
    let challenge = ann.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    let (deleted, answered) = tokio::join!(
        delete_account(&ann, PASSWORD),
        bob.answer_challenge(challenge, true)
    );
    deleted.assert_ok();
    if answered.status == 200 {
        let id = answered.id("match");
        let result = wait_until("the end", async || {
            let snapshot = bob.snapshot(id).await;
            (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
        })
        .await;
        assert_eq!(result, aborted_by(1));
    } else {
        answered.assert_error(404, "challenge_closed");
    }
    let playing: i64 = sqlx::query_scalar("select count(*) from playing")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(playing, 0);
}
