//! Errors of the line protocol in every state, as its document lists them, and the rules for names.

use super::line_client::{Line, begin_game, start, start_game, start_with};
use std::num::NonZeroU32;

/// Checks the answer to each request: `(request, answer)`.
async fn check(line: &mut Line, answers: &[(&str, &str)]) {
    for (request, answer) in answers {
        line.ask(request, answer).await;
    }
}

/// The lines that no state reads.
const UNREADABLE: [&str; 12] = [
    "",
    "login|bob",
    "LOGIN",
    "LOGIN|a|b|c",
    "LOAD|den",
    "CREATE",
    "TURN|0",
    "TURN|a|b",
    "TURN|-1|0",
    "LEAVE|now",
    "HELLO",
    "|||",
];

async fn check_unreadable(line: &mut Line) {
    for request in UNREADABLE {
        line.ask(request, "ERR1").await;
    }
    line.send_bytes(b"LOGIN|\xff\xfe\n");
    line.expect("ERR1").await;
    line.send(&format!("LOGIN|{}", "x".repeat(250)));
    line.expect("ERR1").await;
    line.send_bytes(b"PING\r\n");
    line.expect("PONG").await;
}

#[tokio::test]
async fn before_the_login() {
    let app = start().await;
    app.with_user("ann").await;
    let mut line = Line::connect(&app).await;
    check_unreadable(&mut line).await;
    check(
        &mut line,
        &[
            ("LOAD", "ERR1"),
            ("CREATE|den", "ERR1"),
            ("JOIN|den", "ERR1"),
            ("LEAVE", "ERR4"),
            ("TURN|0|0", "ERR4"),
            ("SYNC", "ERR4"),
            ("PING", "PONG"),
            // Names have 2 to 20 letters, and begin with one.
            ("LOGIN|", "ERR1"),
            ("LOGIN|b", "ERR1"),
            ("LOGIN|_bob", "ERR1"),
            ("LOGIN|bob7", "ERR1"),
            ("LOGIN|bob-by", "ERR1"),
            ("LOGIN|bob by", "ERR1"),
            ("LOGIN|abcdefghijklmnopqrstu", "ERR1"),
            // Nobody speaks for the house, and a name is used once, however it is written.
            ("LOGIN|admin", "ERR2"),
            ("LOGIN|Operator", "ERR2"),
            ("LOGIN|ann", "ERR2"),
            ("LOGIN|ANN", "ERR2"),
            ("RECONNECT||", "OK|0"),
            ("RECONNECT|bob|den", "OK|0"),
            ("RECONNECT|ann|", "OK|0"),
            ("RECONNECT|ann||tochki_none", "OK|0"),
            ("LOGIN|abcdefghijklmnopqrst", "OK"),
        ],
    )
    .await;
    let mut other = Line::connect(&app).await;
    other.ask("LOGIN|abcdefghijklmnopqrst", "ERR2").await;
    other.ask("RECONNECT|abcdefghijklmnopqrst|", "OK|0").await;
}

#[tokio::test]
async fn in_the_lobby() {
    let app = start().await;
    let mut line = Line::log_in(&app, "bob").await;
    check_unreadable(&mut line).await;
    check(
        &mut line,
        &[
            ("LOGIN|eva", "ERR1"),
            ("LOGIN|bob", "ERR1"),
            ("RECONNECT|bob|", "ERR1"),
            ("LEAVE", "ERR4"),
            ("TURN|0|0", "ERR4"),
            ("SYNC", "ERR4"),
            ("PING", "PONG"),
            ("LOAD", "OK"),
            ("JOIN|den", "ERR1"),
            ("JOIN|", "ERR1"),
            ("CREATE|", "ERR1"),
            ("CREATE|den7", "ERR1"),
            ("CREATE|the den", "ERR1"),
            ("CREATE|abcdefghijklmnopqrstu", "ERR1"),
            ("CREATE|_", "OK"),
        ],
    )
    .await;
    let mut eva = Line::log_in(&app, "eva").await;
    eva.ask("CREATE|_", "ERR2").await;
    eva.ask("LOAD", "OK|_").await;
    eva.ask("CREATE|abcdefghijklmnopqrst", "OK").await;
    let mut joe = Line::log_in(&app, "joe").await;
    joe.ask("LOAD", "OK|_|abcdefghijklmnopqrst").await;
    joe.ask("JOIN|_", "OK|bob").await;
    joe.expect("OP_JOIN|bob").await;
    // Full now.
    let mut kim = Line::log_in(&app, "kim").await;
    kim.ask("JOIN|_", "ERR6").await;
    kim.ask("LOAD", "OK|abcdefghijklmnopqrst").await;
    line.expect("OP_JOIN|joe").await;
    line.next().await;
    line.ask("LEAVE", "OK").await;
    kim.ask("JOIN|_", "ERR1").await;
    kim.ask("CREATE|_", "OK").await;
}

#[tokio::test]
async fn while_waiting_for_an_opponent() {
    let app = start().await;
    let mut line = Line::log_in(&app, "bob").await;
    line.ask("CREATE|den", "OK").await;
    check_unreadable(&mut line).await;
    let zeros = format!("OK|3|3|{}|{}", "0".repeat(24), "0".repeat(9));
    check(
        &mut line,
        &[
            ("LOGIN|bob", "ERR1"),
            ("RECONNECT|bob|den", "ERR1"),
            ("CREATE|den_two", "ERR5"),
            ("CREATE|d3n", "ERR5"),
            ("JOIN|den", "ERR5"),
            ("TURN|0|0", "ERR3"),
            ("TURN|9|9", "ERR3"),
            ("LOAD", "OK|den"),
            ("SYNC", &zeros),
            ("PING", "PONG"),
            ("LEAVE", "OK"),
            ("LEAVE", "ERR4"),
        ],
    )
    .await;
}

#[tokio::test]
async fn in_a_game() {
    let app = start().await;
    let (mut first, mut second) = start_game(&app).await;
    for line in [&mut first, &mut second] {
        check_unreadable(line).await;
        check(
            line,
            &[
                ("LOGIN|bob", "ERR1"),
                ("RECONNECT|bob|den", "ERR1"),
                ("CREATE|den_two", "ERR5"),
                ("JOIN|den", "ERR5"),
                ("LOAD", "OK"),
                ("PING", "PONG"),
            ],
        )
        .await;
    }
    second.ask("TURN|0|0", "ERR3").await;
    check(
        &mut first,
        &[
            ("TURN|3|0", "ERR1"),
            ("TURN|4|1", "ERR1"),
            ("TURN|0|7", "ERR1"),
            ("TURN|99999999999|0", "ERR1"),
            ("TURN|3|1", "OK"),
        ],
    )
    .await;
    first.expect("OP_TURN").await;
    second.expect_all(&["TURN|3|1", "ON_TURN"]).await;
    second.ask("TURN|3|1", "ERR1").await;
    first.ask("TURN|0|0", "ERR3").await;
}

#[tokio::test]
async fn tables_whose_name_setup_or_clock_does_not_fit_are_not_served() {
    let app = start().await;
    let dan = app.with_user("dan").await;
    let mut waiting = Vec::new();
    for (player, name, setup, clock) in [
        (&dan, "lair", r#"{"cols":4,"rows":3}"#, "none"),
        (
            &app.with_user("eve").await,
            "hole",
            r#"{"cols":3,"rows":3}"#,
            "300+5",
        ),
        (
            &app.with_user("fay").await,
            "The cave",
            r#"{"cols":3,"rows":3}"#,
            "none",
        ),
        (
            &app.with_user("gus").await,
            "cave",
            r#"{"cols":3,"rows":3}"#,
            "none",
        ),
    ] {
        waiting.push(player.join_lobby_of("boxes").await);
        let form = [
            ("name", name),
            ("game", "boxes"),
            ("setup", setup),
            ("clock", clock),
        ];
        player.post("/api/open_table", &form).await.assert_ok();
    }
    let mut line = Line::log_in(&app, "bob").await;
    line.ask("LOAD", "OK|cave").await;
    for name in ["lair", "hole", "The cave"] {
        line.ask(&format!("JOIN|{name}"), "ERR1").await;
    }
    // A game of that name is listed.
    line.ask("CREATE|cave", "ERR2").await;
    line.ask("CREATE|lair", "OK").await;
}

#[tokio::test]
async fn a_table_that_is_opened_later_hides_no_game_of_that_name() {
    let app = start().await;
    let mut ann = Line::log_in(&app, "ann").await;
    ann.ask("CREATE|den", "OK").await;
    let mallory = app.with_user("mallory").await;
    let _waiting = mallory.join_lobby_of("boxes").await;
    let form = [
        ("name", "den"),
        ("game", "boxes"),
        ("setup", r#"{"cols":3,"rows":3}"#),
        ("clock", "none"),
    ];
    mallory.post("/api/open_table", &form).await.assert_ok();
    let mut bob = Line::log_in(&app, "bob").await;
    bob.ask("LOAD", "OK|den").await;
    bob.ask("CREATE|den", "ERR2").await;
    bob.ask("JOIN|den", "OK|ann").await;
    // Now the other one is the oldest.
    let mut cid = Line::log_in(&app, "cid").await;
    cid.ask("LOAD", "OK|den").await;
    cid.ask("JOIN|den", "OK|mallory").await;
}

#[tokio::test]
async fn an_account_that_plays_elsewhere_is_in_a_game_already() {
    let app = start().await;
    let (ann, bob) = app.with_two_users().await;
    let token = ann.create_token("play").await;
    let mut line = Line::connect(&app).await;
    line.ask(&format!("LOGIN|ann|{token}"), "OK").await;
    let _room = bob.join_lobby_of("boxes").await;
    let form = [("name", "den"), ("game", "boxes")];
    bob.post("/api/open_table", &form).await.assert_ok();
    super::app::start_match(&ann, &app.with_user("cid").await, super::app::SMALL).await;
    line.ask("LOAD", "OK|den").await;
    line.ask("JOIN|den", "ERR5").await;
    line.ask("CREATE|lair", "ERR5").await;
}

#[tokio::test]
async fn players_and_games_are_limited() {
    let two = NonZeroU32::new(2).unwrap();
    let app = start_with(|settings| {
        settings.line_max_players = two;
        settings.line_max_games = NonZeroU32::MIN;
    })
    .await;
    let mut bob = Line::log_in(&app, "bob").await;
    let mut eva = Line::log_in(&app, "eva").await;
    let mut kim = Line::connect(&app).await;
    kim.ask("LOGIN|kim", "ERR6").await;
    bob.ask("CREATE|den", "OK").await;
    eva.ask("CREATE|lair", "ERR6").await;
    bob.ask("LEAVE", "OK").await;
    eva.ask("CREATE|lair", "OK").await;
    bob.ask("JOIN|lair", "OK|eva").await;
    bob.expect("OP_JOIN|eva").await;
    bob.next().await;
    bob.ask("LEAVE", "OK").await;
    // Once the other has heard of the end, there is room.
    eva.expect("OP_JOIN|bob").await;
    eva.next().await;
    eva.expect("END|DRAW").await;
    bob.ask("CREATE|den", "OK").await;
    drop(eva);
    // Once the server has noticed.
    super::app::wait_until("room for one more", async || {
        (kim.answer("LOGIN|kim").await == "OK").then_some(())
    })
    .await;
}

#[tokio::test]
async fn guests_and_connections_of_one_address_are_limited() {
    let app = start_with(|settings| {
        settings.guests_by_address = NonZeroU32::MIN;
        settings.connections_by_address = NonZeroU32::new(2).unwrap();
    })
    .await;
    let mut bob = Line::log_in(&app, "bob").await;
    let mut eva = Line::connect(&app).await;
    eva.ask("LOGIN|eva", "ERR6").await;
    Line::connect(&app).await.expect_end().await;
    bob.ask("PING", "PONG").await;
}

#[tokio::test]
async fn after_20_unreadable_lines_in_a_row_the_line_is_closed() {
    let app = start().await;
    let mut line = Line::log_in(&app, "bob").await;
    for round in 0..2 {
        for _ in 0..19 {
            line.ask("what?", "ERR1").await;
        }
        // A readable request that is refused does not count, nor does an answer.
        if round == 0 {
            line.ask("SYNC", "ERR4").await;
        } else {
            line.send("OK");
        }
    }
    for _ in 0..20 {
        line.ask("LOGIN|bob", "ERR1").await;
    }
    for _ in 0..20 {
        line.ask("what?", "ERR1").await;
    }
    line.expect_end().await;
}

#[tokio::test]
async fn answers_are_read_and_dropped() {
    let app = start().await;
    let (mut first, mut second) = begin_game(&app).await;
    for line in [&mut first, &mut second] {
        for answer in ["OK", "ERR1", "ERR4", "ERR5", "PONG"] {
            line.send(answer);
        }
        line.ask("PING", "PONG").await;
    }
}
