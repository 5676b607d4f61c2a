//! Names that are written from right to left do not change the order of the text beside them: on every page each is in a `<bdi>`
//! of its own or between U+2068 and U+2069.

use super::app::{SMALL, begin, start_match};
use super::operator::with_operator;
use super::player::{Player, Visitor};

/// Names in Arabic and Hebrew.
const NAMES: [&str; 2] = ["نورة", "יעל"];

/// Returns the texts of a page, each with the tag that it follows; without scripts, styles and the data of islands.
fn texts(html: &str) -> Vec<(&str, &str)> {
    let mut texts = Vec::new();
    let mut rest = html;
    while let Some((_, tail)) = rest.split_once('<') {
        let Some((tag, tail)) = tail.split_once('>') else {
            break;
        };
        let hidden = ["script", "style", "template"]
            .into_iter()
            .find(|name| tag.split([' ', '/']).next() == Some(name));
        rest = match hidden.and_then(|name| tail.split_once(&format!("</{name}>"))) {
            Some((_, after)) => after,
            None => tail,
        };
        texts.push((tag, rest.split('<').next().unwrap_or_default()));
    }
    texts
}

/// Checks that every name in the text of the page is isolated. Returns the number of names.
#[track_caller]
fn check(path: &str, html: &str) -> usize {
    let mut found = 0;
    for (tag, text) in texts(html) {
        for name in NAMES {
            for (at, _) in text.match_indices(name) {
                found += 1;
                let (before, after) = (&text[..at], &text[at + name.len()..]);
                let alone = tag == "bdi" && before.trim().is_empty() && after.trim().is_empty();
                let isolated = before.ends_with('\u{2068}') && after.starts_with('\u{2069}');
                assert!(alone || isolated, "{path}: <{tag}>{text}");
            }
        }
    }
    found
}

async fn check_page(visitor: &Visitor, path: &str) {
    let page = visitor.get(path).await;
    assert_eq!(page.status, 200, "{path}");
    assert!(
        check(path, &page.text) > 0,
        "no name on {path}: {}",
        page.text
    );
}

#[test]
#[should_panic(expected = "/x: <h1>יעל – נורה")]
fn a_bare_name_is_found() {
    assert_eq!(
        check(
            "/x",
            "<h1><bdi>יעל</bdi> – \u{2068}יעל\u{2069}</h1><script>יעל</script>"
        ),
        2
    );
    check("/x", "<h1>יעל – נורה</h1>");
}

#[tokio::test]
async fn names_are_isolated_on_every_page() {
    let (app, boss) = with_operator().await;
    let [noura, yael]: [Player; 2] = [app.with_user(NAMES[0]).await, app.with_user(NAMES[1]).await];
    let finished = start_match(&noura, &yael, SMALL).await;
    begin(&noura, &yael, finished).await;
    // Each fills a side of the board: the front page shows a game of twenty moves.
    let side = |columns: [u8; 2]| (0..5).flat_map(move |y| columns.map(|x| format!("{x},{y}")));
    let left = side([0, 1]).filter(|point| point != "0,4");
    let right = side([3, 4]).filter(|point| point != "4,0");
    for point in left.zip(right).flat_map(|(one, other)| [one, other]) {
        if noura.make_move(finished, &point, &[]).await.status != 200 {
            yael.make_move(finished, &point, &[]).await.assert_ok();
        }
    }
    yael.resign(finished).await.assert_ok();
    let visitor = app.visitor();
    check_page(&visitor, "/").await;
    let annulled = start_match(&yael, &noura, SMALL).await;
    begin(&noura, &yael, annulled).await;
    noura.resign(annulled).await.assert_ok();
    let id = annulled.to_string();
    boss.post("/api/operator_annul", &[("match_id", &*id), ("why", "")])
        .await
        .assert_ok();
    noura
        .post("/api/say", &[("place", "lobby"), ("text", "here")])
        .await
        .assert_ok();
    boss.act("mute", &noura, &[("length", "hour")])
        .await
        .assert_ok();
    for path in [
        format!("/match/{finished}"),
        format!("/match/{finished}/replay"),
        format!("/embed/match/{finished}"),
        format!("/@{}?game=dots", NAMES[0]),
    ] {
        check_page(&visitor, &path).await;
    }
    for path in [
        format!("/@{}", NAMES[1]),
        "/history".to_owned(),
        "/account".to_owned(),
    ] {
        check_page(&noura, &path).await;
    }
    for path in ["/operator", "/operator?find=נ", "/operator?find=י"] {
        check_page(&boss, path).await;
    }
    // Waiting, challenged, at a table, in a match, absent.
    let _here = (noura.join_lobby().await, yael.join_lobby().await);
    let asked = noura.challenge(&yael, &[("setup", SMALL)]).await.id("id");
    for player in [&noura, &yael] {
        check_page(player, "/play?game=dots").await;
    }
    check_page(&boss, "/play?game=dots").await;
    check_page(&boss, "/operator/house").await;
    noura.cancel_challenge(asked).await.assert_ok();
    let table = [("game", "dots"), ("name", "")];
    let table = yael.post("/api/open_table", &table).await.assert_ok();
    let link = format!("/t/{}", table["link"].as_str().expect("a link"));
    check_page(&noura, &link).await;
    check_page(&noura, "/play?game=dots").await;
    let running = start_match(&noura, &yael, SMALL).await;
    begin(&noura, &yael, running).await;
    noura.offer(running, "draw").await.assert_ok();
    for player in [&noura, &yael, &boss] {
        check_page(player, &format!("/match/{running}")).await;
        check_page(player, "/play?game=dots").await;
    }
    yael.resign(running).await.assert_ok();
    for _ in 0..4 {
        let id = start_match(&noura, &yael, SMALL).await;
        begin(&noura, &yael, id).await;
        yael.resign(id).await.assert_ok();
    }
    // One of the five rated games of the day was annulled.
    sqlx::query("update ratings set games = 5, ranked = true")
        .execute(&app.db)
        .await
        .unwrap();
    noura.request_rematch(running).await;
    check_page(&yael, &format!("/match/{running}")).await;
    for path in ["/", "/standings/dots"] {
        check_page(&yael, path).await;
    }
    check_page(&boss, "/operator/rings").await;
}
