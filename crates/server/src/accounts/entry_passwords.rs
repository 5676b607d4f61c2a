//! Passwords of tournaments, which are hashed and guessed like those of accounts, and may be as short as the creator likes.

use super::Accounts;
use crate::Error;
use crate::detached::run_detached;
use crate::secrets::TypedPassword;
use std::net::IpAddr;
use tochki_protocol::PlayerId;

impl Accounts {
    /// The hash of the password of a tournament.
    pub(crate) async fn hash_entry_password(&self, password: &str) -> Result<String, Error> {
        let typed = TypedPassword::of(password);
        self.hashing.hash(typed.normal).await
    }

    /// Verifies the password of a tournament. Wrong ones are counted by the player and the address.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub(crate) async fn verify_entry_password(
        &self,
        player: PlayerId,
        address: IpAddr,
        password: &str,
        hash: String,
    ) -> Result<bool, Error> {
        let (accounts, typed) = (self.clone(), TypedPassword::of(password));
        // It runs to its end, as with signing in.
        run_detached(async move {
            let attempt = accounts.attempts.enter(player, address).await?;
            let right = accounts.hashing.verify(typed.normal, Some(hash)).await?;
            if right {
                accounts.attempts.refund(attempt).await?;
            }
            Ok(right)
        })
        .await
    }
}
