//! Games against the computer that players keep in their history.
//!
//! They are played in the browser. The server replays their moves by the rules and believes everything else, so they count
//! for nothing: no rating, no tally, no other player sees them.

pub mod db;

use crate::computer_games::db::NewComputerGame;
use crate::db::Db;
use crate::{Error, now};
use tochki_play::{ClockRule, Command, Decision, Match, OfferKind, Reason, Terms, Timestamp};
use tochki_protocol::{
    Account, ApiError, Code, ComputerGameEntry, ComputerGameId, ComputerGamePage, KeptComputerGame,
    Page, limits,
};
use tochki_rules::{Seat, Setup};

/// A finished game as a browser sends it.
pub struct PlayedGame {
    /// The browser's key of the game, at most 64 characters. It makes saving idempotent.
    pub key: String,
    /// The game and its board.
    pub setup: Setup,
    /// The level of the computer.
    pub level: u8,
    /// The player's seat.
    pub seat: Seat,
    /// The moves, separated by blanks.
    pub moves: String,
    /// Why it ended, where the rules have not ended it: [`Reason::Resigned`] by the player, [`Reason::AgreedFinish`] or
    /// [`Reason::AgreedDraw`].
    pub reason: Option<Reason>,
    /// Times of start and end.
    pub played: [Timestamp; 2],
}

/// The games that players keep.
#[derive(Clone)]
pub struct ComputerGames {
    db: Db,
}

impl ComputerGames {
    pub(crate) const fn open(db: Db) -> Self {
        Self { db }
    }

    /// Keeps a game. One that is kept already gives its id.
    ///
    /// # Errors
    /// [`Code::BadRequest`], [`Code::MalformedMove`], [`Code::Illegal`], [`Code::NotFinished`], [`Code::TooManyGames`].
    pub async fn keep(&self, player: &Account, game: &PlayedGame) -> Result<ComputerGameId, Error> {
        let entry = game.check()?;
        let mut tx = crate::db::begin(&self.db).await?;
        let (count, known) = db::count_locked(&mut tx, player.id, &game.key).await?;
        if let Some(id) = known {
            return Ok(id);
        }
        if count >= limits::COMPUTER_GAMES_MAX {
            return Err(Code::TooManyGames.into());
        }
        let moves = game
            .moves
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let new = NewComputerGame {
            key: &game.key,
            entry: &entry,
            moves: &moves,
        };
        let id = db::insert(&mut tx, player.id, &new).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// A page of the games of a player.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn page(&self, player: &Account, page: Page) -> Result<ComputerGamePage, Error> {
        let size = limits::HISTORY_PAGE_LEN;
        let total = db::count(&self.db, player.id).await?;
        Ok(ComputerGamePage {
            games: db::list(&self.db, player.id, page.offset(size), size).await?,
            page: page.number(),
            pages: Page::count(total, size),
            total,
        })
    }

    /// A game of a player with its moves.
    ///
    /// # Errors
    /// [`Code::NotFound`] if the player has no such game.
    pub async fn read(
        &self,
        player: &Account,
        id: ComputerGameId,
    ) -> Result<KeptComputerGame, Error> {
        let found = db::read(&self.db, player.id, id).await?;
        let (game, moves) = found.ok_or(Code::NotFound)?;
        let played = replay(game.setup, &moves, game.started_at)?;
        let plies = played.plies().iter();
        Ok(KeptComputerGame {
            game,
            moves: plies.clone().map(|ply| ply.mv.to_string()).collect(),
            seats: plies.map(|ply| ply.seat).collect(),
        })
    }

    /// Deletes a game of a player.
    ///
    /// # Errors
    /// [`Code::NotFound`] if the player has no such game.
    pub async fn delete(&self, player: &Account, id: ComputerGameId) -> Result<(), Error> {
        if db::delete(&self.db, player.id, id).await? {
            Ok(())
        } else {
            Err(Code::NotFound.into())
        }
    }
}

impl PlayedGame {
    /// Replays the game by the rules.
    fn check(&self) -> Result<ComputerGameEntry, Error> {
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let key = (1..=64).contains(&self.key.len()) && self.key.chars().all(is_key);
        let level = limits::LEVELS.contains(&self.level);
        let [started_at, finished_at] = self.played;
        // Browsers may have another clock, but no future.
        let times = Timestamp(0) <= started_at && started_at <= finished_at;
        if !key || !level || !times {
            return Err(Code::BadRequest.into());
        }
        if self.moves.len() > limits::COMPUTER_GAME_MAX_BYTES {
            return Err(Code::TooLarge.into());
        }
        let mut game = replay(self.setup, &self.moves, started_at)?;
        let end = match (game.result(), self.reason) {
            (Some(_), _) => None,
            (None, Some(Reason::Resigned)) => {
                let resigned = Command::Resign { seat: self.seat };
                execute(&mut game, &resigned, finished_at)?;
                None
            }
            (None, Some(Reason::AgreedFinish)) => Some(OfferKind::Finish),
            (None, Some(Reason::AgreedDraw)) => Some(OfferKind::Draw),
            (None, _) => return Err(Code::NotFinished.into()),
        };
        if let Some(kind) = end {
            let event = game.agreement(self.seat, kind, finished_at);
            let event = event.map_err(ApiError::from)?;
            game.apply(&event).map_err(|_| Code::NotFinished)?;
        }
        let result = game.result().cloned().ok_or(Code::NotFinished)?;
        Ok(ComputerGameEntry {
            id: ComputerGameId(0),
            setup: self.setup,
            level: self.level,
            seat: self.seat,
            result,
            score: game.score(),
            started_at: started_at.min(now()),
            finished_at: finished_at.min(now()),
        })
    }
}

/// The match after these moves.
fn replay(setup: Setup, moves: &str, at: Timestamp) -> Result<Match, Error> {
    let terms = Terms {
        setup,
        clock: ClockRule::None,
        rated: false,
    };
    let mut game = Match::alone(terms, at);
    for mv in moves.split_ascii_whitespace() {
        let command = Command::Move {
            seat: game.to_move().ok_or(Code::Finished)?,
            mv: mv.to_owned(),
            version: None,
            client_id: None,
        };
        execute(&mut game, &command, at)?;
    }
    Ok(game)
}

fn execute(game: &mut Match, command: &Command, at: Timestamp) -> Result<(), Error> {
    if let Decision::Happens(events) = game.decide(command, at).map_err(ApiError::from)? {
        for event in &events {
            game.apply(event)
                .map_err(|_| Error::invariant("what was decided cannot be applied"))?;
        }
    }
    Ok(())
}
