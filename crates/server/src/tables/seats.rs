//! Who sits where: opening a table, sitting down, getting up, being ready.
//!
//! Each verb is one transaction. It locks the players it is about before the tables, as everything does that may start a
//! match; so of two who want the same chair one comes second, and nobody sits at two tables or begins two matches.

use super::super::db::tables::TableRow;
use super::super::db::{self, Tx, challenges, tables};
use super::super::names::TableName;
use super::Tables;
use crate::{About as _, Error};
use tochki_play::{Terms, draw_seats};
use tochki_protocol::{Account, Code, MatchId, PlayerId, Table, TableId, TableLink};

/// How often somebody may come in between before one gives up.
const TRIES: usize = 5;

impl Tables {
    /// Opens a table, at which its creator sits down. Without a name it is called after them.
    pub async fn lay(
        &self,
        player: &Account,
        name: &str,
        terms: &Terms,
        chance: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let done = async {
            let name = match name.trim() {
                "" => player.name.clone(),
                name => TableName::read(name)
                    .ok_or(Code::InvalidTableName)?
                    .as_str()
                    .to_owned(),
            };
            let mut tx = self.db.begin().await?;
            not_playing(&mut tx, player.id).await?;
            let open = tables::count(&mut tx, player.id).await?;
            let [per_player, in_all] = self.limits;
            if open.of_player >= per_player {
                return Err(Code::TooManyTables.into());
            }
            if open.in_all >= in_all {
                return Err(Code::TablesFull.into());
            }
            let link = TableLink::draw(chance);
            let id = tables::insert(&mut tx, player.id, &link, &name, terms).await?;
            tables::lock(&mut tx, id, player.id).await?;
            tables::get_up(&mut tx, &[player.id.0]).await?;
            tables::seat(&mut tx, id, player.id).await?;
            tx.commit().await?;
            self.told(id).await
        };
        done.await.about(player.id)
    }

    /// Sits down at a free chair. Whoever sits elsewhere gets up there, and what they have opened elsewhere is closed: its
    /// creator has left it.
    pub async fn sit(&self, player: &Account, id: TableId) -> Result<Table, Error> {
        let done = async {
            let mut tx = self.db.begin().await?;
            not_playing(&mut tx, player.id).await?;
            let laid = tables::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if !laid.seats(player.id) {
                if laid.sitting.len() >= 2 {
                    return Err(Code::TableFull.into());
                }
                tables::get_up(&mut tx, &[player.id.0]).await?;
                if laid.creator != player.id {
                    tables::close_all_of(&mut tx, &[player.id.0], None).await?;
                }
                tables::seat(&mut tx, id, player.id).await?;
            }
            tx.commit().await?;
            self.told(id).await
        };
        done.await.about(id)
    }

    /// Gets up. With its creator the table is closed.
    pub async fn stand_up(&self, player: &Account, id: TableId) -> Result<(), Error> {
        let done = async {
            let mut tx = self.db.begin().await?;
            challenges::lock_players(&mut tx, [player.id; 2]).await?;
            let laid = tables::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if laid.creator == player.id {
                tables::close(&mut tx, id, None).await?;
            } else if laid.seats(player.id) {
                tables::get_up(&mut tx, &[player.id.0]).await?;
            } else {
                return Err(Code::NotSeated.into());
            }
            tx.commit().await?;
            self.notifier.notify_all();
            Ok(())
        };
        done.await.about(id)
    }

    /// Lets somebody get up who does not get ready. Only the creator may, and gets up themself by [`Self::stand_up`].
    pub async fn remove(
        &self,
        player: &Account,
        id: TableId,
        other: PlayerId,
    ) -> Result<Table, Error> {
        let done = async {
            let mut tx = self.db.begin().await?;
            let ids = [player.id, other];
            challenges::lock_players(&mut tx, ids).await?;
            let laid = tables::lock(&mut tx, id, player.id)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if laid.creator != player.id {
                return Err(Code::NotYours.into());
            }
            if other == player.id || !laid.seats(other) {
                return Err(Code::NotSeated.into());
            }
            tables::get_up(&mut tx, &[other.0]).await?;
            tx.commit().await?;
            self.told(id).await
        };
        done.await.about(id)
    }

    /// Says whether this player is ready. With both ready the match begins, with the seats drawn by chance.
    pub async fn ready(
        &self,
        player: &Account,
        id: TableId,
        ready: bool,
        chance: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<Table, Error> {
        let done = async {
            let (mut tx, mut laid) = self.lock_everybody(id, player.id).await?;
            if !laid.seats(player.id) {
                return Err(Code::NotSeated.into());
            }
            tables::set_ready(&mut tx, id, player.id, ready).await?;
            laid.sitting
                .iter_mut()
                .filter(|(sits, _)| *sits == player.id)
                .for_each(|(_, is_ready)| *is_ready = ready);
            if let [(one, true), (other, true)] = laid.sitting[..] {
                begin(&mut tx, id, [one, other], &laid.terms, chance).await?;
            }
            tx.commit().await?;
            self.told(id).await
        };
        done.await.about(id)
    }

    /// Locks all who sit at a table, and then the table. Somebody may sit down in between: then it is all done again.
    async fn lock_everybody(&self, id: TableId, player: PlayerId) -> Result<(Tx, TableRow), Error> {
        for _ in 0..TRIES {
            let mut tx = self.db.begin().await?;
            let sitting = tables::sitting(&mut tx, id).await?;
            let other = sitting.iter().find(|(sits, _)| *sits != player);
            let both = [player, other.map_or(player, |(other, _)| *other)];
            challenges::lock_players(&mut tx, both).await?;
            let laid = tables::lock(&mut tx, id, player)
                .await?
                .ok_or(Code::NoSuchTable)?;
            if laid.sitting.iter().all(|(sits, _)| both.contains(sits)) {
                return Ok((tx, laid));
            }
            tx.rollback().await?;
        }
        Err(Code::Unavailable.into())
    }

    /// Tells everybody of a change, and gives what has come of it.
    async fn told(&self, id: TableId) -> Result<Table, Error> {
        let done = async {
            // A match that begins closes other tables, and challenges for other games.
            self.notifier.notify_all();
            let seen = tables::look(&self.db, &[id.0]).await?;
            let seen = seen.into_iter().next().ok_or(Code::NoSuchTable)?;
            Ok(seen.table)
        };
        done.await.about(id)
    }
}

async fn not_playing(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    challenges::lock_players(tx, [player; 2]).await?;
    if challenges::anyone_playing(tx, [player; 2]).await? {
        return Err(Code::AlreadyPlaying.into());
    }
    Ok(())
}

/// Starts the match of a table, which is closed by it.
async fn begin(
    tx: &mut Tx,
    id: TableId,
    players: [PlayerId; 2],
    terms: &Terms,
    chance: &mut impl FnMut() -> u64,
) -> Result<MatchId, Error> {
    let seats = draw_seats(players, chance);
    let match_id = db::start_match(tx, seats, terms).await?;
    tables::close(tx, id, Some(match_id)).await?;
    Ok(match_id)
}
