//! A terminal client of the line protocol (`docs/line.md`), in the standard library alone:
//! `cargo run --package tochki-line --example terminal -- 127.0.0.1 10000`.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Sender, channel};
use std::{env, iter, thread};

/// The words that a player types, and the requests that they become. Anything else is the place and the row of a line.
const COMMANDS: [(&str, &str); 6] = [
    ("login", "LOGIN"),
    ("list", "LOAD"),
    ("create", "CREATE"),
    ("join", "JOIN"),
    ("leave", "LEAVE"),
    ("back", "RECONNECT"),
];

const HELP: &str = "login NAME [TOKEN], list, create GAME, join GAME, PLACE ROW, leave, \
    back NAME GAME [TOKEN], quit";

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let ip = arguments.next().unwrap_or_else(|| "127.0.0.1".to_owned());
    let port = arguments.next().unwrap_or_else(|| "10000".to_owned());
    let socket = TcpStream::connect(format!("{ip}:{port}"))?;
    run(socket, BufReader::new(io::stdin()), io::stdout())
}

/// Runs until the player quits or the server closes the connection.
///
/// # Errors
///
/// If the connection or the output breaks.
pub(crate) fn run(
    socket: TcpStream,
    typed: impl BufRead + Send + 'static,
    out: impl Write,
) -> io::Result<()> {
    let (lines, received) = channel();
    let server = BufReader::new(socket.try_clone()?);
    forward(typed, false, lines.clone());
    forward(server, true, lines);
    let mut client = Client {
        socket,
        out,
        asked: VecDeque::new(),
    };
    writeln!(client.out, "{HELP}")?;
    while let Ok((from_server, Some(line))) = received.recv() {
        match line.trim() {
            line if from_server => client.heard(line)?,
            "quit" => break,
            line => client.typed(line)?,
        }
        client.out.flush()?;
    }
    writeln!(client.out, "The connection is closed.")
}

/// Reads lines in a thread of its own. After the last one comes none.
fn forward(
    read: impl BufRead + Send + 'static,
    from_server: bool,
    lines: Sender<(bool, Option<String>)>,
) {
    thread::spawn(move || {
        let read = read.lines().map_while(Result::ok).map(Some);
        for line in read.chain([None]) {
            if lines.send((from_server, line)).is_err() {
                return;
            }
        }
    });
}

struct Client<W> {
    socket: TcpStream,
    out: W,
    /// The requests without an answer. Answers come in their order.
    asked: VecDeque<String>,
}

impl<W: Write> Client<W> {
    fn typed(&mut self, line: &str) -> io::Result<()> {
        let mut words = line.split_whitespace().peekable();
        let Some(word) = words.peek().copied() else {
            return writeln!(self.out, "{HELP}");
        };
        let command = COMMANDS.iter().find(|(typed, _)| *typed == word);
        let request = command.map_or(&"TURN", |(_, request)| request);
        words.next_if(|_| command.is_some());
        let fields: Vec<&str> = iter::once(*request).chain(words).collect();
        self.ask(fields.join("|"))
    }

    fn ask(&mut self, request: String) -> io::Result<()> {
        writeln!(self.socket, "{request}")?;
        self.asked.push_back(request);
        Ok(())
    }

    fn heard(&mut self, line: &str) -> io::Result<()> {
        let fields: Vec<&str> = line.split('|').collect();
        match &fields[..] {
            ["PING"] => writeln!(self.socket, "PONG"),
            ["OK", fields @ ..] => self.answered(fields),
            [error] if error.starts_with("ERR") => {
                let request = self.asked.pop_front().unwrap_or_default();
                writeln!(self.out, "{request} is refused: {error}.")
            }
            _ => {
                self.told(&fields)?;
                writeln!(self.socket, "OK")
            }
        }
    }

    fn answered(&mut self, fields: &[&str]) -> io::Result<()> {
        let request = self.asked.pop_front().unwrap_or_default();
        let asked: Vec<&str> = request.split('|').collect();
        match (&asked[..], fields) {
            (["LOGIN", ..], _) | (["RECONNECT", ..], ["1"]) => {
                writeln!(self.out, "You are in the lobby.")
            }
            (["TURN", ..], _) | (["RECONNECT", ..], ["2"]) => self.ask("SYNC".to_owned()),
            (["RECONNECT", ..], _) => writeln!(self.out, "Log in first."),
            (["LOAD"], games) => writeln!(self.out, "Games: {}", games.join(", ")),
            (["CREATE", ..], _) => writeln!(self.out, "You wait for an opponent."),
            (["JOIN", ..], [opponent]) => writeln!(self.out, "You play {opponent}."),
            (["SYNC"], [_, _, lines, boxes]) => write!(self.out, "{}", board(lines, boxes)),
            _ => writeln!(self.out, "You have left."),
        }
    }

    /// Handles a request of the server.
    fn told(&mut self, fields: &[&str]) -> io::Result<()> {
        match fields {
            ["OP_JOIN", name] => writeln!(self.out, "{name} is here."),
            ["OP_LEAVE"] => writeln!(self.out, "Your opponent is away."),
            ["TURN", ..] => self.ask("SYNC".to_owned()),
            // The answer to `SYNC` is followed by the turn.
            ["ON_TURN" | "OP_TURN"] if !self.asked.is_empty() => Ok(()),
            ["ON_TURN"] => writeln!(self.out, "Your turn."),
            ["OP_TURN"] => writeln!(self.out, "Your opponent’s turn."),
            ["END", result] => writeln!(self.out, "The game is over: {result}."),
            // The next answer to `SYNC` has the boxes.
            _ => Ok(()),
        }
    }
}

/// Draws the lines, in turn three across and four down, and the boxes: `0` is nobody's, `1` ours, `2` the opponent's.
fn board(lines: &str, boxes: &str) -> String {
    let (mut lines, mut boxes) = (lines.chars(), boxes.chars());
    let mut drawn = String::new();
    for row in 0..7 {
        let is_across = row % 2 == 0;
        for place in 0..if is_across { 3 } else { 4 } {
            drawn += match (is_across, lines.next().unwrap_or('0')) {
                (true, '0') => "·  ",
                (true, _) => "·--",
                (false, '0') => "  ",
                (false, _) => "| ",
            };
            if !is_across && place < 3 {
                drawn.push(boxes.next().filter(|owner| *owner != '0').unwrap_or(' '));
            }
        }
        drawn += if is_across { "·\n" } else { "\n" };
    }
    drawn
}
