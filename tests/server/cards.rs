//! The pictures that other sites show beside a link.

use super::app::{SMALL, TestApp, begin, start_match};

#[tokio::test]
async fn the_page_of_a_match_names_the_picture_of_its_position() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/match/{id}/card.png");
    let page = app.visitor().get(&format!("/match/{id}")).await;
    assert!(page.text.contains("og:image"), "{}", page.text);
    assert!(page.text.contains(&path), "{}", page.text);

    let running = app.visitor().get(&path).await;
    assert_eq!(running.status, 200);
    assert_eq!(running.header("content-type"), Some("image/png"));
    assert_eq!(running.header("cache-control"), Some("public, max-age=60"));
    // Whoever has the picture is told so, until there is another position.
    let tag = running.header("etag").expect("a tag").to_owned();
    let again = async || {
        let request = app.visitor().request(reqwest::Method::GET, &path);
        super::player::send(request.header("if-none-match", &tag)).await
    };
    let unchanged = again().await;
    assert_eq!((unchanged.status, &*unchanged.text), (304, ""));
    let first = ann.snapshot(id).await["players"][0]["id"] == ann.id;
    let mover = if first { &ann } else { &bob };
    mover.make_move(id, "2,2", &[]).await.assert_ok();
    assert_eq!(again().await.status, 200);
    assert!(running.cookies().is_empty(), "{:?}", running.cookies());
    assert_eq!(ann.resign(id).await.status, 200);
    let finished = app.visitor().get(&path).await;
    assert_eq!(
        finished.header("cache-control"),
        Some("public, max-age=86400")
    );
}

#[tokio::test]
async fn other_pages_name_the_picture_of_a_game() {
    let app = TestApp::init().await;
    for (page, picture) in [
        ("/", "/card/dots.png"),
        ("/rules/reversi", "/card/reversi.png"),
    ] {
        let page = app.visitor().get(page).await;
        assert!(page.text.contains(picture), "{}", page.text);
        let drawn = app.visitor().get(picture).await;
        assert_eq!(drawn.status, 200);
        assert_eq!(drawn.header("content-type"), Some("image/png"));
    }
    for missing in [
        "/card/chess.png",
        "/card/dots",
        "/match/999999/card.png",
        "/match/x/card.png",
    ] {
        assert_eq!(app.visitor().get(missing).await.status, 404, "{missing}");
    }
}
