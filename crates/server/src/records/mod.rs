//! Archive of all finished games, in the order in which they ended: for programs, and for the export.
//!
//! It is read page by page, each by a query of its own, so that a slow reader holds no connection of the pool. A game is
//! listed some seconds after its end: a transaction that ends one may be committed after another that began later, and
//! readers that have passed the later one must not miss it.

pub mod db;
pub mod verify;

use crate::db::Db;
use crate::matches::db::replayed_matches::ReplayedMatch;
use crate::matches::game_records::log_broken;
use crate::records::db::Cursor;
use crate::{Error, matches, stats};
use tochki_names::NameKey;
use tochki_protocol::{Code, HistoryFilter, MatchId, PlayerId};

/// Filter of the archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveFilter {
    player: Option<PlayerId>,
    /// From the side of the player.
    games: HistoryFilter,
}

impl ArchiveFilter {
    /// The games of the player of this name that match the filter, or of everybody.
    ///
    /// # Errors
    /// [`Code::NoSuchPlayer`]; [`Code::InvalidFilter`] where a result or an opponent is asked for, and no player.
    pub async fn read(db: &Db, player: Option<&str>, games: HistoryFilter) -> Result<Self, Error> {
        let player = match player.map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) => {
                let found = stats::db::profiles::by_name(db, NameKey::of(name).as_str()).await?;
                Some(found.ok_or(Code::NoSuchPlayer)?.id)
            }
            None if games.opponent.is_some() || games.outcome.is_some() => {
                return Err(Code::InvalidFilter.into());
            }
            None => None,
        };
        let key = |name: &String| NameKey::of(name).as_str().to_owned();
        Ok(Self {
            player,
            games: HistoryFilter {
                opponent: games.opponent.as_ref().map(key),
                ..games
            },
        })
    }
}

/// A reader of the archive.
#[derive(Clone)]
pub struct ArchiveReader {
    db: Db,
    filter: ArchiveFilter,
    from: Cursor,
}

impl ArchiveReader {
    /// Begins behind `after`, or with the first game.
    ///
    /// # Errors
    /// [`Code::NoSuchMatch`] if `after` is no finished game.
    pub async fn open(
        db: &Db,
        filter: ArchiveFilter,
        after: Option<MatchId>,
    ) -> Result<Self, Error> {
        let from = match after {
            Some(id) => db::behind(db, id).await?.ok_or(Code::NoSuchMatch)?,
            None => Cursor::start(),
        };
        Ok(Self {
            db: db.clone(),
            filter,
            from,
        })
    }

    /// The next games, at most so many. None are left when there are none.
    pub async fn next(&mut self, limit: u32) -> Result<Vec<ReplayedMatch>, Error> {
        let (db, games) = (&self.db, &self.filter.games);
        let page = match self.filter.player {
            Some(player) => db::page_of_player(db, player, games, &self.from, limit).await?,
            None => db::page(db, games.game, &self.from, limit).await?,
        };
        let ids: Vec<MatchId> = page.iter().map(Cursor::game).collect();
        let found = matches::db::replayed_matches::read(db, &ids).await?;
        log_broken(&found);
        if let Some(last) = page.into_iter().next_back() {
            self.from = last;
        }
        Ok(found)
    }
}
