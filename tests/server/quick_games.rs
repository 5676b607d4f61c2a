//! Quick games: two who want the same play, nobody is in two games, and nobody is left who could be paired.

use super::app::{SMALL, TestApp, begin, wait_until};
use super::player::{Player, Response, Visitor, send};
use super::sse_client::Stream;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Starts a server whose visitors say where they come from.
pub(super) async fn app() -> TestApp {
    TestApp::with_settings(|settings| settings.trust_proxy = 1).await
}

const TERMS: [(&str, &str); 3] = [("game", "dots"), ("setup", SMALL), ("clock", "60+1")];

/// Asks for a quick game from an address.
async fn ask_from(player: &Visitor, address: &str, more: &[(&str, &str)]) -> Response {
    let post = player.post_request("/api/quick_game");
    let form = [&TERMS, more].concat();
    send(post.header("x-forwarded-for", address).form(&form)).await
}

/// Returns the address of a player, whom no other player shares it with.
pub(super) fn address_of(player: &Player) -> String {
    format!("10.1.{}.{}", player.id / 250, player.id % 250 + 1)
}

async fn ask(player: &Player, more: &[(&str, &str)]) -> Response {
    ask_from(player, &address_of(player), more).await
}

/// Asks, and expects that nobody wants the same.
#[track_caller]
fn assert_waits(answer: &Response) {
    assert_eq!(answer.assert_ok(), json!({"match": null}));
}

/// Returns the quick game that the room shows this player waiting for.
async fn shown(viewer: &Player, player: &Player) -> Value {
    let room = viewer.get("/api/waiting_room?game=dots").await.assert_ok();
    let players = room["players"].as_array().unwrap();
    let row = players.iter().find(|row| row["id"] == player.id);
    row.map_or(Value::Null, |row| row["quick_game"].clone())
}

async fn waiting_ids(app: &TestApp) -> Vec<i64> {
    sqlx::query_scalar("select player_id from quick_games order by 1")
        .fetch_all(&app.db)
        .await
        .unwrap()
}

/// The players of all running matches, by match.
async fn running(app: &TestApp) -> Vec<BTreeSet<i64>> {
    let seats: Vec<(i64, i64)> =
        sqlx::query_as("select seat1, seat2 from matches where finished_at is null")
            .fetch_all(&app.db)
            .await
            .unwrap();
    let pair = |(one, other)| BTreeSet::from([one, other]);
    seats.into_iter().map(pair).collect()
}

/// Returns players in the lobby of Dots.
async fn here(app: &TestApp, names: &[&str]) -> Vec<(Player, Stream)> {
    let mut all = Vec::new();
    for name in names {
        let player = app.with_user(name).await;
        let stream = player.join_lobby().await;
        all.push((player, stream));
    }
    all
}

#[tokio::test]
async fn two_who_want_the_same_play_at_once() {
    let app = app().await;
    let [(ann, mut anns), (bob, mut bobs), (carol, _carols)] = here(&app, &["ann", "bob", "carol"])
        .await
        .try_into()
        .ok()
        .unwrap();
    assert_waits(&ask(&ann, &[]).await);
    // Everybody sees it in her row.
    let row = loop {
        let joined = bobs.next_named("joined").await;
        if joined["id"] == ann.id && !joined["quick_game"].is_null() {
            break joined["quick_game"].clone();
        }
    };
    assert_eq!(row["game"], "dots");
    assert_eq!(row["setup"]["width"], 5);
    assert_eq!(
        (&row["clock"], &row["rated"]),
        (&json!("60+1"), &json!(true))
    );
    // Somebody wants another clock, another board, another rating or another game.
    for other in [
        ("clock", "60+2"),
        ("setup", r#"{"width":6,"height":5}"#),
        ("rated", "false"),
        ("game", "reversi"),
    ] {
        let terms = TERMS.map(|field| if field.0 == other.0 { other } else { field });
        let mut form = terms.to_vec();
        if other.0 == "rated" {
            form.push(other);
        }
        if other.0 == "game" {
            form.retain(|field| field.0 != "setup");
        }
        let post = carol.post_request("/api/quick_game").form(&form);
        assert_waits(&send(post.header("x-forwarded-for", address_of(&carol))).await);
    }
    // A second press changes nothing, not even the time of waiting.
    assert_waits(&ask(&ann, &[]).await);
    assert_eq!(shown(&bob, &ann).await, row);

    let id = ask(&bob, &[]).await.id("match");
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(stream.next_named("match_started").await["match"], id);
    }
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["rated"], true);
    assert_eq!(snapshot["setup"]["width"], 5);
    assert_eq!(waiting_ids(&app).await, [carol.id]);
    ask(&ann, &[]).await.assert_error(409, "already_playing");
    carol.post("/api/cancel_quick_game", &[]).await.assert_ok();
    carol.post("/api/cancel_quick_game", &[]).await.assert_ok();
    assert_eq!(waiting_ids(&app).await, [0; 0]);
    let form = [("game", "dots"), ("setup", "{}"), ("clock", "x")];
    ann.post("/api/quick_game", &form)
        .await
        .assert_error(400, "invalid_clock");
}

#[tokio::test]
async fn some_are_never_paired() {
    let app = app().await;
    let [(ann, _anns), (bob, _bobs)] = here(&app, &["ann", "bob"]).await.try_into().ok().unwrap();
    let cancel = async || {
        for player in [&ann, &bob] {
            player.post("/api/cancel_quick_game", &[]).await.assert_ok();
        }
    };
    let apart = async |why: &str, from: [&str; 2]| {
        assert_waits(&ask_from(&ann, from[0], &[]).await);
        let answer = ask_from(&bob, from[1], &[]).await;
        assert_eq!(answer.assert_ok()["match"], Value::Null, "{why}");
        app.state.lobbies.sweep_quick_games().await.unwrap();
        assert_eq!(running(&app).await, [], "{why}");
    };
    let both = [&*address_of(&ann), &*address_of(&bob)];
    apart("one address", ["10.0.0.1"; 2]).await;
    cancel().await;
    apart("one site", ["2001:db8:1:2::3", "2001:db8:1:4::5"]).await;
    cancel().await;

    let (anns_id, bobs_id) = (ann.id.to_string(), bob.id.to_string());
    for (who, whom) in [(&ann, &bobs_id), (&bob, &anns_id)] {
        let mute = async |muted: &str| {
            who.post("/api/mute", &[("player", whom), ("muted", muted)])
                .await
                .assert_ok();
        };
        mute("true").await;
        apart("muted", both).await;
        cancel().await;
        mute("false").await;
    }
    let asked = bob.challenge(&ann, &[("setup", SMALL)]).await.id("id");
    ann.answer_challenge(asked, false).await.assert_ok();
    apart("declined", both).await;
    sqlx::query("update challenges set closed_at = closed_at - interval '11 minutes'")
        .execute(&app.db)
        .await
        .unwrap();
    // What kept them apart is over, and the sweeper pairs them.
    app.state.lobbies.sweep_quick_games().await.unwrap();
    assert_eq!(running(&app).await, [BTreeSet::from([ann.id, bob.id])]);
    let id = ask_match(&ann).await;
    ann.abort(id).await.assert_ok();
    apart("aborted a moment ago", both).await;
    // The next player of the address is left alone, too.
    sqlx::query("insert into addresses (player_id, address) values ($1, '2001:db8:7:1::1')")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    let (carl, _carls) = here(&app, &["carl"]).await.remove(0);
    ann.post("/api/cancel_quick_game", &[]).await.assert_ok();
    assert_waits(&ask_from(&carl, "2001:db8:7:2::2", &[]).await);
    app.state.lobbies.sweep_quick_games().await.unwrap();
    assert_eq!(running(&app).await, []);
    carl.post("/api/cancel_quick_game", &[]).await.assert_ok();
    assert_waits(&ask(&ann, &[]).await);
    sqlx::query("update matches set finished_at = finished_at - interval '11 minutes'")
        .execute(&app.db)
        .await
        .unwrap();
    app.state.lobbies.sweep_quick_games().await.unwrap();
    let id = ask_match(&ann).await;
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();
    // Five rated games a day.
    sqlx::query("insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, finished_at, winner, reason)
         select game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, now(), 1, 'resigned' from matches, generate_series(1, 4)
         where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    apart("rated enough today", both).await;
    assert_waits(&ask(&ann, &[("rated", "false")]).await);
    let id = ask(&bob, &[("rated", "false")]).await.id("match");
    assert_eq!(ann.snapshot(id).await["rated"], false);
}

/// Returns the running match of a player.
async fn ask_match(player: &Player) -> i64 {
    player.get("/api/my_match").await.id("match")
}

#[tokio::test]
async fn guests_and_bots_keep_nobody_from_rated_games() {
    let app = app().await;
    let [(ann, _anns), (bob, _bobs), (bot, _bots)] = here(&app, &["ann", "bob", "robot"])
        .await
        .try_into()
        .ok()
        .unwrap();
    sqlx::query("update players set bot = true where id = $1")
        .bind(bot.id)
        .execute(&app.db)
        .await
        .unwrap();
    let guest = app.visitor().be_guest("passer-by").await;
    let _guests = guest.join_lobby().await;
    ask(&guest, &[]).await.assert_error(409, "guests_unrated");
    assert_waits(&ask(&guest, &[("rated", "false")]).await);
    assert_waits(&ask(&bot, &[]).await);
    assert_waits(&ask(&ann, &[]).await);
    let id = ask(&bob, &[]).await.id("match");
    let players = BTreeSet::from([ann.id, bob.id]);
    assert_eq!(running(&app).await, [players]);
    assert_eq!(ann.snapshot(id).await["rated"], true);
    // Unrated games are between people, too.
    assert_waits(&ask(&bot, &[("rated", "false")]).await);
    let other = app.visitor().be_guest("another").await;
    // Who is not in the room waits, too: nobody would be at the board.
    assert_waits(&ask(&other, &[("rated", "false")]).await);
    let _others = other.join_lobby().await;
    let id = ask(&other, &[("rated", "false")]).await.id("match");
    let cards = other.snapshot(id).await["players"].clone();
    assert!(
        cards
            .as_array()
            .unwrap()
            .iter()
            .all(|card| card["guest"] == true),
        "{cards}"
    );
}

#[tokio::test]
async fn nobody_who_refuses_guests_is_paired_with_one() {
    let app = app().await;
    let [(ann, _anns), (bob, _bobs)] = here(&app, &["ann", "bob"]).await.try_into().ok().unwrap();
    let form = [("switches", "guests")];
    ann.post("/api/settings", &form).await.assert_ok();
    let guest = app.visitor().be_guest("passer-by").await;
    let _guests = guest.join_lobby().await;
    let unrated = [("rated", "false")];
    assert_waits(&ask(&guest, &unrated).await);
    assert_waits(&ask(&ann, &unrated).await);
    ask(&bob, &unrated).await.id("match");
    assert_eq!(running(&app).await, [BTreeSet::from([guest.id, bob.id])]);
}

#[tokio::test]
async fn who_has_left_is_not_played_with() {
    let app = app().await;
    let [(ann, anns), (bob, _bobs)] = here(&app, &["ann", "bob"]).await.try_into().ok().unwrap();
    assert_waits(&ask(&ann, &[]).await);
    drop(anns);
    wait_until("an empty row", async || {
        shown(&bob, &ann).await.is_null().then_some(())
    })
    .await;
    assert_waits(&ask(&bob, &[]).await);
    // The row of somebody who has just asked stays, until the page is loaded that shows it.
    app.state.lobbies.sweep_quick_games().await.unwrap();
    assert_eq!(waiting_ids(&app).await, [ann.id, bob.id]);
    sqlx::query("update quick_games set asked_at = asked_at - interval '11 s'")
        .execute(&app.db)
        .await
        .unwrap();
    app.state.lobbies.sweep_quick_games().await.unwrap();
    assert_eq!(waiting_ids(&app).await, [bob.id], "bob is here");
    // A match that begins another way ends the waiting, and so does the end of the account.
    let carol = app.with_user("carol").await;
    let _carols = carol.join_lobby().await;
    let asked = carol.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    bob.answer_challenge(asked, true).await.id("match");
    assert_eq!(waiting_ids(&app).await, [0; 0]);
    let dora = app.with_user("dora").await;
    assert_waits(&ask(&dora, &[]).await);
    let form = [("password", super::player::PASSWORD)];
    dora.post("/api/delete_account", &form).await.assert_ok();
    assert_eq!(waiting_ids(&app).await, [0; 0]);
}

/// Many ask at once, at two instances, some press eight times, some cancel, some are challenged meanwhile.
#[tokio::test]
async fn of_many_nobody_is_in_two_games_and_nobody_is_left() {
    let app = app().await;
    let second = TestApp::on(
        app.database.clone(),
        tochki_server::settings::Settings {
            trust_proxy: 1,
            ..TestApp::settings()
        },
    )
    .await;
    let mut players = Vec::new();
    for number in 0..13 {
        let player = app.with_user(&format!("player-{number}")).await;
        let player = if number % 2 == 0 {
            player
        } else {
            player.at_instance(second.address)
        };
        let stream = player.join_lobby().await;
        players.push((player, stream));
    }
    let presses = players.iter().flat_map(|(player, _)| {
        let times = if player.id % 3 == 0 { 8 } else { 1 };
        (0..times).map(move |_| async move {
            let answer = ask(player, &[]).await;
            // Another press, or another player, was faster.
            assert!(
                answer.status == 200 || answer.json()["code"] == "already_playing",
                "{answer:?}"
            );
        })
    });
    let (first, later) = (&players[0].0, &players[1].0);
    let challenge = async {
        let asked = first.challenge(later, &[("setup", SMALL)]).await;
        if asked.status == 200 && asked.json()["match"].is_null() {
            let id = asked.id("id");
            // It is closed if one of them plays already.
            later.answer_challenge(id, true).await;
        }
    };
    tokio::join!(join_all(presses), challenge);
    let pairs = wait_until("six games", async || {
        let pairs = running(&app).await;
        (pairs.len() >= 6).then_some(pairs)
    })
    .await;
    assert_eq!(pairs.len(), 6);
    let seated: BTreeSet<i64> = pairs.into_iter().flatten().collect();
    assert_eq!(seated.len(), 12, "nobody is in two games");
    let left = waiting_ids(&app).await;
    assert_eq!(left.len(), 1, "thirteen is odd");
    assert!(!seated.contains(&left[0]));
    let (last, _) = players
        .iter()
        .find(|(player, _)| player.id == left[0])
        .unwrap();
    last.post("/api/cancel_quick_game", &[]).await.assert_ok();
    assert_eq!(waiting_ids(&app).await, [0; 0]);
}

/// The form and the reload of a browser without scripts.
#[tokio::test]
async fn without_scripts_the_page_shows_the_waiting_and_then_the_match() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let choice = "/play?game=dots&board=13x13&start=empty&clock=300%2B5&rated=no";
    for player in [&ann, &bob] {
        let page = player.get(choice).await.text;
        assert!(page.contains(r#"action="/api/quick_game""#), "{page}");
    }
    let press = async |player: &Player| {
        let form = [
            ("game", "dots"),
            ("setup", r#"{"width":13,"height":13}"#),
            ("clock", "300+5"),
            ("rated", "false"),
        ];
        let post = player.post_request("/api/quick_game").form(&form);
        let post = post.header("accept", "text/html");
        send(post.header("x-forwarded-for", address_of(player))).await
    };
    let waits = press(&ann).await;
    assert_eq!(waits.header("location"), Some("/play?game=dots"));
    let page = ann.get("/play?game=dots").await.text;
    assert!(page.contains("Looking for an opponent"), "{page}");
    assert!(!page.contains("No opponent yet"), "{page}");
    sqlx::query("update quick_games set since = since - interval '21 s'")
        .execute(&app.db)
        .await
        .unwrap();
    let page = ann.get("/play?game=dots").await.text;
    assert!(page.contains("No opponent yet"), "{page}");
    // Bob's page has a button to play with her.
    let page = bob.get("/play?game=dots").await.text;
    assert!(page.contains("Play ann"), "{page}");
    let plays = press(&bob).await;
    let place = plays.header("location").expect("a redirect").to_owned();
    assert!(place.starts_with("/match/"), "{place}");
    let page = send(ann.request(Method::GET, "/play?game=dots")).await;
    assert_eq!(page.header("location"), Some(&*place));
}

/// Gives a player a rating in Dots, live or by correspondence.
async fn rate(app: &TestApp, player: &Player, rating: f64, correspondence: bool) {
    sqlx::query(
        "insert into ratings (player_id, game, rating, games) values ($1, rating_kind('dots', $3), $2, 9)
         on conflict (player_id, game) do update set rating = excluded.rating",
    )
    .bind(player.id)
    .bind(rating)
    .bind(correspondence)
    .execute(&app.db)
    .await
    .unwrap();
}

async fn may_pair(app: &TestApp, one: &Player, other: &Player) -> bool {
    sqlx::query_scalar("select may_quick_pair($1, $2, interval '10 minutes')")
        .bind(one.id)
        .bind(other.id)
        .fetch_one(&app.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn each_is_within_the_bounds_of_the_other() {
    let app = app().await;
    let names = ["ann", "bob", "cid", "dan"];
    let [(ann, _anns), (bob, _bobs), (cid, _cids), (dan, _dans)] =
        here(&app, &names).await.try_into().ok().unwrap();
    // 1699.5 is shown as 1700.
    for (player, rating) in [(&cid, 1699.5), (&dan, 1750.0)] {
        rate(&app, player, rating, false).await;
    }
    ask(&ann, &[("min_rating", "1700"), ("max_rating", "1699")])
        .await
        .assert_error(400, "invalid_filter");
    assert_waits(&ask(&ann, &[("min_rating", "1700")]).await);
    let row = shown(&bob, &ann).await;
    assert_eq!(
        (&row["min_rating"], &row["max_rating"]),
        (&json!(1700), &Value::Null)
    );
    // Bob is below Ann's bounds, though she is within his, and stays so for the sweeper.
    assert_waits(&ask(&bob, &[("max_rating", "1600")]).await);
    assert!(!may_pair(&app, &ann, &bob).await && !may_pair(&app, &bob, &ann).await);
    // Dan is within Ann's bounds, and she is not within his.
    assert_waits(&ask(&dan, &[("min_rating", "1601")]).await);
    // Other bounds are another wish, with a time of its own.
    let before = shown(&bob, &dan).await["since"].clone();
    assert_waits(&ask(&dan, &[("min_rating", "1605")]).await);
    assert_ne!(shown(&bob, &dan).await["since"], before);
    assert_waits(&ask(&dan, &[("min_rating", "1605")]).await);
    let id = ask(&cid, &[]).await.id("match");
    let players = ann.snapshot(id).await["players"].clone();
    let ids: BTreeSet<_> = [0, 1].map(|at| players[at]["id"].as_i64()).into();
    assert_eq!(
        ids,
        BTreeSet::from([Some(ann.id), Some(cid.id)]),
        "she waited longest"
    );
    assert_eq!(waiting_ids(&app).await, [bob.id, dan.id]);

    // A guest has no rating.
    let form = [("name", "Gus")];
    let guest = app.visitor().post("/api/be_guest", &form).await.assert_ok();
    assert!(guest["id"].is_i64());
    assert_waits(&ask(&bob, &[("rated", "false"), ("min_rating", "1")]).await);
    let (least, none): (bool, bool) = sqlx::query_as(
        "select is_rating_within(shown_rating($1, 'dots'), 1, null), is_rating_within(shown_rating($1, 'dots'), null, null)",
    )
    .bind(guest["id"].as_i64())
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!((least, none), (false, true));
}

#[tokio::test]
async fn a_quick_game_by_correspondence_minds_the_bounds_of_both() {
    let app = app().await;
    let [ann, bob, cid, dan] = [
        app.with_user("ann").await,
        app.with_user("bob").await,
        app.with_user("cid").await,
        app.with_user("dan").await,
    ];
    rate(&app, &cid, 1750.0, true).await;
    let slow = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let ask = async |player: &Player, more: &[(&str, &str)]| {
        let form = [&slow[..], more].concat();
        player.post("/api/quick_game", &form).await
    };
    assert_waits(&ask(&ann, &[("min_rating", "1700")]).await);
    assert_waits(&ask(&bob, &[]).await);
    assert_waits(&ask(&dan, &[("min_rating", "1601")]).await);
    let open: Vec<(i64, Option<i32>)> = sqlx::query_as(
        "select creator_id, min_rating from open_tables where closed_at is null order by id",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    let expected = [(ann.id, Some(1700)), (bob.id, None), (dan.id, Some(1601))];
    assert_eq!(open, expected, "each has opened one");
    // Cid wants nobody below 1600, and gets the oldest of those that want him.
    let id = ask(&cid, &[("min_rating", "1600")]).await.id("match");
    let players = ann.snapshot(id).await["players"].clone();
    assert!(
        [0, 1]
            .map(|at| players[at]["id"].as_i64())
            .contains(&Some(ann.id))
    );
    let none = ask(&cid, &[("min_rating", "1601")]).await;
    assert_waits(&none);
    let guest = app.visitor();
    let form = [("name", "Gus")];
    guest.post("/api/be_guest", &form).await.assert_ok();
    let table: i64 = sqlx::query_scalar(
        "select id from open_tables where creator_id = $1 and closed_at is null",
    )
    .bind(dan.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    guest
        .post("/api/sit", &[("table", &*table.to_string())])
        .await
        .assert_error(409, "not_accepted");
}
