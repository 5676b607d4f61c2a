//! *Your games*: the running matches of a player, those on turn first, and the notes on them.

use crate::matches::{Matches, db};
use crate::{Error, LogFailure as _};
use std::cmp::Reverse;
use std::collections::HashMap;
use tochki_play::Timestamp;
use tochki_protocol::{Account, Code, MatchId, OwnGame, OwnGames, OwnGamesCount, limits};
use tochki_rules::Seat;

impl Matches {
    /// The running matches of this player with their moves: first those in which it is the player's turn, by the time left, then
    /// the others, the one that has changed last first. They are read together, and not kept in memory.
    ///
    /// A match whose record is broken is logged and left out.
    pub async fn own_games(&self, player: &Account) -> Result<OwnGames, Error> {
        let (db, now) = (&self.context.db, crate::now());
        let rows = db::games_on_turn::running(db, player.id).await?;
        let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let replayed = db::replayed_matches::read(db, &ids).await?;
        let mut replayed: HashMap<_, _> =
            replayed.into_iter().map(|read| (read.id, read)).collect();
        let mut games: Vec<OwnGame> = rows
            .into_iter()
            .filter_map(|row| {
                let read = replayed.remove(&row.id)?;
                let game = read.game.log_failure("reading a game of a player")?;
                let [first, second] = read.players;
                let opponent = if row.seat == Seat::First {
                    second
                } else {
                    first
                };
                // The match may have ended since the first read.
                let to_move = game.awaited()?;
                Some(OwnGame {
                    id: row.id,
                    setup: game.terms().setup,
                    time_control: game.terms().clock,
                    rated: game.terms().rated,
                    seat: row.seat,
                    opponent,
                    moves: game.plies().iter().map(|ply| ply.mv.to_string()).collect(),
                    seats: game.plies().iter().map(|ply| ply.seat).collect(),
                    score: game.score(),
                    to_move,
                    adjournment: game.adjournment(),
                    offer: game.offer(),
                    deadline_at: row.deadline_at,
                    opponent_vacation_until: game.vacation(row.seat.other(), now),
                    changed_at: row.changed_at,
                    started_at: read.started_at,
                })
            })
            .collect();
        games.sort_by_key(|game| {
            let deadline = game.deadline_at.unwrap_or(Timestamp(i64::MAX));
            if game.is_on_turn() {
                (false, deadline, Reverse(Timestamp::default()), game.id)
            } else {
                (
                    true,
                    Timestamp::default(),
                    Reverse(game.changed_at),
                    game.id,
                )
            }
        });
        let rematches = db::rematch_requests::open(db, player.id).await?;
        Ok(OwnGames {
            games,
            rematches,
            now,
        })
    }

    /// The notes of this player on a match; empty without any.
    ///
    /// # Errors
    /// Those of [`Self::seated`].
    pub async fn notes(&self, id: MatchId, player: &Account) -> Result<String, Error> {
        self.seated(id, player).await?;
        db::notes::read(&self.context.db, id, player.id).await
    }

    /// Stores the notes of this player on a match, running or finished; an empty text deletes them.
    ///
    /// # Errors
    /// Those of [`Self::seated`], or `bad_request` for a text of more than [`limits::NOTES_MAX_CHARS`].
    pub async fn set_notes(&self, id: MatchId, player: &Account, text: &str) -> Result<(), Error> {
        self.seated(id, player).await?;
        // A form sends two characters for a new line.
        let text = text.replace("\r\n", "\n");
        if text.chars().count() > limits::NOTES_MAX_CHARS || text.contains('\0') {
            return Err(Code::BadRequest.into());
        }
        if text.trim().is_empty() {
            return db::notes::delete(&self.context.db, id, player.id).await;
        }
        db::notes::write(&self.context.db, id, player.id, &text).await
    }

    /// The numbers of this player's running matches.
    pub async fn count_own_games(&self, player: &Account) -> Result<OwnGamesCount, Error> {
        db::games_on_turn::count(&self.context.db, player.id).await
    }

    /// The running match to go to from `after`: of those in which it is this player's turn the next one, in the order of *Your
    /// games*, and after the last one the first. `None` if there is none but `after`.
    pub async fn next_on_turn(
        &self,
        player: &Account,
        after: Option<MatchId>,
    ) -> Result<Option<MatchId>, Error> {
        let on_turn = db::games_on_turn::on_turn(&self.context.db, player.id).await?;
        let place = on_turn.iter().position(|id| Some(*id) == after);
        let (before, from) = on_turn.split_at(place.map_or(0, |place| place + 1));
        let mut next = from.iter().chain(before).copied();
        Ok(next.find(|id| Some(*id) != after))
    }
}
