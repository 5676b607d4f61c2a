//! Vacation: all clocks of a player in correspondence matches stand still, from one instant on.
//!
//! One transaction locks the player and then all of these matches, and appends an event to each, so that a flag either has fallen
//! before or does not fall. The events say until when the vacation lasts at most, and the clocks that they hold run from then on: a
//! vacation that ends by itself needs no timer and no event. Other instances find the events by the versions, as those of moves.

use super::live_match::{LiveMatch, MatchContext};
use crate::bus::topic::Topic;
use crate::clock::ClockReader;
use crate::matches::{Matches, db};
use crate::vacations::StoredVacation;
use crate::{Error, LogFailure as _, WithSubject as _, night, pairing, time_zones, vacations};
use tochki_play::{Command, Decision, Match, Timestamp};
use tochki_protocol::{Account, Code, MatchId, PlayerId, VacationStatus, limits};
use tochki_rules::Seat;

/// The change of a vacation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It begins.
    Begin,
    /// It begins by itself, if that holds a clock which is about to run out.
    BeginBeforeFlag,
    /// It ends.
    End,
}

impl Matches {
    /// The vacation of this player.
    pub async fn vacation(&self, player: &Account) -> Result<VacationStatus, Error> {
        let stored = vacations::db::read(&self.context.db, player.id).await?;
        Ok(stored.status(self.context.vacation_time()))
    }

    /// Begins the vacation of this player, or ends it. What is so already stays.
    ///
    /// # Errors
    /// `no_vacation_left` if there is no day left to begin one.
    pub async fn set_vacation(
        &self,
        player: &Account,
        is_on: bool,
    ) -> Result<VacationStatus, Error> {
        let change = if is_on { Change::Begin } else { Change::End };
        let status = self.context.change_vacation(player.id, change).await?;
        // The tables of the player are listed, or are no longer.
        self.context.notifier.notify_rooms();
        Ok(status)
    }

    /// Sets whether a vacation begins by itself before a clock of this player runs out.
    pub async fn set_automatic_vacation(
        &self,
        player: &Account,
        automatic: bool,
    ) -> Result<VacationStatus, Error> {
        let mut tx = crate::db::begin(&self.context.db).await?;
        pairing::db::players::lock_players(&mut tx, [player.id; 2]).await?;
        let now = self.context.vacation_time();
        let stored = StoredVacation {
            automatic,
            ..vacations::db::read(&mut *tx, player.id).await?
        };
        vacations::db::write(&mut tx, player.id, &stored).await?;
        tx.commit().await?;
        Ok(stored.status(now))
    }

    /// Begins all vacations that are to begin by themselves, in the order in which the clocks run out. Several instances may do so at once: the lock of the player decides.
    pub(crate) async fn begin_automatic_vacations(&self) -> Result<(), Error> {
        let mut last = None;
        loop {
            let due = vacations::db::due(&self.context.db, last.as_ref()).await?;
            for due in &due {
                let change = Change::BeginBeforeFlag;
                match self.context.change_vacation(due.player, change).await {
                    Err(error) if error.code() == Code::NoVacationLeft => {}
                    // One player whose matches cannot be read keeps no other from a vacation.
                    done => {
                        done.log_failure("beginning a vacation by itself");
                    }
                }
            }
            // Whoever has no vacation left stays due, and keeps no other from theirs.
            let next = due.into_iter().last();
            if next.is_none() {
                return Ok(());
            }
            last = next;
        }
    }
}

impl LiveMatch {
    /// Ends the vacation of a player who has made a move, in all matches. Only a move that has been made ends one: of those that are
    /// refused some are known only then, such as a move from a board of before. A failure takes no move back.
    pub(super) async fn end_vacation_by_move(&self, seat: Seat) {
        let player = self.players()[seat.index()];
        let ended = async {
            if vacations::db::until(&self.context.db, player)
                .await?
                .is_some()
            {
                self.context.change_vacation(player, Change::End).await?;
            }
            Ok(())
        };
        let ended: Result<(), Error> = ended.await;
        ended
            .with_subject(self.id)
            .log_failure("ending a vacation by a move");
    }
}

impl MatchContext {
    fn vacation_time(&self) -> Timestamp {
        self.outage_clock.now(ClockReader::Vacation)
    }

    async fn change_vacation(
        &self,
        player: PlayerId,
        change: Change,
    ) -> Result<VacationStatus, Error> {
        let done = self.change_locked(player, change).await;
        let (status, appended) = done.with_subject(player)?;
        for (id, version) in appended {
            self.notifier.notify(Topic::Events(id, version));
        }
        Ok(status)
    }

    /// Changes a vacation in one transaction. Returns the matches that have a new event, and their versions.
    async fn change_locked(
        &self,
        player: PlayerId,
        change: Change,
    ) -> Result<(VacationStatus, Vec<(MatchId, u32)>), Error> {
        // An outage shifts deadlines before anything is decided by them.
        self.outage_clock.epoch().await?;
        let mut tx = crate::db::begin(&self.db).await?;
        pairing::db::players::lock_players(&mut tx, [player; 2]).await?;
        let stored = vacations::db::read(&mut *tx, player).await?;
        let now = self.vacation_time();
        if stored.current(now).is_some() != (change == Change::End) {
            return Ok((stored.status(now), Vec::new()));
        }
        if change != Change::End {
            // Asked for again and again in vain, it must not lock the matches of others.
            if stored.days_left(now).days == 0 {
                return Err(Code::NoVacationLeft.into());
            }
            // Nothing of it may begin meanwhile.
            let ids = [player.0];
            pairing::db::leaving::leave_quick_games(&mut tx, &ids).await?;
            pairing::db::leaving::leave_seats(&mut tx, &ids).await?;
            pairing::db::leaving::close_live_of(&mut tx, &ids).await?;
        }
        let locked = db::vacations::lock_matches(&mut tx, player).await?;
        // The instant is one at which nothing else happens in these matches.
        let now = self.vacation_time();
        let changed = match change {
            Change::End => stored.end(now),
            Change::Begin | Change::BeginBeforeFlag => {
                stored.begin(now).ok_or(Code::NoVacationLeft)?
            }
        };
        let ids: Vec<MatchId> = locked.iter().map(|(id, _)| *id).collect();
        let games = db::replayed_matches::read_with_shifts(&mut tx, &ids).await?;
        let mut appends = Vec::with_capacity(games.len());
        let zone = time_zones::db::name(&mut *tx, player).await?;
        let mut holds_flag = false;
        for ((id, seat), read) in locked.into_iter().zip(games) {
            // A broken record keeps the other matches from nothing.
            let Some(game) = read.game.log_failure("reading a match for a vacation") else {
                continue;
            };
            let until = changed.last.map(|(_, until)| until);
            let Some(append) = event_of(&game, id, (seat, zone.as_deref()), until, now)? else {
                continue;
            };
            holds_flag |= game.to_move() == Some(seat)
                && game.deadline().is_some_and(|at| {
                    at < now + limits::in_millis(limits::AUTOMATIC_VACATION_BEFORE)
                });
            appends.push(append);
        }
        if change == Change::BeginBeforeFlag && !holds_flag {
            return Ok((stored.status(now), Vec::new()));
        }
        vacations::db::write(&mut tx, player, &changed).await?;
        db::vacations::append(&mut tx, &appends).await?;
        tx.commit().await?;
        let appended = appends
            .iter()
            .map(|append| (append.id, append.event.version))
            .collect();
        Ok((changed.status(now), appended))
    }
}

/// Returns the event of a match for a player in this seat and time zone, if there is one: none where the flag has fallen, or the match takes no more vacation.
fn event_of(
    game: &Match,
    id: MatchId,
    (seat, zone): (Seat, Option<&str>),
    until: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<db::vacations::VacationAppend>, Error> {
    let Ok(Decision::Happens(events)) = game.decide(&Command::Vacation { seat, until }, now) else {
        return Ok(None);
    };
    let Some(event) = events.into_iter().next() else {
        return Ok(None);
    };
    let mut after = game.clone();
    after
        .apply(&event)
        .map_err(|broken| Error::broken_record(id, broken))?;
    if after.to_move() == Some(seat)
        && let (Some(zone), Some(turn_end)) = (zone, after.turn_end())
    {
        after.extend_turn(night::grace(turn_end, zone));
    }
    Ok(Some(db::vacations::VacationAppend {
        id,
        event: db::StoredEvent::last_of(&after, &event)?,
        deadline: after.deadline(),
    }))
}
