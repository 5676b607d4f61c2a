//! Sanctions that carry over: a sanction of a player also applies to new names from the same address.
//!
//! The addresses of a player are stored when they sign in, come as a guest, use a session after a while, and delete the
//! account. From such an address, until [`limits::SANCTION_CARRY_OVER`] after the sanction and after the player was last
//! seen there, new names are muted while the player is muted, and refused while the account is closed. Deleting the account
//! changes nothing in that. A name that only shares the address, and got the sanction so, hands it on to nobody.
//!
//! Addresses are kept for [`limits::ADDRESS_LIFETIME`].

use crate::Error;
use crate::accounts::db;
use crate::db::{Db, Tx};
use crate::settings::Settings;
use std::net::IpAddr;
use std::time::Duration;
use tochki_protocol::{Code, PlayerId, limits};

/// Sanctions of new names.
#[derive(Clone)]
pub struct Sanctions {
    db: Db,
    /// [`limits::SANCTION_CARRY_OVER`], unless the operator has set less.
    lasting: Duration,
}

impl Sanctions {
    pub(crate) fn open(db: Db, settings: &Settings) -> Self {
        let lasting = Duration::from_hours(settings.sanction_hours.into());
        Self {
            db,
            lasting: lasting.min(limits::SANCTION_CARRY_OVER),
        }
    }

    /// Returns whether this address may have a new account or guest.
    ///
    /// # Errors
    /// `address_closed`.
    pub(crate) async fn check_new_name(&self, address: IpAddr) -> Result<(), Error> {
        if db::sanctions::is_closed(&self.db, &address.to_string(), self.lasting).await? {
            return Err(Code::AddressClosed.into());
        }
        Ok(())
    }

    /// Notes the address of a new account or guest, and mutes it if the address says so, in the transaction that inserts it.
    pub(crate) async fn carry_over(
        &self,
        tx: &mut Tx,
        player: PlayerId,
        address: IpAddr,
    ) -> Result<(), Error> {
        let address = address.to_string();
        db::sanctions::note(&mut **tx, player, &address).await?;
        db::sanctions::carry_over(tx, player, &address, self.lasting).await
    }

    /// Records that a player was seen at an address.
    pub async fn note(&self, player: PlayerId, address: IpAddr) -> Result<(), Error> {
        db::sanctions::note(&self.db, player, &address.to_string()).await
    }
}
