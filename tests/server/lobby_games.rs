//! The lobbies of several games: their separate parts, and the events that reach a player in another lobby.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::player::{Player, Response};
use super::sse_client::Stream;
use serde_json::{Value, json};

async fn room(player: &Player, game: &str) -> Value {
    let address = format!("/api/waiting_room?game={game}");
    player.get(&address).await.assert_ok()
}

/// Returns the value of the `choice` cookie, as it is set.
fn choice_cookie(answer: &Response) -> Option<String> {
    let cookies = answer.cookies();
    let cookie = cookies
        .iter()
        .find_map(|cookie| cookie.strip_prefix("choice="));
    Some(cookie?.split(';').next()?.to_owned())
}

#[tokio::test]
async fn scores_of_running_matches_are_events() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut eves = eve.join_lobby().await;
    let mut others = eve.join_lobby_of("gomoku").await;
    begin(&ann, &bob, id).await;
    let told = eves.next_named("scores").await;
    let game = &told["matches"][0];
    assert_eq!(game["match"], id);
    assert_eq!(game["score"], json!([0, 0]));
    assert!(game["progress"].as_u64().is_some_and(|percent| percent > 0));
    // The next snapshot says the same.
    let listed = &room(&eve, "dots").await["matches"][0];
    assert_eq!(listed["id"], id);
    // Later events in the other room come without scores before them.
    let dan = app.with_user("dan").await;
    let _dans = dan.join_lobby_of("gomoku").await;
    let heard = others.collect_until("joined").await;
    assert!(heard.iter().all(|event| event.name != "scores"));
}

#[tokio::test]
async fn the_last_finished_matches_are_listed_and_told() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.join_lobby().await;
    let mut ids = Vec::new();
    for number in 0..6 {
        let id = start_match(&ann, &bob, SMALL).await;
        if number == 0 {
            // It counts for nothing, and is not listed.
            ann.abort(id).await.assert_ok();
            continue;
        }
        begin(&ann, &bob, id).await;
        bob.resign(id).await.assert_ok();
        ids.insert(0, id);
        if number == 1 {
            let told = eves.next_named("just_finished").await;
            let game = &told["matches"][0];
            assert_eq!(told["matches"].as_array().map(Vec::len), Some(1));
            let names = [&game["players"][0]["name"], &game["players"][1]["name"]];
            let bobs_seat = names.iter().position(|name| *name == "bob").unwrap();
            assert_eq!(game["winner"], json!(2 - bobs_seat));
            assert_eq!((&game["id"], &game["score"]), (&json!(id), &json!([0, 0])));
        }
    }
    let listed = room(&eve, "dots").await["finished"].clone();
    let listed: Vec<i64> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["id"].as_i64().unwrap())
        .collect();
    assert_eq!(listed, ids, "the latest first");
    assert_eq!(room(&eve, "gomoku").await["finished"], json!([]));
    let page = eve.get("/play?game=dots").await.text;
    for id in ids {
        assert!(page.contains(&format!("href=\"/match/{id}\"")), "{id}");
    }
}

/// Plays a match to its end. Returns it with the stream of each player, whose page is still open.
async fn finished_match(ann: &Player, bob: &Player) -> (i64, [Stream; 2]) {
    let id = start_match(ann, bob, SMALL).await;
    let address = format!("/events/match/{id}");
    let mut pages = [ann.stream(&address).await, bob.stream(&address).await];
    begin(ann, bob, id).await;
    ann.resign(id).await.assert_ok();
    for page in &mut pages {
        page.next_named("finished").await;
    }
    (id, pages)
}

/// Waits until the lobby lists these players, each by name and whether they sit at a finished match.
async fn expect_listed(reader: &Player, expected: &[(&str, bool)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, sits)| ((*name).to_owned(), *sits))
        .collect();
    wait_until(&format!("{expected:?} are listed"), async || {
        let room = room(reader, "dots").await;
        let players = room["players"].as_array()?.iter();
        let mut listed: Vec<_> = players
            .map(|card| {
                let name = card["name"].as_str().unwrap_or_default();
                (name.to_owned(), card["just_finished"] == true)
            })
            .collect();
        listed.sort();
        (listed == expected).then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_sits_at_a_finished_match_is_challenged_there() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.join_lobby().await;
    let (id, [anns_page, bobs_page]) = finished_match(&ann, &bob).await;
    assert_eq!(eves.next_named("match_started").await["match"], id);
    expect_listed(&eve, &[("ann", true), ("bob", true), ("eve", false)]).await;
    assert_eq!(room(&eve, "gomoku").await["players"], json!([]));

    // Who comes to the lobby is there, and no longer only at the match.
    let anns_lobby = ann.join_lobby().await;
    expect_listed(&eve, &[("ann", false), ("bob", true), ("eve", false)]).await;
    drop((anns_lobby, anns_page));
    expect_listed(&eve, &[("bob", true), ("eve", false)]).await;
    eve.challenge(&ann, &[])
        .await
        .assert_error(404, "not_waiting");

    let mut bobs = bob.stream("/events/me").await;
    let asked = eve.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    assert_eq!(bobs.next_named("challenged").await["id"], asked);
    let page = bob.get(&format!("/match/{id}")).await.text;
    assert!(
        page.contains("call incoming") && page.contains("eve (1600?)"),
        "{page}"
    );
    for other in [&eve, &ann] {
        let page = other.get(&format!("/match/{id}")).await.text;
        assert!(!page.contains("call incoming"));
    }
    let next = bob.answer_challenge(asked, true).await.id("match");
    assert_eq!(eves.next_named("match_started").await["match"], next);
    // Nobody waits who plays.
    expect_listed(&ann, &[("eve", false)]).await;
    drop(bobs_page);
}

#[tokio::test]
async fn bots_and_players_of_aborted_matches_are_not_listed_as_just_finished() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let bot = sqlx::query("update players set bot = true where id = $1");
    bot.bind(bob.id).execute(&app.db).await.unwrap();
    let (_, pages) = finished_match(&ann, &bob).await;
    expect_listed(&eve, &[("ann", true)]).await;
    eve.challenge(&bob, &[])
        .await
        .assert_error(404, "not_waiting");
    drop(pages);
    expect_listed(&eve, &[]).await;
    let id = start_match(&ann, &eve, SMALL).await;
    let _page = ann.stream(&format!("/events/match/{id}")).await;
    ann.abort(id).await.assert_ok();
    expect_listed(&bob, &[]).await;
    eve.challenge(&ann, &[])
        .await
        .assert_error(404, "not_waiting");
}

#[tokio::test]
async fn each_game_has_its_own_lobby() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.join_lobby().await;
    let _rooms = (
        ann.join_lobby_of("gomoku").await,
        bob.join_lobby_of("gomoku").await,
    );
    for (game, names) in [("dots", json!(["eve"])), ("gomoku", json!(["ann", "bob"]))] {
        let room = room(&ann, game).await;
        let players = room["players"].as_array().expect("a list");
        let waiting: Value = players.iter().map(|card| card["name"].clone()).collect();
        assert_eq!(waiting, names, "{game}");
    }
    // A challenge needs the opponent in the lobby of its game.
    let answer = eve.challenge_to("dots", &ann, &[]).await;
    answer.assert_error(404, "not_waiting");
    let asked = ann.challenge_to("gomoku", &bob, &[]).await;
    assert_eq!(room(&bob, "dots").await["challenges"], json!([]));
    let started = bob.answer_challenge(asked.id("id"), true).await.id("match");
    assert_eq!(room(&eve, "gomoku").await["matches"][0]["id"], started);
    assert_eq!(room(&eve, "dots").await["matches"], json!([]));

    begin(&ann, &bob, started).await;
    ann.resign(started).await.assert_ok();
    let rating = async |game: &str| {
        let stream = bob.join_lobby_of(game).await;
        let room = room(&eve, game).await;
        drop(stream);
        let players = room["players"].as_array().expect("a list").clone();
        let card = players.into_iter().find(|card| card["name"] == "bob");
        card.expect("bob waits")["rating"].clone()
    };
    assert_eq!(rating("gomoku").await, json!(1612.5));
    assert_eq!(rating("dots").await, json!(1600.0));
    // Eve got `joined` and `left` only.
    let heard = eves.collect_until("joined").await;
    assert!(heard.iter().all(|event| !event.name.starts_with("match")));
}

#[tokio::test]
async fn challenges_of_different_games_do_not_cross() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _dots = (ann.join_lobby().await, bob.join_lobby().await);
    let _boxes = (
        ann.join_lobby_of("boxes").await,
        bob.join_lobby_of("boxes").await,
    );
    let asked = ann.challenge_to("dots", &bob, &[]).await.assert_ok();
    let answered = bob.challenge_to("boxes", &ann, &[]).await.assert_ok();
    assert_eq!(
        (&asked["match"], &answered["match"]),
        (&Value::Null, &Value::Null)
    );
    for game in ["dots", "boxes"] {
        let room = room(&ann, game).await;
        assert_eq!(
            room["challenges"].as_array().map(Vec::len),
            Some(1),
            "{game}"
        );
    }
}

#[tokio::test]
async fn match_start_is_streamed_to_the_player_in_every_lobby() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut eves) = (ann.join_lobby().await, eve.join_lobby().await);
    let _rooms = (
        ann.join_lobby_of("reversi").await,
        bob.join_lobby_of("reversi").await,
    );
    let asked = bob.challenge_to("reversi", &ann, &[]).await;
    let id = ann.answer_challenge(asked.id("id"), true).await.id("match");
    let called = anns.next_named("match_started").await;
    assert_eq!(
        (&called["match"], &called["game"]),
        (&json!(id), &json!("reversi"))
    );
    assert_eq!(room(&ann, "dots").await["matches"][0]["id"], id);
    assert_eq!(room(&eve, "dots").await["matches"], json!([]));
    // Without scripts the page redirects to the match.
    let page = ann.get("/play?game=gomoku").await;
    assert_eq!(
        page.header("location"),
        Some(format!("/match/{id}").as_str())
    );

    begin(&bob, &ann, id).await;
    ann.resign(id).await.assert_ok();
    assert_eq!(anns.next_named("match_finished").await["match"], id);
    let late = app.with_user("zoe").await;
    let _waiting = late.join_lobby().await;
    let heard = eves.collect_until("joined").await;
    assert!(heard.iter().all(|event| !event.name.starts_with("match")));
}

#[tokio::test]
async fn last_choice_of_each_game_is_remembered() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let shows = async |address: &str, part: &str| {
        let page = ann.get(address).await;
        assert_eq!(page.status, 200, "{address}");
        assert!(page.text.contains(part), "no {part:?} at {address}");
        page
    };
    shows("/play", "Dots · 39 × 32").await;
    let dots = "game=dots&board=13x13&start=empty&clock=300+5&rated=no";
    shows(&format!("/play?{dots}"), "Dots · 13 × 13").await;
    // Opening another lobby chooses its game.
    let looked = shows("/play?game=gomoku", "Gomoku · 19 × 19 · freestyle").await;
    let gomoku = "game=gomoku&size=19&rule=freestyle&clock=300+5&rated=yes";
    assert_eq!(choice_cookie(&looked), Some(format!("{gomoku}|{dots}")));
    let chosen = "Gomoku · 15 × 15 · standard · 3 min + 2 s per move · rated";
    shows(
        "/play?game=gomoku&size=15&rule=standard&clock=180+2",
        chosen,
    )
    .await;
    shows("/play", chosen).await;
    shows(
        "/play?game=boxes&board=own&width=2&height=10",
        "Dots and Boxes · 2 × 10",
    )
    .await;
    shows(
        "/play?game=reversi",
        "Reversi · 8 × 8 · 5 min + 5 s per move · rated",
    )
    .await;
    shows(
        "/play?game=dots",
        "Dots · 13 × 13 · empty board · 5 min + 5 s per move · unrated",
    )
    .await;
    shows("/play?game=gomoku", chosen).await;
    let here = shows("/play", chosen).await;
    assert_eq!(choice_cookie(&here), None, "nothing new to remember");
    // The fields of one game are not used for another.
    shows("/play?game=gomoku&board=3x3", chosen).await;
    let wrong = "/play?game=boxes&board=11x2";
    shows(wrong, "2 to 10 boxes per side.").await;
    shows(wrong, "Correct the marked fields.").await;
}

#[tokio::test]
async fn page_shows_the_current_game_and_links_the_others() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let page = ann.get("/play?game=boxes&min=1700").await.text;
    for game in ["dots", "boxes", "gomoku", "reversi"] {
        let way = format!(r#"href="/play?game={game}""#);
        let tag = page.split("<a ").find(|tag| tag.contains(&way));
        let tag = tag.and_then(|tag| tag.split('>').next());
        let tag = tag.unwrap_or_else(|| panic!("no way to {game}"));
        assert_eq!(
            tag.contains(r#"aria-current="page""#),
            game == "boxes",
            "{tag}"
        );
    }
    // A page without scripts joins the lobby of its game.
    wait_until("Ann in the room of Boxes", async || {
        let players = room(&ann, "boxes").await["players"].clone();
        (players[0]["name"] == "ann").then_some(())
    })
    .await;
    assert_eq!(room(&ann, "dots").await["players"], json!([]));
    let page = ann.get("/play?game=chess").await.text;
    assert!(page.contains("There is no such game here. Choose another."));
}

#[tokio::test]
async fn each_game_has_a_rules_page() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let all = visitor.get("/rules").await;
    assert_eq!(all.status, 200);
    for game in ["dots", "boxes", "gomoku", "reversi"] {
        let address = format!("/rules/{game}");
        assert!(all.text.contains(&format!(r#"href="{address}""#)), "{game}");
        let page = visitor.get(&address).await;
        assert_eq!(page.status, 200, "{game}");
        assert!(page.text.contains("How to play"), "{game}");
        assert!(page.text.contains("The move"), "{game}");
        assert!(
            page.text.contains(&format!(r#"href="/play?game={game}""#)),
            "{game}"
        );
    }
    let lost = visitor.get("/rules/chess").await;
    assert_eq!(lost.header("location"), Some("/rules"));
}
