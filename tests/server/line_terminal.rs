//! The terminal client of `crates/line/examples`, at the keyboard.

use super::line_client::{Line, start};
use std::io::{BufReader, pipe};
use std::net::TcpStream;
use std::thread;
use tokio::io::{AsyncBufReadExt as _, BufReader as AsyncBufReader, Lines};
use tokio::net::unix::pipe::{Receiver, Sender};

/// The example, whose `main` has nothing to do here.
#[expect(dead_code)]
#[path = "../../crates/line/examples/terminal.rs"]
mod terminal;

/// Returns what the client shows, up to a line with this text.
async fn until(shown: &mut Lines<AsyncBufReader<Receiver>>, text: &str) -> String {
    let mut seen = String::new();
    loop {
        let line = shown.next_line().await.expect("a pipe").expect("a line");
        seen += &line;
        seen.push('\n');
        if line.contains(text) {
            return seen;
        }
    }
}

async fn type_line(keyboard: &Sender, line: &str) {
    keyboard.writable().await.expect("a pipe");
    let line = format!("{line}\n");
    assert_eq!(
        keyboard.try_write(line.as_bytes()).expect("room"),
        line.len()
    );
}

#[tokio::test]
async fn a_game_is_played_at_a_terminal() {
    let app = start().await;
    let address = app.line.expect("the line protocol is served");
    let (typed, keyboard) = pipe().expect("a pipe");
    let (screen, out) = pipe().expect("a pipe");
    let client = thread::spawn(move || {
        let socket = TcpStream::connect(address)?;
        terminal::run(socket, BufReader::new(typed), out)
    });
    let keyboard = Sender::from_owned_fd(keyboard.into()).expect("a pipe");
    let screen = Receiver::from_owned_fd(screen.into()).expect("a pipe");
    let mut shown = AsyncBufReader::new(screen).lines();

    type_line(&keyboard, "login bob").await;
    until(&mut shown, "You are in the lobby.").await;
    type_line(&keyboard, "leave").await;
    until(&mut shown, "LEAVE is refused: ERR4.").await;
    type_line(&keyboard, "create den").await;
    until(&mut shown, "You wait for an opponent.").await;
    type_line(&keyboard, "list").await;
    until(&mut shown, "Games: den").await;
    let mut eva = Line::log_in(&app, "eva").await;
    eva.ask("JOIN|den", "OK|bob").await;
    eva.expect("OP_JOIN|bob").await;
    until(&mut shown, "eva is here.").await;
    if eva.is_on_turn().await {
        until(&mut shown, "Your opponent’s turn.").await;
        eva.ask("TURN|0|6", "OK").await;
        eva.expect("OP_TURN").await;
    }
    until(&mut shown, "Your turn.").await;
    type_line(&keyboard, "1 1").await;
    let board = until(&mut shown, "Your opponent’s turn.").await;
    assert!(board.contains("·  ·  ·  ·\n   |"), "{board}");
    eva.expect_all(&["TURN|1|1", "ON_TURN"]).await;
    eva.ask("LEAVE", "OK").await;
    until(&mut shown, "The game is over:").await;
    type_line(&keyboard, "quit").await;
    until(&mut shown, "The connection is closed.").await;
    client.join().expect("no panic").expect("a connection");
}
