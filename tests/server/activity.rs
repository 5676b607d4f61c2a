//! The activity of the arena: the places of players, and the running matches.

use super::app::{SMALL, start_match, wait_until};
use super::operator::with_operator;
use super::player::Player;
use serde_json::{Value, json};

impl Player {
    async fn activity(&self) -> Value {
        self.get("/api/operator_house").await.assert_ok()
    }
}

/// Returns the places of all players, by name.
fn places(activity: &Value) -> Vec<(String, Value)> {
    let people = activity["people"].as_array().expect("people").iter();
    let name = |one: &Value| one["player"]["name"].as_str().unwrap().to_owned();
    let mut places: Vec<_> = people
        .map(|one| (name(one), one["place"].clone()))
        .collect();
    places.sort_by(|one, other| (&one.0, one.1.to_string()).cmp(&(&other.0, other.1.to_string())));
    places
}

#[tokio::test]
async fn operators_see_who_is_where() {
    let (app, boss) = with_operator().await;
    assert_eq!(
        boss.activity().await,
        json!({"people": [], "more_people": false, "people_count": 0,
            "matches": [], "more_matches": false, "match_count": 0})
    );
    let (ann, bob) = app.with_two_users().await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let _playing = ann.stream(&path).await;
    let _watching = [eve.stream(&path).await, eve.stream(&path).await];
    let _anonymous = app.visitor().stream(&path).await;
    let _waiting = eve.join_lobby_of("gomoku").await;
    let table = dan
        .post("/api/open_table", &[("game", "dots")])
        .await
        .assert_ok();
    let link = table["link"].as_str().unwrap();
    let _seated = dan.stream(&format!("/events/table/{link}")).await;
    let activity = wait_until("everybody at their place", async || {
        let activity = boss.activity().await;
        let expected = [
            ("ann".to_owned(), json!({"playing": id})),
            ("dan".to_owned(), json!({"table": table["id"]})),
            ("eve".to_owned(), json!({"waiting_room": "gomoku"})),
            ("eve".to_owned(), json!({"watching": id})),
        ];
        (places(&activity) == expected).then_some(activity)
    })
    .await;
    assert_eq!(activity["people_count"], 3);
    assert!(activity["people"][0]["since"].is_number());
    let since = |activity: &Value| {
        let people = activity["people"].as_array().unwrap().iter();
        let mut anns = people.filter(|one| one["player"]["name"] == "ann");
        anns.next().unwrap()["since"].clone()
    };
    // A heartbeat does not change since when somebody is there.
    let first = since(&activity);
    sqlx::query("update presence set beat_at = now() - interval '5 s'")
        .execute(&app.db)
        .await
        .unwrap();
    wait_until("a heartbeat", async || {
        let fresh: bool = sqlx::query_scalar(
            "select bool_and(beat_at > now() - interval '4 s') from presence where gone_at is null",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        fresh.then_some(())
    })
    .await;
    assert_eq!(since(&boss.activity().await), first);
    let page = boss.get("/operator/house").await;
    assert_eq!(page.status, 200);
    for text in ["watches game", "plays game", "lobby: Gomoku"] {
        assert!(page.text.contains(text), "no {text} in {}", page.text);
    }
    assert!(!page.text.contains(link), "a table's link is an invitation");
}

#[tokio::test]
async fn operators_see_running_matches() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    ann.make_move(id, "2,2", &[]).await.assert_ok();
    ann.offer(id, "takeback").await.assert_ok();
    bob.answer_offer(id, true).await.assert_ok();
    sqlx::query("update absences set since = now() - interval '10 s' where player_id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .unwrap();
    let activity = boss.activity().await;
    assert_eq!(activity["match_count"], 1);
    let running = &activity["matches"][0];
    assert_eq!(
        (&running["id"], &running["game"]),
        (&id.into(), &"dots".into())
    );
    assert_eq!(running["moves"], 2);
    assert_eq!(running["score"], json!([0, 0]));
    assert_eq!(running["rated"], true);
    assert_eq!(running["players"][1]["name"], "bob");
    assert_eq!(running["gone_at"][0], Value::Null);
    assert!(running["gone_at"][1].is_number(), "{running}");
    let page = boss.get("/operator/house").await.text;
    assert!(page.contains("bob since"), "{page}");
    bob.resign(id).await.assert_ok();
    assert_eq!(boss.activity().await["matches"], json!([]));
}

#[tokio::test]
async fn activity_is_paged_and_only_for_operators() {
    let (app, boss) = with_operator().await;
    let ann = app.with_user("ann").await;
    ann.get("/api/operator_house")
        .await
        .assert_error(403, "not_operator");
    assert_eq!(ann.get("/operator/house").await.status, 404);
    assert_eq!(app.visitor().get("/operator/house").await.status, 404);
    sqlx::query(
        "with crowd as (
             insert into players (name, name_key, guest) select 'crowd' || n, 'crowd' || n, true
             from generate_series(1, 51) as n returning id)
         insert into presence (player_id, place, instance) select id, 'lobby:dots', 'test' from crowd",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let first = boss.activity().await;
    assert_eq!(first["people"].as_array().unwrap().len(), 50);
    assert_eq!(
        (&first["people_count"], &first["more_people"]),
        (&51.into(), &true.into())
    );
    let second = boss.get("/api/operator_house?people=1").await.assert_ok();
    assert_eq!(second["people"].as_array().unwrap().len(), 1);
    assert_eq!(second["more_people"], false);
    let page = boss.get("/operator/house").await.text;
    assert!(page.contains("/operator/house?people=1"), "{page}");
}
