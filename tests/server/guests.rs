//! Guests: they play at once, for nothing, and may keep what they have played.

use super::app::{SMALL, TestApp, start_match_with};
use super::player::{PASSWORD, Player, Visitor};
use serde_json::json;

impl Visitor {
    /// Is a guest from then on.
    async fn be_guest(self, name: &str) -> Player {
        let account = self.post("/api/be_guest", &[("name", name)]).await.given();
        assert_eq!(account["guest"], true);
        let (id, name) = (account["id"].as_i64(), account["name"].as_str());
        let (id, name) = (id.expect("an id"), name.expect("a name").to_owned());
        Player::known(self, id, name)
    }
}

const UNRATED: [(&str, &str); 2] = [("setup", SMALL), ("rated", "false")];

#[tokio::test]
async fn somebody_without_an_account_sits_down_with_one_press() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let table = ann
        .post("/api/open_table", &[("game", "dots"), ("rated", "true")])
        .await
        .given();
    let page = format!("/t/{}", table["link"].as_str().unwrap());
    let visitor = app.visitor();
    let shown = visitor.get(&page).await.text;
    let made_up = shown.split("id=\"guest-name\"").nth(1).expect("a field");
    let made_up = made_up.split("value=\"").nth(1).expect("a name");
    let made_up = made_up.split('"').next().expect("a name");
    let id = table["id"].to_string();
    let sat = visitor
        .post("/api/be_guest", &[("name", made_up), ("table", &id)])
        .await;
    assert_eq!(sat.given()["name"], made_up);

    let table = visitor.get("/api/my_table").await.given();
    assert_eq!(table["seats"][1]["name"], made_up);
    assert_eq!(table["seats"][1]["guest"], true);
    assert_eq!(table["rated"], false, "with a guest it is not rated");
    let shown = visitor.get(&page).await.text;
    assert!(shown.contains(r#"<span class="guest">guest</span>"#));

    let ready = [("table", &*id), ("ready", "true")];
    ann.post("/api/ready", &ready).await.given();
    let begun = visitor.post("/api/ready", &ready).await.id("match");
    let snapshot = ann.snapshot(begun).await;
    assert_eq!(snapshot["rated"], false);
    let guests = snapshot["players"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|card| card["guest"] == true);
    assert_eq!(guests.count(), 1);
    ann.resigns(begun).await.given();
    let rated: i64 = sqlx::query_scalar("select count(*) from ratings")
        .fetch_one(&app.db)
        .await
        .expect("an answer");
    assert_eq!(rated, 0);
}

#[tokio::test]
async fn guests_and_accounts_share_their_names() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("Quiet-Heron-42").await;
    for name in ["ANN", "quiet-heron-42"] {
        app.visitor()
            .post("/api/be_guest", &[("name", name)])
            .await
            .refused(409, "name_taken");
    }
    let form = [("name", "quiet-HERON-42"), ("password", PASSWORD)];
    app.visitor()
        .post("/api/register", &form)
        .await
        .refused(409, "name_taken");
    app.visitor()
        .post("/api/login", &form)
        .await
        .refused(401, "bad_credentials");
    for name in ["", "x", "a b", "deleted player"] {
        app.visitor()
            .post("/api/be_guest", &[("name", name)])
            .await
            .refused(400, "invalid_name");
    }
    // Whoever is signed in stays who they are.
    let same = ann
        .post("/api/be_guest", &[("name", "other")])
        .await
        .given();
    assert_eq!(same, json!({"id": ann.id, "name": "ann"}));
    let same = guest
        .post("/api/be_guest", &[("name", "other")])
        .await
        .given();
    assert_eq!(same["id"], guest.id);
}

#[tokio::test]
async fn an_address_has_only_so_many_guests() {
    let app = TestApp::with(|settings| settings.guests_by_address = 2.try_into().unwrap()).await;
    app.visitor().be_guest("one").await;
    app.visitor().be_guest("two").await;
    app.visitor()
        .post("/api/be_guest", &[("name", "three")])
        .await
        .refused(429, "too_many_attempts");
}

#[tokio::test]
async fn every_made_up_name_can_be_taken() {
    let app = TestApp::init().await;
    for _ in 0..5 {
        let name = app.visitor().get("/api/made_up_name").await.given();
        app.visitor().be_guest(name.as_str().expect("a name")).await;
    }
}

#[tokio::test]
async fn a_challenge_with_a_guest_is_not_rated() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let _waiting = (ann.waits().await, guest.waits().await);
    let room = ann.get("/api/waiting_room?game=dots").await.given();
    let card = json!({"id": guest.id, "name": "guest", "rating": 1600.0, "guest": true});
    assert!(
        room["players"].as_array().unwrap().contains(&card),
        "{room}"
    );
    ann.challenges(&guest, &[])
        .await
        .refused(409, "guests_unrated");
    guest
        .challenges(&ann, &[("rated", "true")])
        .await
        .refused(409, "guests_unrated");
    let id = start_match_with(&guest, &ann, &UNRATED).await;
    assert_eq!(ann.snapshot(id).await["rated"], false);
}

#[tokio::test]
async fn a_guest_keeps_what_was_played() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let id = start_match_with(&guest, &ann, &UNRATED).await;
    ann.resigns(id).await.given();

    let keep = |name: &'static str, password: &'static str| {
        let guest = guest.clone();
        async move {
            let form = [("name", name), ("password", password)];
            guest.post("/api/keep_account", &form).await
        }
    };
    keep("Ann", PASSWORD).await.refused(409, "name_taken");
    keep("-", PASSWORD).await.refused(400, "invalid_name");
    keep("guest", "short")
        .await
        .refused(400, "invalid_password");
    let kept = keep("Guest", PASSWORD).await.given();
    assert_eq!(
        kept,
        json!({"id": guest.id, "name": "Guest"}),
        "the same name, now for good"
    );
    keep("again", PASSWORD).await.refused(409, "not_a_guest");
    ann.post(
        "/api/keep_account",
        &[("name", "ann"), ("password", PASSWORD)],
    )
    .await
    .refused(409, "not_a_guest");
    app.visitor()
        .post(
            "/api/keep_account",
            &[("name", "new"), ("password", PASSWORD)],
        )
        .await
        .refused(401, "signed_out");

    // The session goes on, and the password opens another.
    assert_eq!(guest.get("/api/whoami").await.given()["name"], "Guest");
    let form = [("name", "guest"), ("password", PASSWORD)];
    let elsewhere = app.visitor();
    assert_eq!(
        elsewhere.post("/api/login", &form).await.given()["id"],
        guest.id
    );
    let there = app.another().await;
    let snapshot = guest.moved_to(there.address).snapshot(id).await;
    assert_eq!(
        snapshot["players"][0],
        json!({"id": guest.id, "name": "Guest", "rating": 1600.0})
    );

    // From now on it counts.
    let rated = start_match_with(&guest, &ann, &[("setup", SMALL)]).await;
    assert_eq!(guest.snapshot(rated).await["rated"], true);
}

#[tokio::test]
async fn a_guest_is_led_to_an_account_of_what_was_played() {
    let app = TestApp::init().await;
    let guest = app.visitor().be_guest("guest").await;
    let page = guest.get("/register?next=/rules").await;
    assert_eq!(page.header("location"), Some("/keep?next=%2Frules"));
    let page = guest.get("/keep?next=/rules").await.text;
    assert!(
        page.contains("Keep your games") && page.contains("value=\"guest\""),
        "{page}"
    );
    let form = [
        ("name", "guest"),
        ("password", PASSWORD),
        ("next", "/rules"),
    ];
    let sent = guest
        .posts("/api/keep_account")
        .header("accept", "text/html")
        .form(&form);
    let sent = super::player::send(sent).await;
    assert_eq!(sent.header("location"), Some("/rules"));
    // Somebody with an account, or with none at all, has nothing to keep.
    let page = guest.get("/keep").await.text;
    assert!(page.contains("You have an account already."));
    let page = app.visitor().get("/keep").await;
    assert_eq!(page.header("location"), Some("/login?next=%2Fkeep"));
}

/// Lets all players have come so many days earlier.
async fn days_pass(app: &TestApp, days: i32) {
    sqlx::query("update players set created_at = created_at - $1 * interval '1 day'")
        .bind(days)
        .execute(&app.db)
        .await
        .expect("time passes");
}

async fn names(app: &TestApp) -> Vec<String> {
    sqlx::query_scalar("select name from players order by id")
        .fetch_all(&app.db)
        .await
        .expect("names")
}

#[tokio::test]
async fn guests_are_removed_after_thirty_days() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let [idle, finished, playing, kept] = ["idle", "finished", "playing", "kept"];
    let idle = app.visitor().be_guest(idle).await;
    let finished = app.visitor().be_guest(finished).await;
    let playing = app.visitor().be_guest(playing).await;
    let kept = app.visitor().be_guest(kept).await;
    kept.post(
        "/api/keep_account",
        &[("name", "kept"), ("password", PASSWORD)],
    )
    .await
    .given();
    let over = start_match_with(&finished, &ann, &UNRATED).await;
    ann.resigns(over).await.given();
    start_match_with(&playing, &ann, &UNRATED).await;
    idle.post("/api/open_table", &[("game", "dots")])
        .await
        .given();

    days_pass(&app, 29).await;
    // An instance that starts looks at once.
    let there = app.another().await;
    there.visitor().be_guest("newcomer").await;
    days_pass(&app, 1).await;
    let there = app.another().await;
    let expected = ["ann", "deleted player", "playing", "kept", "newcomer"];
    super::app::until("the end of two guests", async || {
        (names(&app).await == expected).then_some(())
    })
    .await;
    for (guest, is_known) in [
        (&idle, false),
        (&finished, false),
        (&playing, true),
        (&kept, true),
    ] {
        let whoami = guest.get("/api/whoami").await.given();
        assert_eq!(!whoami.is_null(), is_known, "{}: {whoami}", guest.name);
    }
    let snapshot = there.visitor().snapshot(over).await;
    assert_eq!(snapshot["players"][0]["name"], "deleted player");
    assert_eq!(snapshot["players"][1]["name"], "ann");
    // Their names are free.
    app.visitor().be_guest("idle").await;
    app.visitor().register("finished").await;
}
