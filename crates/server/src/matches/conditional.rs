//! Conditional moves of correspondence matches: a player's answers to moves that the opponent has not made yet.
//!
//! The lines are a row of the database. The statement that appends a move of the opponent sets the time of the answer in the same
//! transaction (`db::appends`), so no crash loses one; the answer has a client id of its step (`answer_id`), so none is made twice. A
//! take-back deletes the lines, and while an offer is open no answer is made. An answer that an offer has held up is a move like others,
//! which is charged: otherwise an own offer would be a way to think for nothing. An offer of the opponent is declined before the player's
//! time is over: otherwise it would be a way to win on time against who has answered already.

use crate::clock::ClockReader;
use crate::matches::db::conditional_moves::{DueAnswer, StoredLines};
use crate::matches::{Matches, db};
use crate::{Error, LogFailure as _, WithSubject as _};
use sha2::{Digest as _, Sha256};
use tochki_play::{ClientId, Command, ConditionalMoves, ConditionalStep, Match, Pace, Timestamp};
use tochki_protocol::{Account, Code, MatchId, limits};
use tochki_rules::Seat;

impl Matches {
    /// The lines of a player that go on from the position of a match.
    ///
    /// # Errors
    /// Those of [`Self::seated`].
    pub async fn conditional_moves(
        &self,
        id: MatchId,
        player: &Account,
    ) -> Result<ConditionalMoves, Error> {
        let (live, _) = self.seated(id, player).await?;
        live.catch_up().await?;
        let stored = db::conditional_moves::read(&self.context.db, id, player.id).await?;
        let Some(StoredLines { root, lines }) = stored else {
            return Ok(ConditionalMoves::default());
        };
        let game = live.game().await;
        let made = game.plies().get(root..);
        Ok(made.map(|made| lines.after(made)).unwrap_or_default())
    }

    /// The text of the lines of a player that were refused last, a line in each row, unless others were accepted since.
    ///
    /// # Errors
    /// Those of [`Self::seated`].
    pub async fn refused_conditional_moves(
        &self,
        id: MatchId,
        player: &Account,
    ) -> Result<Option<String>, Error> {
        self.seated(id, player).await?;
        db::conditional_moves::refused(&self.context.db, id, player.id).await
    }

    /// Stores the lines of a player in the place of earlier ones; none deletes them. Returns them as they are kept.
    ///
    /// # Errors
    /// Those of [`Self::seated`], `finished`, `live_match` in a match that is no correspondence match, `too_many_requests`, and
    /// `invalid_conditions` with the place in the lines.
    pub async fn set_conditional_moves(
        &self,
        id: MatchId,
        player: &Account,
        lines: &[Vec<String>],
    ) -> Result<ConditionalMoves, Error> {
        let (live, seat) = self.seated(id, player).await?;
        // Each try locks the match, which the opponent moves in.
        live.check_pace(seat)?;
        loop {
            live.catch_up().await?;
            let game = live.game().await;
            // A live match may have been resumed by correspondence.
            if game.terms().pace() != Pace::Correspondence {
                return Err(Code::LiveMatch.into());
            }
            if game.result().is_some() {
                return Err(Code::Finished.into());
            }
            let mut tx = crate::db::begin(&self.context.db).await?;
            if !db::conditional_moves::lock(&mut tx, id, game.version()).await? {
                // The match has gone on meanwhile.
                continue;
            }
            // Lines that are refused count, too: reading them is the work.
            let changes = db::conditional_moves::count_change(&mut tx, id, player.id).await?;
            if changes > limits::CONDITIONAL_MOVES_CHANGES_PER_MINUTE {
                return Err(Error::Limited(Code::TooManyRequests, 60));
            }
            let read = if lines.is_empty() {
                Ok(ConditionalMoves::default())
            } else {
                ConditionalMoves::read(lines, &game, seat)
            };
            let lines = match read {
                Ok(lines) => lines,
                Err(refused) => {
                    let text = text_of(lines);
                    db::conditional_moves::keep_refused(&mut tx, id, player.id, text.as_deref())
                        .await?;
                    tx.commit().await?;
                    return Err(refused.into());
                }
            };
            let stored = StoredLines {
                root: game.plies().len(),
                lines,
            };
            db::conditional_moves::write(&mut tx, id, player.id, &stored).await?;
            tx.commit().await?;
            return Ok(stored.lines);
        }
    }

    /// Makes the answers that are due. Several instances may do so at once: the version and the client id decide.
    pub(crate) async fn answer_by_conditional_moves(&self) -> Result<(), Error> {
        for due in db::conditional_moves::due(&self.context.db).await? {
            // One match that cannot be read must not stop the answers in all others, nor stay before them.
            let answered = self.answer(&due).await.with_subject(due.id);
            if answered
                .log_failure("answering by conditional moves")
                .is_none()
            {
                let postponed = db::conditional_moves::postpone(&self.context.db, &due).await;
                postponed.log_failure("postponing an answer by conditional moves");
            }
        }
        Ok(())
    }

    async fn answer(&self, due: &DueAnswer) -> Result<(), Error> {
        let database = &self.context.db;
        let live = self.get(due.id).await?;
        let stored = db::conditional_moves::read(database, due.id, due.player).await?;
        let (Some(seat), Some(StoredLines { root, lines })) = (live.seat_of(due.player), stored)
        else {
            return Ok(());
        };
        loop {
            live.catch_up().await?;
            let game = live.game().await;
            let step = lines.next_step(&game, root, seat);
            // The end of an offer makes the answer due again.
            if let Some(offer) = game.offer() {
                if offer.seat == seat || !matches!(step, ConditionalStep::Play(_)) {
                    return db::conditional_moves::wait_again(database, due).await;
                }
                let now = self.context.outage_clock.now(ClockReader::Match(due.id));
                let until = declines_at(&game, seat, now);
                if now < until {
                    return db::conditional_moves::wait_until(database, due, until).await;
                }
                let declined = Command::AnswerOffer {
                    seat,
                    accept: false,
                    offer: Some(offer.version),
                };
                return live.command(declined).await.map(|_| ());
            }
            let mv = match step {
                ConditionalStep::Play(mv) => mv,
                ConditionalStep::Wait => {
                    return db::conditional_moves::wait_again(database, due).await;
                }
                ConditionalStep::Over => {
                    return db::conditional_moves::delete(database, due).await;
                }
            };
            let answer = Command::Answer {
                seat,
                mv,
                version: game.board_version(),
                due_at: Timestamp(due.due_at / 1_000),
                client_id: answer_id(due, game.board_version(), &lines),
            };
            match live.command(answer).await {
                Ok(_) => {}
                // The match goes on later.
                Err(error) if matches!(error.code(), Code::MatchSuspended | Code::Unavailable) => {
                    return Err(error);
                }
                // The position is another one by now, or the match is over.
                Err(error) if error.failure().is_none() => {
                    if live.is_over().await? {
                        return db::conditional_moves::delete(database, due).await;
                    }
                    return db::conditional_moves::wait_again(database, due).await;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// The time at which an offer to this side is declined for its answer, [`limits::ANSWER_DECLINES_BEFORE`] before its time is over. On
/// vacation it is a time at which that is looked at again: who ends the vacation has no more than is left now.
fn declines_at(game: &Match, seat: Seat, now: Timestamp) -> Timestamp {
    let flag_at = game.clock().map(|clock| now + clock.left(seat, now));
    let until = flag_at.into_iter().chain(game.deadline()).min();
    until.unwrap_or(now) - limits::in_millis(limits::ANSWER_DECLINES_BEFORE)
}

/// The client id of an answer: the same at all instances, and in the form of those that pages give the moves that players make, so
/// that it does not tell the opponent that the move is of a line.
fn answer_id(due: &DueAnswer, version: u32, lines: &ConditionalMoves) -> Option<ClientId> {
    let mut hash = Sha256::new();
    hash.update(due.id.0.to_be_bytes());
    hash.update(version.to_be_bytes());
    hash.update(due.due_at.to_be_bytes());
    // Nobody else knows the lines.
    hash.update(serde_json::to_vec(lines).ok()?);
    let digits = u64::from_be_bytes(*hash.finalize().first_chunk()?) >> 11;
    format!("c{:x}-{digits:x}", due.due_at / 1_000).parse().ok()
}

/// Returns lines as text, a line in each row; none for what no form has sent.
fn text_of(lines: &[Vec<String>]) -> Option<String> {
    let rows: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    let text = rows.join("\n");
    let is_kept = text.len() <= limits::REFUSED_CONDITIONS_MAX_BYTES && !text.contains('\0');
    is_kept.then_some(text)
}
