//! The callers of server functions, and of other handlers (`extract`). A function that takes a [`Player`] is for players only, a
//! function that takes an `Option<Player>` for everybody: the signature is the permission.

use super::{Credentials, answer, app, hide_page, parts, player, session, set_status, token};
use crate::endpoint::CallerKind;
use crate::error::ErrorResponse;
use std::future::Future;
use std::ops::Deref;
use tochki_protocol::{Account, Code, PlayerId};
use tochki_server::secrets::SessionToken;
use tochki_server::{AppState, Error, WithSubject as _};

pub use tochki_server::moderation::Operator;

/// The caller of a server function, found by the credentials of the request.
pub trait Caller: Send + Sized {
    /// The kind of the callers.
    const KIND: CallerKind;

    /// Returns the caller, or the reason why there is none.
    fn identify() -> impl Future<Output = Result<Self, Error>> + Send;

    /// Returns the player whom a failure is about that names no subject of its own.
    fn id(&self) -> Option<PlayerId>;
}

/// A signed-in player. Everybody else is refused with `signed_out`.
#[derive(Clone)]
pub struct Player(pub Account);

/// A signed-in player with the token of the session. Programs with a token of their own have none, and are refused.
pub struct SessionPlayer {
    /// The player.
    pub account: Account,
    /// The token.
    pub token: SessionToken,
}

/// A signed-in player, for frequent calls: a session that was read a moment ago is not read again.
pub struct RecentPlayer(());

impl RecentPlayer {
    /// Runs the work that the player asks for. Everybody but players is refused with `signed_out`.
    pub async fn act<T: Send, F: Future<Output = Result<T, Error>> + Send>(
        self,
        work: impl FnOnce(Player) -> F + Send,
    ) -> Result<T, Error> {
        let (app, parts) = (app()?, parts()?);
        let secure = app.settings.secure();
        let recent = match Credentials::of(&parts.headers, &parts.extensions, secure) {
            Some(Credentials::Session(token)) => app.accounts.recent_session(&token),
            Some(Credentials::Token(_)) | None => None,
        };
        let is_recent = recent.is_some();
        let account = match recent {
            Some(session) => session.account,
            None => player().await?,
        };
        let id = account.id;
        let done = work(Player(account)).await.with_subject(id);
        if is_recent && done.is_err() {
            // The account may have been closed a moment ago, and then nothing else is to be told.
            player().await?;
        }
        done
    }
}

impl Caller for () {
    const KIND: CallerKind = CallerKind::Visitor;

    async fn identify() -> Result<Self, Error> {
        Ok(())
    }

    fn id(&self) -> Option<PlayerId> {
        None
    }
}

impl Caller for Option<Player> {
    const KIND: CallerKind = CallerKind::Visitor;

    async fn identify() -> Result<Self, Error> {
        Ok(session().await?.map(|session| Player(session.account)))
    }

    fn id(&self) -> Option<PlayerId> {
        self.as_ref().map(|player| player.id)
    }
}

impl Caller for Player {
    const KIND: CallerKind = CallerKind::Player;

    async fn identify() -> Result<Self, Error> {
        player().await.map(Self)
    }

    fn id(&self) -> Option<PlayerId> {
        Some(self.0.id)
    }
}

impl Caller for RecentPlayer {
    const KIND: CallerKind = CallerKind::Player;

    async fn identify() -> Result<Self, Error> {
        Ok(Self(()))
    }

    fn id(&self) -> Option<PlayerId> {
        None
    }
}

impl Caller for SessionPlayer {
    const KIND: CallerKind = CallerKind::SessionPlayer;

    async fn identify() -> Result<Self, Error> {
        let account = player().await?;
        let token = token()?.ok_or(Code::SignedOut)?;
        Ok(Self { account, token })
    }

    fn id(&self) -> Option<PlayerId> {
        Some(self.account.id)
    }
}

impl Caller for Operator {
    const KIND: CallerKind = CallerKind::Operator;

    async fn identify() -> Result<Self, Error> {
        let account = player().await?;
        app()?.operators.identify(account).await
    }

    fn id(&self) -> Option<PlayerId> {
        Some(self.deref().id)
    }
}

impl Deref for SessionPlayer {
    type Target = Account;

    fn deref(&self) -> &Account {
        &self.account
    }
}

impl Deref for Player {
    type Target = Account;

    fn deref(&self) -> &Account {
        &self.0
    }
}

/// The status of the page that has called a server function, after an error.
#[derive(Clone, Copy)]
pub enum PageStatus {
    /// The status of any other page.
    Unchanged,
    /// The status of the error: the page is about the thing that the function reads.
    OfError,
    /// The status of the error, and for visitors who may not call the function the page does not exist.
    Hidden,
}

/// Answers a request by the body of a server function, once its caller is known.
pub fn call<C: Caller, T: Send, F: Future<Output = Result<T, Error>> + Send>(
    page: PageStatus,
    work: impl FnOnce(AppState, C) -> F + Send,
) -> impl Future<Output = Result<T, ErrorResponse>> + Send {
    answer(async move {
        let done = async {
            let caller = C::identify().await?;
            let id = caller.id();
            let done = work(app()?, caller).await;
            match id {
                Some(id) => done.with_subject(id),
                None => done,
            }
        };
        done.await.inspect_err(|error| match page {
            PageStatus::Unchanged => {}
            PageStatus::OfError => set_status(error),
            PageStatus::Hidden => hide_page(error),
        })
    })
}
