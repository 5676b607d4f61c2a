//! A game against the computer as this browser keeps it, in `localStorage`.

use crate::ui::live::countdown::browser_now_ms;
use serde::{Deserialize, Serialize};
use tochki_play::{ClockRule, Command, Decision, Event, Match, MatchResult, Terms, Timestamp};
use tochki_protocol::json;
use tochki_protocol::limits::SAVED_GAMES_MAX;
use tochki_rules::{Seat, Setup};
use web_sys::Storage;

/// The prefix of the keys of games.
const KEY_PREFIX: &str = "computer-game:";

/// A game as it is saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedGame {
    /// The id of the game in this browser.
    pub(crate) id: String,
    /// The game and its board.
    pub(crate) setup: Setup,
    /// The level of the computer, 1 to 8.
    pub(crate) level: u8,
    /// The side of the visitor.
    pub(crate) seat: Seat,
    /// The seed of the searches.
    pub(crate) seed: u32,
    /// The moves in their text form, separated by spaces.
    pub(crate) moves: String,
    /// The result, which the moves do not always determine.
    pub(crate) result: Option<MatchResult>,
    /// The time at which the game was begun.
    pub(crate) started_at: Timestamp,
    /// The time of the last change.
    pub(crate) updated_at: Timestamp,
}

impl SavedGame {
    /// Returns a game that has not begun and has no id yet.
    pub(crate) fn unstarted(setup: Setup, level: u8, seat: Seat) -> Self {
        Self {
            id: String::new(),
            setup,
            level,
            seat,
            seed: 0,
            moves: String::new(),
            result: None,
            started_at: Timestamp(0),
            updated_at: Timestamp(0),
        }
    }

    /// Begins a game. For browsers.
    pub(crate) fn begin(setup: Setup, level: u8, seat: Seat) -> Self {
        let now = Timestamp(browser_now_ms() as i64);
        let random = || js_sys::Math::random();
        Self {
            id: format!("{:x}{:04x}", now.0, (random() * 65_536.0) as u32),
            seed: (random() * f64::from(u32::MAX)) as u32,
            started_at: now,
            updated_at: now,
            ..Self::unstarted(setup, level, seat)
        }
    }

    /// Plays the match. A move that the rules refuse, which this program has not written, ends it there.
    pub(crate) fn to_match(&self) -> Match {
        let terms = Terms {
            setup: self.setup,
            clock: ClockRule::None,
            rated: false,
        };
        let mut game = Match::alone(terms, self.started_at);
        for mv in self.moves.split_ascii_whitespace() {
            let Some(seat) = game.to_move() else { break };
            let command = Command::Move {
                seat,
                mv: mv.to_owned(),
                version: None,
                client_id: None,
            };
            let Ok(Decision::Happens(events)) = game.decide(&command, self.updated_at) else {
                break;
            };
            if events.iter().any(|event| game.apply(event).is_err()) {
                break;
            }
        }
        if let (None, Some(result)) = (game.result(), &self.result) {
            // A match without a result can always be finished.
            let _ = game.apply(&Event::Finished {
                result: result.clone(),
            });
        }
        game
    }

    /// Takes moves and result from the match.
    pub(crate) fn update(&mut self, game: &Match, now: Timestamp) {
        let moves = game.plies().iter().map(|ply| ply.mv.to_string());
        self.moves = moves.collect::<Vec<_>>().join(" ");
        self.result = game.result().cloned();
        self.updated_at = now;
    }

    /// Returns the number of moves.
    pub(crate) fn len(&self) -> usize {
        self.moves.split_ascii_whitespace().count()
    }

    /// Returns the address of the game's table.
    pub(crate) fn address(&self) -> String {
        format!("/computer/game?id={}", self.id)
    }

    /// Writes the game; false if the browser keeps nothing. For browsers, as are the following.
    pub(crate) fn store(&self) -> bool {
        let write = || {
            let text = serde_json::to_string(self).ok()?;
            storage()?.set_item(&key(&self.id), &text).ok()
        };
        write().is_some()
    }

    /// Returns the game with this id, if this browser has it.
    pub(crate) fn load(id: &str) -> Option<Self> {
        let text = storage()?.get_item(&key(id)).ok()??;
        json::read(&text).ok()
    }

    /// Returns all games, the last changed first.
    pub(crate) fn all() -> Vec<Self> {
        let Some(storage) = storage() else {
            return Vec::new();
        };
        let keys = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok()?);
        let ids = keys.filter_map(|key| key.strip_prefix(KEY_PREFIX).map(str::to_owned));
        let mut games: Vec<Self> = ids
            .collect::<Vec<_>>()
            .iter()
            .filter_map(|id| Self::load(id))
            .collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.updated_at));
        games
    }

    /// Deletes the game with this id.
    pub(crate) fn delete(id: &str) {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(&key(id));
        }
    }

    /// Deletes old games to make room for another.
    pub(crate) fn delete_old() {
        let games = Self::all();
        let surplus = (games.len() + 1).saturating_sub(SAVED_GAMES_MAX);
        let finished = games.iter().rev().filter(|game| game.result.is_some());
        for game in finished.take(surplus) {
            Self::delete(&game.id);
        }
    }

    /// Returns whether a key of `localStorage` is that of this game.
    pub(crate) fn has_key(&self, changed: &str) -> bool {
        changed == key(&self.id)
    }
}

fn key(id: &str) -> String {
    format!("{KEY_PREFIX}{id}")
}

/// Returns the storage, or `None` where the browser forbids it.
fn storage() -> Option<Storage> {
    leptos::prelude::window().local_storage().ok()?
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    fn saved(moves: &str) -> SavedGame {
        SavedGame {
            id: "a1".into(),
            setup: GameKind::Dots.default_setup(),
            level: 3,
            seat: Seat::First,
            seed: 7,
            moves: moves.into(),
            result: None,
            started_at: Timestamp(1_000),
            updated_at: Timestamp(2_000),
        }
    }

    #[test]
    fn a_game_reads_back() {
        let mut game = saved("5,5 6,6 7,7");
        let resigned = Command::Resign { seat: Seat::Second };
        let mut played = game.to_match();
        let Ok(Decision::Happens(events)) = played.decide(&resigned, Timestamp(3_000)) else {
            panic!("a running match can be resigned");
        };
        for event in &events {
            played.apply(event).unwrap();
        }
        game.update(&played, Timestamp(3_000));
        let text = serde_json::to_string(&game).unwrap();
        assert_eq!(json::read::<SavedGame>(&text).as_ref(), Ok(&game));
        let again = game.to_match();
        assert_eq!(again.plies(), played.plies());
        assert_eq!(again.result(), played.result());
        assert_eq!(game.len(), 3);
    }

    #[test]
    fn a_game_ends_before_a_move_that_cannot_be_played() {
        for moves in ["5,5 6,6 5,5 7,7", "5,5 6,6 nonsense", "5,5 6,6 99,99"] {
            assert_eq!(saved(moves).to_match().plies().len(), 2, "{moves}");
        }
    }
}
