//! Ratings without a cap, and the ranked players: five rated games against three opponents, or against all there are.

use super::app::{SMALL, TestApp, begin, start_match};
use super::operator::with_operator;
use super::player::Player;
use std::collections::HashMap;
use tochki_play::{Rating, rate};
use tochki_protocol::limits::{RANKED_MATCHES, RANKED_OPPONENTS};
use tochki_rules::Seat;

/// Plays a rated match of Dots that `loser` resigns. Returns its id.
pub(super) async fn beat(winner: &Player, loser: &Player) -> i64 {
    let id = start_match(winner, loser, SMALL).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
    id
}

/// Plays a rated match of Dots that ends in a draw. Returns its id.
pub(super) async fn draw(one: &Player, other: &Player) -> i64 {
    let id = start_match(one, other, SMALL).await;
    begin(one, other, id).await;
    one.offer(id, "draw").await.assert_ok();
    other.answer_offer(id, true).await.assert_ok();
    id
}

async fn users<const N: usize>(app: &TestApp) -> [Player; N] {
    let mut users = Vec::new();
    for number in 0..N {
        users.push(app.with_user(&format!("user-{number}")).await);
    }
    users.try_into().ok().expect("as many")
}

/// Returns the games and opponents that are missing, by the profile, until the rating is shown without a question mark.
async fn missing(player: &Player) -> Option<[u64; 2]> {
    let path = format!("/api/profile?name={}&game=dots", player.name);
    let profile = player.get(&path).await.assert_ok();
    let dots = profile["games"].as_array().expect("games").iter();
    let until = dots
        .filter(|game| game["game"] == "dots")
        .find_map(|game| game.get("until_ranked"))?;
    Some(["matches", "opponents"].map(|key| until[key].as_u64().expect("a number")))
}

async fn listed(player: &Player) -> Vec<String> {
    let standings = player.get("/api/standings?game=dots").await.assert_ok();
    let players = standings["players"].as_array().expect("players").iter();
    let name = |entry: &serde_json::Value| entry["player"]["name"].as_str().map(str::to_owned);
    players.filter_map(name).collect()
}

#[tokio::test]
async fn a_farmed_rating_is_the_formulas_and_is_not_listed() {
    let app = TestApp::init().await;
    let [leader, a, b, c] = users(&app).await;
    // Four play, so that three opponents are needed.
    beat(&b, &c).await;
    let mut rating = [Rating::START; 2];
    for game in 1..=RANKED_MATCHES {
        let id = beat(&leader, &a).await;
        let changes = rate(rating, Some(Seat::First));
        rating = changes.map(|change| change.after);
        let result = leader.snapshot(id).await["result"]["ratings"].clone();
        for (seat, after) in rating.into_iter().enumerate() {
            let said = result[seat]["after"].as_f64().expect("a rating");
            assert!((said - after.0).abs() < 1e-9, "game {game}: {said}");
        }
        assert_eq!(result[0]["provisional"], true, "game {game}");
    }
    assert!(rating[0].0 > 1650.0, "nothing stops there: {rating:?}");
    assert_eq!(missing(&leader).await, Some([0, 2]));
    let page = leader.get("/@user-0?game=dots").await.text;
    assert!(
        page.contains("2 more rated opponents to enter the leaderboard"),
        "{page}"
    );
    beat(&leader, &b).await;
    assert_eq!(missing(&leader).await, Some([0, 1]));
    assert_eq!(listed(&leader).await, [""; 0]);
    let third = beat(&leader, &c).await;
    assert_eq!(missing(&leader).await, None);
    assert_eq!(listed(&leader).await, ["user-0"]);
    let result = leader.snapshot(third).await["result"]["ratings"].clone();
    assert_eq!(result[0].get("provisional"), None);
    assert_eq!(result[1]["provisional"], true);
}

/// In a house of three, two opponents are all there are. A player who was ranked there stays so when others come.
#[tokio::test]
async fn all_there_are_is_enough_while_fewer_than_four_play_and_a_rank_stays() {
    let (app, boss) = with_operator().await;
    let [a, b, c, d] = users(&app).await;
    for _ in 0..RANKED_MATCHES - 1 {
        beat(&a, &b).await;
    }
    beat(&b, &c).await;
    let fifth = beat(&a, &b).await;
    assert_eq!(missing(&a).await, Some([0, 1]), "there is a third one");
    assert_eq!(listed(&a).await, ["user-1"], "who has met both");
    beat(&a, &c).await;
    assert_eq!(missing(&a).await, None);
    // A fourth and a fifth change nothing for those, but are asked for three.
    beat(&d, &boss).await;
    for loser in [&a, &b] {
        beat(&d, loser).await;
    }
    let sixth = beat(&d, &a).await;
    assert_eq!(RANKED_OPPONENTS, 3);
    assert_eq!(missing(&d).await, Some([1, 0]));
    assert_eq!(listed(&a).await, ["user-0", "user-1"]);
    beat(&d, &a).await;
    assert_eq!(listed(&a).await, ["user-3", "user-0", "user-1"]);
    // A lost match takes no rank, an annulled one does, where it is needed.
    for annulled in [sixth, fifth] {
        let id = annulled.to_string();
        boss.post("/api/operator_annul", &[("match_id", &*id), ("why", "")])
            .await
            .assert_ok();
    }
    assert_eq!(missing(&d).await, Some([1, 0]));
    assert_eq!(listed(&a).await, ["user-0", "user-1"]);
}

/// Six friends play fifty games each: all ratings are those of a recount by the formula.
#[tokio::test]
async fn six_friends_are_rated_by_the_formula() {
    let app = TestApp::init().await;
    let friends: [Player; 6] = users(&app).await;
    // Each round, three games at once; each pair meets ten times, on two days.
    let rounds = [
        [(0, 5), (1, 4), (2, 3)],
        [(5, 3), (4, 2), (0, 1)],
        [(1, 5), (2, 0), (3, 4)],
        [(5, 4), (0, 3), (1, 2)],
        [(2, 5), (3, 1), (4, 0)],
    ];
    for day in 0..2 {
        for time in 0..5 {
            for (number, round) in rounds.iter().enumerate() {
                let game = async |place: usize| {
                    let (one, other) = round[place];
                    let (one, other) = (&friends[one], &friends[other]);
                    match (day + time + number * 2 + place) % 5 {
                        0 => draw(one, other).await,
                        1 => beat(other, one).await,
                        _ => beat(one, other).await,
                    }
                };
                tokio::join!(game(0), game(1), game(2));
            }
        }
        sqlx::query("update matches set started_at = started_at - interval '1 day'")
            .execute(&app.db)
            .await
            .unwrap();
    }
    let played: Vec<(i64, i64, i16)> = sqlx::query_as(
        "select seat1, seat2, winner from matches where rated and winner is not null order by finished_at, id",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    assert_eq!(played.len(), 6 * 50 / 2);
    let mut expected = HashMap::new();
    for (one, other, winner) in played {
        let before = [one, other].map(|player| *expected.get(&player).unwrap_or(&Rating::START));
        let winner = u8::try_from(winner)
            .ok()
            .and_then(|seat| Seat::try_from(seat).ok());
        let [first, second] = rate(before, winner);
        expected.insert(one, first.after);
        expected.insert(other, second.after);
    }
    let stored: Vec<(i64, f64, i32, bool)> =
        sqlx::query_as("select player_id, rating, games, ranked from ratings where game = 'dots'")
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(stored.len(), friends.len());
    for (player, rating, games, ranked) in stored {
        let expected = expected[&player].0;
        assert!((rating - expected).abs() < 1e-6, "{rating}, not {expected}");
        assert_eq!((games, ranked), (50, true));
    }
    assert_eq!(listed(&friends[0]).await.len(), friends.len());
}
