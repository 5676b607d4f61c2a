//! The loop that reads lines, steps the search and writes answers.

use crate::protocol::{LineError, Precedence, Session};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvError, TryRecvError, sync_channel};
use std::thread;
use std::time::Instant;

/// The longest line that is read, in bytes. A longer line is refused, and nothing of it is kept.
pub const LONGEST_LINE: usize = 64 << 10;

/// Lines that may wait for the engine; then reading waits, too.
const WAITING: usize = 256;

/// A piece of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// Bytes that are no line.
    LineError(LineError),
}

/// Runs a session until the other side says that it is over, or there is no more input.
///
/// The input is read by a thread of its own, so that a line that interrupts is seen while the engine thinks.
///
/// # Errors
///
/// If the answers cannot be written. Input that cannot be read any further ends the session.
pub fn run(
    session: &mut impl Session,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let (sender, lines) = sync_channel(WAITING);
    // The thread ends with the input. If the session ends first it stays in its read, and ends with the process.
    thread::spawn(move || {
        read_lines(input, |line| sender.send(line).is_ok());
    });
    let mut queue = Queue {
        lines,
        waiting: VecDeque::new(),
        is_open: true,
    };
    let began = Instant::now();
    let mut answers = Vec::new();
    while !session.has_ended() {
        match queue.next(session) {
            Next::Read(Input::Line(line)) => session.read(&line, began.elapsed(), &mut answers),
            Next::Read(Input::LineError(why)) => session.refuse(why, &mut answers),
            Next::Think => {
                if !queue.is_open && queue.waiting.is_empty() {
                    session.close(began.elapsed(), &mut answers);
                }
                session.think(began.elapsed(), &mut answers);
            }
            Next::End => break,
        }
        if !answers.is_empty() {
            for answer in answers.drain(..) {
                writeln!(output, "{answer}")?;
            }
            output.flush()?;
        }
    }
    Ok(())
}

/// Lines that have come, of which some wait for the search to end.
struct Queue {
    lines: Receiver<Input>,
    waiting: VecDeque<Input>,
    is_open: bool,
}

enum Next {
    Read(Input),
    Think,
    End,
}

impl Queue {
    fn next(&mut self, session: &impl Session) -> Next {
        if session.thinks() {
            return self.interruption(session).map_or(Next::Think, Next::Read);
        }
        if let Some(line) = self.waiting.pop_front() {
            return Next::Read(line);
        }
        match self.lines.recv() {
            Ok(line) => Next::Read(line),
            Err(RecvError) => Next::End,
        }
    }

    /// The next line that is read while the engine thinks, if there is one. A line that cannot be read is refused at once.
    fn interruption(&mut self, session: &impl Session) -> Option<Input> {
        while self.is_open && self.waiting.len() < WAITING {
            match self.lines.try_recv() {
                Ok(Input::Line(line)) if session.precedence(&line) != Precedence::AtOnce => {
                    self.waiting.push_back(Input::Line(line));
                }
                Ok(line) => return Some(line),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.is_open = false,
            }
        }
        let in_turn = |input: &mut Input| match input {
            Input::Line(line) => session.precedence(line) == Precedence::InTurn,
            Input::LineError(_) => true,
        };
        self.waiting.pop_front_if(in_turn)
    }
}

/// Reads lines until the input ends, fails, or `give` says that nobody listens any more.
pub(crate) fn read_lines(input: impl Read, mut give: impl FnMut(Input) -> bool) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = LONGEST_LINE as u64 + 1;
        match input.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let read = if line.last() != Some(&b'\n') && line.len() > LONGEST_LINE {
            if skip_line(&mut input).is_err() {
                return;
            }
            Input::LineError(LineError::TooLong)
        } else {
            match std::str::from_utf8(&line) {
                Ok(text) => Input::Line(text.trim_end_matches(['\n', '\r']).to_owned()),
                Err(_) => Input::LineError(LineError::NotText),
            }
        };
        if !give(read) {
            return;
        }
    }
}

/// Reads the rest of a line, and keeps nothing of it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (read, ended) = match end {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(read);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Text;
    use crate::protocol::testing::{RandomMover, options};
    use tochki_rules::GameKind;

    #[track_caller]
    fn check(input: Vec<u8>, expected: &str) {
        let mut session = Text::new(RandomMover::default(), options(), GameKind::Reversi);
        let mut output = Vec::new();
        run(&mut session, io::Cursor::new(input), &mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }

    #[test]
    fn lines_wait_for_the_search() {
        // The tests of the text protocol check the move that seed 1 draws; here it only matters that it is played.
        let mut session = Text::new(RandomMover::default(), options(), GameKind::Reversi);
        let mut output = Vec::new();
        let input = io::Cursor::new("go nodes 5000\nundo\nundo\nplay d3\n");
        run(&mut session, input, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let answers: Vec<_> = text.lines().collect();
        assert!(answers[0].starts_with("info value"), "{text}");
        assert!(answers[1].starts_with("move "), "{text}");
        assert_eq!(answers[2..], ["ok", "error nothing_to_undo", "ok"]);
    }

    #[test]
    fn quitting_waits_for_a_search_that_ends() {
        let mut session = Text::new(RandomMover::default(), options(), GameKind::Reversi);
        let mut output = Vec::new();
        let input = io::Cursor::new("go nodes 5000\ngo nodes 5000\nquit\nundo\n");
        run(&mut session, input, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("nodes 5000 ").count(), 2, "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
    }

    #[test]
    fn an_endless_search_ends_with_its_input() {
        let mut session = Text::new(RandomMover::default(), options(), GameKind::Reversi);
        let mut output = Vec::new();
        run(&mut session, io::Cursor::new("go infinite"), &mut output).unwrap();
        assert!(String::from_utf8(output).unwrap().contains("move "));
    }

    #[test]
    fn quitting_ends_a_session_before_its_input() {
        check(b"play d3\r\nquit\nplay d3\n".to_vec(), "ok\n");
        check(b"play d3".to_vec(), "ok\n");
        check(Vec::new(), "");
    }

    #[test]
    fn what_is_no_line_is_answered() {
        check(
            b"\xff\xfe\nplay d3\n".to_vec(),
            "error malformed_line\nok\n",
        );
        let mut long = vec![b'x'; LONGEST_LINE];
        let unknown = "error unknown_command\n";
        check(long.clone(), unknown);
        long.push(b'\n');
        check(long.clone(), unknown);
        long.splice(0..0, vec![b'x'; 3 * LONGEST_LINE]);
        long.extend(b"play d3\n");
        check(long, "error malformed_line\nok\n");
        check(vec![b'x'; 10 * LONGEST_LINE], "error malformed_line\n");
    }

    #[test]
    fn an_output_that_is_closed_ends_the_session() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut session = Text::new(RandomMover::default(), options(), GameKind::Reversi);
        let ended = run(&mut session, io::Cursor::new("play d3\nplay"), Closed);
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
