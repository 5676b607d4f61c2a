//! Limits on concurrent players and matches, set by the operator.

use crate::db::{Db, Tx};
use crate::pairing::db;
use crate::settings::Settings;
use crate::{Error, presence};
use tochki_protocol::{Code, PlayerId};

/// The limits, each unlimited unless set.
#[derive(Clone)]
pub struct Capacity {
    db: Db,
    /// Players with a stream or a page open.
    players: Option<i64>,
    /// Running matches.
    matches: Option<i64>,
}

impl Capacity {
    pub(crate) fn open(db: Db, settings: &Settings) -> Self {
        let limit = |limit: Option<std::num::NonZeroU32>| limit.map(|limit| limit.get().into());
        Self {
            db,
            players: limit(settings.players_in_all),
            matches: limit(settings.matches_in_all),
        }
    }

    /// Returns whether one more player may come in. Present players may stay, and players may return to their match.
    ///
    /// # Errors
    /// `players_full`.
    pub async fn check_player(&self, player: Option<PlayerId>) -> Result<(), Error> {
        let Some(limit) = self.players else {
            return Ok(());
        };
        if presence::db::count_others(&self.db, player).await? < limit {
            Ok(())
        } else {
            Err(Code::PlayersFull.into())
        }
    }

    /// Returns whether one more match may start. The next one that asks waits until this transaction ends.
    ///
    /// # Errors
    /// `matches_full`.
    pub(crate) async fn check_match(&self, tx: &mut Tx) -> Result<(), Error> {
        let Some(limit) = self.matches else {
            return Ok(());
        };
        if db::count_running(tx).await? < limit {
            Ok(())
        } else {
            Err(Code::MatchesFull.into())
        }
    }
}
