//! Floods, cuts at every byte, random bytes and requests, clients that do not read, and a thousand that say nothing.

use super::line_client::{Line, start, start_with};
use futures::future::join_all;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

#[tokio::test]
async fn lines_may_be_cut_at_every_byte() {
    let app = start().await;
    let mut line = Line::connect(&app).await;
    for byte in b"LOGIN|bob\r\nCREATE|den\nTURN|0|0\nhuh\nPING\nLEAVE\n" {
        line.send_bytes(&[*byte]);
        tokio::task::yield_now().await;
    }
    line.expect_all(&["OK", "OK", "ERR3", "ERR1", "PONG", "OK"])
        .await;
    // And all at once.
    line.send_bytes(b"CREATE|den\nTURN|0|0\nhuh\nPING\nLEAVE\n");
    line.expect_all(&["OK", "ERR3", "ERR1", "PONG", "OK"]).await;
}

#[tokio::test]
async fn a_flood_is_read_slowly_and_others_are_served() {
    let app = start().await;
    let mut flood = Line::connect(&app).await;
    let begun = Instant::now();
    flood.send_bytes(&b"PING\n".repeat(100_000));
    let mut bob = Line::log_in(&app, "bob").await;
    for _ in 0..10 {
        bob.ask("LOAD", "OK").await;
    }
    let mut answered = 0;
    while answered < limits::LINES_BURST + 5 {
        flood.expect("PONG").await;
        answered += 1;
    }
    let paid = limits::LINES_PERIOD * (answered - limits::LINES_BURST - 1);
    assert!(
        begun.elapsed() >= paid,
        "{answered} in {:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_client_that_sends_a_long_line_is_not_taken_for_dead() {
    let app = start().await;
    let mut line = Line::log_in(&app, "bob").await;
    line.send_bytes(&b"x".repeat(70_000));
    line.send("");
    line.send("LOAD");
    line.expect_all(&["ERR1", "OK"]).await;
}

#[tokio::test]
async fn a_browser_that_a_page_has_sent_here_is_closed_at_its_first_line() {
    let app = start().await;
    for first in [
        "POST / HTTP/1.1".to_owned(),
        format!("POST /{} HTTP/1.1", "x".repeat(1000)),
    ] {
        let mut line = Line::connect(&app).await;
        line.send_bytes(
            format!("{first}\r\nHost: a\r\nAccept: */*\r\n\r\nLOGIN|eve\nCREATE|den\n").as_bytes(),
        );
        assert_eq!(line.next().await, None, "{first}");
    }
    let guests: i64 = sqlx::query_scalar("select count(*) from players")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(guests, 0);
}

#[tokio::test]
async fn a_client_that_does_not_log_in_is_closed() {
    // Long enough for a slow machine to log Bob in, and to answer.
    let app = start_with(|settings| settings.line_login_timeout = Duration::from_secs(2)).await;
    let mut bob = Line::log_in(&app, "bob").await;
    let mut silent = Line::connect(&app).await;
    silent.ask("PING", "PONG").await;
    assert_eq!(silent.next().await, None);
    bob.ask("LOAD", "OK").await;
}

/// Returns the number of these bytes that are taken until nothing more is for a second.
async fn bytes_taken(stream: &mut TcpStream, mut bytes: &[u8]) -> usize {
    let all = bytes.len();
    while !bytes.is_empty() {
        match timeout(Duration::from_secs(1), stream.write(bytes)).await {
            Ok(Ok(taken)) => bytes = &bytes[taken..],
            // The server has closed the connection, or reads no more.
            Ok(Err(_)) | Err(_) => break,
        }
    }
    all - bytes.len()
}

#[tokio::test]
async fn a_client_that_only_sends_fills_no_memory() {
    let app = start().await;
    let address = app.line.unwrap();
    for piece in [&b"LOAD\n"[..], b"x"] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let bytes = piece.repeat(64 * 1024 * 1024 / piece.len());
        let taken = bytes_taken(&mut stream, &bytes).await;
        // The taken bytes are in the buffers of the system.
        assert!(taken < bytes.len(), "all {taken} bytes are taken");
    }
    Line::log_in(&app, "bob").await.ask("LOAD", "OK").await;
}

#[tokio::test]
async fn random_bytes_break_nothing() {
    let app = start().await;
    let mut runner = TestRunner::deterministic();
    let bytes = prop::collection::vec(
        prop_oneof![
            Just(b'\n'),
            Just(b'|'),
            Just(b'\r'),
            any::<u8>(),
            b'A'..=b'Z'
        ],
        0..3000,
    );
    for _ in 0..30 {
        let bytes = bytes.new_tree(&mut runner).unwrap().current();
        let ends = bytes.split(|byte| *byte == b'\n').count() - 1;
        let mut line = Line::connect(&app).await;
        line.send_bytes(&bytes);
        // Random bytes are no requests. Whoever sends on after the server has closed may miss the last answers.
        if ends < 20 {
            for _ in 0..ends {
                line.expect("ERR1").await;
            }
            continue;
        }
        let mut heard = 0;
        while let Some(answer) = line.next().await {
            assert_eq!(answer, "ERR1");
            heard += 1;
        }
        assert!(heard <= 20, "{heard}");
    }
    Line::log_in(&app, "bob").await.ask("LOAD", "OK").await;
}

/// Returns whether a line is an answer, and no request of the server.
fn is_answer(line: &str) -> bool {
    line.starts_with("OK") || line.starts_with("ERR") || line == "PONG"
}

#[tokio::test]
async fn requests_in_any_order_have_one_answer_each() {
    const EACH: usize = 70;
    let app = start().await;
    let request = prop_oneof![
        1 => "LOAD|SYNC|PING|LEAVE|LOGIN\\|bob|RECONNECT\\|\\||RECONNECT\\|bob\\|",
        2 => "(CREATE|JOIN)\\|(den|lair)",
        6 => "TURN\\|[0-3]\\|[0-6]",
    ];
    let mut runner = TestRunner::deterministic();
    let mut lines = Vec::new();
    for name in ["bob", "eva", "kim"] {
        lines.push(Line::log_in(&app, name).await);
    }
    for _ in 0..EACH {
        for line in &lines {
            line.send(&request.new_tree(&mut runner).unwrap().current());
        }
    }
    for line in &mut lines {
        let mut answers = 0;
        while answers < EACH {
            let heard = line.next().await.expect("the line is open");
            answers += usize::from(is_answer(&heard));
        }
        // No answer is left over.
        line.send("PING");
        loop {
            let heard = line.next().await.expect("the line is open");
            if is_answer(&heard) {
                assert_eq!(heard, "PONG");
                break;
            }
        }
    }
}

/// Returns a name that looks like no other of these.
fn name(mut number: usize) -> String {
    let letters = b"abcdefghk";
    let mut name = String::from("q");
    for _ in 0..4 {
        name.push(char::from(letters[number % letters.len()]));
        number /= letters.len();
    }
    name
}

#[tokio::test]
async fn a_thousand_clients_are_served_and_one_more_is_refused() {
    let app = start_with(|settings| settings.guests_by_address = NonZeroU32::MAX).await;
    let mut lines = Vec::new();
    for group in 0..20 {
        let logins = (0..50).map(|number| {
            let (app, name) = (&app, name(50 * group + number));
            async move { Line::log_in(app, &name).await }
        });
        lines.extend(join_all(logins).await);
    }
    assert_eq!(lines.len(), 1000);
    // One more is too many.
    let mut last = Line::connect(&app).await;
    last.ask("LOGIN|zoe", "ERR6").await;
    for line in lines.iter_mut().step_by(97) {
        line.ask("LOAD", "OK").await;
    }
}
