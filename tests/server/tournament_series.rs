//! Series of tournaments: the next one is made when the last begins, once, until the series is ended.

use super::app::{TestApp, wait_until};
use super::player::{Response, Visitor, send};
use super::tournament_steps::{
    account, arena, begin, join, make, round_robin, state_of, wait_for_state,
};
use reqwest::Method;
use serde_json::json;
use tochki_protocol::{Code, TournamentId, TournamentState};

/// A tournament of a series: its number, its state and its start.
type Made = (i64, String, i64);

/// All tournaments of the series of one, in their order.
async fn made(app: &TestApp, id: TournamentId) -> Vec<Made> {
    sqlx::query_as(
        "select id, state, ms(starts_at) from tournaments
         where series_id = (select series_id from tournaments where id = $1) order by series_local",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap()
}

async fn wait_for(app: &TestApp, id: TournamentId, count: usize) -> Vec<Made> {
    wait_until("the next tournament", async || {
        let made = made(app, id).await;
        (made.len() >= count).then_some(made)
    })
    .await
}

async fn page(visitor: &Visitor, path: &str) -> Response {
    let request = visitor.request(Method::GET, path);
    send(request.header("accept", "text/html")).await
}

const DAY: i64 = 86_400_000;

#[tokio::test]
async fn each_that_begins_is_followed_by_the_next_until_the_series_ends() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let ann = app.with_user("ann").await;
    let id = make(&app, &olga, arena()).await;
    join(&app, &ann, id).await.unwrap();
    let first = app.state.tournaments.get(id).await.unwrap();
    let minute = first.starts_at.0 / 60_000 * 60_000;
    let number = id.to_string();
    let form = [("id", &*number), ("rule", "FREQ=DAILY"), ("zone", "UTC")];
    let shown = page(&olga, &format!("/tournament/{id}")).await;
    assert!(shown.text.contains("/api/repeat_tournament"));
    olga.post("/api/repeat_tournament", &form).await.assert_ok();
    let shown = page(&olga, &format!("/tournament/{id}")).await;
    assert!(shown.text.contains("Every day") && shown.text.contains("Stop repeating"));
    let listed = page(&ann, "/tournaments").await;
    assert!(listed.text.contains("Every day"));
    assert_eq!(
        made(&app, id).await.len(),
        1,
        "the next one is not made before"
    );

    // Two instances see it begin.
    let other = app.another_instance().await;
    begin(&app, id).await;
    let all = wait_for(&app, id, 2).await;
    let next = TournamentId(all[1].0);
    assert_eq!(all[1], (next.0, "open".to_owned(), minute + DAY));
    let copy = app.state.tournaments.get(next).await.unwrap();
    assert_eq!(copy.name, first.name);
    assert_eq!((copy.setup, copy.clock), (first.setup, first.clock));
    assert_eq!((copy.minutes, copy.players), (first.minutes, 0));
    let link = app.visitor().get(&format!("/api/tournament?id={id}")).await;
    let series = json!({"rule": "FREQ=DAILY", "zone": "UTC", "ended": false, "next": next.0});
    assert_eq!(link.assert_ok()["series"], series);

    // The next one, too. Then the series ends: the last one that was made takes place, and no other.
    begin(&app, next).await;
    let all = wait_for(&app, id, 3).await;
    assert_eq!(all[2].2, minute + 2 * DAY);
    let last = TournamentId(all[2].0);
    let number = last.to_string();
    let end = [("id", &*number)];
    ann.post("/api/end_tournament_series", &end)
        .await
        .assert_error(403, "not_operator");
    olga.post("/api/end_tournament_series", &end)
        .await
        .assert_ok();
    olga.post("/api/end_tournament_series", &end)
        .await
        .assert_error(409, "not_open");
    begin(&app, last).await;
    assert_eq!(made(&app, id).await.len(), 3);
    let shown = page(&olga, &format!("/tournament/{last}")).await;
    assert!(!shown.text.contains("Every day"));
    drop(other);
}

#[tokio::test]
async fn a_series_outlives_those_that_do_not_take_place() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let tournaments = &app.state.tournaments;
    let id = make(&app, &olga, round_robin(false)).await;
    let rule = "FREQ=WEEKLY;INTERVAL=2";
    tournaments
        .repeat(&account(&olga), id, rule, "Asia/Tokyo")
        .await
        .unwrap();
    // Nobody has come.
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(&app, id, TournamentState::Cancelled).await;
    let all = made(&app, id).await;
    assert_eq!(all.len(), 2, "in the same transaction");
    // The rule goes by the clocks of the zone, wherever the start was moved.
    let local: i64 = sqlx::query_scalar("select series_local from tournaments where id = $1")
        .bind(id.0)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(all[1].2, local - 9 * 3_600_000 + 14 * DAY);
    // An operator cancels the next one, which is followed as well.
    let next = TournamentId(all[1].0);
    tournaments
        .cancel(&account(&olga), true, next)
        .await
        .unwrap();
    let all = wait_for(&app, id, 3).await;
    assert_eq!(all[2].2 - all[1].2, 14 * DAY);
    assert_eq!(
        state_of(&app, TournamentId(all[2].0)).await,
        TournamentState::Open
    );
    // With another rule a new series begins with it, and the old one has ended.
    let third = TournamentId(all[2].0);
    tournaments
        .repeat(&account(&olga), third, "FREQ=DAILY", "Asia/Tokyo")
        .await
        .unwrap();
    let kept = tournaments.get(id).await.unwrap().series.unwrap();
    assert!(kept.ended && kept.rule == rule);
    let series = tournaments.get(third).await.unwrap().series.unwrap();
    assert!(!series.ended && series.rule == "FREQ=DAILY");
}

#[tokio::test]
async fn hostile_rules_are_refused_and_nothing_changes() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let ann = app.with_user("ann").await;
    let id = make(&app, &ann, arena()).await;
    let number = id.to_string();
    let long = "9,".repeat(500);
    let tried = [
        ("FREQ=SECONDLY", "UTC"),
        ("FREQ=DAILY;COUNT=1000000000", "UTC"),
        ("FREQ=DAILY\nRDATE:20300101T000000Z", "UTC"),
        ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "UTC"),
        ("FREQ=MONTHLY;INTERVAL=12", "UTC"),
        ("FREQ=DAILY;BYHOUR=", "UTC"),
        (long.as_str(), "UTC"),
        ("FREQ=DAILY", "Atlantis/Poseidonis"),
        ("FREQ=DAILY", long.as_str()),
    ];
    for (rule, zone) in tried {
        let form = [("id", &*number), ("rule", rule), ("zone", zone)];
        let refused = olga.post("/api/repeat_tournament", &form).await;
        refused.assert_error(400, "invalid_tournament");
    }
    // A tournament is let repeat by operators alone, also by who made it.
    let form = [("id", &*number), ("rule", "FREQ=DAILY")];
    ann.post("/api/repeat_tournament", &form)
        .await
        .assert_error(403, "not_operator");
    let shown = page(&ann, &format!("/tournament/{id}")).await;
    assert!(shown.text.contains("/api/cancel_tournament"));
    assert!(!shown.text.contains("/api/repeat_tournament"));
    assert_eq!(app.state.tournaments.get(id).await.unwrap().series, None);
    // What runs is not the beginning of a series.
    begin(&app, id).await;
    let late = app
        .state
        .tournaments
        .repeat(&account(&olga), id, "FREQ=DAILY", "UTC")
        .await;
    assert_eq!(late.map_err(|error| error.code()), Err(Code::NotOpen));
}

#[tokio::test]
async fn the_calendar_has_the_next_dates() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let id = make(&app, &olga, arena()).await;
    app.state
        .tournaments
        .repeat(&account(&olga), id, "FREQ=WEEKLY", "Europe/Prague")
        .await
        .unwrap();
    let calendar = app.visitor().get("/tournaments.ics?game=dots").await;
    let count = |text: &str| calendar.text.matches(text).count();
    assert_eq!(count("STATUS:CONFIRMED"), 1);
    assert_eq!(count("STATUS:TENTATIVE"), 5);
    assert_eq!(count("UID:series-"), 5);
    assert!(calendar.text.contains(&format!("UID:tournament-{id}@")));
    let others = app.visitor().get("/tournaments.ics?game=boxes").await;
    assert!(!others.text.contains("VEVENT"));
    // The tournament of a date has its UID.
    let uid = calendar
        .text
        .lines()
        .find(|line| line.starts_with("UID:series-"));
    let uid = uid.unwrap().to_owned();
    begin(&app, id).await;
    wait_until("the next one in the calendar", async || {
        let calendar = app.visitor().get("/tournaments.ics?game=dots").await;
        let whole = calendar.text.replace("\r\n ", "");
        let events: Vec<&str> = whole.split("BEGIN:VEVENT").collect();
        let event = events.into_iter().find(|event| event.contains(&uid))?;
        event.contains("STATUS:CONFIRMED").then_some(())
    })
    .await;
}
