//! A side of a duel: the command, its protocol, its limit, and the program while it runs.

use crate::drive::{
    Answer, Driver, Fault, Left, Limit, Line, Program, Table, driver, knows, split,
};
use crate::protocol::Protocol;
use std::io;
use std::time::Duration;
use tochki_rules::GameKind;

/// An engine as the command line names it: a program and its protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineSpec {
    /// The name as it was given.
    pub(crate) name: String,
    pub(crate) protocol: Protocol,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    pub(crate) limit: Limit,
}

impl EngineSpec {
    /// Reads `gtp:gtp-rhino --level 3`. Without a protocol it is `text`, and `self:--level 3` is this program.
    pub(crate) fn read(name: &str, limit: Limit) -> io::Result<Self> {
        let (protocol, command) = match name.split_once(':') {
            Some(("text", command)) => (Protocol::Text, command),
            Some(("gomocup", command)) => (Protocol::Gomocup, command),
            Some(("gtp", command)) => (Protocol::Gtp, command),
            Some(("nboard", command)) => (Protocol::Nboard, command),
            Some(("self", arguments)) => {
                let own = std::env::current_exe()?.to_string_lossy().into_owned();
                let words = [own, "engine".into()].into_iter().chain(split(arguments));
                return Ok(Self {
                    name: name.into(),
                    protocol: Protocol::Text,
                    command: words.collect(),
                    limit,
                });
            }
            _ => (Protocol::Text, name),
        };
        Ok(Self {
            name: name.into(),
            protocol,
            command: split(command),
            limit,
        })
    }
}

impl EngineSpec {
    /// Checks that its protocol knows the game and the limit.
    pub(crate) fn check(&self, game: GameKind) -> Result<(), String> {
        let Self { name, protocol, .. } = self;
        if protocol.game().is_some_and(|only| only != game) {
            return Err(format!("{name}: this protocol does not know {game}"));
        }
        if !knows(*protocol, self.limit) {
            return Err(format!(
                "{name}: this protocol knows no limit of that kind ({}); give it one of its own, --limit-a or --limit-b",
                self.limit
            ));
        }
        Ok(())
    }
}

/// Time-outs of the referee, beyond the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// The time-out of an answer that has no time of its own.
    pub(crate) idle_timeout: Duration,
    /// The margin of a move, beyond its time.
    pub(crate) margin: Duration,
}

/// An engine at the table. Its program starts with its first game, runs on from game to game, and is started anew after
/// a fault.
pub(crate) struct Side<'a> {
    spec: &'a EngineSpec,
    timeouts: Timeouts,
    running: Option<(Program, Box<dyn Driver + Send>)>,
}

/// The reason why there can be no game at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {name:?}: {error}")]
pub(crate) struct StartError {
    name: String,
    error: io::Error,
}

impl<'a> Side<'a> {
    pub(crate) const fn new(spec: &'a EngineSpec, timeouts: Timeouts) -> Self {
        Self {
            spec,
            timeouts,
            running: None,
        }
    }

    pub(crate) const fn limit(&self) -> Limit {
        self.spec.limit
    }

    /// Starts the program if it does not run.
    pub(crate) fn start(&mut self) -> Result<(), StartError> {
        if self.running.is_none() {
            let program = Program::start(&self.spec.command).map_err(|error| StartError {
                name: self.spec.name.clone(),
                error,
            })?;
            self.running = Some((program, driver(self.spec.protocol)));
        }
        Ok(())
    }

    /// Speaks to the program; after a fault it is ended.
    fn speak<A>(
        &mut self,
        words: impl FnOnce(&mut dyn Driver, &mut Line<'_>) -> Result<A, Fault>,
    ) -> Result<A, Fault> {
        let (program, driver) = self.running.as_mut().ok_or(Fault::Crashed)?;
        let mut line = Line {
            program,
            idle_timeout: self.timeouts.idle_timeout,
            margin: self.timeouts.margin,
        };
        words(driver.as_mut(), &mut line).inspect_err(|_| self.running = None)
    }

    pub(crate) fn begin(&mut self, table: &Table, left: &Left) -> Result<(), Fault> {
        self.speak(|driver, line| driver.begin(line, table, left))
    }

    pub(crate) fn tell(&mut self, table: &Table, own: bool) -> Result<(), Fault> {
        self.speak(|driver, line| driver.tell(line, table, own))
    }

    pub(crate) fn ask(&mut self, table: &Table, left: &Left) -> Result<Answer, Fault> {
        self.speak(|driver, line| driver.ask(line, table, left))
    }

    /// Ends the program, because it has lost by a fault that only the referee saw.
    pub(crate) fn end(&mut self) {
        self.running = None;
    }

    /// Lets the program end by itself.
    pub(crate) fn dismiss(self) {
        if let Some((program, driver)) = self.running {
            program.dismiss(driver.quit_command());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_protocol_and_a_command() {
        let read = |name: &str| EngineSpec::read(name, Limit::Free).unwrap();
        let rhino = read("gtp:gtp-rhino --level 3");
        assert_eq!(rhino.protocol, Protocol::Gtp);
        assert_eq!(rhino.command, ["gtp-rhino", "--level", "3"]);
        assert_eq!(read("./engine a:b").protocol, Protocol::Text);
        assert_eq!(read("./engine a:b").command, ["./engine", "a:b"]);
        let own = read("self:--level 3");
        assert_eq!(own.command[1..], ["engine", "--level", "3"]);
    }
}
