//! A program that plays: its process, and lines to it and from it.

use super::fault::Fault;
use crate::io::{Input, read_lines};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A running program, which is ended when this value is dropped.
#[derive(Debug)]
pub struct Program {
    child: Child,
    group: Killer,
    input: ChildStdin,
    /// The lines of the program, with the times at which they were read.
    lines: Receiver<(Instant, Input)>,
}

/// Lines that wait to be looked at; a program that writes more is stopped by its pipe.
const WAITING: usize = 1024;

/// The time of a program to end by itself once it was told to.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

impl Program {
    /// Starts a program. It is the first of a process group, so that processes that it starts end with it.
    pub fn start(words: &[String]) -> io::Result<Self> {
        let (name, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"))?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, lines) = sync_channel(WAITING);
        // The thread ends when the program closes its output, which it does at the latest when it is killed.
        thread::spawn(move || {
            read_lines(output, |line| sender.send((Instant::now(), line)).is_ok());
        });
        Ok(Self {
            group: Killer::of(&child),
            child,
            input,
            lines,
        })
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|_| Fault::Crashed)
    }

    /// Returns the next line, and the time at which it came; nothing if none comes in time.
    pub fn receive(&mut self, until: Instant) -> Result<Option<(Instant, String)>, Fault> {
        let time = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(time) {
            Ok((when, Input::Line(line))) => Ok(Some((when, line))),
            Ok((_, Input::LineError(why))) => Err(Fault::Garbled(why.words().into())),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Crashed),
        }
    }

    /// Returns a handle that ends the program from another thread.
    pub fn killer(&self) -> Killer {
        self.group.clone()
    }

    /// Lets the program end by itself after a last line, for a moment.
    pub fn dismiss(mut self, line: &str) {
        if self.send(line).is_err() {
            return;
        }
        let until = Instant::now() + QUIT_TIMEOUT;
        // The output closes when the program ends; its last lines do not matter.
        while let Ok(Some(_)) = self.receive(until) {}
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.group.kill();
        // Only now the number of the group may become another process's.
        self.group.forget();
        let _ = self.child.wait();
    }
}

/// A handle that ends a program from another thread than the one that speaks to it, which then sees that it has crashed.
#[derive(Clone, Debug)]
pub struct Killer(Arc<Mutex<Option<Pid>>>);

impl Killer {
    fn of(child: &Child) -> Self {
        Self(Arc::new(Mutex::new(Pid::from_raw(child.id() as i32))))
    }

    /// Ends the program and the processes that it has started. A program that has ended already is left alone.
    pub fn kill(&self) {
        if let Some(group) = *self.0.lock().unwrap() {
            // Fails only if all of the group have ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn forget(&self) {
        *self.0.lock().unwrap() = None;
    }
}

/// Splits a command as a shell does, with quotes and backslashes and nothing else.
pub fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_splits_them() {
        for (command, words) in [
            ("engine  --level 3 ", vec!["engine", "--level", "3"]),
            ("sh -c 'read a; exit'", vec!["sh", "-c", "read a; exit"]),
            (r#"a "b \" c" d\ e '' "#, vec!["a", "b \" c", "d e", ""]),
            ("", vec![]),
        ] {
            assert_eq!(split(command), words, "{command}");
        }
    }
}
