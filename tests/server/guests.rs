//! Guests: playing unrated without an account, and converting a guest into an account.

use super::app::{SMALL, TestApp, begin, start_match_with, wait_until};
use super::player::{PASSWORD, Player, Visitor, send};
use serde_json::json;

impl Visitor {
    /// Signs in as a guest.
    pub(crate) async fn be_guest(self, name: &str) -> Player {
        let account = self
            .post("/api/be_guest", &[("name", name)])
            .await
            .assert_ok();
        assert_eq!(account["guest"], true);
        let (id, name) = (account["id"].as_i64(), account["name"].as_str());
        let (id, name) = (id.expect("an id"), name.expect("a name").to_owned());
        Player::from_visitor(self, id, name)
    }
}

const UNRATED: [(&str, &str); 2] = [("setup", SMALL), ("rated", "false")];

#[tokio::test]
async fn guest_sits_down_with_one_request() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let table = ann
        .post("/api/open_table", &[("game", "dots"), ("rated", "true")])
        .await
        .assert_ok();
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
    assert_eq!(sat.assert_ok()["name"], made_up);
    let guest = Player::from_visitor(visitor.clone(), sat.id("id"), made_up.to_owned());

    let table = visitor.get("/api/my_table").await.assert_ok();
    assert_eq!(table["seats"][1]["name"], made_up);
    assert_eq!(table["seats"][1]["guest"], true);
    assert_eq!(table["rated"], false, "with a guest it is not rated");
    let shown = visitor.get(&page).await.text;
    assert!(shown.contains(r#"<span class="guest">guest</span>"#));

    let ready = [("table", &*id), ("ready", "true")];
    ann.post("/api/ready", &ready).await.assert_ok();
    let begun = visitor.post("/api/ready", &ready).await.id("match");
    let snapshot = ann.snapshot(begun).await;
    assert_eq!(snapshot["rated"], false);
    let guests = snapshot["players"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|card| card["guest"] == true);
    assert_eq!(guests.count(), 1);
    begin(&ann, &guest, begun).await;
    ann.resign(begun).await.assert_ok();
    let rated: i64 = sqlx::query_scalar("select count(*) from ratings")
        .fetch_one(&app.db)
        .await
        .expect("an answer");
    assert_eq!(rated, 0);
}

#[tokio::test]
async fn guest_and_account_names_are_one_namespace() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("Quiet-Heron-42").await;
    for name in ["ANN", "quiet-heron-42"] {
        app.visitor()
            .post("/api/be_guest", &[("name", name)])
            .await
            .assert_error(409, "name_taken");
    }
    let form = [("name", "quiet-HERON-42"), ("password", PASSWORD)];
    app.visitor()
        .post("/api/register", &form)
        .await
        .assert_error(409, "name_taken");
    app.visitor()
        .post("/api/login", &form)
        .await
        .assert_error(401, "bad_credentials");
    for name in ["", "x", "a b", "deleted player"] {
        app.visitor()
            .post("/api/be_guest", &[("name", name)])
            .await
            .assert_error(400, "invalid_name");
    }
    // A signed-in player stays the same player.
    let same = ann
        .post("/api/be_guest", &[("name", "other")])
        .await
        .assert_ok();
    assert_eq!(same, json!({"id": ann.id, "name": "ann"}));
    let same = guest
        .post("/api/be_guest", &[("name", "other")])
        .await
        .assert_ok();
    assert_eq!(same["id"], guest.id);
}

#[tokio::test]
async fn guests_by_address_are_limited() {
    let app =
        TestApp::with_settings(|settings| settings.guests_by_address = 2.try_into().unwrap()).await;
    app.visitor().be_guest("one").await;
    app.visitor().be_guest("two").await;
    app.visitor()
        .post("/api/be_guest", &[("name", "three")])
        .await
        .assert_error(429, "too_many_attempts");
}

#[tokio::test]
async fn generated_names_are_valid() {
    let app = TestApp::init().await;
    for _ in 0..5 {
        let name = app.visitor().get("/api/made_up_name").await.assert_ok();
        app.visitor().be_guest(name.as_str().expect("a name")).await;
    }
}

#[tokio::test]
async fn challenges_with_guests_are_unrated() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let _waiting = (ann.join_lobby().await, guest.join_lobby().await);
    let room = ann.get("/api/waiting_room?game=dots").await.assert_ok();
    let card = json!({"id": guest.id, "name": "guest", "rating": 1600.0, "guest": true});
    assert!(
        room["players"].as_array().unwrap().contains(&card),
        "{room}"
    );
    ann.challenge(&guest, &[])
        .await
        .assert_error(409, "guests_unrated");
    guest
        .challenge(&ann, &[("rated", "true")])
        .await
        .assert_error(409, "guests_unrated");
    let id = start_match_with(&guest, &ann, &UNRATED).await;
    assert_eq!(ann.snapshot(id).await["rated"], false);
}

#[tokio::test]
async fn a_player_may_refuse_guests() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let _waiting = (ann.join_lobby().await, guest.join_lobby().await);
    let slow = [("clock", "3d"), ("rated", "false")];
    let seek = [&[("game", "dots")], &slow[..]].concat();
    let table = ann.post("/api/open_table", &seek).await.assert_ok();

    let form = [("switches", "guests")];
    ann.post("/api/settings", &form).await.assert_ok();
    for terms in [&UNRATED[..], &slow] {
        guest
            .challenge(&ann, terms)
            .await
            .assert_error(409, "not_accepted");
    }
    guest.sit(&table).await.assert_error(409, "not_accepted");

    // The player may still ask a guest, and takes them again.
    let asked = ann.challenge(&guest, &UNRATED).await.id("id");
    guest.answer_challenge(asked, false).await.assert_ok();
    ann.post("/api/settings", &[("guests", "on")])
        .await
        .assert_ok();
    guest.sit(&table).await.assert_ok();
}

#[tokio::test]
async fn guest_keeps_history_when_registering() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let id = start_match_with(&guest, &ann, &UNRATED).await;
    begin(&guest, &ann, id).await;
    ann.resign(id).await.assert_ok();

    let keep = |name: &'static str, password: &'static str| {
        let guest = guest.clone();
        async move {
            let form = [("name", name), ("password", password)];
            guest.post("/api/keep_account", &form).await
        }
    };
    keep("Ann", PASSWORD).await.assert_error(409, "name_taken");
    keep("-", PASSWORD).await.assert_error(400, "invalid_name");
    keep("guest", "short")
        .await
        .assert_error(400, "invalid_password");
    let kept = keep("Guest", PASSWORD).await.assert_ok();
    assert_eq!(
        kept,
        json!({"id": guest.id, "name": "Guest"}),
        "the same name, now for good"
    );
    keep("again", PASSWORD)
        .await
        .assert_error(409, "not_a_guest");
    ann.post(
        "/api/keep_account",
        &[("name", "ann"), ("password", PASSWORD)],
    )
    .await
    .assert_error(409, "not_a_guest");
    app.visitor()
        .post(
            "/api/keep_account",
            &[("name", "new"), ("password", PASSWORD)],
        )
        .await
        .assert_error(401, "signed_out");

    // The session stays valid, and the password opens another.
    assert_eq!(guest.get("/api/whoami").await.assert_ok()["name"], "Guest");
    let form = [("name", "guest"), ("password", PASSWORD)];
    let elsewhere = app.visitor();
    assert_eq!(
        elsewhere.post("/api/login", &form).await.assert_ok()["id"],
        guest.id
    );
    let there = app.another_instance().await;
    let snapshot = guest.at_instance(there.address).snapshot(id).await;
    assert_eq!(
        snapshot["players"][0],
        json!({"id": guest.id, "name": "Guest", "rating": 1600.0})
    );

    // From now on matches are rated.
    let rated = start_match_with(&guest, &ann, &[("setup", SMALL)]).await;
    assert_eq!(guest.snapshot(rated).await["rated"], true);
}

#[tokio::test]
async fn guest_is_offered_an_account() {
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
        .post_request("/api/keep_account")
        .header("accept", "text/html")
        .form(&form);
    let sent = super::player::send(sent).await;
    assert_eq!(sent.header("location"), Some("/rules"));
    // Neither an account nor a visitor can be converted.
    let page = guest.get("/keep").await.text;
    assert!(page.contains("You already have an account."));
    let page = app.visitor().get("/keep").await;
    assert_eq!(page.header("location"), Some("/login?next=%2Fkeep"));
}

/// Moves the creation of all players into the past.
async fn age_players(app: &TestApp, days: i32) {
    sqlx::query("update players set visited_at = visited_at - $1 * interval '1 day'")
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
async fn guests_are_deleted_after_thirty_days() {
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
    .assert_ok();
    let over = start_match_with(&finished, &ann, &UNRATED).await;
    begin(&finished, &ann, over).await;
    ann.resign(over).await.assert_ok();
    start_match_with(&playing, &ann, &UNRATED).await;
    idle.post("/api/open_table", &[("game", "dots")])
        .await
        .assert_ok();

    age_players(&app, 29).await;
    // An instance sweeps when it starts.
    let there = app.another_instance().await;
    there.visitor().be_guest("newcomer").await;
    age_players(&app, 1).await;
    let there = app.another_instance().await;
    let expected = ["ann", "deleted player", "playing", "kept", "newcomer"];
    super::app::wait_until("the end of two guests", async || {
        (names(&app).await == expected).then_some(())
    })
    .await;
    for (guest, is_known) in [
        (&idle, false),
        (&finished, false),
        (&playing, true),
        (&kept, true),
    ] {
        let whoami = guest.get("/api/whoami").await.assert_ok();
        assert_eq!(!whoami.is_null(), is_known, "{}: {whoami}", guest.name);
    }
    let snapshot = there.visitor().snapshot(over).await;
    assert_eq!(snapshot["players"][0]["name"], "deleted player");
    assert_eq!(snapshot["players"][1]["name"], "ann");
    // Their names are free.
    app.visitor().be_guest("idle").await;
    app.visitor().register("finished").await;
}

/// The form of a visitor without an account is the page of the lobby, and leads to it.
#[tokio::test]
async fn visitor_plays_as_a_guest_with_one_press() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let lobby = "/play?game=reversi&clock=180%2B2";
    let page = visitor.get(lobby).await;
    assert_eq!(page.status, 200);
    // The island of the lobby, and its script, are for players.
    assert!(!page.text.contains("waiting.js"), "{}", page.text);
    let value = |name: &str| {
        let field = page.text.split(&format!("name=\"{name}\"")).nth(1);
        let value = field.expect("a field").split("value=\"").nth(1);
        let value = value.expect("a value").split('"').next();
        value.expect("its end").replace("&amp;", "&")
    };
    let (name, next) = (value("name"), value("next"));
    assert!(next.starts_with("/play?game=reversi"), "{next}");
    for door in ["/login?next=%2Fplay", "/register?next=%2Fplay"] {
        assert!(page.text.contains(door), "{door} in {}", page.text);
    }
    // The suggested name is free; one that is not is told at the form.
    app.with_user("ann").await;
    let press = async |name: &str| {
        let form = [("name", name), ("next", &next)];
        let post = visitor.post_request("/api/be_guest").form(&form);
        let post = post.header("accept", "text/html");
        send(post.header("referer", visitor.url(lobby))).await
    };
    let refused = press("ann").await;
    let again = refused.header("location").expect("a redirect").to_owned();
    let again = again.strip_prefix(&visitor.url("")).unwrap_or(&again);
    let shown = visitor.get(again).await.text;
    assert!(shown.contains("That name is taken"), "{shown}");
    let entered = press(&name).await;
    assert_eq!(entered.header("location"), Some(&*next));
    let page = visitor.get(&next).await.text;
    assert!(page.contains("waiting.js"), "{page}");
    assert!(page.contains(&format!("<bdi>{name}</bdi>")), "{page}");
    assert!(!page.contains("rated=yes"), "{page}");
    // A guest's games are unrated, but nobody has chosen that: an account that is made of the guest plays rated games.
    assert!(!next.contains("rated"), "{next}");
    assert!(page.contains(" · unrated"), "{page}");
    visitor.get(&format!("{next}&rated=no")).await;
    let form = [("name", &*name), ("password", PASSWORD)];
    visitor.post("/api/keep_account", &form).await.assert_ok();
    let page = visitor.get("/play").await.text;
    assert!(page.contains("3 min + 2 s per move · rated"), "{page}");
    // Each language has names of its own.
    let russian = app.visitor().get("/api/made_up_name?language=ru").await;
    let russian = russian.assert_ok();
    assert!(
        russian
            .as_str()
            .unwrap()
            .chars()
            .any(|c| ('а'..='я').contains(&c))
    );
}

/// Somebody who makes many guests does not fill the list.
#[tokio::test]
async fn five_guests_of_an_address_are_listed() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    let ann = app.with_user("ann").await;
    let _anns = ann.join_lobby().await;
    let come = async |name: &str, address: &str| {
        let visitor = app.visitor();
        let post = visitor
            .post_request("/api/be_guest")
            .form(&[("name", name)]);
        let made = send(post.header("x-forwarded-for", address)).await;
        let guest = Player::from_visitor(visitor, made.id("id"), name.to_owned());
        let stream = guest.join_lobby().await;
        (guest, stream)
    };
    let listed = async || {
        let room = ann.get("/api/waiting_room?game=dots").await.assert_ok();
        let players = room["players"].as_array().unwrap().iter();
        let names = players.map(|player| player["name"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let mut guests = Vec::new();
    for number in 1..=7 {
        // Of one site.
        let address = format!("2001:db8:1:{number}::1");
        guests.push(come(&format!("guest-{number}"), &address).await);
    }
    let other = come("other", "192.0.2.1").await;
    let first_five = ["ann", "guest-1", "guest-2", "guest-3", "guest-4", "guest-5"];
    let expected = [&first_five[..], &["other"]].concat();
    assert_eq!(listed().await, expected);
    // Those who are not are told so, and may play by a link, or challenge others.
    let note = "Five guests from your network are listed already.";
    assert!(guests[6].0.get("/play").await.text.contains(note));
    assert!(!guests[4].0.get("/play").await.text.contains(note));
    assert!(!other.0.get("/play").await.text.contains(note));
    let unrated = [("game", "dots"), ("rated", "false")];
    // They see themselves and what they wait for, and may end that.
    let own = async || {
        let room = guests[6].0.get("/api/waiting_room?game=dots").await;
        let room = room.assert_ok();
        let players = room["players"].as_array().unwrap().iter();
        let mut own = players.filter(|player| player["unlisted"] == true);
        let me = own.next().expect("the reader").clone();
        assert!(own.next().is_none() && me["name"] == "guest-7", "{room}");
        me["quick_game"].clone()
    };
    let asked = guests[6].0.post("/api/quick_game", &unrated).await;
    assert!(asked.assert_ok()["match"].is_null());
    assert_eq!(own().await["rated"], false);
    assert!(
        guests[6]
            .0
            .get("/play?game=dots")
            .await
            .text
            .contains("/api/cancel_quick_game")
    );
    guests[6]
        .0
        .post("/api/cancel_quick_game", &[])
        .await
        .assert_ok();
    assert!(own().await.is_null());
    let opened = guests[6].0.post("/api/open_table", &unrated).await;
    opened.assert_ok();
    // A place gets free.
    guests.remove(0);
    let after = wait_until("the sixth", async || {
        let names = listed().await;
        names.contains(&"guest-6".to_owned()).then_some(names)
    })
    .await;
    assert!(!after.contains(&"guest-1".to_owned()), "{after:?}");
    assert_eq!(after.len(), expected.len());
}
