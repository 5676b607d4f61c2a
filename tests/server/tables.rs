//! Tables: opening, sitting down, getting ready, and the permissions of each.

use super::app::{SMALL, TestApp, begin};
use super::player::{Player, Response, Visitor};
use serde_json::{Value, json};
use sqlx::types::Json;
use tochki_protocol::Table;

impl Player {
    /// Opens a table for Dots on 5 × 5 points, with more fields.
    pub(crate) async fn open_table(&self, more: &[(&str, &str)]) -> Response {
        let form = [&[("game", "dots"), ("setup", SMALL)], more].concat();
        self.post("/api/open_table", &form).await
    }

    pub(crate) async fn sit(&self, table: &Value) -> Response {
        let (id, link) = (id_of(table), table["link"].as_str().unwrap_or_default());
        self.post("/api/sit", &[("table", &id), ("link", link)])
            .await
    }

    pub(crate) async fn stand_up(&self, table: &Value) -> Response {
        self.post("/api/stand_up", &[("table", &id_of(table))])
            .await
    }

    pub(crate) async fn set_ready(&self, table: &Value, ready: bool) -> Response {
        let form = [("table", &*id_of(table)), ("ready", &ready.to_string())];
        self.post("/api/ready", &form).await
    }

    pub(crate) async fn remove_player(&self, table: &Value, other: &Player) -> Response {
        let form = [("table", &*id_of(table)), ("player", &other.id.to_string())];
        self.post("/api/remove_player", &form).await
    }
}

fn id_of(table: &Value) -> String {
    table["id"].to_string()
}

/// Returns the table as anyone with the link sees it.
pub(crate) async fn get_table(visitor: &Visitor, table: &Value) -> Value {
    let link = table["link"].as_str().expect("a link");
    visitor
        .get(&format!("/api/table?link={link}"))
        .await
        .assert_ok()
}

/// Returns the names of the seated players, and whether they are ready.
pub(crate) fn seats(table: &Value) -> Vec<Option<(&str, bool)>> {
    let seats = table["seats"].as_array().expect("seats");
    let sitter = |seat: &'_ Value| !seat.is_null();
    seats
        .iter()
        .map(|seat| sitter(seat).then(|| (seat["name"].as_str().unwrap(), seat["ready"] == true)))
        .collect()
}

/// Returns whether the lobby of Dots lists the table for this player.
pub(crate) async fn is_listed(player: &Player, table: &Value) -> bool {
    let room = player.get("/api/waiting_room?game=dots").await.assert_ok();
    let tables = room["tables"].as_array().expect("tables");
    tables.iter().any(|listed| listed["id"] == table["id"])
}

#[tokio::test]
async fn table_has_the_requested_terms() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let form = [
        ("name", "  After work "),
        ("clock", "300+5"),
        ("rated", "false"),
    ];
    let table = ann.open_table(&form).await.assert_ok();
    let link = table["link"].as_str().expect("a link");
    assert!(link.len() == 10 && link.bytes().all(|letter| letter.is_ascii_alphanumeric()));
    let seat = json!({"id": ann.id, "name": "ann", "rating": 1600.0, "guest": false, "provisional": true, "ready": false});
    let expected = json!({
        "id": table["id"], "name": "After work", "link": link, "game": "dots",
        "setup": {"width": 5, "height": 5, "start": "empty"}, "clock": "300+5", "rated": false, "agreement": table["agreement"],
        "creator": {"id": ann.id, "name": "ann", "rating": 1600.0, "provisional": true}, "seats": [seat, null],
    });
    assert_eq!(table, expected);
    assert_eq!(
        get_table(&app.visitor(), &table).await,
        table,
        "anybody may look"
    );
    assert_eq!(ann.get("/api/my_table").await.assert_ok(), table);

    let bob = app.with_user("bob").await;
    assert!(bob.get("/api/my_table").await.assert_ok().is_null());
}

/// Compares the view `laid_tables` with the JSON of the release before, which runs beside this one during an upgrade. This test
/// goes with it.
#[tokio::test]
async fn a_table_is_sent_as_by_the_release_before() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let check = async |table: &Value, state: &str| {
        let Json(before): Json<Table> =
            sqlx::query_scalar("select laid from laid_tables where id = $1")
                .bind(table["id"].as_i64())
                .fetch_one(&app.db)
                .await
                .expect("a table");
        let link = table["link"].as_str().expect("a link");
        let path = format!("/api/table?link={link}");
        let sent = app.visitor().get(&path).await;
        let expected = serde_json::to_string(&before).expect("JSON");
        assert_eq!(sent.text, expected, "{state}");
        sent.assert_ok()
    };
    for change in [
        "update players set bot = true where name = 'bob'",
        "insert into ratings (player_id, game, rating, games, ranked)
         select id, 'dots', 1612.4375, 30, true from players where name = 'ann'",
    ] {
        let changed = sqlx::query(change).execute(&app.db).await;
        changed.expect("a row");
    }
    let table = ann.open_table(&[("clock", "60+5")]).await.assert_ok();
    check(&table, "a free seat").await;
    bob.sit(&table).await.assert_ok();
    bob.set_ready(&table, true).await.assert_ok();
    let ready = check(&table, "one is ready").await;
    assert_eq!(ready["seats"][1]["ready"], true);
    ann.remove_player(&table, &bob).await.assert_ok();
    let cid = app.with_user("cid").await;
    cid.sit(&table).await.assert_ok();
    cid.set_ready(&table, true).await.assert_ok();
    sqlx::query("update table_seats set agreed = 'before' where player_id = $1")
        .bind(cid.id)
        .execute(&app.db)
        .await
        .expect("a seat");
    let changed = check(&table, "other terms").await;
    assert_eq!(changed["terms_changed"], true);
    for player in [&ann, &cid] {
        player.set_ready(&table, true).await.assert_ok();
    }
    let begun = check(&table, "its match has started").await;
    assert!(begun["match"].is_i64(), "{begun}");
}

#[tokio::test]
async fn table_without_a_name_is_named_after_its_creator() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    assert_eq!(
        ann.open_table(&[("name", " ")]).await.assert_ok()["name"],
        "ann"
    );
}

#[tokio::test]
async fn invalid_tables_are_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let long = "x".repeat(41);
    for name in [long.as_str(), "a\u{202e}b", "two\nlines"] {
        ann.open_table(&[("name", name)])
            .await
            .assert_error(400, "invalid_table_name");
    }
    ann.post("/api/open_table", &[("game", "chess")])
        .await
        .assert_error(400, "unknown_game");
    ann.post(
        "/api/open_table",
        &[("game", "dots"), ("setup", "{\"width\":1}")],
    )
    .await
    .assert_error(400, "invalid_setup");
    ann.open_table(&[("clock", "1")])
        .await
        .assert_error(400, "invalid_clock");
    let visitor = app.visitor();
    visitor
        .post("/api/open_table", &[("game", "dots")])
        .await
        .assert_error(401, "signed_out");
    for link in ["0123456789", "x", "%00", ""] {
        visitor
            .get(&format!("/api/table?link={link}"))
            .await
            .assert_error(404, "no_such_table");
    }
    let nowhere = json!({"id": 77});
    ann.sit(&nowhere).await.assert_error(404, "no_such_table");
    ann.stand_up(&nowhere)
        .await
        .assert_error(404, "no_such_table");
    ann.set_ready(&nowhere, true)
        .await
        .assert_error(404, "no_such_table");
    ann.remove_player(&nowhere, &ann)
        .await
        .assert_error(404, "no_such_table");
    let status = visitor.get("/t/0123456789").await.status;
    assert_eq!(status, 404, "and so says the page");
}

#[tokio::test]
async fn who_sits_down_by_an_invitation_is_ready_and_may_take_it_back() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    let (id, link) = (id_of(&table), table["link"].as_str().unwrap_or_default());
    let invited = [("table", &*id), ("link", link), ("ready", "true")];
    let seated = bob.post("/api/sit", &invited).await.assert_ok();
    // The host has to look first who has come.
    assert_eq!(
        (&seated["seats"][0]["ready"], &seated["seats"][1]["ready"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(seated["match"], Value::Null);
    bob.set_ready(&table, false).await.assert_ok();
    let waiting = ann.set_ready(&table, true).await.assert_ok();
    assert_eq!(waiting["match"], Value::Null);
    bob.set_ready(&table, true).await.id("match");
}

#[tokio::test]
async fn match_starts_when_both_are_ready() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[("clock", "60+5")]).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    bob.set_ready(&table, true)
        .await
        .assert_error(409, "not_seated");

    // Sitting down resets readiness.
    let table = bob.sit(&table).await.assert_ok();
    assert_eq!(seats(&table), [Some(("ann", false)), Some(("bob", false))]);
    assert_eq!(bob.sit(&table).await.assert_ok(), table, "twice is once");
    bob.set_ready(&table, true).await.assert_ok();
    bob.set_ready(&table, false).await.assert_ok();
    let waiting = ann.set_ready(&table, true).await.assert_ok();
    assert_eq!(seats(&waiting), [Some(("ann", true)), Some(("bob", false))]);
    assert!(waiting.get("match").is_none(), "{waiting}");

    let begun = bob.set_ready(&table, true).await.assert_ok();
    let id = begun["match"].as_i64().expect("a match");
    assert_eq!(begun["closed"], true);
    let snapshot = app.visitor().snapshot(id).await;
    let mut players: Vec<_> = snapshot["players"].as_array().unwrap().iter().collect();
    players.sort_by_key(|player| player["id"].as_i64());
    assert_eq!(players[0]["name"], "ann");
    assert_eq!(players[1]["name"], "bob");
    assert_eq!(snapshot["rated"], true);
    assert_eq!(snapshot["time_control"], "60+5");
    assert_eq!(snapshot["setup"], table["setup"]);
    // The table is empty, and its page redirects to the match.
    ann.sit(&table).await.assert_error(409, "already_playing");
    ann.open_table(&[])
        .await
        .assert_error(409, "already_playing");
    assert_eq!(get_table(&app.visitor(), &table).await["match"], id);
    let page = format!("/t/{}", table["link"].as_str().unwrap());
    let sent_on = ann.get(&page).await;
    assert_eq!(sent_on.header("location"), Some(&*format!("/match/{id}")));
    let watching = app.visitor().get(&page).await;
    assert!(watching.text.contains(&format!("href=\"/match/{id}\"")));
}

#[tokio::test]
async fn seats_are_random() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut first = [0, 0];
    // Twenty equal draws have a probability of one in half a million.
    for _ in 0..20 {
        let table = ann.open_table(&[]).await.assert_ok();
        bob.sit(&table).await.assert_ok();
        ann.set_ready(&table, true).await.assert_ok();
        let id = bob.set_ready(&table, true).await.id("match");
        let begins = ann.snapshot(id).await["players"][0]["id"].as_i64();
        first[usize::from(begins == Some(bob.id))] += 1;
        begin(&ann, &bob, id).await;
        bob.resign(id).await.assert_ok();
    }
    assert!(first.iter().all(|times| *times > 0), "{first:?}");
}

#[tokio::test]
async fn creator_can_remove_a_player() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    bob.sit(&table).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    bob.remove_player(&table, &ann)
        .await
        .assert_error(403, "not_yours");
    ann.remove_player(&table, &ann)
        .await
        .assert_error(409, "not_seated");
    let alone = ann.remove_player(&table, &bob).await.assert_ok();
    assert_eq!(seats(&alone), [Some(("ann", false)), None]);
    ann.remove_player(&table, &bob)
        .await
        .assert_error(409, "not_seated");
    bob.set_ready(&table, true)
        .await
        .assert_error(409, "not_seated");
    bob.sit(&table).await.assert_error(403, "removed");
    let cid = app.with_user("cid").await;
    cid.sit(&table).await.assert_ok();
    cid.stand_up(&table).await.assert_ok();
    cid.stand_up(&table).await.assert_error(409, "not_seated");
    assert_eq!(
        seats(&get_table(&bob, &table).await),
        [Some(("ann", false)), None]
    );
}

#[tokio::test]
async fn table_closes_when_its_creator_leaves() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    bob.sit(&table).await.assert_ok();
    ann.stand_up(&table).await.assert_ok();
    assert_eq!(get_table(&bob, &table).await["closed"], true);
    for answer in [
        bob.sit(&table).await,
        bob.set_ready(&table, true).await,
        ann.stand_up(&table).await,
    ] {
        answer.assert_error(404, "no_such_table");
    }
    let page = bob
        .get(&format!("/t/{}", table["link"].as_str().unwrap()))
        .await;
    assert!(page.text.contains("This game is closed"), "{}", page.text);
}

#[tokio::test]
async fn player_sits_at_one_table_only() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let anns = ann.open_table(&[]).await.assert_ok();
    let bobs = bob.open_table(&[]).await.assert_ok();
    cid.sit(&anns).await.assert_ok();
    cid.sit(&bobs).await.assert_ok();
    assert_eq!(
        seats(&get_table(&cid, &anns).await),
        [Some(("ann", false)), None]
    );
    // Sitting down elsewhere closes one's own table.
    cid.stand_up(&bobs).await.assert_ok();
    ann.sit(&bobs).await.assert_ok();
    assert_eq!(get_table(&cid, &anns).await["closed"], true);
    assert_eq!(ann.get("/api/my_table").await.assert_ok()["id"], bobs["id"]);
}

#[tokio::test]
async fn open_tables_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.tables_in_all = 2.try_into().unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let anns = ann.open_table(&[]).await.assert_ok();
    ann.open_table(&[])
        .await
        .assert_error(409, "too_many_tables");
    bob.open_table(&[]).await.assert_ok();
    cid.open_table(&[]).await.assert_error(409, "tables_full");
    ann.stand_up(&anns).await.assert_ok();
    let (one, other) = tokio::join!(ann.open_table(&[]), cid.open_table(&[]));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(
        codes,
        [None, Some("tables_full".to_owned())],
        "no more than two"
    );
}

#[tokio::test]
async fn tables_per_player_is_configurable() {
    let app =
        TestApp::with_settings(|settings| settings.tables_per_player = 2.try_into().unwrap()).await;
    let (ann, bob) = app.with_two_users().await;
    let first = ann.open_table(&[]).await.assert_ok();
    let second = ann.open_table(&[]).await.assert_ok();
    ann.open_table(&[])
        .await
        .assert_error(409, "too_many_tables");
    // Ann sits at the newer one, and can go back to the other.
    assert_eq!(seats(&get_table(&ann, &first).await), [None, None]);
    ann.sit(&first).await.assert_ok();
    assert_eq!(seats(&get_table(&ann, &second).await), [None, None]);
    bob.sit(&first).await.assert_ok();
    ann.set_ready(&first, true).await.assert_ok();
    bob.set_ready(&first, true).await.id("match");
    assert_eq!(
        get_table(&ann, &second).await["closed"],
        true,
        "who plays has no table"
    );
}

#[tokio::test]
async fn forms_lead_from_the_lobby_to_the_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let html = |player: &Player, path: &str, form: Vec<(&'static str, String)>| {
        let request = player
            .post_request(path)
            .header("accept", "text/html")
            .form(&form);
        super::player::send(request)
    };
    let created = html(
        &ann,
        "/api/open_table",
        vec![("game", "dots".into()), ("name", "<b>".into())],
    )
    .await;
    let page = created.header("location").expect("a page").to_owned();
    assert!(
        created.status == 302 && page.starts_with("/t/"),
        "{created:?}"
    );
    let table = ann.get("/api/my_table").await.assert_ok();
    let id = id_of(&table);
    let room = bob.get("/play").await.text;
    assert!(
        room.contains("&lt;b>") || room.contains("&lt;b&gt;"),
        "a name is never markup"
    );
    assert!(!room.contains("<bdi><b>"));
    let sat = html(&bob, "/api/sit", vec![("table", id.clone())]).await;
    assert_eq!(sat.header("location"), Some(&*page));
    for player in [&ann, &bob] {
        let text = player.get(&page).await.text;
        assert!(
            text.contains("/api/ready") && text.contains(&page),
            "{text}"
        );
    }
    html(
        &ann,
        "/api/ready",
        vec![("table", id.clone()), ("ready", "true".into())],
    )
    .await;
    let begun = html(
        &bob,
        "/api/ready",
        vec![("table", id), ("ready", "true".into())],
    )
    .await;
    assert!(
        begun
            .header("location")
            .is_some_and(|to| to.starts_with("/match/")),
        "{begun:?}"
    );
}

#[tokio::test]
async fn invitation_has_the_full_url() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let link = ann.open_table(&[]).await.assert_ok()["link"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/invitation?link={link}");
    let given = app.visitor().get(&path).await.assert_ok();
    assert_eq!(given["address"], app.visitor().url(&format!("/t/{link}")));
    let page = ann.get(&format!("/t/{link}")).await.text;
    assert!(
        page.contains(given["dark"].as_str().unwrap()),
        "the code is drawn"
    );

    let proxied = TestApp::with_settings(|settings| {
        settings.public_origin = Some("https://tochki.example/".into());
    })
    .await;
    let ann = proxied.with_user("ann").await;
    let link = ann.open_table(&[]).await.assert_ok()["link"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/invitation?link={link}");
    let given = proxied.visitor().get(&path).await.assert_ok();
    assert_eq!(given["address"], format!("https://tochki.example/t/{link}"));
    let nowhere = "/api/invitation?link=0123456789";
    proxied
        .visitor()
        .get(nowhere)
        .await
        .assert_error(404, "no_such_table");
}
