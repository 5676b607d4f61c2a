//! The waiting rooms of several games: what each keeps to itself, and what reaches a player in another one.

use super::app::{TestApp, until};
use super::player::{Answer, Player};
use serde_json::{Value, json};

async fn room(player: &Player, game: &str) -> Value {
    let address = format!("/api/waiting_room?game={game}");
    player.get(&address).await.given()
}

/// The cookie that remembers the choices, as it is set.
fn choices_set(answer: &Answer) -> Option<String> {
    let cookies = answer.cookies();
    let cookie = cookies
        .iter()
        .find_map(|cookie| cookie.strip_prefix("choice="));
    Some(cookie?.split(';').next()?.to_owned())
}

#[tokio::test]
async fn two_games_have_two_rooms() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.waits().await;
    let _rooms = (ann.waits_for("gomoku").await, bob.waits_for("gomoku").await);
    for (game, names) in [("dots", json!(["eve"])), ("gomoku", json!(["ann", "bob"]))] {
        let room = room(&ann, game).await;
        let players = room["players"].as_array().expect("a list");
        let waiting: Value = players.iter().map(|card| card["name"].clone()).collect();
        assert_eq!(waiting, names, "{game}");
    }
    // Nobody is asked for a game whose room they are not in.
    let answer = eve.challenges_to("dots", &ann, &[]).await;
    answer.refused(404, "not_waiting");
    let asked = ann.challenges_to("gomoku", &bob, &[]).await;
    assert_eq!(room(&bob, "dots").await["challenges"], json!([]));
    let started = bob.answers(asked.id("id"), true).await.id("match");
    assert_eq!(room(&eve, "gomoku").await["matches"][0]["id"], started);
    assert_eq!(room(&eve, "dots").await["matches"], json!([]));

    ann.resigns(started).await.given();
    let rating = async |game: &str| {
        let stream = bob.waits_for(game).await;
        let room = room(&eve, game).await;
        drop(stream);
        let players = room["players"].as_array().expect("a list").clone();
        let card = players.into_iter().find(|card| card["name"] == "bob");
        card.expect("bob waits")["rating"].clone()
    };
    assert_eq!(rating("gomoku").await, json!(1612.5));
    assert_eq!(rating("dots").await, json!(1600.0));
    // Of all that Eve has heard who came and went, and nothing of a game.
    let heard = eves.all_until("joined").await;
    assert!(heard.iter().all(|event| !event.name.starts_with("match")));
}

#[tokio::test]
async fn challenges_in_two_games_do_not_cross() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _dots = (ann.waits().await, bob.waits().await);
    let _boxes = (ann.waits_for("boxes").await, bob.waits_for("boxes").await);
    let asked = ann.challenges_to("dots", &bob, &[]).await.given();
    let answered = bob.challenges_to("boxes", &ann, &[]).await.given();
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
async fn whoever_plays_is_called_to_their_table_from_every_room() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut eves) = (ann.waits().await, eve.waits().await);
    let _rooms = (
        ann.waits_for("reversi").await,
        bob.waits_for("reversi").await,
    );
    let asked = bob.challenges_to("reversi", &ann, &[]).await;
    let id = ann.answers(asked.id("id"), true).await.id("match");
    let called = anns.next_named("match_started").await;
    assert_eq!(
        (&called["match"], &called["game"]),
        (&json!(id), &json!("reversi"))
    );
    assert_eq!(room(&ann, "dots").await["matches"][0]["id"], id);
    assert_eq!(room(&eve, "dots").await["matches"], json!([]));
    // Without scripts the page itself leads there.
    let page = ann.get("/play?game=gomoku").await;
    assert_eq!(
        page.header("location"),
        Some(format!("/match/{id}").as_str())
    );

    ann.resigns(id).await.given();
    assert_eq!(anns.next_named("match_finished").await["match"], id);
    let late = app.with_user("zoe").await;
    let _waiting = late.waits().await;
    let heard = eves.all_until("joined").await;
    assert!(heard.iter().all(|event| !event.name.starts_with("match")));
}

#[tokio::test]
async fn the_last_choice_of_each_game_is_remembered() {
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
    // To look into another room is to choose it.
    let looked = shows("/play?game=gomoku", "Gomoku · 19 × 19 · free-style").await;
    let gomoku = "game=gomoku&size=19&rule=freestyle&clock=none&rated=yes";
    assert_eq!(choices_set(&looked), Some(format!("{gomoku}|{dots}")));
    let chosen = "Gomoku · 15 × 15 · standard · 3 min + 2 s a move · rated";
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
    shows("/play?game=reversi", "Reversi · 8 × 8 · no clock · rated").await;
    shows(
        "/play?game=dots",
        "Dots · 13 × 13 · empty board · 5 min + 5 s a move · not rated",
    )
    .await;
    shows("/play?game=gomoku", chosen).await;
    let here = shows("/play", chosen).await;
    assert_eq!(choices_set(&here), None, "nothing new to remember");
    // The fields of one game are no choice of another.
    shows("/play?game=gomoku&board=3x3", chosen).await;
    let wrong = "/play?game=boxes&board=11x2";
    shows(wrong, "2 to 10 boxes each way.").await;
    shows(wrong, "Please correct what is marked.").await;
}

#[tokio::test]
async fn a_page_shows_where_one_is_and_leads_to_the_other_games() {
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
    // A page without scripts waits where it says.
    until("Ann in the room of Boxes", async || {
        let players = room(&ann, "boxes").await["players"].clone();
        (players[0]["name"] == "ann").then_some(())
    })
    .await;
    assert_eq!(room(&ann, "dots").await["players"], json!([]));
    let page = ann.get("/play?game=chess").await.text;
    assert!(page.contains("There is no such game here."));
}

#[tokio::test]
async fn each_game_has_its_rules() {
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
