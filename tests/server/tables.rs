//! Open tables: opened by one, taken by another, and played at once both are ready.

use super::app::{SMALL, TestApp, start_match, until};
use super::player::{Answer, Player, Visitor};
use serde_json::{Value, json};

impl Player {
    /// Opens a table for Dots of 5 × 5 points, with more fields of the form.
    async fn lays(&self, more: &[(&str, &str)]) -> Answer {
        let form = [&[("game", "dots"), ("setup", SMALL)], more].concat();
        self.post("/api/open_table", &form).await
    }

    async fn sits(&self, table: &Value) -> Answer {
        self.post("/api/sit", &[("table", &number(table))]).await
    }

    async fn stands_up(&self, table: &Value) -> Answer {
        self.post("/api/stand_up", &[("table", &number(table))])
            .await
    }

    async fn is_ready(&self, table: &Value, ready: bool) -> Answer {
        let form = [("table", &*number(table)), ("ready", &ready.to_string())];
        self.post("/api/ready", &form).await
    }

    async fn removes(&self, table: &Value, other: &Player) -> Answer {
        let form = [
            ("table", &*number(table)),
            ("player", &other.id.to_string()),
        ];
        self.post("/api/remove_player", &form).await
    }
}

fn number(table: &Value) -> String {
    table["id"].to_string()
}

/// The table as everybody sees it who has the link.
async fn seen(visitor: &Visitor, table: &Value) -> Value {
    let link = table["link"].as_str().expect("a link");
    visitor
        .get(&format!("/api/table?link={link}"))
        .await
        .given()
}

/// The names at a table, and whether they are ready.
fn sitting(table: &Value) -> Vec<Option<(&str, bool)>> {
    let seats = table["seats"].as_array().expect("seats");
    let sitter = |seat: &'_ Value| !seat.is_null();
    seats
        .iter()
        .map(|seat| sitter(seat).then(|| (seat["name"].as_str().unwrap(), seat["ready"] == true)))
        .collect()
}

/// The name of whoever has opened the table, once the waiting room of Dots lists it.
async fn listed(player: &Player, table: &Value) -> bool {
    let room = player.get("/api/waiting_room?game=dots").await.given();
    let tables = room["tables"].as_array().expect("tables");
    tables.iter().any(|listed| listed["id"] == table["id"])
}

#[tokio::test]
async fn a_table_is_what_its_creator_has_asked_for() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let form = [
        ("name", "  After work "),
        ("clock", "300+5"),
        ("rated", "false"),
    ];
    let table = ann.lays(&form).await.given();
    let link = table["link"].as_str().expect("a link");
    assert!(link.len() == 10 && link.bytes().all(|letter| letter.is_ascii_alphanumeric()));
    let seat =
        json!({"id": ann.id, "name": "ann", "rating": 1600.0, "guest": false, "ready": false});
    let expected = json!({
        "id": table["id"], "name": "After work", "link": link, "game": "dots",
        "setup": {"width": 5, "height": 5, "start": "empty"}, "clock": "300+5", "rated": false,
        "creator": {"id": ann.id, "name": "ann", "rating": 1600.0}, "seats": [seat, null],
    });
    assert_eq!(table, expected);
    assert_eq!(
        seen(&app.visitor(), &table).await,
        table,
        "anybody may look"
    );
    assert_eq!(ann.get("/api/my_table").await.given(), table);

    let bob = app.with_user("bob").await;
    assert!(bob.get("/api/my_table").await.given().is_null());
}

#[tokio::test]
async fn a_table_without_a_name_is_called_after_its_creator() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    assert_eq!(ann.lays(&[("name", " ")]).await.given()["name"], "ann");
}

#[tokio::test]
async fn what_cannot_be_a_table_is_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let long = "x".repeat(41);
    for name in [long.as_str(), "a\u{202e}b", "two\nlines"] {
        ann.lays(&[("name", name)])
            .await
            .refused(400, "invalid_table_name");
    }
    ann.post("/api/open_table", &[("game", "chess")])
        .await
        .refused(400, "unknown_game");
    ann.post(
        "/api/open_table",
        &[("game", "dots"), ("setup", "{\"width\":1}")],
    )
    .await
    .refused(400, "invalid_setup");
    ann.lays(&[("clock", "1")])
        .await
        .refused(400, "invalid_clock");
    let visitor = app.visitor();
    visitor
        .post("/api/open_table", &[("game", "dots")])
        .await
        .refused(401, "signed_out");
    for link in ["0123456789", "x", "%00", ""] {
        visitor
            .get(&format!("/api/table?link={link}"))
            .await
            .refused(404, "no_such_table");
    }
    let nowhere = json!({"id": 77});
    ann.sits(&nowhere).await.refused(404, "no_such_table");
    ann.stands_up(&nowhere).await.refused(404, "no_such_table");
    ann.is_ready(&nowhere, true)
        .await
        .refused(404, "no_such_table");
    ann.removes(&nowhere, &ann)
        .await
        .refused(404, "no_such_table");
    let status = visitor.get("/t/0123456789").await.status;
    assert_eq!(status, 404, "and so says the page");
}

#[tokio::test]
async fn two_who_are_ready_play() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[("clock", "60+5")]).await.given();
    ann.is_ready(&table, true).await.given();
    bob.is_ready(&table, true).await.refused(409, "not_seated");

    // Who was ready for nobody is not yet so for Bob.
    let table = bob.sits(&table).await.given();
    assert_eq!(
        sitting(&table),
        [Some(("ann", false)), Some(("bob", false))]
    );
    assert_eq!(bob.sits(&table).await.given(), table, "twice is once");
    bob.is_ready(&table, true).await.given();
    bob.is_ready(&table, false).await.given();
    let waiting = ann.is_ready(&table, true).await.given();
    assert_eq!(
        sitting(&waiting),
        [Some(("ann", true)), Some(("bob", false))]
    );
    assert!(waiting.get("match").is_none(), "{waiting}");

    let begun = bob.is_ready(&table, true).await.given();
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
    // Nobody is left at the table, and its address leads on.
    ann.sits(&table).await.refused(409, "already_playing");
    ann.lays(&[]).await.refused(409, "already_playing");
    assert_eq!(seen(&app.visitor(), &table).await["match"], id);
    let page = format!("/t/{}", table["link"].as_str().unwrap());
    let sent_on = ann.get(&page).await;
    assert_eq!(sent_on.header("location"), Some(&*format!("/match/{id}")));
    let watching = app.visitor().get(&page).await;
    assert!(watching.text.contains(&format!("href=\"/match/{id}\"")));
}

#[tokio::test]
async fn the_seats_are_drawn_by_chance() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut first = [0, 0];
    // Twenty times the same would be chance only once in half a million times.
    for _ in 0..20 {
        let table = ann.lays(&[]).await.given();
        bob.sits(&table).await.given();
        ann.is_ready(&table, true).await.given();
        let id = bob.is_ready(&table, true).await.id("match");
        let begins = ann.snapshot(id).await["players"][0]["id"].as_i64();
        first[usize::from(begins == Some(bob.id))] += 1;
        bob.resigns(id).await.given();
    }
    assert!(first.iter().all(|times| *times > 0), "{first:?}");
}

#[tokio::test]
async fn the_creator_lets_somebody_get_up() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    bob.sits(&table).await.given();
    ann.is_ready(&table, true).await.given();
    bob.removes(&table, &ann).await.refused(403, "not_yours");
    ann.removes(&table, &ann).await.refused(409, "not_seated");
    let alone = ann.removes(&table, &bob).await.given();
    assert_eq!(sitting(&alone), [Some(("ann", false)), None]);
    ann.removes(&table, &bob).await.refused(409, "not_seated");
    bob.is_ready(&table, true).await.refused(409, "not_seated");
    bob.sits(&table).await.given();
    bob.stands_up(&table).await.given();
    bob.stands_up(&table).await.refused(409, "not_seated");
    assert_eq!(
        sitting(&seen(&bob, &table).await),
        [Some(("ann", false)), None]
    );
}

#[tokio::test]
async fn with_its_creator_the_table_is_closed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    bob.sits(&table).await.given();
    ann.stands_up(&table).await.given();
    assert_eq!(seen(&bob, &table).await["closed"], true);
    for answer in [
        bob.sits(&table).await,
        bob.is_ready(&table, true).await,
        ann.stands_up(&table).await,
    ] {
        answer.refused(404, "no_such_table");
    }
    let page = bob
        .get(&format!("/t/{}", table["link"].as_str().unwrap()))
        .await;
    assert!(page.text.contains("This table is closed"), "{}", page.text);
}

#[tokio::test]
async fn nobody_sits_at_two_tables() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let cid = app.with_user("cid").await;
    let anns = ann.lays(&[]).await.given();
    let bobs = bob.lays(&[]).await.given();
    cid.sits(&anns).await.given();
    cid.sits(&bobs).await.given();
    assert_eq!(
        sitting(&seen(&cid, &anns).await),
        [Some(("ann", false)), None]
    );
    // Whoever sits down elsewhere leaves the table of their own.
    cid.stands_up(&bobs).await.given();
    ann.sits(&bobs).await.given();
    assert_eq!(seen(&cid, &anns).await["closed"], true);
    assert_eq!(ann.get("/api/my_table").await.given()["id"], bobs["id"]);
}

#[tokio::test]
async fn tables_are_limited() {
    let app = TestApp::with(|settings| {
        settings.tables_in_all = 2.try_into().unwrap();
    })
    .await;
    let (ann, bob) = app.with_two().await;
    let cid = app.with_user("cid").await;
    let anns = ann.lays(&[]).await.given();
    ann.lays(&[]).await.refused(409, "too_many_tables");
    bob.lays(&[]).await.given();
    cid.lays(&[]).await.refused(409, "tables_full");
    ann.stands_up(&anns).await.given();
    let (one, other) = tokio::join!(ann.lays(&[]), cid.lays(&[]));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(
        codes,
        [None, Some("tables_full".to_owned())],
        "no more than two"
    );
}

#[tokio::test]
async fn a_player_may_open_several_where_the_operator_lets_them() {
    let app = TestApp::with(|settings| settings.tables_per_player = 2.try_into().unwrap()).await;
    let (ann, bob) = app.with_two().await;
    let first = ann.lays(&[]).await.given();
    let second = ann.lays(&[]).await.given();
    ann.lays(&[]).await.refused(409, "too_many_tables");
    // Ann sits at the newer one, and may go back to the other.
    assert_eq!(sitting(&seen(&ann, &first).await), [None, None]);
    ann.sits(&first).await.given();
    assert_eq!(sitting(&seen(&ann, &second).await), [None, None]);
    bob.sits(&first).await.given();
    ann.is_ready(&first, true).await.given();
    bob.is_ready(&first, true).await.id("match");
    assert_eq!(
        seen(&ann, &second).await["closed"],
        true,
        "who plays has no table"
    );
}

#[tokio::test]
async fn of_two_who_want_one_chair_one_gets_it() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let cid = app.with_user("cid").await.moved_to(there.address);
    for _ in 0..10 {
        let table = ann.lays(&[]).await.given();
        let (bobs, cids) = tokio::join!(bob.sits(&table), cid.sits(&table));
        let mut codes = [bobs.code(), cids.code()];
        codes.sort();
        assert_eq!(codes, [None, Some("table_full".to_owned())]);
        ann.stands_up(&table).await.given();
    }
}

#[tokio::test]
async fn both_ready_at_once_begin_one_match() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let bob = bob.moved_to(there.address);
    for _ in 0..5 {
        let table = ann.lays(&[]).await.given();
        bob.sits(&table).await.given();
        let (anns, bobs) = tokio::join!(ann.is_ready(&table, true), bob.is_ready(&table, true));
        let begun = seen(&ann, &table).await["match"].as_i64().expect("a match");
        let told = [anns.given(), bobs.given()];
        assert!(told.iter().any(|table| table["match"] == begun), "{told:?}");
        bob.resigns(begun).await.given();
    }
}

#[tokio::test]
async fn a_match_elsewhere_lets_its_players_get_up() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let anns = ann.lays(&[]).await.given();
    let cids = cid.lays(&[]).await.given();
    dan.sits(&anns).await.given();
    bob.sits(&cids).await.given();
    cid.is_ready(&cids, true).await.given();
    start_match(&ann, &bob, SMALL).await;
    assert_eq!(seen(&dan, &anns).await["closed"], true, "its creator plays");
    assert!(seen(&dan, &anns).await.get("match").is_none(), "elsewhere");
    assert_eq!(
        sitting(&seen(&cid, &cids).await),
        [Some(("cid", false)), None]
    );
    dan.sits(&cids).await.given();
}

#[tokio::test]
async fn a_start_waits_for_another_with_the_same_player() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let cid = app.with_user("cid").await;
    let table = ann.lays(&[]).await.given();
    bob.sits(&table).await.given();
    ann.is_ready(&table, true).await.given();
    let _waiting = (bob.waits().await, cid.waits().await);
    let challenge = cid.challenges(&bob, &[]).await.id("id");
    let (begun, accepted) = tokio::join!(bob.is_ready(&table, true), bob.answers(challenge, true));
    // Whichever came first, the other was told so.
    let matches: i64 = sqlx::query_scalar("select count(*) from matches")
        .fetch_one(&app.db)
        .await
        .expect("an answer");
    assert_eq!(matches, 1, "{begun:?} {accepted:?}");
    let refusals: Vec<_> = [&begun, &accepted]
        .into_iter()
        .filter_map(Answer::code)
        .collect();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    let known = [
        "no_such_table",
        "not_seated",
        "challenge_closed",
        "already_playing",
    ];
    assert!(known.contains(&&*refusals[0]), "{refusals:?}");
}

#[tokio::test]
async fn the_waiting_room_lists_tables_with_a_free_chair() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let cid = app.with_user("cid").await.moved_to(there.address);
    let mut room = cid.waits().await;
    let mut elsewhere = cid.waits_for("gomoku").await;
    let table = ann.lays(&[]).await.given();
    assert_eq!(
        room.next_named("table").await,
        table,
        "also at another instance"
    );
    assert!(listed(&cid, &table).await);
    bob.sits(&table).await.given();
    assert_eq!(
        room.next_named("table_closed").await,
        json!({"id": table["id"]})
    );
    assert!(!listed(&cid, &table).await, "it is full");
    bob.stands_up(&table).await.given();
    assert_eq!(room.next_named("table").await, table);
    let late = ann
        .moved_to(there.address)
        .stream("/events/lobby?game=dots")
        .await;
    let mut late = late;
    assert_eq!(late.expect("snapshot").await["tables"], json!([table]));
    ann.stands_up(&table).await.given();
    assert_eq!(
        room.next_named("table_closed").await,
        json!({"id": table["id"]})
    );

    // Nothing of it in the room of another game.
    let gomoku = [("game", "gomoku")];
    let other = ann.post("/api/open_table", &gomoku).await.given();
    let told = elsewhere.next_named("table").await;
    assert_eq!(told["id"], other["id"]);
}

#[tokio::test]
async fn the_stream_of_a_table_tells_what_happens_there() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut anns = ann.stream(&path).await;
    // Somebody without an account, at another instance.
    let mut watching = app.visitor().moved_to(there.address).stream(&path).await;
    for stream in [&mut anns, &mut watching] {
        assert_eq!(stream.expect("table").await, table);
    }
    bob.sits(&table).await.given();
    for stream in [&mut anns, &mut watching] {
        let told = stream.expect("table").await;
        assert_eq!(sitting(&told), [Some(("ann", false)), Some(("bob", false))]);
    }
    ann.is_ready(&table, true).await.given();
    for stream in [&mut anns, &mut watching] {
        let told = stream.expect("table").await;
        assert_eq!(sitting(&told)[0], Some(("ann", true)));
    }
    let id = bob.is_ready(&table, true).await.id("match");
    for stream in [&mut anns, &mut watching] {
        let called = stream.expect("match_started").await;
        assert_eq!(
            (&called["match"], &called["game"]),
            (&json!(id), &json!("dots"))
        );
        let mut players: Vec<_> = [0, 1]
            .map(|seat| called["players"][seat]["id"].as_i64())
            .into();
        players.sort_unstable();
        assert_eq!(players, [Some(ann.id), Some(bob.id)]);
    }
    // Whoever comes later is told at once.
    let mut late = bob.stream(&path).await;
    assert_eq!(late.expect("table").await["closed"], true);
    assert_eq!(late.expect("match_started").await["match"], id);
}

#[tokio::test]
async fn the_stream_tells_that_a_table_is_closed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut bobs = bob.stream(&path).await;
    bobs.expect("table").await;
    ann.stands_up(&table).await.given();
    assert_eq!(
        bobs.expect("table_closed").await,
        json!({"id": table["id"]})
    );
    for path in ["/events/table/0123456789", "/events/table/x%2F"] {
        bob.get(path).await.refused(404, "no_such_table");
    }
}

/// Moves the last signs of life at all tables so far into the past.
async fn time_passes(app: &TestApp, seconds: i64) {
    for statement in [
        "update open_tables set seen_at = seen_at - $1 * interval '1 second'",
        "update seated set seen_at = seen_at - $1 * interval '1 second'",
    ] {
        sqlx::query(statement)
            .bind(seconds)
            .execute(&app.db)
            .await
            .expect("time passes");
    }
}

#[tokio::test]
async fn a_table_is_listed_while_its_creator_is_here_and_its_link_lives_longer() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    let mut room = bob.waits().await;
    assert!(listed(&bob, &table).await);
    time_passes(&app, 31).await;
    room.next_named("table_closed").await;
    assert!(!listed(&bob, &table).await);
    // On a phone, Ann is sending the link just now.
    bob.sits(&table).await.given();
    bob.stands_up(&table).await.given();
    // Coming back to the page, or to a waiting room, is a sign of life.
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let back = ann.stream(&path).await;
    assert_eq!(room.next_named("table").await["id"], table["id"]);
    drop(back);
    time_passes(&app, 31 * 60).await;
    until("the end of the table", async || {
        let closed = seen(&bob, &table).await["closed"] == true;
        closed.then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_stays_away_from_a_table_gets_up() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut anns = ann.stream(&path).await;
    anns.expect("table").await;
    bob.sits(&table).await.given();
    anns.expect("table").await;
    bob.is_ready(&table, true).await.given();
    anns.expect("table").await;
    time_passes(&app, 31).await;
    let told = anns.expect("table").await;
    assert_eq!(
        sitting(&told)[1],
        Some(("bob", false)),
        "who would not see the game begin"
    );
    time_passes(&app, 30).await;
    assert_eq!(
        sitting(&anns.expect("table").await),
        [Some(("ann", false)), None]
    );
}

#[tokio::test]
async fn a_page_without_scripts_is_a_sign_of_life() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let table = ann.lays(&[]).await.given();
    bob.sits(&table).await.given();
    time_passes(&app, 50).await;
    let page = format!("/t/{}", table["link"].as_str().unwrap());
    let loaded = bob.get(&page).await;
    assert_eq!(loaded.status, 200);
    assert!(loaded.text.contains(r#"http-equiv="refresh""#));
    until("a sign of life", async || {
        let here: bool = sqlx::query_scalar(
            "select seen_at > now() - interval '20 seconds' from seated where player_id = $1",
        )
        .bind(bob.id)
        .fetch_one(&app.db)
        .await
        .expect("a seat");
        here.then_some(())
    })
    .await;
}

#[tokio::test]
async fn forms_alone_lead_from_the_room_to_the_board() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let html = |player: &Player, path: &str, form: Vec<(&'static str, String)>| {
        let request = player.posts(path).header("accept", "text/html").form(&form);
        super::player::send(request)
    };
    let laid = html(
        &ann,
        "/api/open_table",
        vec![("game", "dots".into()), ("name", "<b>".into())],
    )
    .await;
    let page = laid.header("location").expect("a page").to_owned();
    assert!(laid.status == 302 && page.starts_with("/t/"), "{laid:?}");
    let table = ann.get("/api/my_table").await.given();
    let id = number(&table);
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
async fn an_invitation_has_the_whole_address() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let link = ann.lays(&[]).await.given()["link"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/invitation?link={link}");
    let given = app.visitor().get(&path).await.given();
    assert_eq!(given["address"], app.visitor().url(&format!("/t/{link}")));
    let page = ann.get(&format!("/t/{link}")).await.text;
    assert!(
        page.contains(given["dark"].as_str().unwrap()),
        "the code is drawn"
    );

    let proxied = TestApp::with(|settings| {
        settings.public_origin = Some("https://tochki.example/".into());
    })
    .await;
    let ann = proxied.with_user("ann").await;
    let link = ann.lays(&[]).await.given()["link"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/invitation?link={link}");
    let given = proxied.visitor().get(&path).await.given();
    assert_eq!(given["address"], format!("https://tochki.example/t/{link}"));
    let nowhere = "/api/invitation?link=0123456789";
    proxied
        .visitor()
        .get(nowhere)
        .await
        .refused(404, "no_such_table");
}
