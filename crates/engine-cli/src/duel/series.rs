//! A series of games between two programs: pairs of games, told, counted and kept.

use super::openings::Opening;
use super::referee::{self, Ends, Played};
use super::save;
use super::side::{EngineSpec, Side, StartError, Timeouts};
use super::tally::Tally;
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use tochki_rules::Seat;

pub(super) type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A match that is ready to be played.
#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) engines: [EngineSpec; 2],
    pub(crate) openings: Vec<Opening>,
    pub(crate) pairs: usize,
    pub(crate) timeouts: Timeouts,
    pub(crate) ends: Ends,
    pub(crate) save: Option<PathBuf>,
    pub(crate) quiet: bool,
}

impl Series {
    /// The description of the match, above the table of results.
    pub(crate) fn head(&self, openings: &str) -> String {
        let setup = self.openings[0].setup;
        let fields = setup.fields().unwrap_or_default();
        let [a, b] = &self.engines;
        let used = self.openings.len().min(self.pairs);
        let repeated = if used < self.pairs {
            "repeated   pairs with the same opening may be the same games, and the error below counts them as new ones\n"
        } else {
            ""
        };
        let adjudicated = self.ends.adjudicate.map_or_else(String::new, |points| {
            format!("adjudged   when both programs see the same side ahead by {points} points\n")
        });
        format!(
            "game       {} {fields}, {used} openings {openings}\n{repeated}A          {}\n           limit: {}\nB          {}\n           limit: {}\nmargin     {} ms beyond the time for a move\n{adjudicated}",
            setup.kind(),
            a.name,
            a.limit,
            b.name,
            b.limit,
            self.timeouts.margin.as_millis(),
        )
    }

    /// Plays all pairs, `parallel` at a time.
    pub(crate) fn play(&self, parallel: usize) -> Result<Tally> {
        let state = Mutex::new(State {
            next: 0,
            tally: Tally::default(),
            failure: None,
        });
        thread::scope(|scope| {
            for _ in 0..parallel.min(self.pairs) {
                scope.spawn(|| self.play_pairs(&state));
            }
        });
        let State { tally, failure, .. } = state.into_inner().map_err(|_| "a referee panicked")?;
        match failure {
            Some(failure) => Err(failure),
            None => Ok(tally),
        }
    }

    fn play_pairs(&self, state: &Mutex<State>) {
        let mut sides = self
            .engines
            .each_ref()
            .map(|engine| Side::new(engine, self.timeouts));
        while let Some(pair) = take(state, self.pairs) {
            for first in [Seat::First, Seat::Second] {
                let played = self.play_game(pair, first, &mut sides);
                let Ok(mut state) = state.lock() else { return };
                let kept = match played {
                    Ok(played) => {
                        state.tally.count(pair, first, &played);
                        self.keep(&played, pair, first)
                    }
                    Err(error) => Err(error.into()),
                };
                if let Err(error) = kept {
                    state.failure = Some(error);
                    return;
                }
            }
        }
        for side in sides {
            side.dismiss();
        }
    }

    /// Plays a game in which the first engine has that seat.
    fn play_game(
        &self,
        pair: usize,
        first: Seat,
        sides: &mut [Side<'_>; 2],
    ) -> std::result::Result<Played, StartError> {
        let opening = &self.openings[pair % self.openings.len()];
        let [a, b] = sides;
        let seated = match first {
            Seat::First => [a, b],
            Seat::Second => [b, a],
        };
        referee::play(seated, opening, self.ends)
    }

    /// Prints a line about the game and writes its record.
    fn keep(&self, game: &Played, pair: usize, first: Seat) -> Result {
        let [a, b] = self.engines.each_ref().map(|one| one.name.as_str());
        let names = match first {
            Seat::First => [a, b],
            Seat::Second => [b, a],
        };
        let line = save::json(game, names);
        if !self.quiet {
            let letter = |seat| if seat == first { "A" } else { "B" };
            let winner = game.winner.map_or("nobody", letter);
            let why = match &game.how {
                referee::How::Fault(seat, fault) => format!("{} {fault}", letter(*seat)),
                _ => line["reason"].as_str().unwrap_or_default().to_owned(),
            };
            let [one, two] = game.position.score();
            eprintln!(
                "game {}: {winner} wins, {one}:{two}, {} moves ({} first; {why})",
                2 * pair + first.index() + 1,
                game.moves.len(),
                letter(Seat::First),
            );
        }
        let Some(path) = &self.save else {
            return Ok(());
        };
        let text = match save::sgf(game, names) {
            Some(sgf) if is_sgf(path) => sgf,
            _ => format!("{line}\n"),
        };
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(file.write_all(text.as_bytes())?)
    }
}

/// The state that the threads of a match share.
struct State {
    /// The next pair to be played.
    next: usize,
    tally: Tally,
    /// The reason why the match cannot go on.
    failure: Option<Box<dyn Error + Send + Sync>>,
}

fn take(state: &Mutex<State>, pairs: usize) -> Option<usize> {
    let mut state = state.lock().ok()?;
    let pair = state.next;
    let goes_on = pair < pairs && state.failure.is_none();
    goes_on.then(|| {
        state.next += 1;
        pair
    })
}

pub(crate) fn is_sgf(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"))
}
