//! Entering a tournament, pausing, leaving, removal, cancelling.

use super::{Tournaments, db};
use crate::attempts::client_address::ClientAddress;
use crate::db::Tx;
use crate::notifications::db::insert_tournament_notice;
use crate::{Error, WithSubject as _, pairing};
use db::StoredTournament;
use db::acts::Act;
use db::entrants::{NewEntrant, Qualification};
use std::collections::BTreeSet;
use tochki_protocol::{
    Account, ByeKind, Code, EntrantState, EntryCondition, PlayerId, TournamentEntry,
    TournamentFormat, TournamentId, TournamentNotice, TournamentRounds, TournamentState, limits,
};
use tochki_tournaments::{arena, rounds};

impl Tournaments {
    /// Enters a tournament, or comes back from a pause. `verified` is the hash that the player's password was verified against.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_open`, `not_qualified`, `wrong_password`, `already_in_tournament`, `tournament_full`.
    pub async fn join(
        &self,
        player: &Account,
        client: &ClientAddress,
        id: TournamentId,
        verified: Option<&str>,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            pairing::db::players::lock_players(&mut tx, [player.id; 2]).await?;
            let known = db::entrants::lock(&mut tx, id, player.id).await?;
            // Who has left enters as anybody else.
            let is_known = (known.as_ref()).is_some_and(|known| known.state != EntrantState::Left);
            if !stored.takes_entrants(is_known) {
                return Err(Code::NotOpen.into());
            }
            let is_running = stored.tournament.state == TournamentState::Running;
            if stored.tournament.format == TournamentFormat::Swiss
                && db::no_shows::is_banned(&mut tx, player.id).await?
            {
                return Err(EntryCondition::NoShows.into());
            }
            if is_running && !stored.tournament.is_over_days() {
                db::hold_beginnings(&mut tx).await?;
                if db::entrants::is_in_another(&mut tx, id, player.id).await? {
                    return Err(Code::AlreadyInTournament.into());
                }
            }
            let address = client.site().unwrap_or(client.address).to_string();
            let new = NewEntrant {
                player: player.id,
                address: &address,
            };
            // Games of this tournament may have changed the rating, and keep nobody out.
            if let Some(known) = &known
                && known.state == EntrantState::Paused
                && !known.has_played
            {
                self.check_conditions(&mut tx, &stored, player, &new)
                    .await?;
            }
            match known {
                Some(known) => match known.state {
                    EntrantState::Here => {
                        if stored.asks_presence() {
                            let round = stored.presence_round();
                            db::presence::confirm(&mut tx, id, player.id, round).await?;
                            tx.commit().await?;
                        }
                        return Ok(());
                    }
                    EntrantState::Removed => return Err(EntryCondition::Removed.into()),
                    EntrantState::Out | EntrantState::Eliminated => {
                        return Err(Code::NotOpen.into());
                    }
                    EntrantState::Paused if stored.tournament.rounds.is_some() => {
                        db::entrants::come_back(&mut tx, id, player.id, 0).await?;
                    }
                    EntrantState::Left => {
                        self.check_entry(&mut tx, &stored, player, &new).await?;
                        db::entrants::come_back(&mut tx, id, player.id, 0).await?;
                        enter_late(&mut tx, &stored, player.id).await?;
                    }
                    EntrantState::Paused => {
                        let estimate = stored.estimate()?;
                        let delay = arena::return_delay(estimate, known.pauses);
                        db::entrants::come_back(&mut tx, id, player.id, delay.0).await?;
                    }
                },
                None => {
                    if stored.password_hash.as_deref() != verified {
                        return Err(Code::WrongPassword.into());
                    }
                    self.check_entry(&mut tx, &stored, player, &new).await?;
                    db::entrants::insert(&mut tx, id, &new).await?;
                    db::entrants::note_shared_address(&mut tx, id, &new).await?;
                    enter_late(&mut tx, &stored, player.id).await?;
                }
            }
            if stored.asks_presence() {
                let round = stored.presence_round();
                db::presence::confirm(&mut tx, id, player.id, round).await?;
            }
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Checks the conditions of entering, and whether there is a place.
    async fn check_entry(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        player: &Account,
        new: &NewEntrant<'_>,
    ) -> Result<(), Error> {
        let record = self.check_conditions(tx, stored, player, new).await?;
        if record.entrants >= most_entrants(stored.tournament.format)
            || player.guest && record.guests_here >= limits::TOURNAMENT_GUESTS_BY_ADDRESS
        {
            return Err(Code::TournamentFull.into());
        }
        Ok(())
    }

    /// Checks the conditions of entering, and returns the record that they were compared with.
    async fn check_conditions(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        player: &Account,
        new: &NewEntrant<'_>,
    ) -> Result<Qualification, Error> {
        let (id, entry) = (stored.tournament.id, &stored.tournament.entry);
        if player.guest && !entry.guests {
            return Err(EntryCondition::Guests.into());
        }
        if player.bot && !entry.bots {
            return Err(EntryCondition::Bots.into());
        }
        let game = stored.tournament.setup.kind();
        let record = db::entrants::qualification(tx, player.id, game, id, new.address).await?;
        if !record.is_open {
            return Err(Code::NotQualified.into());
        }
        // What is rated at the start stays so.
        let is_running = stored.tournament.state == TournamentState::Running;
        if is_running && stored.tournament.rated && record.mixes {
            let condition = if player.bot {
                EntryCondition::Bots
            } else {
                EntryCondition::People
            };
            return Err(condition.into());
        }
        let too_low = |least: Option<i32>, own: i32| least.is_some_and(|least| own < least);
        let unmet = if too_low(entry.min_rating, record.rating) {
            Some(EntryCondition::MinRating)
        } else if entry.max_rating.is_some_and(|most| record.rating > most) {
            Some(EntryCondition::MaxRating)
        } else if too_low(entry.min_games, record.games) {
            Some(EntryCondition::MinGames)
        } else if too_low(entry.min_age_days, record.age_days) {
            Some(EntryCondition::MinAgeDays)
        } else {
            None
        };
        match unmet {
            Some(condition) => Err(condition.into()),
            None => Ok(record),
        }
    }

    /// Leaves before the start, pauses in a running arena, or withdraws from running rounds: the score stays.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` for who is not in it.
    pub async fn leave(&self, player: &Account, id: TournamentId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            let known = db::entrants::lock(&mut tx, id, player.id).await?;
            let is_here = known.is_some_and(|known| known.state == EntrantState::Here);
            match stored.tournament.state {
                _ if !is_here => return Err(Code::NotOpen.into()),
                TournamentState::Open => {
                    db::entrants::set_state(&mut tx, id, player.id, EntrantState::Left).await?;
                    db::reminders::delete(&mut tx, id, player.id).await?;
                }
                // Who withdraws from a Swiss may come back; a round robin goes on without.
                TournamentState::Running => db::entrants::pause(&mut tx, id, player.id).await?,
                TournamentState::Finished | TournamentState::Cancelled => {
                    return Err(Code::NotOpen.into());
                }
            }
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Removes a player: the creator before the start, an operator at any time, so that nobody keeps a place who has cheated. A
    /// running game goes on.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_yours`, `not_open`, or `no_such_player`.
    pub async fn remove(
        &self,
        by: &Account,
        is_operator: bool,
        id: TournamentId,
        player: PlayerId,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            stored.may_remove(by, is_operator)?;
            if db::entrants::lock(&mut tx, id, player).await?.is_none() {
                return Err(Code::NoSuchPlayer.into());
            }
            db::entrants::set_state(&mut tx, id, player, EntrantState::Removed).await?;
            db::reminders::delete(&mut tx, id, player).await?;
            db::acts::insert(&mut tx, id, by.id, is_operator, Act::Removed(player)).await?;
            db::advance(&mut tx, id).await?;
            let notice = TournamentNotice::Removed;
            self.tell(&mut tx, id, notice, by, [player]).await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Cancels a tournament, as [`Self::remove`] may. Running games go on, and are games as any other.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_yours`, or `not_open`.
    pub async fn cancel(
        &self,
        by: &Account,
        is_operator: bool,
        id: TournamentId,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            stored.may_change(by, is_operator)?;
            db::end(&mut tx, id, TournamentState::Cancelled).await?;
            db::acts::insert(&mut tx, id, by.id, is_operator, Act::Cancelled).await?;
            let mut concerned = db::entrants::concerned(&mut tx, id).await?;
            concerned.extend(stored.creator_id());
            let notice = TournamentNotice::Cancelled;
            self.tell(&mut tx, id, notice, by, concerned).await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Closes the entries, or opens them again, as [`Self::remove`] may.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_yours`, or `not_open`.
    pub async fn close_entries(
        &self,
        by: &Account,
        is_operator: bool,
        id: TournamentId,
        closed: bool,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            stored.may_change(by, is_operator)?;
            if stored.tournament.entries_closed == closed {
                return Ok(());
            }
            db::set_entries_closed(&mut tx, id, closed).await?;
            let (act, notice) = if closed {
                (Act::EntriesClosed, TournamentNotice::EntriesClosed)
            } else {
                (Act::EntriesOpened, TournamentNotice::EntriesOpened)
            };
            db::acts::insert(&mut tx, id, by.id, is_operator, act).await?;
            // Who has entered is not concerned.
            self.tell(&mut tx, id, notice, by, stored.creator_id())
                .await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Tells players by the list of notifications what was done, but not who has done it.
    pub(super) async fn tell(
        &self,
        tx: &mut Tx,
        id: TournamentId,
        notice: TournamentNotice,
        by: &Account,
        concerned: impl IntoIterator<Item = PlayerId>,
    ) -> Result<(), Error> {
        let others: BTreeSet<_> = concerned.into_iter().filter(|one| *one != by.id).collect();
        let others: Vec<_> = others.into_iter().collect();
        insert_tournament_notice(tx, id, notice, &others).await
    }

    /// The state of a player in a tournament.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub async fn entry(
        &self,
        id: TournamentId,
        player: &Account,
        is_operator: bool,
    ) -> Result<TournamentEntry, Error> {
        let done = async {
            let stored = db::read(&self.db, id).await?;
            let stored = stored.ok_or(Code::NoSuchTournament)?;
            let entry = db::entrants::entry(&self.db, id, player.id).await?;
            let round = stored.presence_round();
            let own = db::presence::own_round(&self.db, id, player.id, round).await?;
            Ok(TournamentEntry {
                here: own.is_here,
                bye_round: own.bye_round.map(i32::cast_unsigned),
                reminder: db::reminders::is_asked(&self.db, id, player.id).await?,
                appointment: db::appointments::shown(&self.db, id, player.id).await?,
                choose_by: db::knockout::choose_by(&self.db, id, player.id).await?,
                no_swiss_until: own
                    .no_swiss_until
                    .filter(|_| stored.tournament.format == TournamentFormat::Swiss),
                state: entry.as_ref().map(|entry| entry.state),
                waits_from: entry.as_ref().map(|entry| entry.waits_from),
                standing: self.standing_of(id, player.id).await?,
                match_id: entry.and_then(|entry| entry.match_id),
                clash: db::entrants::clash(&self.db, id, player.id).await?,
                may_manage: stored.may_remove(player, is_operator).is_ok(),
                may_repeat: is_operator,
            })
        };
        done.await.with_subject(id)
    }

    pub(super) async fn lock(
        &self,
        tx: &mut Tx,
        id: TournamentId,
    ) -> Result<StoredTournament, Error> {
        let stored = db::lock(tx, id).await?;
        Ok(stored.ok_or(Code::NoSuchTournament)?)
    }
}

impl StoredTournament {
    fn creator_id(&self) -> Option<PlayerId> {
        let creator = self.tournament.creator.as_ref();
        creator.map(|creator| creator.id)
    }

    /// Returns whether players may enter now. Who is known may come back although the entries are closed.
    fn takes_entrants(&self, is_known: bool) -> bool {
        let tournament = &self.tournament;
        let is_open = is_known || !tournament.entries_closed;
        match tournament.state {
            TournamentState::Open => is_open,
            TournamentState::Running => match tournament.format {
                TournamentFormat::Arena => {
                    let closes = tournament.pairing_closes_at;
                    is_open && closes.is_some_and(|closes| self.now < closes)
                }
                TournamentFormat::Swiss => {
                    let takes = |of: &TournamentRounds| {
                        // Until the first round is paired, nobody is late.
                        of.rounds.is_none_or(|all| {
                            of.round == 0 || rounds::may_enter_late(of.round, all)
                        })
                    };
                    let is_last =
                        (tournament.rounds.as_ref()).is_none_or(|of| !of.is_next_to_come());
                    !is_last
                        && (is_known || is_open && tournament.rounds.as_ref().is_some_and(takes))
                }
                TournamentFormat::RoundRobin | TournamentFormat::Knockout => false,
            },
            TournamentState::Finished | TournamentState::Cancelled => false,
        }
    }

    fn may_remove(&self, by: &Account, is_operator: bool) -> Result<(), Code> {
        match self.tournament.state {
            TournamentState::Finished if is_operator => Ok(()),
            _ => self.may_change(by, is_operator),
        }
    }

    fn may_change(&self, by: &Account, is_operator: bool) -> Result<(), Code> {
        let is_creator = self
            .tournament
            .creator
            .as_ref()
            .is_some_and(|creator| creator.id == by.id);
        match self.tournament.state {
            TournamentState::Finished | TournamentState::Cancelled => Err(Code::NotOpen),
            _ if is_operator => Ok(()),
            _ if !is_creator => Err(Code::NotYours),
            TournamentState::Open => Ok(()),
            TournamentState::Running => Err(Code::NotOpen),
        }
    }
}

/// Returns how many may enter.
fn most_entrants(format: TournamentFormat) -> i64 {
    match format {
        TournamentFormat::Arena => limits::ARENA_MAX_PLAYERS,
        TournamentFormat::Swiss => limits::SWISS_MAX_PLAYERS,
        TournamentFormat::RoundRobin => *limits::ROUND_ROBIN_PLAYERS.end(),
        TournamentFormat::Knockout => *limits::KNOCKOUT_PLAYERS.end(),
    }
}

/// Lets those entrants of a tournament that begins now leave who do not meet its conditions any more, and tells them.
pub(super) async fn drop_unqualified(tx: &mut Tx, stored: &StoredTournament) -> Result<(), Error> {
    let (id, game) = (stored.tournament.id, stored.tournament.setup.kind());
    let dropped = db::entrants::drop_unqualified(tx, id, game).await?;
    insert_tournament_notice(tx, id, TournamentNotice::Unqualified, &dropped).await
}

/// Tells the players of a tournament that too few have entered, and who has made it, that it does not take place.
pub(super) async fn tell_cancelled(tx: &mut Tx, stored: &StoredTournament) -> Result<(), Error> {
    let id = stored.tournament.id;
    let mut concerned = db::entrants::concerned(tx, id).await?;
    concerned.extend(stored.creator_id());
    let concerned: BTreeSet<_> = concerned.into_iter().collect();
    let concerned: Vec<_> = concerned.into_iter().collect();
    insert_tournament_notice(tx, id, TournamentNotice::Cancelled, &concerned).await
}

/// Gives a player who has entered a running Swiss the rounds before: half a point for the first, nothing for others.
async fn enter_late(tx: &mut Tx, stored: &StoredTournament, player: PlayerId) -> Result<(), Error> {
    let Some(rounds) = (stored.tournament.rounds.as_ref())
        .filter(|_| stored.tournament.state == TournamentState::Running)
    else {
        return Ok(());
    };
    let id = stored.tournament.id;
    let number = db::round_rows::number_late(tx, id, player).await?;
    for round in 1..=rounds.round {
        let kind = if round == 1 {
            ByeKind::Late
        } else {
            ByeKind::Absent
        };
        db::round_rows::insert_bye(tx, id, round.cast_signed(), number, kind).await?;
    }
    Ok(())
}
