//! Lost and unresponsive connections: absence, coming back, and names that are free again.

use super::absences::{backdate_absence, wait_until_absent};
use super::app::{TestApp, wait_until};
use super::line_client::{Line, begin_game, start, start_beside, start_with};
use super::player::Player;
use super::sse_client::Stream;
use std::time::Duration;

/// Starts a server that sends pings soon. Clients have as long for answering as otherwise, so that a slow machine is not
/// unresponsive.
async fn start_with_early_pings() -> TestApp {
    start_with(|settings| {
        settings.line_ping_after = Duration::from_millis(100);
        settings.line_probe_timeout = Duration::from_millis(100);
    })
    .await
}

/// Returns the number of a player, for the helpers that need one.
async fn player(app: &TestApp, name: &str) -> Player {
    let id = sqlx::query_scalar("select id from players where name = $1")
        .bind(name)
        .fetch_one(&app.db)
        .await
        .unwrap();
    Player::from_visitor(app.visitor(), id, name.to_owned())
}

/// Waits until a line of this player is stored as lost.
pub(crate) async fn wait_until_lost(app: &TestApp, name: &str) {
    wait_until("a lost line", async || {
        let lost: bool = sqlx::query_scalar(
            "select exists (select from lines l join players p on p.id = l.player_id
             where p.name = $1 and l.lost_at is not null)",
        )
        .bind(name)
        .fetch_one(&app.db)
        .await
        .unwrap();
        lost.then_some(())
    })
    .await;
}

/// Makes the last sign of life of all lines older.
async fn age_lines(app: &TestApp, seconds: i32) {
    sqlx::query("update lines set seen_at = seen_at - $1 * interval '1 s'")
        .bind(seconds)
        .execute(&app.db)
        .await
        .unwrap();
}

/// Begins a game; the first is on turn. Returns both with their names.
async fn begin_named(app: &TestApp) -> ((Line, &'static str), (Line, &'static str)) {
    let (first, mut second) = begin_game(app).await;
    // The second asks who the first is: its name is taken.
    let mut other = Line::connect(app).await;
    other.ask("LOGIN|bob", "ERR2").await;
    let name: String = sqlx::query_scalar(
        "select p.name from matches m join players p on p.id = m.seat1 where m.finished_at is null",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    second.ask("PING", "PONG").await;
    if name == "bob" {
        ((first, "bob"), (second, "eva"))
    } else {
        ((first, "eva"), (second, "bob"))
    }
}

#[tokio::test]
async fn a_lost_line_is_told_and_comes_back_to_its_game() {
    let app = start().await;
    let ((lost, name), (mut other, _)) = begin_named(&app).await;
    drop(lost);
    wait_until_absent(&app.db, &player(&app, name).await).await;
    other.expect("OP_LEAVE").await;
    // The opponent of somebody who is away plays all the same.
    other.ask("TURN|0|1", "ERR3").await;

    let mut back = Line::connect(&app).await;
    back.ask(&format!("RECONNECT|{name}|no such game"), "OK|2")
        .await;
    other.expect(&format!("OP_JOIN|{name}")).await;
    back.ask("RECONNECT||", "ERR1").await;
    let sticks = format!("1{}200", "0".repeat(20));
    back.ask("SYNC", &format!("OK|3|3|{sticks}|000000000"))
        .await;
    back.expect("ON_TURN").await;
    back.ask("TURN|0|1", "OK").await;
    back.expect("OP_TURN").await;
    other.expect_all(&["TURN|0|1", "ON_TURN"]).await;
    // A name whose line is alive.
    let mut third = Line::connect(&app).await;
    third.ask(&format!("RECONNECT|{name}|"), "OK|0").await;
    third.ask(&format!("LOGIN|{name}"), "ERR2").await;
}

#[tokio::test]
async fn after_30_seconds_the_game_is_lost_and_the_player_comes_back_to_the_lobby() {
    let app = start().await;
    let ((lost, name), (mut other, _)) = begin_named(&app).await;
    drop(lost);
    let absent = player(&app, name).await;
    wait_until_absent(&app.db, &absent).await;
    // A guest who plays keeps the name.
    let mut thief = Line::connect(&app).await;
    thief.ask(&format!("LOGIN|{name}"), "ERR2").await;
    backdate_absence(&app.db, &absent, 31).await;
    let heard = other.next().await;
    if heard.as_deref() == Some("OP_LEAVE") {
        other.expect("END|WIN").await;
    } else {
        assert_eq!(heard.as_deref(), Some("END|WIN"));
    }
    let mut back = Line::connect(&app).await;
    back.ask(&format!("RECONNECT|{name}|den"), "OK|1").await;
    back.ask("SYNC", "ERR4").await;
    back.ask("CREATE|den", "OK").await;
    other.ask("JOIN|den", &format!("OK|{name}")).await;
}

#[tokio::test]
async fn a_line_lost_in_the_lobby_is_remembered_for_an_hour() {
    let app = start().await;
    drop(Line::log_in(&app, "bob").await);
    wait_until_lost(&app, "bob").await;
    let id = player(&app, "bob").await.id;
    age_lines(&app, 3500).await;
    let mut back = Line::connect(&app).await;
    back.ask("RECONNECT|bob|", "OK|1").await;
    assert_eq!(player(&app, "bob").await.id, id, "the same player");
    drop(back);
    wait_until_lost(&app, "bob").await;
    // A guest comes back from the same address only.
    sqlx::query("update lines set address = '192.0.2.7'")
        .execute(&app.db)
        .await
        .unwrap();
    let mut again = Line::connect(&app).await;
    again.ask("RECONNECT|bob|", "OK|0").await;
    sqlx::query("update lines set address = '127.0.0.1'")
        .execute(&app.db)
        .await
        .unwrap();
    age_lines(&app, 3601).await;
    again.ask("RECONNECT|bob|", "OK|0").await;
}

#[tokio::test]
async fn the_name_of_a_guest_who_is_gone_is_free() {
    let app = start().await;
    // One who has played nothing, and one who has.
    drop(Line::log_in(&app, "kim").await);
    wait_until_lost(&app, "kim").await;
    let first = player(&app, "kim").await.id;
    let mut kim = Line::log_in(&app, "kim").await;
    assert_ne!(player(&app, "kim").await.id, first);
    kim.ask("LOAD", "OK").await;
    drop(kim);
    wait_until_lost(&app, "kim").await;
    // Browsers have the same name space.
    let registered = app.with_user("Kim").await;
    let mut line = Line::connect(&app).await;
    line.ask("LOGIN|kim", "ERR2").await;
    line.ask("RECONNECT|kim|", "OK|0").await;

    let (mut bob, mut eva) = begin_game(&app).await;
    bob.ask("LEAVE", "OK").await;
    eva.expect("END|WIN").await;
    drop((bob, eva));
    wait_until_lost(&app, "bob").await;
    wait_until_lost(&app, "eva").await;
    app.visitor()
        .post("/api/be_guest", &[("name", "bob")])
        .await
        .assert_ok();
    line.ask("LOGIN|eva", "OK").await;
    let page = registered.get("/api/history").await.assert_ok();
    assert_eq!(page["total"], 0);
}

#[tokio::test]
async fn table_seat_is_kept_during_a_short_disconnection() {
    let app = start().await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    drop(bob);
    wait_until_lost(&app, "bob").await;
    let mut back = Line::connect(&app).await;
    back.ask("RECONNECT|bob|den", "OK|2").await;
    back.ask("TURN|0|0", "ERR3").await;
    let mut eva = Line::log_in(&app, "eva").await;
    eva.ask("JOIN|den", "OK|bob").await;
    eva.expect("OP_JOIN|bob").await;
    back.expect("OP_JOIN|eva").await;
    let on_turn = back.is_on_turn().await;
    assert_ne!(on_turn, eva.is_on_turn().await);
}

#[tokio::test]
async fn a_table_closes_whose_creator_does_not_come_back() {
    let app = start().await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    drop(bob);
    wait_until_lost(&app, "bob").await;
    let mut eva = Line::log_in(&app, "eva").await;
    // Nobody is sent to a game whose creator is lost. Whoever knows its name may wait.
    eva.ask("LOAD", "OK").await;
    eva.ask("JOIN|den", "OK|bob").await;
    eva.expect("OP_LEAVE").await;
    sqlx::query("update lines set seen_at = seen_at - interval '31 s' where lost_at is not null")
        .execute(&app.db)
        .await
        .unwrap();
    eva.expect("END|DRAW").await;
    eva.ask("LOAD", "OK").await;
    let mut back = Line::connect(&app).await;
    back.ask("RECONNECT|bob|den", "OK|1").await;
}

#[tokio::test]
async fn an_unresponsive_line_in_the_lobby_is_pinged_and_then_gone() {
    let app = start_with_early_pings().await;
    let mut bob = Line::log_in(&app, "bob").await;
    bob.stop_answering();
    // Waits for its end at the same time.
    let mut nobody = Line::connect(&app).await;
    nobody.stop_answering();
    bob.expect("PING").await;
    bob.expect_end().await;
    while nobody.next().await.is_some() {}
    wait_until_lost(&app, "bob").await;
    app.with_user("bob").await;
}

/// Lets Ann at her browser, with her stream of the match, play against `bob`, who answers no ping any more.
async fn play_against_an_unresponsive_line(app: &TestApp) -> (Stream, Line) {
    let ann = app.with_user("ann").await;
    let mut room = ann.join_lobby_of("boxes").await;
    let mut bob = Line::log_in(app, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    let table = room.next_named("table").await;
    ann.sit(&table).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    bob.expect("OP_JOIN|ann").await;
    let started = room.next_named("match_started").await;
    let stream = ann
        .stream(&format!("/events/match/{}", started["match"]))
        .await;
    bob.stop_answering();
    (stream, bob)
}

#[tokio::test]
async fn an_unresponsive_line_in_a_game_is_absent_until_it_sends_a_line() {
    let app = start_with_early_pings().await;
    let (mut anns, bob) = play_against_an_unresponsive_line(&app).await;
    let away = anns.expect_status("present").await;
    assert_eq!(away["present"], false);
    bob.send("PONG");
    let back = anns.expect_status("present").await;
    assert_eq!(back["present"], true);
    drop(bob);
}

#[tokio::test]
async fn a_new_connection_replaces_an_unresponsive_one() {
    let app = start_with_early_pings().await;
    let (_anns, mut bob) = play_against_an_unresponsive_line(&app).await;
    let mut back = Line::connect(&app).await;
    wait_until("an unresponsive line that may be replaced", async || {
        let answer = back.answer("RECONNECT|bob|den").await;
        (answer == "OK|2").then_some(())
    })
    .await;
    // The old one ends, whatever it was told before.
    while bob.next().await.is_some() {}
    back.send("SYNC");
    while !back.next().await.expect("an answer").starts_with("OK|3|3|") {}
}

#[tokio::test]
async fn a_silent_line_is_replaced_before_it_is_unresponsive() {
    let app = start_with(|settings| settings.line_probe_timeout = Duration::from_millis(100)).await;
    let ((silent, name), (mut other, _)) = begin_named(&app).await;
    silent.stop_answering();
    let mut thief = Line::connect(&app).await;
    thief.ask(&format!("LOGIN|{name}"), "ERR2").await;
    let mut back = Line::connect(&app).await;
    back.ask(&format!("RECONNECT|{name}|"), "OK|2").await;
    let sticks = format!("1{}200", "0".repeat(20));
    back.ask("SYNC", &format!("OK|3|3|{sticks}|000000000"))
        .await;
    back.expect("ON_TURN").await;
    back.ask("TURN|0|1", "OK").await;
    other.expect_all(&["TURN|0|1", "ON_TURN"]).await;
    let mut silent = silent;
    silent.expect("PING").await;
    silent.expect_end().await;
}

/// Whoever asks often enough would hit the moment in which a living client is slow.
#[tokio::test]
async fn a_line_is_probed_three_times_and_then_once_a_minute() {
    let app = start_with(|settings| settings.line_probe_timeout = Duration::from_millis(100)).await;
    let ((living, name), _others) = begin_named(&app).await;
    let mut thief = Line::connect(&app).await;
    let request = format!("RECONNECT|{name}|");
    for _ in 0..3 {
        thief.ask(&request, "OK|0").await;
    }
    living.stop_answering();
    thief.ask(&request, "OK|0").await;
    sqlx::query("delete from attempts")
        .execute(&app.db)
        .await
        .unwrap();
    thief.ask(&request, "OK|2").await;
}

#[tokio::test]
async fn an_unresponsive_line_is_replaced_at_another_instance() {
    let here = start_with_early_pings().await;
    let there = start_beside(&here).await;
    let (_anns, mut bob) = play_against_an_unresponsive_line(&here).await;
    let mut back = Line::connect(&there).await;
    wait_until("an unresponsive line that may be replaced", async || {
        let answer = back.answer("RECONNECT|bob|den").await;
        (answer == "OK|2").then_some(())
    })
    .await;
    // The old one hears so when it speaks again.
    bob.send("PING");
    while bob.next().await.is_some() {}
    back.send("SYNC");
    while !back.next().await.expect("an answer").starts_with("OK|3|3|") {}
}

#[tokio::test]
async fn a_live_line_is_not_replaced_at_another_instance() {
    let here = start().await;
    let there = start_beside(&here).await;
    let ann = here.with_user("ann").await;
    let token = ann.create_token("play").await;
    let log_in = format!("LOGIN|ann|{token}");
    let mut anns = Line::connect(&here).await;
    anns.ask(&log_in, "OK").await;
    let mut bob = Line::log_in(&here, "bob").await;
    let mut other = Line::connect(&there).await;
    other.ask(&log_in, "ERR2").await;
    other.ask(&format!("RECONNECT|ann||{token}"), "OK|0").await;
    other.ask("RECONNECT|bob|", "OK|0").await;
    for line in [&mut anns, &mut bob] {
        line.ask("LOAD", "OK").await;
    }
    drop(anns);
    wait_until_lost(&here, "ann").await;
    other.ask(&log_in, "OK").await;
}

#[tokio::test]
async fn an_account_comes_back_with_its_token() {
    let app = start().await;
    let ann = app.with_user("ann").await;
    let token = ann.create_token("play").await;
    let mut line = Line::connect(&app).await;
    // Nothing is remembered yet.
    line.ask(&format!("RECONNECT|ann||{token}"), "OK|0").await;
    line.ask(&format!("LOGIN|ann|{token}"), "OK").await;
    drop(line);
    wait_until_lost(&app, "ann").await;
    let mut back = Line::connect(&app).await;
    for wrong in [
        "RECONNECT|ann|",
        "RECONNECT|ann||tochki_none",
        "RECONNECT||",
    ] {
        back.ask(wrong, "OK|0").await;
    }
    back.ask(&format!("RECONNECT|ann||{token}"), "OK|1").await;
}

#[tokio::test]
async fn shutting_down_closes_lines_and_they_come_back_to_another_server() {
    let app = start().await;
    let ((mut first, name), (mut second, _)) = begin_named(&app).await;
    let database = app.database.clone();
    let settings = tochki_server::settings::Settings {
        line_listen: app.line.map(|address| (address.ip(), 0).into()),
        ..TestApp::settings()
    };
    drop(app);
    first.expect_end().await;
    second.expect_end().await;
    let app = TestApp::on(database, settings).await;
    let mut back = Line::connect(&app).await;
    back.ask(&format!("RECONNECT|{name}|den"), "OK|2").await;
    back.send("SYNC");
    while back.next().await.as_deref() != Some("ON_TURN") {}
    back.ask("TURN|1|3", "OK").await;
}
