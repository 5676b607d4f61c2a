//! Making and entering tournaments with a password, which `accounts` hashes and verifies.

use crate::app_state::AppState;
use crate::attempts::client_address::ClientAddress;
use crate::error::{Error, WithSubject as _};
use crate::tournaments::NewTournament;
use tochki_protocol::{Account, Code, Tournament, TournamentId, limits};

impl AppState {
    /// Makes a tournament, with a password if one is given.
    ///
    /// # Errors
    /// Those of [`crate::tournaments::Tournaments::create`].
    pub async fn create_tournament(
        &self,
        creator: &Account,
        client: &ClientAddress,
        mut new: NewTournament,
        password: &str,
    ) -> Result<Tournament, Error> {
        let is_operator = self.operators.is(creator).await?;
        if !password.is_empty() {
            if password.chars().count() > limits::PASSWORD_MAX_CHARS {
                return Err(Code::InvalidTournament.into());
            }
            let checked = (self.tournaments).check_new(creator, is_operator, client, new.clone());
            checked.await?;
            new.entry.password = true;
            new.password_hash = Some(self.accounts.hash_entry_password(password).await?);
        }
        let made = self.tournaments.create(creator, is_operator, client, new);
        self.tournaments.get(made.await?).await
    }

    /// Enters a tournament, or comes back from a pause, for which no password is asked.
    ///
    /// # Errors
    /// Those of [`crate::tournaments::Tournaments::join`], and `too_many_attempts` for the password.
    pub async fn join_tournament(
        &self,
        player: &Account,
        client: &ClientAddress,
        id: TournamentId,
        password: &str,
    ) -> Result<(), Error> {
        let done = async {
            let hash = self.tournaments.password_hash(id, player.id).await?;
            if let Some(hash) = &hash {
                let verified = self.accounts.verify_entry_password(
                    player.id,
                    client.address,
                    password,
                    hash.clone(),
                );
                if !verified.await? {
                    return Err(Code::WrongPassword.into());
                }
            }
            self.tournaments
                .join(player, client, id, hash.as_deref())
                .await
        };
        done.await.with_subject(id)
    }
}
