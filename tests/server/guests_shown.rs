//! A guest has no rating: no page and no file shows one, not even that with which everybody begins.

use super::app::{SMALL, TestApp, begin, start_match_with};
use super::player::{Player, Visitor};

/// Returns the visible text of a page or a file, without the data of its islands.
async fn seen(visitor: &Visitor, path: &str) -> String {
    let answer = visitor.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    let mut parts = answer.text.split("<script");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once("</script>").map_or("", |(_, rest)| rest));
    }
    // Scripts read the protocol, where the number of a guest means nothing.
    text.replace("&quot;rating&quot;:1600.0,&quot;guest&quot;:true", "")
}

/// Returns whether a number stands in a text by itself.
fn has_number(text: &str, number: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(number).any(|(at, _)| {
        let after = text[at + number.len()..].chars().next();
        !is_digit(text[..at].chars().next_back()) && !is_digit(after)
    })
}

/// Checks a page: everybody begins with 1600, and the accounts here have another rating.
async fn check(visitor: &Visitor, path: &str) {
    let text = seen(visitor, path).await;
    assert!(!has_number(&text, "1600"), "{path} rates a guest: {text}");
    assert!(text.contains("visitor"), "{path} names the guest: {text}");
    if !path.contains("sgf") && !path.contains("jsonl") {
        assert!(text.contains("guest"), "{path} says that it is a guest");
    }
}

/// Registers an account with another rating than that of the beginning.
async fn with_rating(app: &TestApp, name: &str) -> Player {
    let player = app.with_user(name).await;
    sqlx::query(
        "insert into ratings (player_id, game, rating, games, ranked) values ($1, 'dots', 1733, 9, true)",
    )
    .bind(player.id)
    .execute(&app.db)
    .await
    .unwrap();
    player
}

async fn ann_and_a_guest(app: &TestApp) -> (Player, Player) {
    let ann = with_rating(app, "ann").await;
    (ann, app.visitor().be_guest("visitor").await)
}

#[tokio::test]
async fn waiting_rooms_and_tables_do_not_rate_guests() {
    let app = TestApp::init().await;
    let (ann, guest) = ann_and_a_guest(&app).await;
    let waiting = (ann.join_lobby().await, guest.join_lobby().await);
    check(&ann, "/play?game=dots").await;
    // A range of ratings is for those who have one.
    let room = "/api/waiting_room?game=dots&min=1500&max=2000";
    let room = ann.get(room).await.assert_ok();
    let names: Vec<_> = room["players"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 1, "{room}");
    guest
        .challenge(&ann, &[("setup", SMALL), ("rated", "false")])
        .await
        .assert_ok();
    check(&ann, "/play?game=dots").await;
    drop(waiting);

    let table = [("game", "dots"), ("rated", "false")];
    let table = ann.post("/api/open_table", &table).await.assert_ok();
    let id = table["id"].to_string();
    let link = table["link"].as_str().unwrap();
    let form = [("table", id.as_str()), ("link", link)];
    guest.post("/api/sit", &form).await.assert_ok();
    check(&ann, &format!("/t/{link}")).await;
}

#[tokio::test]
async fn matches_and_profiles_do_not_rate_guests() {
    let app = TestApp::init().await;
    let (ann, guest) = ann_and_a_guest(&app).await;
    let boss = app.with_operator("boss").await;
    let id = start_match_with(&guest, &ann, &[("setup", SMALL), ("rated", "false")]).await;
    check(&ann, &format!("/match/{id}")).await;
    let eve = with_rating(&app, "eve").await;
    check(&eve, "/play?game=dots").await;
    check(&boss, "/operator/house").await;
    begin(&guest, &ann, id).await;
    ann.resign(id).await.assert_ok();
    for path in [
        format!("/match/{id}"),
        format!("/match/{id}/replay"),
        format!("/match/{id}/sgf"),
        "/@visitor?game=dots".to_owned(),
        "/history".to_owned(),
        "/history/sgf".to_owned(),
        "/history/jsonl".to_owned(),
    ] {
        check(&ann, &path).await;
    }
    // Ann has not played the other games, in which she has the rating of the beginning.
    let profile = seen(&ann, "/@ann?game=dots").await;
    let (_, games) = profile.split_once("id=\"past\"").expect("her games");
    assert!(games.contains("visitor") && !has_number(games, "1600"));
    // The island renders the sides in the browser.
    let analysis = ann.get(&format!("/match/{id}/analysis")).await.text;
    assert!(analysis.contains(r#"["visitor","guest"]"#), "{analysis}");
    let front = seen(&app.visitor(), "/").await;
    assert!(!has_number(&front, "1600"), "{front}");
    let standings = seen(&app.visitor(), "/standings/dots").await;
    assert!(standings.contains("ann") && !standings.contains("visitor"));
}
