//! The pictures that other sites show beside a link.

use super::app::{SMALL, TestApp, begin, start_match};
use std::collections::HashSet;

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
    let names = |page: &str, property: &str| {
        let rest = page
            .split(&format!(r#"property="{property}" content=""#))
            .nth(1);
        let found = rest.and_then(|rest| rest.split('"').next());
        // Names are isolated from the direction of the text around them.
        found.map(|text| text.replace(['\u{2068}', '\u{2069}'], ""))
    };
    let one_of = |text: &str| ["ann – bob · Dots", "bob – ann · Dots"].contains(&text);
    let title = names(&page.text, "og:title").expect("a title");
    assert!(one_of(&title), "{title}");
    let tab = page.text.split("<title>").nth(1).unwrap_or_default();
    let tab = tab.replace(['\u{2068}', '\u{2069}'], "");
    assert!(
        tab.starts_with(&format!("{title} · Tochki</title>")),
        "{tab:.90}"
    );
    let terms = names(&page.text, "og:description").expect("a description");
    assert!(terms.starts_with("Dots"), "{terms}");
    assert_eq!(names(&page.text, "og:locale").as_deref(), Some("en_US"));

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
    for page in [
        format!("/match/{id}?lang=uk"),
        format!("/match/{id}/replay?lang=uk"),
    ] {
        let page = app.visitor().get(&page).await.text;
        let title = names(&page, "og:title").expect("a title");
        assert!(title.ends_with(" · Крапки"), "{title}");
        let how = names(&page, "og:description").expect("a description");
        assert!(
            how.contains("Крапки") && how != terms && how.contains(" · "),
            "{how}"
        );
        assert_eq!(names(&page, "og:locale").as_deref(), Some("uk_UA"));
        assert_eq!(page.matches("og:description").count(), 1);
    }
}

#[tokio::test]
async fn other_pages_name_the_picture_of_a_game() {
    let app = TestApp::init().await;
    for (page, picture) in [
        ("/", "/card/dots.png"),
        ("/rules/reversi", "/card/reversi.png"),
        ("/?game=gomoku", "/card/gomoku.png"),
        ("/analysis?game=boxes", "/card/boxes.png"),
        ("/puzzle/1", "/card/"),
    ] {
        let page = app.visitor().get(page).await;
        assert!(page.text.contains(picture), "{}", page.text);
        for property in ["og:title", "og:description", "og:locale", "og:image"] {
            assert_eq!(page.text.matches(property).count(), 1, "{property}");
        }
        if picture == "/card/" {
            continue;
        }
        let drawn = app.visitor().get(picture).await;
        assert_eq!(drawn.status, 200);
        assert_eq!(drawn.header("content-type"), Some("image/png"));
    }
    // The link to an open game says who invites to which game, and not what the host has called it.
    let ann = app.with_user("ann").await;
    let form = [("game", "gomoku"), ("name", "Buy cheap dots")];
    let table = ann.post("/api/open_table", &form).await.assert_ok();
    let path = format!("/t/{}", table["link"].as_str().expect("a link"));
    let page = app.visitor().get(&path).await.text;
    let head = page.split("</head>").next().unwrap_or_default();
    let head = head.replace(['\u{2068}', '\u{2069}'], "");
    for text in ["ann invites you to Gomoku", "/card/gomoku.png", "Gomoku · "] {
        assert!(head.contains(text), "{text} in {head}");
    }
    assert!(!head.contains("Buy cheap"), "{head}");
    for property in ["og:title", "og:description", "og:image"] {
        assert_eq!(head.matches(property).count(), 1, "{property}");
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

#[tokio::test]
async fn each_kind_of_page_has_a_description_of_its_own_in_its_language() {
    let app = TestApp::init().await;
    app.with_user("ann").await;
    let content = |head: &str, tag: &str| {
        let rest = head.split(&format!(r#"{tag} content=""#)).nth(1);
        let found = rest.and_then(|rest| rest.split('"').next());
        found.map(str::to_owned)
    };
    let mut others = HashSet::new();
    for path in [
        "/",
        "/play",
        "/rules",
        "/rules/dots",
        "/rules/gomoku",
        "/standings/boxes",
        "/standings/reversi",
        "/tournaments",
        "/puzzles",
        "/puzzle/1",
        "/computer/dots",
        "/analysis",
        "/programs",
        "/sgf",
        "/register",
        "/@ann",
    ] {
        for language in ["en", "ja"] {
            let page = app.visitor().get(&format!("{path}?lang={language}")).await;
            let head = page.text.split("</head>").next().unwrap_or_default();
            assert_eq!(head.matches(r#"name="description""#).count(), 1, "{path}");
            let described = content(head, r#"name="description""#).expect("a description");
            assert_eq!(
                content(head, r#"property="og:description""#).as_ref(),
                Some(&described)
            );
            assert!(described.chars().count() > 12, "{path}: {described}");
            assert!(
                !others.contains(&described),
                "{path} in {language}: {described}"
            );
            others.insert(described);
        }
    }
    // The rules of a game, in the words of its page.
    let rules = app.visitor().get("/rules/gomoku").await.text;
    assert!(
        rules.contains(r#"name="description" content="Players take turns placing a stone"#),
        "{rules}"
    );
}
