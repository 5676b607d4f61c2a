//! Profiles: matches played, streaks, ratings over time.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with};
use super::player::{Player, Response, Visitor, send};
use reqwest::Method;
use serde_json::{Value, json};

async fn profile(visitor: &Visitor, name: &str) -> Value {
    visitor
        .get(&format!("/api/profile?name={name}"))
        .await
        .assert_ok()
}

/// Returns a game in a profile.
#[track_caller]
fn of_game<'a>(profile: &'a Value, game: &str) -> &'a Value {
    let games = profile["games"].as_array().expect("games");
    let found = games.iter().find(|record| record["game"] == game);
    found.unwrap_or_else(|| panic!("no {game} in {profile}"))
}

/// Plays a match of Dots that the loser resigns after the first moves.
async fn resign_match(
    first: &Player,
    second: &Player,
    loser: &Player,
    more: &[(&str, &str)],
) -> i64 {
    let more = [&[("setup", SMALL)], more].concat();
    let id = start_match_with(first, second, &more).await;
    begin(first, second, id).await;
    loser.resign(id).await.assert_ok();
    id
}

async fn draw_match(first: &Player, second: &Player) -> i64 {
    let id = start_match(first, second, SMALL).await;
    begin(first, second, id).await;
    first.offer(id, "draw").await.assert_ok();
    second.answer_offer(id, true).await.assert_ok();
    id
}

/// Returns the response to a browser.
async fn get_html(visitor: &Visitor, path: &str) -> Response {
    let page = visitor.request(Method::GET, path);
    send(page.header("accept", "text/html")).await
}

#[tokio::test]
async fn profile_counts_matches() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    resign_match(&ann, &bob, &bob, &[]).await;
    resign_match(&bob, &ann, &bob, &[]).await;
    resign_match(&ann, &bob, &ann, &[("rated", "false")]).await;
    let last = draw_match(&ann, &bob).await;

    let seen = profile(&app.visitor(), "ann").await;
    assert_eq!(seen["name"], "ann");
    assert_eq!(seen["between"], Value::Null, "nobody asks");
    let dots = of_game(&seen, "dots");
    assert_eq!(
        dots["seats"],
        json!([{"won": 1, "drawn": 1, "lost": 1}, {"won": 1, "drawn": 0, "lost": 0}])
    );
    assert_eq!(dots["rated"], 3, "one was not rated");
    assert_eq!(dots["streak"], json!({"outcome": "drawn", "length": 1}));
    assert_eq!(dots["best_streak"], 2);
    assert_eq!(
        of_game(&seen, "boxes"),
        &json!({"game": "boxes", "rating": 1600.0, "rated": 0, "until_ranked": {"matches": 5, "opponents": 3},
            "seats": [{"won": 0, "drawn": 0, "lost": 0}, {"won": 0, "drawn": 0, "lost": 0}],
            "streak": null, "best_streak": 0})
    );

    // The last one first, with the ratings of the match results.
    let past = &seen["past"];
    assert_eq!(
        (&past["total"], &past["page"], &past["pages"]),
        (&json!(4), &json!(1), &json!(1))
    );
    assert_eq!(past["games"][0]["id"], last);
    assert_eq!(past["games"][0]["outcome"], "drawn");
    assert_eq!(past["games"][0]["reason"], "agreed_draw");
    assert_eq!(past["games"][1]["rating"], Value::Null);
    assert_eq!(
        past["games"][3]["rating"],
        json!({"before": 1600.0, "after": 1612.5, "provisional": true})
    );
    assert_eq!(past["games"][2]["seat"], 2);
    assert_eq!(past["games"][2]["opponent"]["name"], "bob");
    let told = app.visitor().snapshot(last).await;
    let now = &told["result"]["ratings"][0]["after"];
    assert_eq!(&dots["rating"], now);
    let graph: Vec<&Value> = seen["graph"]
        .as_array()
        .expect("a graph")
        .iter()
        .map(|point| &point["rating"])
        .collect();
    assert_eq!(graph.len(), 3);
    assert_eq!((graph[0], graph[2]), (&json!(1612.5), now));
}

#[tokio::test]
async fn profile_is_up_to_date_and_shows_the_running_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let during = profile(&ann, "BOB").await;
    assert_eq!(
        (&during["playing"], &during["past"]["total"]),
        (&json!(id), &json!(0))
    );
    assert_eq!(during["between"], json!([]));
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    let after = profile(&ann, "bob").await;
    assert_eq!(after["playing"], Value::Null);
    assert_eq!(
        after["between"],
        json!([{"game": "dots", "tally": {"won": 1, "drawn": 0, "lost": 0}}])
    );
    assert_eq!(
        of_game(&after, "dots")["streak"],
        json!({"outcome": "lost", "length": 1})
    );
    assert_eq!(
        profile(&bob, "bob").await["between"],
        Value::Null,
        "one's own"
    );
}

#[tokio::test]
async fn current_and_best_streaks_are_counted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for loser in [&bob, &bob, &bob, &ann, &ann, &bob] {
        resign_match(&ann, &bob, loser, &[]).await;
    }
    let seen = profile(&app.visitor(), "ann").await;
    assert_eq!(
        of_game(&seen, "dots")["streak"],
        json!({"outcome": "won", "length": 1})
    );
    assert_eq!(of_game(&seen, "dots")["best_streak"], 3);
    let seen = profile(&app.visitor(), "bob").await;
    assert_eq!(of_game(&seen, "dots")["best_streak"], 2);
}

#[tokio::test]
async fn counters_agree_with_the_matches() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut chance = 7_u32;
    for _ in 0..24 {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let pair = [(&ann, &bob), (&bob, &eve), (&eve, &ann)][(chance >> 8) as usize % 3];
        match (chance >> 16) % 4 {
            0 => draw_match(pair.0, pair.1).await,
            1 => resign_match(pair.0, pair.1, pair.0, &[]).await,
            _ => resign_match(pair.0, pair.1, pair.1, &[("rated", "false")]).await,
        };
    }
    assert_counters_agree(&app).await;
    // The values that the migration computes equal those that are kept up to date.
    let migration = include_str!("../../migrations/0010_results_and_tallies.sql");
    let begin = migration
        .find("insert into results")
        .expect("what is filled in");
    let end = migration
        .find("-- Indexes come last")
        .expect("what comes after it");
    let kept = rows(&app, "select t::text from tallies t order by 1").await;
    let results = rows(&app, "select r::text from results r order by 1").await;
    sqlx::raw_sql("delete from tallies; delete from results")
        .execute(&app.db)
        .await
        .expect("empty tables");
    sqlx::raw_sql(&migration[begin..end])
        .execute(&app.db)
        .await
        .expect("full tables");
    assert_eq!(
        rows(&app, "select t::text from tallies t order by 1").await,
        kept
    );
    assert_eq!(
        rows(&app, "select r::text from results r order by 1").await,
        results
    );
}

async fn rows(app: &TestApp, query: &'static str) -> Vec<String> {
    sqlx::query_scalar(query)
        .fetch_all(&app.db)
        .await
        .expect("rows")
}

/// Counts all finished matches and compares.
async fn assert_counters_agree(app: &TestApp) {
    let counted = "
        select row(s.player_id, m.game,
            count(*) filter (where s.seat = 1 and m.winner = 1), count(*) filter (where s.seat = 1 and m.winner = 0),
            count(*) filter (where s.seat = 1 and m.winner = 2), count(*) filter (where s.seat = 2 and m.winner = 2),
            count(*) filter (where s.seat = 2 and m.winner = 0), count(*) filter (where s.seat = 2 and m.winner = 1))::text
        from matches m, lateral (values (m.seat1, 1), (m.seat2, 2)) as s (player_id, seat)
        where m.finished_at is not null group by s.player_id, m.game order by 1";
    let kept = "select row(player_id, game, won1, drawn1, lost1, won2, drawn2, lost2)::text from tallies order by 1";
    let counted = rows(app, counted).await;
    assert!(counted.len() >= 3, "{counted:?}");
    assert_eq!(rows(app, kept).await, counted);
}

#[tokio::test]
async fn unknown_player_has_no_profile() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let visitor = app.visitor();
    for name in ["bob", "", "%00", "%FF", "deleted%20player", "a%2Fb"] {
        let answer = visitor.get(&format!("/api/profile?name={name}")).await;
        answer.assert_error(404, "no_such_player");
        if !name.is_empty() {
            let page = get_html(&visitor, &format!("/@{name}")).await;
            assert_eq!(page.status, 404, "{name}");
        }
    }
    for (query, code) in [
        ("page=0", "invalid_page"),
        ("page=x", "invalid_page"),
        ("game=chess", "unknown_game"),
    ] {
        let answer = visitor.get(&format!("/api/profile?name=ann&{query}")).await;
        answer.assert_error(400, code);
        assert_eq!(
            get_html(&visitor, &format!("/@ann?{query}")).await.status,
            400
        );
    }
    sqlx::query("update players set name = 'deleted player', deleted_at = now() where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .expect("a deletion");
    let answer = visitor.get("/api/profile?name=ann").await;
    answer.assert_error(404, "no_such_player");
}

#[tokio::test]
async fn guest_has_no_ratings() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    sqlx::query("update players set guest = true where id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .expect("a guest");
    resign_match(&ann, &bob, &ann, &[("rated", "false")]).await;
    let seen = profile(&app.visitor(), "bob").await;
    assert_eq!(
        (&seen["guest"], &of_game(&seen, "dots")["rating"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(of_game(&seen, "dots")["seats"][1]["won"], 1);
    let page = get_html(&app.visitor(), "/@bob").await;
    assert!(page.text.contains("Plays as a guest."), "{page:?}");
}

#[tokio::test]
async fn profile_page_accepts_names_of_any_script() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    app.visitor().register("Ёжик_2").await;
    let page = get_html(&visitor, "/@%D0%81%D0%B6%D0%B8%D0%BA_2").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Ёжик_2"));
    let title = page.text.split("<title>").nth(1).unwrap_or_default();
    assert!(title.starts_with("Player · Tochki"), "{title:.60}");
    assert!(
        page.text
            .contains(r#"property="og:title" content="Ёжик_2""#)
    );
    // Every spelling redirects to the player's own, with the query.
    let other = get_html(&visitor, "/@%D1%91%D0%B6%D0%B8%D0%BA_2?game=boxes").await;
    assert_eq!(
        (other.status, other.header("location")),
        (302, Some("/@%D0%81%D0%B6%D0%B8%D0%BA_2?game=boxes"))
    );
}

#[tokio::test]
async fn profile_addresses_do_not_shadow_other_routes() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for path in ["/nobody", "/board.js", "/@", "/@a/b", "/@ann/"] {
        let answer = get_html(&visitor, path).await;
        assert_eq!(answer.status, 404, "{path}");
    }
    assert_eq!(get_html(&visitor, "/rules").await.status, 200);
    assert_eq!(visitor.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn finished_matches_are_paged_and_the_graph_is_limited() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    resign_match(&ann, &bob, &bob, &[]).await;
    // 449 more, one every twelve hours.
    insert_matches(&app, &ann, &bob, 449).await;
    let seen = profile(&app.visitor(), "ann").await;
    assert_eq!(
        (&seen["past"]["total"], &seen["past"]["pages"]),
        (&json!(450), &json!(23))
    );
    let graph = seen["graph"].as_array().expect("a graph");
    assert!((100..=200).contains(&graph.len()), "{}", graph.len());
    let days: Vec<i64> = graph
        .iter()
        .map(|point| point["at"].as_i64().expect("a time"))
        .collect();
    assert!(days.is_sorted());
    assert_eq!(
        graph.last().expect("points")["rating"],
        1612.5,
        "the last match is told"
    );

    let mut met = std::collections::BTreeSet::new();
    for page in 1..=23 {
        let page = app
            .visitor()
            .get(&format!("/api/profile?name=ann&page={page}"))
            .await
            .assert_ok();
        for game in page["past"]["games"].as_array().expect("games") {
            assert!(met.insert(game["id"].as_i64()), "{game} came twice");
        }
    }
    assert_eq!(met.len(), 450);
    let beyond = app
        .visitor()
        .get("/api/profile?name=ann&page=24")
        .await
        .assert_ok();
    assert_eq!(
        (&beyond["past"]["games"], &beyond["past"]["total"]),
        (&json!([]), &json!(450))
    );
}

/// Stores rated matches that ended before today and changed no rating.
async fn insert_matches(app: &TestApp, first: &Player, second: &Player, count: i64) {
    let statement = "
        with played as (
            insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, started_at, finished_at, winner, reason)
            select 'dots', '{}', 'none', true, $1, $2, 1600, 1600, at, at, 0, 'agreed_draw'
            from generate_series(1, $3) as number, lateral (select now() - number * interval '12 hours' as at) as t
            returning id, finished_at
        ), results as (
            insert into results (match_id, player_id, opponent_id, game, seat, outcome, finished_at)
            select id, player_id, opponent_id, 'dots', seat, 0, finished_at
            from played, (values ($1, $2, 1), ($2, $1, 2)) as side (player_id, opponent_id, seat)
        )
        insert into rating_history (match_id, player_id, game, before, after, at)
        select id, $1, 'dots', 1600, 1600, finished_at from played";
    sqlx::query(statement)
        .bind(first.id)
        .bind(second.id)
        .bind(count)
        .execute(&app.db)
        .await
        .expect("matches");
}
