//! The accounts of the house bots, one for each game and level, and the lease of the instance that runs them.
//!
//! They are players like any other, but without a password, and with reserved names. The code that plays for them is the
//! crate `tochki-house-bots`.

use crate::app_state::AppState;
use crate::bots::{db, ratings};
use crate::matches;

use crate::error::Error;
use crate::names::db::NameRow;
use tochki_names::Name;
use tochki_protocol::{Account, MatchId, PlayerId, house_bot_name, limits};
use tochki_rules::GameKind;

/// A house bot.
#[derive(Clone, Debug)]
pub struct HouseBotAccount {
    /// Its account.
    pub account: Account,
    /// Its game.
    pub game: GameKind,
    /// Its level, 1 to 8.
    pub level: u8,
}

impl AppState {
    /// The house bots that no operator has closed. Those that are missing are added, and get their ratings.
    ///
    /// # Errors
    /// When they cannot be read or written.
    pub async fn house_bots(&self) -> Result<Vec<HouseBotAccount>, Error> {
        let stored = db::house_bots::all(&self.db).await?;
        let mut all = Vec::new();
        for &game in GameKind::ALL {
            for level in limits::LEVELS {
                let known = |bot: &&db::house_bots::StoredHouseBot| {
                    bot.game == game.id() && bot.level == i16::from(level)
                };
                let account = match stored.iter().find(known) {
                    Some(bot) if bot.closed => None,
                    Some(bot) => Some(bot.account.clone()),
                    None => self.add_house_bot(game, level).await?,
                };
                all.extend(account.map(|account| HouseBotAccount {
                    account,
                    game,
                    level,
                }));
            }
        }
        self.rate_house_bots().await?;
        Ok(all)
    }

    /// Fits the ratings of the house bots of the games for which that is due.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rate_house_bots(&self) -> Result<(), Error> {
        ratings::fit_due(&self.db).await
    }

    async fn add_house_bot(&self, game: GameKind, level: u8) -> Result<Option<Account>, Error> {
        let name = Name::of_house(&house_bot_name(game, level));
        let mut tx = crate::db::begin(&self.db).await?;
        let added = db::house_bots::insert(&mut tx, &NameRow::of(&name), game, level).await?;
        tx.commit().await?;
        if added.is_none() {
            tracing::warn!(name = name.as_str(), "house bot name is taken");
        }
        Ok(added)
    }

    /// Takes or renews the lease for running the house bots, for [`limits::HOUSE_BOT_LEASE`]. False while another
    /// holder has it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lease_house_bots(&self, holder: &str) -> Result<bool, Error> {
        db::house_bots::take_lease(&self.db, holder, limits::HOUSE_BOT_LEASE).await
    }

    /// Releases the lease.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_house_bots(&self, holder: &str) -> Result<(), Error> {
        db::house_bots::release_lease(&self.db, holder).await
    }

    /// The match that a player is in.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn running_match(&self, player: PlayerId) -> Result<Option<MatchId>, Error> {
        let running = matches::db::running_match(&self.db, player).await?;
        Ok(running.map(|own| own.match_id))
    }
}
