//! The recount of ratings that an earlier release has cut: all stored values are those of the formula.

use super::app::TestApp;
use super::operator::with_operator;
use super::ranked::{beat, draw};
use serde_json::Value;

/// Returns everything stored of ratings, without the flag of the cut.
async fn stored(app: &TestApp) -> Vec<String> {
    sqlx::query_scalar(
        "select 'rating ' || row(player_id, game, rating, games)::text from ratings
         union all select 'history ' || row(match_id, player_id, before, after)::text from rating_history
         union all select 'correction ' || row(match_id, player_id, before, after)::text from rating_corrections
         union all select 'start ' || row(id, rating1, rating2)::text from matches
         union all select 'end ' || match_id || ' ' || body from match_events where kind = 'finished'
         order by 1",
    )
    .fetch_all(&app.db)
    .await
    .unwrap()
}

/// Changes a database as the release with the cap would have done: the gains of the `nth` match and of all after it are cut to
/// three points, and later ratings build on that.
async fn cut(app: &TestApp, first: i64) {
    for statement in [
        "update rating_history set before = before - 7, after = least(after, before + 3) - 7, capped = after > before + 3
         where match_id >= $1",
        "update ratings r set rating = rating - 40
         where exists (select from rating_history h where h.player_id = r.player_id and h.capped and h.match_id >= $1)",
        "update matches set rating1 = rating1 - 20, rating2 = rating2 - 10 where id > $1",
        "update match_events set body = replace(body, '\"after\":16', '\"capped\":true,\"after\":15')
         where match_id >= $1 and kind = 'finished'",
    ] {
        let done = sqlx::query(statement).bind(first).execute(&app.db).await;
        assert!(done.unwrap().rows_affected() > 0, "{statement}");
    }
}

#[tokio::test]
async fn ratings_that_were_cut_are_recounted_once() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let first = beat(&ann, &bob).await;
    beat(&ann, &eve).await;
    draw(&bob, &eve).await;
    beat(&bob, &ann).await;
    beat(&eve, &ann).await;
    // A match that counts for nothing, and one that runs.
    let aborted = super::app::start_match(&ann, &bob, super::app::SMALL).await;
    ann.abort(aborted).await.assert_ok();
    super::app::start_match_with(&ann, &bob, &[("setup", super::app::SMALL)]).await;
    let expected = stored(&app).await;

    cut(&app, first).await;
    assert_ne!(stored(&app).await, expected);
    let other = app.another_instance().await;
    assert_eq!(stored(&app).await, expected);
    let marked: i64 = sqlx::query_scalar("select count(*) from rating_history where capped")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(marked, 0);
    // Nothing is left to do at the next start.
    let _third = app.another_instance().await;
    assert_eq!(stored(&app).await, expected);

    // Pages say the same: the match, the history, the graph.
    let there = ann.at_instance(other.address);
    let said = there.snapshot(first).await["result"]["ratings"][0]["after"].clone();
    assert_eq!(said, Value::from(1612.5));
    let history = there.get("/api/history").await.assert_ok();
    let games = history["games"].as_array().expect("games");
    let changes: Vec<[f64; 2]> = games
        .iter()
        .rev()
        .map(|game| ["before", "after"].map(|key| game["rating"][key].as_f64().expect("a rating")))
        .collect();
    let profile = there
        .get("/api/profile?name=ann&game=dots")
        .await
        .assert_ok();
    let graph = profile["graph"].as_array().expect("a graph").iter();
    let graph: Vec<f64> = graph.filter_map(|point| point["rating"].as_f64()).collect();
    assert_eq!(
        graph,
        changes.iter().map(|change| change[1]).collect::<Vec<_>>()
    );
    assert!(
        changes
            .windows(2)
            .all(|pair| pair[0][1].to_bits() == pair[1][0].to_bits())
    );

    // An annulled match is none for a recount.
    let annulled = first.to_string();
    boss.post(
        "/api/operator_annul",
        &[("match_id", &*annulled), ("why", "")],
    )
    .await
    .assert_ok();
    sqlx::query("update rating_history set capped = true where match_id = $1")
        .bind(first)
        .execute(&app.db)
        .await
        .unwrap();
    let _fourth = app.another_instance().await;
    let level: Vec<(f64, f64)> = sqlx::query_as(
        "select before, after from rating_history where match_id = $1
         union all select before, after from rating_corrections where match_id = $1 and player_id = $2",
    )
    .bind(first)
    .bind(bob.id)
    .fetch_all(&app.db)
    .await
    .unwrap();
    assert_eq!(level.len(), 3);
    assert!(
        level
            .iter()
            .all(|(before, after)| before.to_bits() == after.to_bits()),
        "{level:?}"
    );
    let graph = there
        .get("/api/profile?name=ann&game=dots")
        .await
        .assert_ok();
    let last = graph["graph"]
        .as_array()
        .and_then(|points| points.last())
        .expect("a point");
    let rating = graph["games"].as_array().expect("games").iter();
    let mut rating = rating.filter(|game| game["game"] == "dots");
    assert_eq!(rating.next().expect("dots")["rating"], last["rating"]);
}
