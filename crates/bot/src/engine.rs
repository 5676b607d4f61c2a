//! A running engine process, and the position that it has.

use crate::error::Error;
use std::io;
use std::time::Duration;
use tochki_client::rules::{GameKind, Move, Position};
use tochki_engine_cli::drive::{
    Answer, Driver, Fault, Killer, Left, Limit, Line, Program, Table, driver,
};
use tochki_engine_cli::protocol::Protocol;

/// The command of an engine, and the limits of its process.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) words: Vec<String>,
    pub(crate) protocol: Protocol,
    /// The longest silence of the engine where no other time is set.
    pub(crate) idle_timeout: Duration,
}

/// A running engine, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Engine {
    program: Program,
    driver: Box<dyn Driver + Send>,
    idle_timeout: Duration,
    /// The game as the engine has it, once it was told.
    known: Option<Table>,
    /// The last move that the engine has answered, and plays on its own board.
    answered: Option<Move>,
}

impl Engine {
    pub(crate) fn start(command: &Command) -> io::Result<Self> {
        Ok(Self {
            program: Program::start(&command.words)?,
            driver: driver(command.protocol),
            idle_timeout: command.idle_timeout,
            known: None,
            answered: None,
        })
    }

    pub(crate) fn killer(&self) -> Killer {
        self.program.killer()
    }

    /// Lets the engine know the game, and then asks it for a move, if it is to make one. The call blocks.
    pub(crate) fn work(
        &mut self,
        table: &Table,
        left: &Left,
        ask: bool,
    ) -> Result<Option<Answer>, Fault> {
        self.follow(table, left, ask)?;
        if !ask {
            return Ok(None);
        }
        // The server is the judge of the clock. An engine that is late is only ended when it says nothing at all.
        let answer = self.speak(|driver, line| driver.ask(line, table, left))?;
        self.answered = table.position.parse_move(&answer.mv).ok();
        Ok(Some(answer))
    }

    /// Tells the new moves. Where the game is another than the engine has, it begins anew.
    fn follow(&mut self, table: &Table, left: &Left, ask: bool) -> Result<(), Fault> {
        let answered = self.answered.take();
        let mut known = match self.known.take() {
            Some(known) if follows(&known, table, answered, ask) => known,
            _ => {
                self.speak(|driver, line| driver.begin(line, table, left))?;
                self.known = Some(table.clone());
                return Ok(());
            }
        };
        if known.played.len() == table.played.len() {
            self.answered = answered;
        }
        let mut own = answered.is_some();
        for &(_, mv) in &table.played[known.played.len()..] {
            known.play(mv);
            if known.position.to_move().is_some() {
                self.speak(|driver, line| driver.tell(line, &known, own))?;
            }
            own = false;
        }
        self.known = Some(known);
        Ok(())
    }

    fn speak<A>(
        &mut self,
        words: impl FnOnce(&mut dyn Driver, &mut Line<'_>) -> Result<A, Fault>,
    ) -> Result<A, Fault> {
        let mut line = Line {
            program: &mut self.program,
            idle_timeout: self.idle_timeout,
            margin: self.idle_timeout,
        };
        words(self.driver.as_mut(), &mut line)
    }
}

/// Returns whether the engine can be led from the game that it has to this one by telling moves.
fn follows(known: &Table, table: &Table, answered: Option<Move>, ask: bool) -> bool {
    if !table.played.starts_with(&known.played) {
        return false;
    }
    match (answered, table.played.get(known.played.len())) {
        // Its move has not been made, so it is one ahead. That only matters if it is asked again.
        (Some(_), None) => !ask,
        (Some(answered), Some((_, made))) => answered == *made,
        (None, _) => true,
    }
}

/// Starts an engine for a game once, so that an error in its command is reported at once.
pub(crate) fn check(command: &Command, game: GameKind) -> Result<(), Error> {
    let name = command.words.first().cloned().unwrap_or_default();
    let mut engine = Engine::start(command)
        .map_err(|error| format!("cannot start the engine {name:?}: {error}"))?;
    let table = Table {
        position: Position::new(&game.default_setup()),
        played: Vec::new(),
    };
    let left = Left::start(Limit::Free);
    engine
        .work(&table, &left, false)
        .map_err(|fault| format!("the engine {name:?} cannot play {game}: it {fault}"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(script: &str) -> Command {
        Command {
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            protocol: Protocol::Text,
            idle_timeout: Duration::from_secs(20),
        }
    }

    fn table(moves: &[&str]) -> Table {
        let mut table = Table {
            position: Position::new(&GameKind::Gomoku.default_setup()),
            played: Vec::new(),
        };
        for mv in moves {
            table.play(table.position.parse_move(mv).unwrap());
        }
        table
    }

    /// Checks the commands that an engine gets for a sequence of positions: the moves, and whether it searches.
    #[track_caller]
    fn check_told(games: &[(&[&str], bool)], expected: &[&str]) {
        let told = tempfile::NamedTempFile::new().unwrap();
        // It answers one move after the other.
        let script = format!(
            "x=0; while read -r a b; do echo $a $b >>{}; case $a in go) x=$((x+1)); echo move $x,0;; *) echo ok;; esac; done",
            told.path().display()
        );
        let mut engine = Engine::start(&command(&script)).unwrap();
        let left = Left::on_clock(
            Duration::from_secs(3),
            Duration::from_secs(2),
            Duration::from_secs(1),
        );
        for (moves, ask) in games {
            let answer = engine.work(&table(moves), &left, *ask).unwrap();
            assert_eq!(answer.is_some(), *ask);
        }
        drop(engine);
        let told = std::fs::read_to_string(told.path()).unwrap();
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(lines, expected);
    }

    const GAME: &str = "game gomoku 19 freestyle";
    const GO: &str = "go 3000 2000 1000";

    #[test]
    fn an_engine_is_told_what_is_new() {
        check_told(
            &[
                (&[], true),
                (&["1,0", "5,5"], true),
                (&["1,0", "5,5", "2,0"], false),
            ],
            &[GAME, GO, "play 5,5", GO],
        );
        check_told(
            &[
                (&["5,5"], true),
                (&["5,5", "1,0"], false),
                (&["5,5", "1,0", "6,6"], true),
            ],
            &[GAME, "play 5,5", GO, "play 6,6", GO],
        );
    }

    #[test]
    fn a_game_that_went_another_way_is_told_anew() {
        // Taken back; another move made than the one it found; its move not made at all.
        check_told(
            &[
                (&["5,5"], true),
                (&["5,5", "1,0"], false),
                (&[], false),
                (&["6,6"], true),
            ],
            &[GAME, "play 5,5", GO, GAME, "play 6,6", GO],
        );
        check_told(
            &[(&[], true), (&["9,9", "5,5"], true)],
            &[GAME, GO, GAME, "play 9,9", "play 5,5", GO],
        );
        check_told(&[(&[], true), (&[], true)], &[GAME, GO, GAME, GO]);
    }

    #[test]
    fn an_engine_that_thinks_can_be_ended() {
        let script = "while read -r a b; do case $a in go) sleep 1000;; *) echo ok;; esac; done";
        let mut engine = Engine::start(&command(script)).unwrap();
        let killer = engine.killer();
        let thinking = std::thread::spawn(move || {
            let left = Left::start(Limit::Free);
            engine.work(&table(&[]), &left, true).unwrap_err()
        });
        killer.kill();
        assert_eq!(thinking.join().unwrap(), Fault::Crashed);
        killer.kill();
    }

    #[test]
    fn an_engine_that_cannot_play_is_told_at_once() {
        let why = |command: &Command| check(command, GameKind::Dots).unwrap_err().to_string();
        let missing = Command {
            words: vec!["/no/such/engine".into()],
            ..command("")
        };
        assert!(why(&missing).contains("/no/such/engine"));
        assert!(why(&command("exit 1")).contains("crashed"));
        let refuses = "read a; echo error unknown_game; read a";
        assert!(why(&command(refuses)).contains("unknown_game"));
        assert!(check(&command("read a; echo ok; read a"), GameKind::Dots).is_ok());
    }
}
