//! No loss in one's sleep: a flag by correspondence that would fall at night falls at 7:00 in the time zone of its owner.

use super::app::{SMALL, TestApp, backdate_match, begin, wait_until};
use super::player::{Player, Response};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400_000;

/// Zones without summer time, by their offsets in hours, at most three hours from each other.
const ZONES: [(i64, &str); 9] = [
    (0, "Africa/Abidjan"),
    (3, "Africa/Nairobi"),
    (5, "Asia/Karachi"),
    (7, "Asia/Bangkok"),
    (9, "Asia/Tokyo"),
    (12, "Pacific/Tarawa"),
    (-10, "Pacific/Honolulu"),
    (-7, "America/Phoenix"),
    (-4, "America/Puerto_Rico"),
];

/// Returns a zone in which it is between 0:00 and 5:00 now, and its offset in milliseconds.
pub(crate) fn asleep() -> (i64, &'static str) {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a time");
    let hour = i64::try_from(now.as_secs()).expect("a number") / 3600;
    let found = ZONES
        .into_iter()
        .find(|(offset, _)| (hour + offset).rem_euclid(24) < 5);
    let (offset, zone) = found.expect("the zones leave no gap of five hours");
    (offset * 3_600_000, zone)
}

async fn set(player: &Player, zone: &str) -> Response {
    player.post("/api/time_zone", &[("zone", zone)]).await
}

async fn deadline_at(reader: &Player, id: i64) -> i64 {
    reader.snapshot(id).await["clock"]["deadline_at"]
        .as_i64()
        .expect("a time")
}

/// Starts a match in which both have moved, and it is the turn of the first one of the players.
async fn begun<'a>(ann: &'a Player, bob: &'a Player, clock: &str) -> (i64, &'a Player, &'a Player) {
    let form = [("setup", SMALL), ("clock", clock)];
    let challenge = ann.challenge(bob, &form).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    begin(ann, bob, id).await;
    let is_first = ann.snapshot(id).await["players"][0]["id"] == ann.id;
    if is_first {
        (id, ann, bob)
    } else {
        (id, bob, ann)
    }
}

#[tokio::test]
async fn a_flag_falls_in_the_morning_and_only_its_players_know() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let (offset, zone) = asleep();
    for player in [&ann, &bob] {
        set(player, zone).await.assert_ok();
    }
    let (id, first, second) = begun(&ann, &bob, "1d").await;
    let clock = cid.snapshot(id).await["clock"].clone();
    let flag = clock["deadline_at"].as_i64().expect("a time");
    let begun_at = clock["at"].as_i64().expect("a time");
    assert_eq!(flag, begun_at + DAY, "by the clock, for others");
    let morning = deadline_at(second, id).await;
    assert_eq!(
        morning,
        deadline_at(first, id).await,
        "both players are told"
    );
    assert!(
        flag < morning && morning - flag <= DAY / 3,
        "{flag} {morning}"
    );
    assert_eq!((morning + offset).rem_euclid(DAY), 7 * 3_600_000);
    let own = first.get("/api/my_games").await.assert_ok();
    assert_eq!(own["games"][0]["deadline_at"], morning);
    let events: Vec<String> =
        sqlx::query_scalar("select body from match_events where match_id = $1")
            .bind(id)
            .fetch_all(&app.db)
            .await
            .expect("events");
    assert!(events.iter().all(|body| !body.contains("grace")));

    // A minute after its zero the clock has not lost, and that minute is not charged.
    backdate_match(&app.db, id, 86_400 + 60).await;
    let there = app.another_instance().await;
    let (first, second) = (
        first.at_instance(there.address),
        second.at_instance(there.address),
    );
    assert_eq!(second.snapshot(id).await["status"], "running");
    let page = first.request(reqwest::Method::GET, &format!("/match/{id}"));
    let page = super::player::send(page.header("accept", "text/html"))
        .await
        .text;
    assert!(page.contains("No clock runs out at night"), "{page}");
    first.make_move(id, "3,3", &[]).await.assert_ok();
    assert_eq!(
        second.snapshot(id).await["clock"]["left_ms"],
        json!([DAY, DAY])
    );
    // In the morning it does.
    backdate_match(&app.db, id, 86_400 + 8 * 3600).await;
    let there = app.another_instance().await;
    let first = first.at_instance(there.address);
    let result = wait_until("the end of the match", async || {
        let snapshot = first.snapshot(id).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await;
    assert_eq!(
        (&result["reason"], &result["winner"]),
        (&json!("time"), &json!(1))
    );
}

#[tokio::test]
async fn a_zone_changes_once_in_fourteen_days_and_moves_no_deadline_that_is_set() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let unset = ann.get("/api/time_zone").await.assert_ok();
    assert_eq!(
        (&unset["zone"], &unset["changeable_at"]),
        (&Value::Null, &Value::Null)
    );
    let zones = unset["zones"].as_array().expect("a list");
    assert!(zones.contains(&json!("Europe/Prague")) && zones.len() > 300);
    let (id, first, _) = begun(&ann, &bob, "1d").await;
    let before = deadline_at(first, id).await;
    for none in [
        "",
        "Nowhere/None",
        "Etc/GMT+1",
        "../../etc/passwd",
        "EST5EDT",
    ] {
        set(first, none).await.assert_error(400, "bad_request");
    }
    set(first, asleep().1).await.assert_ok();
    assert_eq!(deadline_at(first, id).await, before, "it was set before");
    set(first, asleep().1).await.assert_ok();
    let refused = set(first, "Europe/Prague").await;
    refused.assert_error(429, "too_many_requests");
    let wait: u64 = refused.headers["retry-after"]
        .to_str()
        .expect("text")
        .parse()
        .expect("seconds");
    assert!((13 * 86_400..=14 * 86_400 + 1).contains(&wait), "{wait}");
    let fixed = first.get("/api/time_zone").await.assert_ok();
    assert!(fixed["changeable_at"].is_i64());
    sqlx::query("update time_zones set changed_at = changed_at - interval '14 days'")
        .execute(&app.db)
        .await
        .expect("time passes");
    set(first, "Europe/Prague").await.assert_ok();
    let page = first.request(reqwest::Method::GET, "/account");
    let page = super::player::send(page.header("accept", "text/html"))
        .await
        .text;
    assert!(
        page.contains("<option selected>Europe/Prague</option>"),
        "the choice is shown"
    );
}

/// The fields of a game by correspondence with this clock.
fn game(clock: &str) -> [(&str, &str); 3] {
    [("game", "dots"), ("setup", SMALL), ("clock", clock)]
}

async fn sit(player: &Player, table: &Response) -> i64 {
    let table = table.id("id").to_string();
    let sat = player.post("/api/sit", &[("table", &table)]).await;
    sat.id("match")
}

#[tokio::test]
async fn no_first_turn_ends_at_night_however_the_match_starts() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let (offset, zone) = asleep();
    for player in [&ann, &bob] {
        set(player, zone).await.assert_ok();
    }
    let mut started = Vec::new();
    for clock in ["1d", "3d", "7d"] {
        let form = [("setup", SMALL), ("clock", clock)];
        let challenge = ann.challenge(&bob, &form).await.id("id");
        started.push(bob.answer_challenge(challenge, true).await.id("match"));
    }
    let table = ann.post("/api/open_table", &game("2d")).await;
    started.push(sit(&bob, &table).await);
    let asked = ann.post("/api/quick_game", &game("1d")).await;
    assert_eq!(asked.assert_ok()["match"], Value::Null);
    started.push(bob.post("/api/quick_game", &game("1d")).await.id("match"));
    let (over, ..) = begun(&ann, &bob, "1d").await;
    bob.resign(over).await.assert_ok();
    ann.request_rematch(over).await.assert_ok();
    started.push(bob.request_rematch(over).await.id("match"));
    for id in &started {
        let seen = cid.snapshot(*id).await;
        let by_clock = seen["clock"]["deadline_at"].as_i64().expect("a time");
        let by_clock = by_clock.min(seen["move_by"].as_i64().expect("a time"));
        for player in [&ann, &bob] {
            let told = player.snapshot(*id).await;
            let flag = told["clock"]["deadline_at"].as_i64().expect("a time");
            let end = flag.min(told["move_by"].as_i64().expect("a time"));
            assert!(by_clock < end && end - by_clock <= DAY / 3, "{told}");
            assert_eq!((end + offset).rem_euclid(DAY), 7 * 3_600_000, "{told}");
            let own = player.get("/api/my_games").await.assert_ok();
            let games = own["games"].as_array().expect("a list");
            let own = games.iter().find(|own| own["id"] == *id).expect("it runs");
            assert_eq!(own["deadline_at"], end);
        }
    }
    // The first turn of the other one has three days, too.
    let seven = started[2];
    let is_ann_first = ann.snapshot(seven).await["players"][0]["id"] == ann.id;
    let first = if is_ann_first { &ann } else { &bob };
    first.make_move(seven, "0,4", &[]).await.assert_ok();
    let told = ann.snapshot(seven).await;
    let end = told["move_by"].as_i64().expect("a time");
    assert_eq!((end + offset).rem_euclid(DAY), 7 * 3_600_000, "{told}");

    // A minute after the zero of its clock, at another instance, the match has not ended, and in the morning it has.
    for (seconds, status) in [(86_400 + 60, "running"), (8 * 3600, "finished")] {
        backdate_match(&app.db, started[0], seconds).await;
        let there = app.another_instance().await;
        let ann = ann.at_instance(there.address);
        wait_until("a sweep", async || {
            let snapshot = ann.snapshot(started[0]).await;
            (snapshot["status"] == status).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_zone_of_the_browser_is_kept_with_the_first_game_by_correspondence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let (_, night) = asleep();
    let post = async |player: &Player, path: &str, form: &[(&str, &str)], zone: &str| {
        let cookies = format!("{}; zone={zone}", player.cookies());
        let request = player.post_request(path).header("cookie", cookies);
        super::player::send(request.form(form)).await
    };
    let zone_of = async |player: &Player| player.get("/api/time_zone").await.assert_ok();
    let first = bob.id.to_string();
    let to = |clock| {
        let fields = [("opponent", first.as_str()), ("clock", clock)];
        [&fields[..], &[("game", "dots"), ("setup", SMALL)]].concat()
    };

    // Not with a live game, nor with a zone that is none.
    let _room = bob.join_lobby().await;
    let live = post(&ann, "/api/challenge", &to("300+5"), night).await;
    let none = post(&cid, "/api/challenge", &to("1d"), "Nowhere/None").await;
    for (player, sent) in [(&ann, live), (&cid, none)] {
        sent.assert_ok();
        assert_eq!(zone_of(player).await["zone"], Value::Null);
    }
    // Who asks, and who accepts.
    let challenge = post(&ann, "/api/challenge", &to("1d"), night)
        .await
        .id("id");
    let answer = [("id", &*challenge.to_string()), ("accept", "true")];
    let answered = post(&bob, "/api/answer_challenge", &answer, night).await;
    let id = answered.id("match");
    for player in [&ann, &bob] {
        let kept = zone_of(player).await;
        assert_eq!(kept["zone"], night);
        assert_eq!(kept["changeable_at"], Value::Null, "nobody has chosen it");
    }
    let snapshot = ann.snapshot(id).await;
    let clock = &snapshot["clock"];
    let flag = clock["at"].as_i64().expect("a time") + DAY;
    assert!(clock["deadline_at"].as_i64().expect("a time") > flag);

    // A table, and who sits down at it; a program has no browser.
    let table = post(&cid, "/api/open_table", &game("2d"), night).await;
    let seat = [("table", &*table.id("id").to_string())];
    let program = dan.as_program("play").await;
    let refused = post(&program, "/api/quick_game", &game("5d"), night).await;
    refused.assert_ok();
    assert_eq!(zone_of(&dan).await["zone"], Value::Null);
    post(&dan, "/api/sit", &seat, night).await.assert_ok();
    for player in [&cid, &dan] {
        assert_eq!(zone_of(player).await["zone"], night);
    }

    // What a player has chosen stays, whatever the browser says.
    set(&ann, "Europe/Prague").await.assert_ok();
    post(&ann, "/api/open_table", &game("3d"), night)
        .await
        .assert_ok();
    assert_eq!(zone_of(&ann).await["zone"], "Europe/Prague");
    set(&ann, night)
        .await
        .assert_error(429, "too_many_requests");
}
