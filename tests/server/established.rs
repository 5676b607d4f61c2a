//! Established players: gains over others are bounded, exactly once and to the point, so that accounts that lose on purpose lift
//! nobody. The figures of whole rings are in `crates/protocol/tests/collusion.rs`.

use super::app::{SMALL, TestApp, begin, start_match};
use super::operator::with_operator;
use super::player::Player;
use serde_json::{Value, json};
use tochki_protocol::limits::{
    ESTABLISHING_OPPONENTS, FOUNDING_DAYS, FOUNDING_MATCHES, FOUNDING_OPPONENTS, NEWCOMER_GAIN_MAX,
};
use tochki_rules::GameKind;
use tochki_server::operator;

/// A rated match of Dots that `loser` resigns. Returns its id.
async fn beat(winner: &Player, loser: &Player) -> i64 {
    let id = start_match(winner, loser, SMALL).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
    id
}

/// A rating, the sum of what newcomers have given and taken, and whether the player is established.
async fn standing(app: &TestApp, player: &Player) -> (f64, f64, bool) {
    sqlx::query_as(
        "select rating, newcomer_sum, established from ratings where player_id = $1 and game = 'dots'",
    )
    .bind(player.id)
    .fetch_one(&app.db)
    .await
    .unwrap()
}

async fn establish(app: &TestApp, player: &Player) {
    let (_, games) = operator::establish(&app.db, &player.name, &[GameKind::Dots], false)
        .await
        .unwrap();
    assert_eq!(games, [GameKind::Dots]);
}

async fn users(app: &TestApp, count: u32) -> Vec<Player> {
    let mut users = Vec::new();
    for number in 0..count {
        users.push(app.with_user(&format!("user-{number}")).await);
    }
    users
}

#[track_caller]
fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-9, "{got} is not {expected}");
}

#[tokio::test]
async fn accounts_that_lose_on_purpose_lift_their_leader_by_fifty_points() {
    let (app, boss) = with_operator().await;
    let leader = app.with_user("leader").await;
    let ring = users(&app, 6).await;
    let mut matches = Vec::new();
    let mut sum = 0.0;
    for loser in &ring {
        matches.push(beat(&leader, loser).await);
        let (rating, given, established) = standing(&app, &leader).await;
        assert_near(rating, 1600.0 + given);
        assert!(given >= sum && given <= NEWCOMER_GAIN_MAX && !established);
        sum = given;
        // What they lose is what Elo says.
        let (rating, taken, _) = standing(&app, loser).await;
        assert_near(rating, 1600.0 + taken);
        assert!(taken < -10.0, "{taken}");
    }
    assert_near(sum, NEWCOMER_GAIN_MAX);
    // The first four counted fully, the fifth in part, the sixth not at all.
    let mut changes = Vec::new();
    for &id in &matches {
        let change = leader.snapshot(id).await["result"]["ratings"][0].clone();
        changes.push((
            change["after"].as_f64().unwrap() - change["before"].as_f64().unwrap(),
            change["capped"] == true,
        ));
    }
    let capped: Vec<bool> = changes.iter().map(|change| change.1).collect();
    assert_eq!(capped, [false, false, false, false, true, true]);
    assert_near(changes[0].0, 12.5);
    assert_near(changes[5].0, 0.0);
    let history = leader.get("/api/history").await.assert_ok();
    assert_eq!(history["games"][0]["rating"]["capped"], true);
    assert_eq!(history["games"][5]["rating"].get("capped"), None);

    // The result says so, in both languages.
    let said =
        "Games with new players lift a rating by 50 points at most, and leader has them all.";
    for page in ["", "/replay"] {
        let of = |id: i64| format!("/match/{id}{page}");
        assert!(ring[5].get(&of(matches[5])).await.text.contains(said));
        assert!(!ring[0].get(&of(matches[0])).await.text.contains(said));
    }
    let russian = [("language", "ru")];
    ring[5].post("/api/settings", &russian).await.assert_ok();
    let page = ring[5].get(&format!("/match/{}", matches[5])).await.text;
    assert!(page.contains("не больше чем на 50 очков"), "{page}");

    // An annulment takes back what a match gave, of the sum as well, and a win brings that much again.
    for (annulled, given) in [
        (matches[5], 0.0),
        (matches[4], changes[4].0),
        (matches[0], 12.5),
    ] {
        let (rating, sum, _) = standing(&app, &leader).await;
        let id = annulled.to_string();
        boss.post("/api/operator_annul", &[("match_id", &*id), ("why", "")])
            .await
            .assert_ok();
        let now = standing(&app, &leader).await;
        assert_near(now.0, rating - given);
        assert_near(now.1, sum - given);
    }
    for loser in [&ring[0], &ring[4], &ring[5]] {
        let (rating, sum, _) = standing(&app, loser).await;
        assert_eq!((rating, sum), (1600.0, 0.0));
    }
    beat(&leader, &ring[5]).await;
    beat(&leader, &ring[4]).await;
    assert_near(standing(&app, &leader).await.0, 1650.0);
}

#[tokio::test]
async fn what_is_lost_to_newcomers_can_be_won_back() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    beat(&bob, &ann).await;
    let (rating, sum, _) = standing(&app, &ann).await;
    assert_near(rating, 1587.5);
    assert_near(sum, -12.5);
    // An established opponent makes up for it, up to what was lost.
    let eve = app.with_user("eve").await;
    establish(&app, &eve).await;
    beat(&ann, &eve).await;
    let (rating, sum, _) = standing(&app, &ann).await;
    assert!(rating > 1600.0);
    assert_near(sum, 0.0);
    let (_, sum, _) = standing(&app, &eve).await;
    assert!(sum < 0.0, "Ann is none");
}

#[tokio::test]
async fn matches_that_end_at_once_and_annulments_keep_the_sums_right() {
    let (app, boss) = with_operator().await;
    let leader = app.with_user("leader").await;
    let ring = users(&app, 6).await;
    let other = app.with_user("other").await;
    for pair in ring.chunks(2) {
        let annulled = beat(&leader, &pair[0]).await;
        let running = start_match(&leader, &pair[1], SMALL).await;
        begin(&leader, &pair[1], running).await;
        // Another match of the first loser.
        let second = start_match(&other, &pair[0], SMALL).await;
        begin(&other, &pair[0], second).await;
        let id = annulled.to_string();
        let form = [("match_id", &*id), ("why", "")];
        let (annul, one, two) = tokio::join!(
            boss.post("/api/operator_annul", &form),
            pair[1].resign(running),
            pair[0].resign(second)
        );
        for answer in [annul, one, two] {
            answer.assert_ok();
        }
    }
    for player in ring.iter().chain([&leader, &other]) {
        let (rating, sum, _) = standing(&app, player).await;
        assert_near(rating, 1600.0 + sum);
        let written: f64 = sqlx::query_scalar(
            "select coalesce(sum(newcomer_change), 0) from rating_history h
             where player_id = $1 and not exists (select from annulments a where a.match_id = h.match_id)",
        )
        .bind(player.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
        assert_near(sum, written);
    }
}

#[tokio::test]
async fn five_established_opponents_establish_who_does_not_lose_to_all() {
    let app = TestApp::init().await;
    let known = users(&app, ESTABLISHING_OPPONENTS).await;
    for player in &known {
        establish(&app, player).await;
    }
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    for (number, player) in known.iter().enumerate() {
        assert!(!standing_is_established(&app, &ann).await, "{number}");
        // Ann wins the first of them, Bob none, Eve is never met by the last one.
        let (winner, loser) = if number == 0 {
            (&ann, player)
        } else {
            (player, &ann)
        };
        beat(winner, loser).await;
        beat(player, &bob).await;
        let met = if number == 0 { &known[1] } else { player };
        beat(&eve, met).await;
    }
    let newcomer_sum = |standing: (f64, f64, bool)| standing.1;
    assert!(standing_is_established(&app, &ann).await);
    assert!(!standing_is_established(&app, &bob).await, "lost to all");
    assert!(!standing_is_established(&app, &eve).await, "met four");
    // Wins over Ann count fully now, and do not touch the sum; over Bob they do.
    let before = standing(&app, &eve).await;
    beat(&eve, &ann).await;
    let after = standing(&app, &eve).await;
    assert!(after.0 > before.0 + 5.0);
    assert_near(newcomer_sum(after), newcomer_sum(before));
    beat(&eve, &bob).await;
    assert!(newcomer_sum(standing(&app, &eve).await) > newcomer_sum(before));
    let data = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(data["ratings"][0]["established"], true);
    assert!(data["ratings"][0]["newcomer_sum"].is_number());
}

async fn standing_is_established(app: &TestApp, player: &Player) -> bool {
    sqlx::query_scalar(
        "select exists (select from ratings where player_id = $1 and game = 'dots' and established)",
    )
    .bind(player.id)
    .fetch_one(&app.db)
    .await
    .unwrap()
}

#[tokio::test]
async fn an_annulled_match_establishes_nobody() {
    let (app, boss) = with_operator().await;
    let known = users(&app, ESTABLISHING_OPPONENTS).await;
    for player in &known {
        establish(&app, player).await;
    }
    let ann = app.with_user("ann").await;
    let won = beat(&ann, &known[0]).await;
    let id = won.to_string();
    boss.post("/api/operator_annul", &[("match_id", &*id), ("why", "")])
        .await
        .assert_ok();
    for player in &known {
        beat(player, &ann).await;
    }
    assert!(!standing_is_established(&app, &ann).await);
    beat(&ann, &known[0]).await;
    assert!(standing_is_established(&app, &ann).await);
}

/// The first players of a game, and those of before there was this rule.
#[tokio::test]
async fn the_first_of_a_game_are_established_by_playing_often() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let others = users(&app, FOUNDING_OPPONENTS).await;
    let rounds = FOUNDING_MATCHES / FOUNDING_OPPONENTS;
    for round in 0..rounds {
        for (number, other) in others.iter().enumerate() {
            if (round + 1, number + 1) == (rounds, others.len()) {
                // All days but one, and then the last match is of today.
                sqlx::query(
                    "with numbered as (
                         select match_id, row_number() over (order by match_id) as number
                         from rating_history where player_id = $1)
                     update rating_history h set at = now() - make_interval(days => 1 + (n.number % $2)::int)
                     from numbered n where n.match_id = h.match_id",
                )
                .bind(ann.id)
                .bind(i64::from(FOUNDING_DAYS - 1))
                .execute(&app.db)
                .await
                .unwrap();
            }
            assert!(!standing_is_established(&app, &ann).await);
            // Ann asks, because nobody is asked more than ten times a minute.
            let id = start_match(&ann, other, SMALL).await;
            begin(&ann, other, id).await;
            ann.resign(id).await.assert_ok();
        }
    }
    assert!(standing_is_established(&app, &ann).await);
    assert!(!standing_is_established(&app, &others[0]).await);

    // Each condition is needed; one has been met by Ann alone.
    let is_established = async |conditions: [u32; 4]| -> bool {
        let [founders, matches, met, days] = conditions.map(i64::from);
        sqlx::query_scalar("select is_established($1, 'dots', 5, $2, $3, $4, $5)")
            .bind(ann.id)
            .bind(founders)
            .bind(matches)
            .bind(met)
            .bind(days)
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    let [matches, met, days] = [FOUNDING_MATCHES, FOUNDING_OPPONENTS, FOUNDING_DAYS];
    assert!(is_established([2, matches, met, days]).await);
    for refused in [
        // Ann is established herself now.
        [1, matches, met, days],
        [2, matches + 1, met, days],
        [2, matches, met + 1, days],
        [2, matches, met, days + 1],
    ] {
        assert!(!is_established(refused).await, "{refused:?}");
    }

    // What the migration says of who has played often before.
    sqlx::query("update ratings set established = false")
        .execute(&app.db)
        .await
        .unwrap();
    let migration = include_str!("../../migrations/0039_established.sql");
    let begin = migration
        .find("update ratings r")
        .expect("what is filled in");
    let end = migration
        .find("-- So that the first")
        .expect("what follows");
    sqlx::raw_sql(sqlx::AssertSqlSafe(migration[begin..end].to_owned()))
        .execute(&app.db)
        .await
        .unwrap();
    assert!(standing_is_established(&app, &ann).await);
    assert!(
        !standing_is_established(&app, &others[0]).await,
        "three games"
    );
}

#[tokio::test]
async fn operator_establishes_players() {
    let (app, boss) = with_operator().await;
    let ann = app.with_user("Ann").await;
    let guest = app.visitor().be_guest("guest").await;
    let all = GameKind::ALL;
    let (name, games) = operator::establish(&app.db, "ann", all, false)
        .await
        .unwrap();
    assert_eq!((name.as_str(), games.as_slice()), ("Ann", all));
    assert!(standing_is_established(&app, &ann).await);
    let (_, again) = operator::establish(&app.db, "ann", all, false)
        .await
        .unwrap();
    assert_eq!(again, []);
    let (_, revoked) = operator::establish(&app.db, "ann", &[GameKind::Dots], true)
        .await
        .unwrap();
    assert_eq!(revoked, [GameKind::Dots]);
    assert!(!standing_is_established(&app, &ann).await);
    for nobody in ["nobody", guest.name.as_str()] {
        let refused = operator::establish(&app.db, nobody, all, false).await;
        assert_eq!(refused.unwrap_err().code().as_str(), "no_such_player");
    }
    let overview = boss.overview().await;
    let acts: Vec<Value> = overview["audit"]
        .as_array()
        .unwrap()
        .iter()
        .take(2)
        .map(|act| json!([act["operator"], act["act"], act["name"], act["why"]]))
        .collect();
    let ids: Vec<_> = all.iter().map(|game| game.id()).collect();
    assert_eq!(
        json!(acts),
        json!([
            ["tochki operator", "established_revoked", "Ann", "dots"],
            ["tochki operator", "established", "Ann", ids.join(", ")],
        ])
    );
    let page = boss.get("/operator").await.text;
    assert!(page.contains("named as established"), "{page}");
    // Who has played nothing is no player of a rated game for that.
    let profile = ann.get("/api/profile?name=Ann").await.assert_ok();
    assert_eq!(profile["games"][0]["rated"], 0);
    assert_eq!(
        ann.get("/api/standings?game=dots").await.assert_ok()["total"],
        0
    );
}
