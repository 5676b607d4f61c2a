//! Adjournments: a live match stops by agreement, and goes on later.
//!
//! The sealed moves are a row of the database, which the transaction of the event `sealed` inserts and that of `resumed` deletes. So no
//! crash loses or shows them, and of two players or instances that resume the match at once the version decides: they become events
//! once. A match that goes on live needs both at the time agreed on; each says so, and the second one must find the first one at the
//! match. Both are called when the time has come, and once more when the other one has (`notifications::db::calls`).

use crate::clock::ClockReader;
use crate::matches::{Arrival, Matches, db};
use crate::presence::place::Place;
use crate::{Error, LogFailure as _, WithSubject as _};
use crate::{presence, vacations};
use tochki_play::{Command, Millis, OfferKind};
use tochki_protocol::{
    Account, Code, MatchId, OfferResponse, PlayerId, ResumeResponse, VersionResponse, limits,
};

impl Matches {
    /// Offers to adjourn a match, and to go on live after so many hours, if that is said.
    ///
    /// # Errors
    /// Those of [`Self::seated`], `bad_request` for more than [`limits::RESUME_HOURS`], `not_accepted` with a bot, `too_many_games`, and
    /// those of an offer.
    pub async fn offer_adjournment(
        &self,
        id: MatchId,
        player: &Account,
        resume_in: Option<u32>,
    ) -> Result<OfferResponse, Error> {
        if resume_in.is_some_and(|hours| !(1..=limits::RESUME_HOURS).contains(&hours)) {
            return Err(Code::BadRequest.into());
        }
        let (live, seat) = self.seated(id, player).await?;
        live.check_pace(seat)?;
        live.offer_adjournment(seat, resume_in.map(Millis::from_hours))
            .await
    }

    /// Accepts or declines the opponent's offer to adjourn, if `offer` is given the one of this version.
    ///
    /// # Errors
    /// Those of [`Self::seated`], `offer_closed` also if the open offer is another one, `not_yours`, and `too_many_games` if one of the
    /// players has as many by correspondence as a player may have.
    pub async fn answer_adjournment(
        &self,
        id: MatchId,
        player: &Account,
        accept: bool,
        offer: Option<u32>,
    ) -> Result<VersionResponse, Error> {
        let (live, seat) = self.seated(id, player).await?;
        live.check_pace(seat)?;
        live.catch_up().await?;
        let open = live.game().await.offer();
        let open = open.filter(|open| {
            open.kind == OfferKind::Adjourn && offer.is_none_or(|named| named == open.version)
        });
        let answer = Command::AnswerOffer {
            seat,
            accept,
            // Another offer may be open by then.
            offer: Some(open.ok_or(Code::OfferClosed)?.version),
        };
        live.command(answer).await
    }

    /// Seals the move of a player in an adjourned match: a move, or all moves of the turn, with spaces between them. The same moves
    /// sent again are answered alike.
    ///
    /// # Errors
    /// Those of [`Self::seated`], and the refusal of the match.
    pub async fn seal(
        &self,
        id: MatchId,
        player: &Account,
        moves: &str,
        arrival: Arrival,
    ) -> Result<VersionResponse, Error> {
        let (live, seat) = self.seated(id, player).await?;
        live.check_pace(seat)?;
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let command = Command::Seal {
            seat,
            moves: moves.clone(),
        };
        match live.command_received(command, arrival).await {
            Err(error) if error.code() == Code::Adjourned => {
                let game = live.game().await;
                let stored = db::sealed_moves::read(&self.context.db, id).await?;
                let run = game.sealed_run(seat, &moves).ok();
                let is_same = stored
                    .is_some_and(|stored| stored.player == player.id && Some(stored.moves) == run);
                if is_same {
                    let version = game.version();
                    Ok(VersionResponse { version })
                } else {
                    Err(error)
                }
            }
            done => done,
        }
    }

    /// Resumes an adjourned match for a player who has come: the sealed move is made. Where a time to go on live was agreed on, both
    /// have to come; the first one is noted. A match that goes on already stays as it is. By correspondence that ends a vacation of the
    /// player, as a move does; one of the opponent holds their clock.
    ///
    /// # Errors
    /// Those of [`Self::seated`], `finished`, `not_adjourned` before a move is sealed, `not_yours` for the player who has sealed it,
    /// `too_early` before the time agreed on, `already_playing` if one of them plays another live match then.
    pub async fn resume(&self, id: MatchId, player: &Account) -> Result<ResumeResponse, Error> {
        let done = async {
            let (live, seat) = self.seated(id, player).await?;
            live.check_pace(seat)?;
            let database = &self.context.db;
            loop {
                live.catch_up().await?;
                let game = live.game().await;
                let version = game.version();
                if game.result().is_some() {
                    return Err(Code::Finished.into());
                }
                let Some(adjournment) = game.adjournment() else {
                    let waits = false;
                    return Ok(ResumeResponse { version, waits });
                };
                let Some(run) = db::sealed_moves::read(database, id).await? else {
                    live.catch_up().await?;
                    if live.known_version() > version {
                        // Resumed meanwhile.
                        continue;
                    }
                    return Err(Code::NotAdjourned.into());
                };
                let now = self.context.outage_clock.now(ClockReader::Match(id));
                let is_live = adjournment.is_live_time(now);
                if is_live {
                    let players = live.players();
                    let here = db::sealed_moves::arrive(database, id, seat, players).await?;
                    // The other one is called, perhaps.
                    self.context.notifier.notify_causes();
                    let other = seat.other().index();
                    let waits = !here[other] || !self.is_at(id, live.players()[other]).await?;
                    if waits {
                        return Ok(ResumeResponse { version, waits });
                    }
                }
                let sealer = live.players()[seat.other().index()];
                let vacation_until = if is_live {
                    None
                } else {
                    vacations::db::until(database, sealer).await?
                };
                let command = Command::Resume {
                    seat,
                    moves: run.moves,
                    live: is_live,
                    vacation_until,
                };
                match live.command(command).await {
                    // Another request was first, or the opponent's vacation has begun or ended meanwhile.
                    Err(error) if matches!(error.code(), Code::NotAdjourned | Code::OnVacation) => {
                    }
                    Ok(VersionResponse { version }) => {
                        if is_live {
                            // Challenges for other games are closed, too.
                            self.context.notifier.notify_rooms();
                        } else {
                            let ended = self.set_vacation(player, false).await;
                            ended.log_failure("ending the vacation of who has come");
                        }
                        let waits = false;
                        return Ok(ResumeResponse { version, waits });
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        done.await.with_subject(id)
    }

    /// Returns whether a player is at a match.
    async fn is_at(&self, id: MatchId, player: PlayerId) -> Result<bool, Error> {
        let mut tx = crate::db::begin(&self.context.db).await?;
        presence::db::is_present(&mut tx, player, &Place::Match(id).to_string()).await
    }
}
