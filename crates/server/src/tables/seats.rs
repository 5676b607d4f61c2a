//! Seats of tables: opening a table, sitting down, standing up, being ready.
//!
//! Each operation is one transaction. It locks its players before the tables, as everything does that may start a match. So of
//! two who want the same seat one comes second, and nobody sits at two tables or starts two matches.

use super::Tables;
use crate::accounts::ClientAddress;
use crate::bus::channel::ChatChannel;
use crate::db::Tx;
use crate::tables::db;
use crate::tables::db::{TableRow, UnbegunGames};
use crate::{Error, LogFailure as _, WithSubject as _, chat, pairing, vacations};
use tochki_names::TableName;
use tochki_play::{Terms, draw_seats};
use tochki_protocol::{
    Account, Code, MatchId, PlayerId, RatingBounds, Table, TableId, TableLink, limits,
};

impl Tables {
    /// Creates a table at which the creator sits. Without a name it has the name of the creator.
    ///
    /// # Errors
    /// `invalid_table_name`, `already_playing`, `on_vacation`, `muted`, `too_many_tables`, `tables_full`, or `too_many_requests`;
    /// `unbegun_games` by correspondence.
    pub async fn create(
        &self,
        player: &Account,
        client: &ClientAddress,
        name: &str,
        terms: &Terms,
        ratings: RatingBounds,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let done = async {
            let name = match name.trim() {
                "" => player.name.clone(),
                name => TableName::read(name)
                    .ok_or(Code::InvalidTableName)?
                    .as_str()
                    .to_owned(),
            };
            let counted = self.attempts.open_table(player.id, client.address);
            let counted = counted.await?;
            match self
                .insert(player, client, name, terms, ratings, random)
                .await
            {
                Ok(id) => self.publish(id).await,
                Err(refused) => {
                    self.attempts.refund(counted).await?;
                    Err(refused)
                }
            }
        };
        done.await.with_subject(player.id)
    }

    /// Inserts a table whose creator sits at it.
    async fn insert(
        &self,
        player: &Account,
        client: &ClientAddress,
        name: String,
        terms: &Terms,
        ratings: RatingBounds,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<TableId, Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        let correspondence = terms.is_correspondence();
        if correspondence {
            pairing::db::players::lock_players(&mut tx, [player.id; 2]).await?;
            if terms.rated && player.guest {
                return Err(Code::GuestsUnrated.into());
            }
        } else {
            not_playing(&mut tx, player.id).await?;
        }
        if vacations::db::is_any_on(&mut tx, [player.id; 2]).await? {
            return Err(Code::OnVacation.into());
        }
        // A name of its own is something that is said.
        if name != player.name && chat::db::lock_author(&mut tx, player.id).await? {
            return Err(Code::Muted.into());
        }
        let address = client.address.to_string();
        if correspondence && player.guest {
            let unbegun = db::count_unbegun(&mut tx, player.id, &address).await?;
            check_unbegun(&unbegun)?;
        }
        let open = db::count(&mut tx, player.id, &address).await?;
        if correspondence {
            let most = if player.guest {
                limits::SEEKS_PER_GUEST
            } else {
                limits::SEEKS_PER_PLAYER
            };
            if open.seeks >= most {
                return Err(Code::TooManyTables.into());
            }
            if open.seeks_of_address >= self.max_open.by_address {
                return Err(Code::TablesFull.into());
            }
            let link = TableLink::generate(random);
            let id = db::insert(&mut tx, player.id, &address, &link, &name, terms, ratings).await?;
            tx.commit().await?;
            return Ok(id);
        }
        if open.of_player >= self.max_open.per_player {
            return Err(Code::TooManyTables.into());
        }
        if open.of_address >= self.max_open.by_address || open.total >= self.max_open.in_all {
            return Err(Code::TablesFull.into());
        }
        let link = TableLink::generate(random);
        let any = RatingBounds::default();
        let id = db::insert(&mut tx, player.id, &address, &link, &name, terms, any).await?;
        db::lock(&mut tx, id, player.id).await?;
        pairing::db::leaving::leave_seats(&mut tx, &[player.id.0]).await?;
        db::take_seat(&mut tx, id, player.id).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Takes a free seat. A seat at another table is left, and another table of the player is closed. Who is `ready` at once, as by
    /// an invitation, leaves it to the other player when the match starts.
    ///
    /// # Errors
    /// `no_such_table` (also for a table that is not listed, without its `link`, and for whom a player there has muted),
    /// `removed`, `table_full`, `already_playing`, or `too_many_requests`; at a table by correspondence, whose match starts at once,
    /// `not_accepted`, `too_many_games`, `unbegun_games`, `terms_changed` or `aborted_lately`.
    pub async fn sit(
        &self,
        player: &Account,
        client: &ClientAddress,
        id: TableId,
        link: Option<&str>,
        ready: bool,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            if let Some(creator) = db::seek_creator(&mut tx, id).await? {
                self.accept_seek(&mut tx, player, client, id, creator, random)
                    .await?;
                tx.commit().await?;
                self.notifier.notify_causes();
                return self.publish(id).await;
            }
            not_playing(&mut tx, player.id).await?;
            let row = db::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if !row.is_seated(player.id) {
                let invited = link == Some(row.link.as_str()) || row.creator == player.id;
                if !row.listed && !invited {
                    return Err(Code::NoSuchTable.into());
                }
                // The same answer as for a table that is not there, so that a mute is not told.
                if db::is_muted_at(&mut tx, id, player.id).await? {
                    return Err(Code::NoSuchTable.into());
                }
                if db::is_banned(&mut tx, id, player.id).await? {
                    return Err(Code::Removed.into());
                }
                if row.seats.len() >= 2 {
                    return Err(Code::TableFull.into());
                }
                self.attempts.sit_down(&mut tx, player.id).await?;
                pairing::db::leaving::leave_seats(&mut tx, &[player.id.0]).await?;
                if row.creator != player.id {
                    pairing::db::leaving::close_live_of(&mut tx, &[player.id.0]).await?;
                }
                db::take_seat(&mut tx, id, player.id).await?;
                if ready {
                    db::set_ready_at_once(&mut tx, id, player.id).await?;
                }
            }
            tx.commit().await?;
            self.publish(id).await
        };
        done.await.with_subject(id)
    }

    /// Starts the match of a table by correspondence with a player who sits down at it. The creator does not have to be there.
    async fn accept_seek(
        &self,
        tx: &mut Tx,
        player: &Account,
        client: &ClientAddress,
        id: TableId,
        creator: PlayerId,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<MatchId, Error> {
        pairing::db::players::lock_players(tx, [player.id, creator]).await?;
        let address = client.address.to_string();
        let unbegun = if player.guest {
            Some(db::count_unbegun(tx, player.id, &address).await?)
        } else {
            None
        };
        let row = db::lock(tx, id, player.id)
            .await?
            .ok_or(Code::NoSuchTable)?;
        if player.id == creator {
            return Err(Code::SelfChallenge.into());
        }
        // The same answer as for a table that is not there, so that a mute is not told.
        if db::is_muted_at(tx, id, player.id).await? {
            return Err(Code::NoSuchTable.into());
        }
        if db::is_banned(tx, id, player.id).await? {
            return Err(Code::Removed.into());
        }
        if player.guest && !pairing::db::players::takes_guests(tx, creator).await? {
            return Err(Code::NotAccepted.into());
        }
        let rating = db::correspondence_rating(tx, player.id, row.terms.setup.kind()).await?;
        if !row.ratings.contain(rating.map(f64::from)) {
            return Err(Code::NotAccepted.into());
        }
        if row.terms.rated && player.guest {
            return Err(Code::GuestsUnrated.into());
        }
        if let Some(unbegun) = unbegun {
            check_unbegun(&unbegun)?;
            db::set_accepted_address(tx, id, &address).await?;
        }
        self.attempts.sit_down(tx, player.id).await?;
        begin(tx, id, [creator, player.id], &row.terms, random).await
    }

    /// Plays a game by correspondence with the first player within these bounds who has opened a table for the same terms, else opens one
    /// with the bounds.
    ///
    /// # Errors
    /// Those of [`Self::create`].
    pub async fn seek(
        &self,
        player: &Account,
        client: &ClientAddress,
        terms: &Terms,
        ratings: RatingBounds,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        let seeks = db::matching_seeks(&mut tx, player.id, terms, ratings).await?;
        tx.rollback().await?;
        for id in seeks {
            match self.sit(player, client, id, None, true, random).await {
                Err(error) if error.failure().is_none() && error.code() != Code::TooManyGames => {}
                done => return done,
            }
        }
        self.create(player, client, "", terms, ratings, random)
            .await
    }

    /// Leaves the seat. When the creator leaves, the table is closed.
    ///
    /// # Errors
    /// `no_such_table`, or `not_seated`.
    pub async fn stand_up(&self, player: &Account, id: TableId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            pairing::db::players::lock_players(&mut tx, [player.id; 2]).await?;
            let row = db::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if row.creator == player.id {
                db::close(&mut tx, id, None).await?;
            } else if row.is_seated(player.id) {
                pairing::db::leaving::leave_seats(&mut tx, &[player.id.0]).await?;
            } else {
                return Err(Code::NotSeated.into());
            }
            tx.commit().await?;
            self.notifier.notify_rooms();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Frees the seat of another player, who cannot sit down here again. Only the creator may.
    ///
    /// # Errors
    /// `no_such_table`, `not_yours`, or `not_seated`.
    pub async fn remove(
        &self,
        player: &Account,
        id: TableId,
        other: PlayerId,
    ) -> Result<Table, Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let ids = [player.id, other];
            pairing::db::players::lock_players(&mut tx, ids).await?;
            let row = db::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if row.creator != player.id {
                return Err(Code::NotYours.into());
            }
            if other == player.id || !row.is_seated(other) {
                return Err(Code::NotSeated.into());
            }
            pairing::db::leaving::leave_seats(&mut tx, &[other.0]).await?;
            db::ban(&mut tx, id, other).await?;
            tx.commit().await?;
            self.publish(id).await
        };
        done.await.with_subject(id)
    }

    /// Sets whether this player is ready. When both are, the match starts with random seats.
    ///
    /// A player is ready for what is agreed now (`table_agreement`): under other terms, or with a player under another name,
    /// the readiness is over. `agreement` is the one that the player has seen, if that is known.
    ///
    /// # Errors
    /// `no_such_table`, `not_seated`, `terms_changed`, `matches_full`, or `aborted_lately`.
    pub async fn ready(
        &self,
        player: &Account,
        id: TableId,
        ready: bool,
        agreement: Option<&str>,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let done = async {
            let (mut tx, mut row) = self.lock_everybody(id, player.id).await?;
            if !row.is_seated(player.id) {
                return Err(Code::NotSeated.into());
            }
            if ready && agreement.is_some_and(|seen| seen != row.agreement) {
                return Err(Code::TermsChanged.into());
            }
            let agreed = ready.then_some(&*row.agreement);
            db::set_ready(&mut tx, id, player.id, agreed).await?;
            row.seats
                .iter_mut()
                .filter(|(seated, _)| *seated == player.id)
                .for_each(|(_, is_ready)| *is_ready = ready);
            let mut played = None;
            if let [(one, true), (other, true)] = row.seats[..] {
                self.capacity.check_match(&mut tx).await?;
                begin(&mut tx, id, [one, other], &row.terms, random).await?;
                let opened_at = db::address(&mut tx, id).await?;
                let opened_at = opened_at.and_then(|address| address.parse().ok());
                let sat_down = [one, other].into_iter().find(|one| *one != row.creator);
                played = Some((row.creator, opened_at, sat_down));
            }
            tx.commit().await?;
            if let Some((creator, opened_at, sat_down)) = played {
                let refunded = self.attempts.table_played(creator, opened_at, sat_down);
                // The match has started all the same.
                refunded
                    .await
                    .log_failure("taking back what a table has counted");
            }
            self.publish(id).await
        };
        done.await.with_subject(id)
    }

    /// Locks the seated players, and then the table. If the seats change in between, it starts again.
    async fn lock_everybody(&self, id: TableId, player: PlayerId) -> Result<(Tx, TableRow), Error> {
        for _ in 0..limits::TABLE_LOCK_MAX_ATTEMPTS {
            let mut tx = crate::db::begin(&self.db).await?;
            let seats = db::seats(&mut tx, id).await?;
            let other = seats.iter().find(|(seated, _)| *seated != player);
            let both = [player, other.map_or(player, |(other, _)| *other)];
            pairing::db::players::lock_players(&mut tx, both).await?;
            let row = db::lock(&mut tx, id, player)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if row.seats.iter().all(|(seated, _)| both.contains(seated)) {
                return Ok((tx, row));
            }
            tx.rollback().await?;
        }
        Err(Code::Unavailable.into())
    }

    /// Notifies all readers of a change, and returns the table after it.
    async fn publish(&self, id: TableId) -> Result<Table, Error> {
        let done = async {
            // A match that starts also closes other tables, and challenges for other games.
            self.notifier.notify_rooms();
            let state = db::by_ids(&self.db, &[id.0]).await?;
            let state = state.into_iter().next().ok_or(Code::NoSuchTable)?;
            Ok(state.table)
        };
        done.await.with_subject(id)
    }
}

/// Returns whether a guest may begin one more game by correspondence. Whoever sits down and never moves keeps a table busy for days.
///
/// # Errors
/// `unbegun_games`.
fn check_unbegun(unbegun: &UnbegunGames) -> Result<(), Error> {
    let too_many = unbegun.of_player >= limits::UNBEGUN_GAMES_PER_GUEST
        || unbegun.of_address >= limits::UNBEGUN_GAMES_BY_ADDRESS;
    if too_many {
        return Err(Code::UnbegunGames.into());
    }
    Ok(())
}

async fn not_playing(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    pairing::db::players::lock_players(tx, [player; 2]).await?;
    if pairing::db::players::anyone_playing(tx, [player; 2]).await? {
        return Err(Code::AlreadyPlaying.into());
    }
    Ok(())
}

/// Starts the match of a table, which closes the table. What its players have said to each other stays with them.
async fn begin(
    tx: &mut Tx,
    id: TableId,
    players: [PlayerId; 2],
    terms: &Terms,
    random: &mut impl FnMut() -> u64,
) -> Result<MatchId, Error> {
    let seats = draw_seats(players, random);
    let match_id = pairing::db::start_match(tx, seats, terms).await?;
    chat::db::move_to_match(tx, ChatChannel::of_table(id, players), match_id).await?;
    db::close(tx, id, Some(match_id)).await?;
    Ok(match_id)
}
