//! The pages of tournaments as the server renders them, and the form of a new one.

use super::app::TestApp;
use super::player::{Player, Response, Visitor, send};
use super::tournament_steps::{
    arena, begin, join, make, pass, play, play_round, players, round_robin, swiss, wait_for_break,
    wait_for_pairings, wait_for_round, wait_for_state,
};
use reqwest::Method;
use tochki_protocol::TournamentState;

async fn page(visitor: &Visitor, path: &str) -> Response {
    let request = visitor.request(Method::GET, path);
    send(request.header("accept", "text/html")).await
}

async fn submit(player: &Player, form: &[(&str, &str)]) -> Response {
    let request = player.post_request("/tournaments/new").form(form);
    send(request.header("accept", "text/html")).await
}

const FORM: [(&str, &str); 9] = [
    ("sent", "yes"),
    ("game", "dots"),
    ("name", "Late <b> arena"),
    ("begin", "15"),
    ("duration", "45"),
    ("board", "20x20"),
    ("clock", "180+2"),
    ("is_rated", "yes"),
    ("streaks", "yes"),
];

#[tokio::test]
async fn the_form_makes_an_arena_or_says_what_is_wrong() {
    let app = TestApp::init().await;
    let (ann, olga) = (app.with_user("ann").await, app.with_operator("olga").await);
    let visited = page(&app.visitor(), "/tournaments/new").await;
    assert_eq!(visited.status, 302, "who is not signed in does that first");
    let form = page(&ann, "/tournaments/new?game=gomoku").await;
    assert!(form.status == 200 && form.text.contains("Gomoku arena"));

    let refused = submit(&ann, &FORM).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("your account must be 7 days old"));
    assert!(
        refused.text.contains("value=\"Late &lt;b&gt; arena\""),
        "what was filled in stays"
    );
    for (field, value, wrong) in [
        ("name", "x", "aria-invalid=\"true\""),
        ("duration", "9", "aria-invalid=\"true\""),
        ("begin", "at", "aria-invalid=\"true\""),
        ("clock", "3600+0", "too long for the duration"),
        ("clock", "own", "aria-invalid=\"true\""),
    ] {
        let changed = FORM.map(|(name, old)| (name, if name == field { value } else { old }));
        let mut changed = changed.to_vec();
        if value == "own" {
            changed.push(("minutes", "999"));
        }
        let refused = submit(&olga, &changed).await;
        assert_eq!(refused.status, 422, "{field}");
        assert!(refused.text.contains(wrong), "{field}");
    }
    let made = submit(&olga, &FORM).await;
    assert_eq!(made.status, 303);
    let to = made.header("location").expect("a page").to_owned();
    let shown = page(&app.visitor(), &to).await;
    assert!(shown.text.contains("Late &lt;b&gt; arena"), "{to}");
    assert!(!shown.text.contains("<b> arena"), "a name is no markup");
    // Other sites show the terms beside a link, and not what its creator has called it.
    let head = shown.text.split("</head>").next().unwrap_or_default();
    for text in [
        r#"property="og:title" content="Tournament · Dots""#,
        r#"name="description" content="Arena · Dots · 20 × 20"#,
        "/card/dots.png",
    ] {
        assert!(head.contains(text), "{text} in {head}");
    }
    assert!(!head.contains("Late"), "{head}");
    let listed = page(&app.visitor(), "/tournaments?game=dots").await;
    assert!(listed.text.contains(&to));
    let others = page(&app.visitor(), "/tournaments?game=boxes").await;
    assert!(!others.text.contains(&to));
    for path in ["/", "/tournaments"] {
        assert!(
            page(&app.visitor(), path).await.text.contains(&to),
            "{path}"
        );
    }
    assert!(page(&ann, "/play?game=dots").await.text.contains(&to));
    assert_eq!(page(&app.visitor(), "/tournament/0").await.status, 404);
}

#[tokio::test]
async fn the_page_shows_each_reader_what_they_can_do() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let [ann, bob] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, arena()).await;
    let path = format!("/tournament/{id}");
    let visited = page(&app.visitor(), &path).await;
    assert!(visited.text.contains(&format!("/login?next={path}")));
    assert!(!visited.text.contains("/api/join_tournament"));
    assert!(page(bob, &path).await.text.contains("/api/join_tournament"));
    // Its creator manages it before the start.
    assert!(
        page(ann, &path)
            .await
            .text
            .contains("/api/cancel_tournament")
    );
    assert!(
        !page(bob, &path)
            .await
            .text
            .contains("/api/cancel_tournament")
    );
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
    }
    assert!(
        page(bob, &path)
            .await
            .text
            .contains("/api/leave_tournament")
    );
    // Another one at the same time.
    let other = make(&app, ann, arena()).await;
    join(&app, bob, other).await.unwrap();
    assert!(page(bob, &path).await.text.contains("overlaps"));

    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    let at_board = format!("/match/{}", pair.0);
    let called = page(bob, &path).await;
    assert!(called.text.contains("id=\"to-game\"") && called.text.contains(&at_board));
    let waits = page(bob, &format!("{path}?wait=yes")).await;
    assert_eq!(
        waits.header("location"),
        Some(&*at_board),
        "a page without scripts goes there"
    );
    let board = page(bob, &at_board).await;
    assert!(board.text.contains(&path) && board.text.contains("in-tournament"));
    assert!(board.text.contains("/tournament_match.js"));
    assert!(
        !page(&app.visitor(), &at_board)
            .await
            .text
            .contains("/tournament_match.js")
    );

    play(&players, pair, pair.1[0]).await;
    pass(&app, id, 20 * 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let over = page(&app.visitor(), &path).await;
    assert!(
        over.text.contains("class=\"podium\"") && over.text.contains("The winner’s best games")
    );
    // The games are listed, at first closed.
    assert!(!over.text.contains("<details class=\"card\" open"));
}

#[tokio::test]
async fn the_form_makes_a_swiss_or_a_round_robin() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let form = page(&olga, "/tournaments/new?format=swiss&game=gomoku").await;
    assert!(form.text.contains("Gomoku Swiss") && form.text.contains("name=\"rounds\""));
    assert!(!form.text.contains("name=\"duration\""));
    let form = page(&olga, "/tournaments/new?format=round_robin&game=boxes").await;
    assert!(form.text.contains("name=\"double\"") && form.text.contains("name=\"break\""));
    let filled = |format: &'static str, rounds: &'static str| {
        let others = FORM.into_iter().filter(|(name, _)| *name != "duration");
        let own = [("format", format), ("rounds", rounds), ("break", "120")];
        others.chain(own).collect::<Vec<_>>()
    };
    let refused = submit(&olga, &filled("swiss", "16")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("aria-invalid=\"true\""));
    for (format, words) in [("swiss", "Swiss"), ("round_robin", "Round robin")] {
        let made = submit(&olga, &filled(format, "7")).await;
        assert_eq!(made.status, 303, "{format}");
        let to = made.header("location").expect("a page").to_owned();
        let shown = page(&app.visitor(), &to).await;
        assert!(shown.text.contains(words), "{format}");
        assert!(shown.text.contains("Tie-breaks") && shown.text.contains("Sonneborn–Berger"));
    }
}

#[tokio::test]
async fn the_page_of_a_swiss_shows_rounds_byes_and_tie_breaks() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let [ann, bob, _] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, swiss(Some(3))).await;
    let path = format!("/tournament/{id}");
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    // Who enters so late is here.
    let entered = page(bob, &path).await;
    assert!(entered.text.contains("You’re here.") && !entered.text.contains("id=\"confirm\""));
    assert!(entered.text.contains("/api/request_bye"));
    assert!(
        !page(&app.visitor(), &path)
            .await
            .text
            .contains("/api/request_bye")
    );
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    let seats = pairs[0].1;
    let free = players.values().find(|player| !seats.contains(&player.id));
    let free = free.expect("a bye");
    let shown = page(&app.visitor(), &path).await.text;
    for text in ["Round 1 of 2", "BH−1", "/trf", "/csv", "class=\"byes\""] {
        assert!(shown.contains(text), "{text}");
    }
    assert!(shown.contains(&format!("/match/{}", pairs[0].0)));
    let withdraw = page(free, &path).await.text;
    assert!(withdraw.contains("Withdraw") && withdraw.contains("The round is still being played."));
    play_round(&players, &pairs).await;
    wait_for_break(&app, id).await;
    let asked = page(free, &path).await.text;
    assert!(asked.contains("id=\"confirm\"") && asked.contains("Round 2 starts in"));
    let winner = &players[seats.iter().min().unwrap()];
    let here = page(winner, &path).await.text;
    assert!(here.contains("You’re here.") && !here.contains("id=\"confirm\""));
    let earlier = page(&app.visitor(), &format!("{path}?round=1&games=1")).await;
    assert!(earlier.text.contains("1 : 0") || earlier.text.contains("0 : 1"));
    let none = page(&app.visitor(), &format!("{path}?round=99")).await;
    assert_eq!(none.status, 200, "the last round is shown");
}

#[tokio::test]
async fn the_page_of_a_round_robin_has_a_crosstable() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, round_robin(false)).await;
    let path = format!("/tournament/{id}");
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    let before = page(ann, &path).await.text;
    assert!(!before.contains("crosstable-title") && before.contains("Otherwise you get no place."));
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    let at_board = format!("<a href=\"/match/{}\"", pairs[0].0);
    let table = async || {
        let shown = page(&app.visitor(), &path).await.text;
        let (_, rest) = shown
            .split_once("class=\"crosstable\"")
            .expect("a crosstable");
        rest.split_once("</table>").expect("its end").0.to_owned()
    };
    let running = table().await;
    assert_eq!(running.matches(&at_board).count(), 2, "{running}");
    assert_eq!(running.matches('…').count(), 2);
    assert_eq!(running.matches('×').count(), 3);
    play_round(&players, &pairs).await;
    let played = table().await;
    assert!(!played.contains('…') && played.contains(">1</a>") && played.contains(">0</a>"));
}
