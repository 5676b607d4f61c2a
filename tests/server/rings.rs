//! Rings: the players who have won most points from few, young or same-address accounts, and the annulment of all games of an
//! account.

use super::app::{TestApp, start_match_with};
use super::operator::{audit, with_operator};
use super::player::{Player, Response};
use super::ranked::{beat, draw};
use serde_json::{Value, json};
use tochki_protocol::limits::ANNULMENT_BATCH_LEN;

impl Player {
    async fn annul_all(&self, of: &Player) -> Response {
        self.act("annul_all", of, &[("why", "farmed")]).await
    }

    async fn rings(&self) -> Vec<Value> {
        let rings = self.get("/api/operator_rings").await.assert_ok();
        rings.as_array().expect("rings").clone()
    }
}

/// Returns the rating and the number of rated games in Dots; those at the start where nothing was played.
async fn rating(app: &TestApp, player: &Player) -> (f64, i32) {
    let rated: Option<(f64, i32)> =
        sqlx::query_as("select rating, games from ratings where player_id = $1 and game = 'dots'")
            .bind(player.id)
            .fetch_optional(&app.db)
            .await
            .unwrap();
    rated.unwrap_or((1600.0, 0))
}

async fn execute(app: &TestApp, statement: &'static str, player: &Player) {
    sqlx::query(statement)
        .bind(player.id)
        .execute(&app.db)
        .await
        .unwrap();
}

const AGE: &str = "update players set created_at = created_at - interval '1 year' where id = $1";

#[track_caller]
fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-9, "{got} is not {expected}");
}

#[tokio::test]
async fn rings_are_listed_with_their_figures() {
    let (app, boss) = with_operator().await;
    assert!(boss.rings().await.is_empty());
    let page = boss.get("/operator/rings").await.text;
    assert!(page.contains("No points look farmed."), "{page}");
    let leader = app.with_user("leader").await;
    let mut givers = Vec::new();
    for name in ["brother", "fresh", "old-a", "old-b"] {
        givers.push(app.with_user(name).await);
    }
    let [brother, fresh, old_a, old_b] = &givers[..] else {
        unreachable!("four")
    };
    for player in [&leader, brother, old_a, old_b] {
        execute(&app, AGE, player).await;
    }
    let mut won = Vec::new();
    for (giver, games) in [(brother, 4), (fresh, 3), (old_a, 2), (old_b, 1)] {
        let before = rating(&app, &leader).await.0;
        for _ in 0..games {
            beat(&leader, giver).await;
        }
        won.push(rating(&app, &leader).await.0 - before);
    }
    sqlx::query(
        "update rating_history h set same_address = r.opponent_id = $1 or h.player_id = $1
         from results r where r.match_id = h.match_id and r.player_id = h.player_id",
    )
    .bind(brother.id)
    .execute(&app.db)
    .await
    .unwrap();
    let rings = boss.rings().await;
    assert_eq!(rings.len(), 1, "{rings:?}");
    let ring = &rings[0];
    assert_eq!(ring["player"]["name"], "leader");
    assert_eq!(
        (&ring["game"], &ring["matches"], ring.get("provisional")),
        (&json!("dots"), &json!(10), None)
    );
    let figure = |key: &str| ring[key].as_f64().expect("a figure");
    assert_near(figure("rating"), rating(&app, &leader).await.0);
    assert_near(figure("won"), won.iter().sum());
    assert_near(figure("from_few"), won[..3].iter().sum());
    assert_near(figure("from_young"), won[1]);
    assert_near(figure("from_same_address"), won[0]);
    let opponents: Vec<_> = ring["opponents"]
        .as_array()
        .expect("opponents")
        .iter()
        .map(|one| {
            let flags = ["young", "same_address"].map(|flag| one.get(flag).is_some());
            (
                one["player"]["name"].as_str().expect("a name"),
                one["matches"].as_i64(),
                flags,
            )
        })
        .collect();
    assert_eq!(
        opponents,
        [
            ("brother", Some(4), [false, true]),
            ("fresh", Some(3), [true, false]),
            ("old-a", Some(2), [false, false]),
            ("old-b", Some(1), [false, false]),
        ]
    );
    let page = boss.get("/operator/rings").await.text;
    for part in [
        "From young accounts",
        "same address",
        "Annul all games",
        ">leader<",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    // Nobody else sees any of it.
    for path in ["/api/operator_rings", "/operator/rings"] {
        let refused = leader.get(path).await.status;
        assert_eq!(refused, if path.starts_with("/api") { 403 } else { 404 });
        let refused = app.visitor().get(path).await.status;
        assert_eq!(refused, if path.starts_with("/api") { 401 } else { 404 });
    }
}

#[tokio::test]
async fn addresses_of_both_players_are_compared_when_a_match_ends() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let same = async |id: i64| -> Vec<bool> {
        sqlx::query_scalar("select same_address from rating_history where match_id = $1")
            .bind(id)
            .fetch_all(&app.db)
            .await
            .unwrap()
    };
    for (bobs, expected) in [("there", false), ("here", true)] {
        let mut tx = app.db.begin().await.unwrap();
        sqlx::query("delete from addresses")
            .execute(&mut *tx)
            .await
            .unwrap();
        sqlx::query("insert into addresses (player_id, address) values ($1, 'here'), ($2, $3)")
            .bind(ann.id)
            .bind(bob.id)
            .bind(bobs)
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let id = beat(&ann, &bob).await;
        assert_eq!(same(id).await, [expected; 2], "{bobs}");
    }
}

#[tokio::test]
async fn all_games_of_an_account_are_annulled_at_once() {
    let (app, boss) = with_operator().await;
    let farmer = app.with_user("farmer").await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    for _ in 0..3 {
        beat(&farmer, &ann).await;
    }
    draw(&farmer, &bob).await;
    beat(&eve, &farmer).await;
    let with_boss = beat(&boss, &farmer).await;
    // Matches between others, one before and one after.
    let honest = beat(&ann, &bob).await;
    let unrated = start_match_with(
        &farmer,
        &eve,
        &[("setup", super::app::SMALL), ("rated", "false")],
    )
    .await;
    super::app::begin(&farmer, &eve, unrated).await;
    eve.resign(unrated).await.assert_ok();
    let mut anns = ann.stream("/events/lobby?game=dots").await;
    anns.expect("snapshot").await;
    let changes: Vec<(i64, i64, f64)> =
        sqlx::query_as("select match_id, player_id, after - before from rating_history")
            .fetch_all(&app.db)
            .await
            .unwrap();
    let kept = |player: &Player| -> f64 {
        let of = changes.iter().filter(|change| change.1 == player.id);
        of.filter(|change| [with_boss, honest].contains(&change.0))
            .map(|change| change.2)
            .sum()
    };
    let ranked: i64 = sqlx::query_scalar("select count(*) from ratings where ranked")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert!(ranked > 0);

    farmer
        .annul_all(&ann)
        .await
        .assert_error(403, "not_operator");
    boss.annul_all(&boss).await.assert_error(400, "yourself");
    let done = boss.annul_all(&farmer).await.assert_ok();
    assert_eq!(done, json!({"annulled": 5, "own": 1}));
    for (player, games) in [(&farmer, 1), (&ann, 1), (&bob, 1), (&eve, 0), (&boss, 1)] {
        let (now, games_now) = rating(&app, player).await;
        assert_near(now, 1600.0 + kept(player));
        assert_eq!(games_now, games, "{}", player.name);
        let path = format!("/api/profile?name={}&game=dots", player.name);
        let profile = player.get(&path).await.assert_ok();
        let last = profile["graph"]
            .as_array()
            .and_then(|graph| graph.last())
            .cloned();
        assert_near(
            last.expect("a point")["rating"].as_f64().expect("a rating"),
            now,
        );
    }
    // Both sides are told of each, also in an open page, and histories say so.
    let told = anns.next_named("rating_corrected").await;
    assert_eq!(told["opponent"], "farmer");
    for (player, notices) in [(&farmer, 5), (&ann, 3), (&bob, 1), (&eve, 1), (&boss, 0)] {
        let list = player.get("/api/notices").await.assert_ok();
        assert_eq!(
            list.as_array().expect("notices").len(),
            notices,
            "{}",
            player.name
        );
    }
    // A rating goes from one correction to the next.
    let list = farmer.get("/api/notices").await.assert_ok();
    let list = list.as_array().expect("notices");
    for pair in list.windows(2) {
        let [later, earlier] =
            [&pair[0]["before"], &pair[1]["after"]].map(|it| it.as_f64().expect("a rating"));
        assert_near(later, earlier);
    }
    let history = farmer.get("/api/history").await.assert_ok();
    let annulled = history["games"].as_array().expect("games").iter();
    assert_eq!(annulled.filter(|game| game["annulled"] == true).count(), 5);
    let ranked: i64 = sqlx::query_scalar("select count(*) from ratings where ranked")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(ranked, 0, "nobody has five games left");
    assert_eq!(
        audit(&boss.overview().await),
        [["all_annulled", "farmer", "farmed"]]
    );

    // The same request again has nothing to do, and another operator does the rest.
    let again = boss.annul_all(&farmer).await.assert_ok();
    assert_eq!(again, json!({"annulled": 0, "own": 1}));
    let chief = app.with_operator("chief").await;
    let rest = chief.annul_all(&farmer).await.assert_ok();
    assert_eq!(rest, json!({"annulled": 1, "own": 0}));
    assert_eq!(rating(&app, &farmer).await.1, 0);
    assert_near(rating(&app, &farmer).await.0, 1600.0);
    assert_eq!(audit(&boss.overview().await).len(), 2);
    let page = boss.get("/operator").await.text;
    assert!(page.contains("annulled all rated games"), "{page}");
}

/// Annuls more matches than fit into one transaction, some of which an interrupted annulment has annulled already.
#[tokio::test]
async fn an_annulment_of_many_games_goes_on_in_batches() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let count = ANNULMENT_BATCH_LEN + 20;
    sqlx::query(
        "with played as (
             insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, finished_at, winner, reason)
             select 'dots', '{}', 'none', true, $1, $2, 1600, 1600, now() - n * interval '1 h', 1, 'resigned'
             from generate_series(1, $3) as n returning id, finished_at
         ), sides as (
             select p.id, p.finished_at, s.player_id, s.opponent_id, s.seat, s.outcome, s.change from played p,
                 (values ($1, $2, 1, 1, 2.0), ($2, $1, 2, -1, -2.0)) as s (player_id, opponent_id, seat, outcome, change)
         ), results as (
             insert into results (match_id, player_id, opponent_id, game, seat, outcome, finished_at)
             select id, player_id, opponent_id, 'dots', seat, outcome, finished_at from sides
         ), rated as (
             insert into ratings (player_id, game, rating, games, ranked)
             select player_id, 'dots', 1600 + sum(change), count(*), true from sides group by player_id
         )
         insert into rating_history (match_id, player_id, game, before, after, at)
         select id, player_id, 'dots', 1600, 1600 + change, finished_at from sides",
    )
    .bind(ann.id)
    .bind(bob.id)
    .bind(i32::try_from(count).unwrap())
    .execute(&app.db)
    .await
    .unwrap();
    let one: i64 = sqlx::query_scalar("select max(id) from matches")
        .fetch_one(&app.db)
        .await
        .unwrap();
    let one = one.to_string();
    boss.post("/api/operator_annul", &[("match_id", &*one), ("why", "")])
        .await
        .assert_ok();
    let done = boss.annul_all(&ann).await.assert_ok();
    assert_eq!(done, json!({"annulled": count - 1, "own": 0}));
    for player in [&ann, &bob] {
        let (now, games) = rating(&app, player).await;
        assert_near(now, 1600.0);
        assert_eq!(games, 0);
    }
    let corrections: (i64, i64) =
        sqlx::query_as("select count(*), count(distinct (player_id, at)) from rating_corrections")
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert_eq!(corrections, (2 * count, 2 * count));
    assert_eq!(audit(&boss.overview().await).len(), 2);
}
