//! What a player does with the own account: another password, an end to sessions, an end to all of it.

use super::Arena;
use super::accounts::{Accounts, Visit};
use super::db::{self, membership};
use super::names::NameKey;
use super::secrets::{Password, SessionToken};
use crate::Error;
use tochki_play::Command;
use tochki_protocol::{Account, Code, MatchId, PlayerId, SessionSummary};

impl Accounts {
    /// Gives the account another password, and ends its other sessions with their streams.
    pub async fn change_password(
        &self,
        visit: &Visit,
        player: &Account,
        token: &SessionToken,
        old: &str,
        new: &str,
    ) -> Result<(), Error> {
        let new = Password::read(new).ok_or(Code::InvalidPassword)?;
        self.prove(visit, player, old).await?;
        let hash = self.hash(new).await?;
        let digest = token.digest();
        self.end_streams(&membership::change_password(&self.db, player.id, &hash, &digest).await?);
        Ok(())
    }

    /// Whether the password is this player's; tries are counted like those of signing in.
    async fn prove(&self, visit: &Visit, player: &Account, password: &str) -> Result<(), Error> {
        self.count_attempt(visit, &NameKey::of(&player.name))?;
        let hash = membership::password_of(&self.db, player.id).await?;
        if self.verify(Password::tried(password), hash).await? {
            Ok(())
        } else {
            Err(Code::WrongPassword.into())
        }
    }

    /// The open sessions of this player.
    pub async fn sessions_of(
        &self,
        player: &Account,
        token: &SessionToken,
    ) -> Result<Vec<SessionSummary>, Error> {
        membership::sessions(&self.db, player.id, &token.digest()).await
    }

    /// Ends one session of this player, or without an id all but the one that asks.
    pub async fn end_sessions(
        &self,
        player: &Account,
        token: &SessionToken,
        id: Option<i64>,
    ) -> Result<(), Error> {
        let ended = membership::end_sessions(&self.db, player.id, id, &token.digest()).await?;
        if ended.is_empty() && id.is_some() {
            return Err(Code::NoSuchSession.into());
        }
        self.end_streams(&ended);
        Ok(())
    }

    /// Ends the streams of sessions that are no more. Other instances notice by themselves.
    pub(super) fn end_streams(&self, digests: &[Vec<u8>]) {
        for digest in digests {
            self.sessions.end(digest);
        }
    }
}

impl Arena {
    /// Deletes the account: the running match is resigned, what was played stays under a name that is nobody's. A guest
    /// has no password to prove it with.
    pub async fn delete_account(
        &self,
        visit: &Visit,
        player: &Account,
        password: &str,
    ) -> Result<(), Error> {
        if !player.guest {
            self.accounts.prove(visit, player, password).await?;
        }
        let player = player.id;
        let ended = loop {
            let mut tx = self.db.begin().await?;
            // Whatever starts a match takes this lock, too.
            db::challenges::lock_players(&mut tx, [player, player]).await?;
            let Some(id) = membership::playing(&mut tx, player).await? else {
                let ended = membership::delete(&mut tx, &[player.0]).await?;
                tx.commit().await?;
                break ended;
            };
            tx.rollback().await?;
            self.resign_for(player, id).await?;
        };
        self.accounts.end_streams(&ended);
        self.lobbies.look_again();
        Ok(())
    }

    /// Resigns for whoever goes. That the match has ended by itself meanwhile is as good.
    async fn resign_for(&self, player: PlayerId, id: MatchId) -> Result<(), Error> {
        let table = self.matches.table(id).await?;
        let seat = table.seat_of(player).ok_or(Code::NotAPlayer)?;
        match table.command(Command::Resign { seat }).await {
            Err(error) if error.code() != Code::Finished => Err(error),
            _ => Ok(()),
        }
    }
}
