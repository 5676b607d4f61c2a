//! Time zones of players, by which their nights are known.

pub mod db;

pub use db::AgreedGame;

use crate::Error;
use crate::db::Db;
use jiff::tz;
use tochki_play::Millis;
use tochki_protocol::{Account, Code, TimeZoneSetting};

/// The time zones as services of pages.
#[derive(Clone)]
pub struct TimeZones {
    db: Db,
}

impl TimeZones {
    pub(crate) const fn open(db: Db) -> Self {
        Self { db }
    }

    /// The time zone of this player, and all that there are.
    pub async fn setting(&self, player: &Account) -> Result<TimeZoneSetting, Error> {
        let stored = db::read(&self.db, player.id).await?;
        Ok(TimeZoneSetting {
            changeable_at: stored.as_ref().and_then(|stored| stored.changeable_at),
            zone: stored.map(|stored| stored.zone),
            zones: names(),
        })
    }

    /// Sets the time zone of this player, for the deadlines that are set afterwards.
    ///
    /// # Errors
    /// `bad_request` if there is no such zone, or `too_many_requests` if it was changed within
    /// [`TIME_ZONE_CHANGE_INTERVAL`](tochki_protocol::limits::TIME_ZONE_CHANGE_INTERVAL).
    pub async fn set(&self, player: &Account, zone: &str) -> Result<(), Error> {
        if !names().iter().any(|name| name == zone) {
            return Err(Code::BadRequest.into());
        }
        if db::change(&self.db, player.id, zone).await? {
            return Ok(());
        }
        let stored = db::read(&self.db, player.id).await?;
        match stored.filter(|stored| stored.zone != zone) {
            None => Ok(()),
            Some(stored) => {
                let at = stored.changeable_at.unwrap_or_default();
                let wait = (at - crate::now()).max(Millis::ZERO).0 / 1000 + 1;
                let wait = u32::try_from(wait).unwrap_or(u32::MAX);
                Err(Error::Limited(Code::TooManyRequests, wait))
            }
        }
    }

    /// Keeps the time zone of the browser of a player who begins a game or takes one, if it is by correspondence and none is known. The
    /// player may change it at once. Whatever is no zone is ignored.
    pub async fn adopt(
        &self,
        player: &Account,
        zone: &str,
        game: AgreedGame<'_>,
    ) -> Result<(), Error> {
        if matches!(game, AgreedGame::New(terms) if !terms.is_correspondence())
            || !names().iter().any(|name| name == zone)
        {
            return Ok(());
        }
        db::adopt(&self.db, player.id, zone, game).await
    }
}

/// Returns the names of all zones that are places.
fn names() -> Vec<String> {
    let places = tz::db().available().map(|name| name.to_string());
    let mut names: Vec<String> = places
        .filter(|name| name.contains('/') && !name.starts_with("Etc/"))
        .collect();
    names.push("UTC".to_owned());
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::TimeZone;

    #[test]
    fn every_name_is_a_zone() {
        let names = names();
        assert!(names.len() > 300, "{}", names.len());
        assert!(names.iter().all(|name| TimeZone::get(name).is_ok()));
        assert!(names.iter().any(|name| name == "Europe/Kyiv"));
    }
}
