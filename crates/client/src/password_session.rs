//! Setting up a bot account: a session that registers an account and creates its tokens.

use crate::client::{Client, Credentials, Repeat};
use crate::error::Error;
use tochki_protocol::{Account, NewToken, Scope, TokenEnd};

/// A player who is signed in with a password. A session makes the calls that tokens cannot; a [`Client`] makes all others.
#[derive(Clone, Debug)]
pub struct PasswordSession {
    client: Client,
    account: Account,
}

impl PasswordSession {
    /// Registers an account. The call is sent once: if the answer is lost, [`Self::sign_in`] shows whether the account exists.
    ///
    /// # Errors
    /// `invalid_name`, `invalid_password`, `name_taken`, `too_many_attempts`, `address_closed`, `players_full`.
    pub async fn register(visitor: &Client, name: &str, password: &str) -> Result<Self, Error> {
        Self::open(visitor, "/api/register", name, password).await
    }

    /// Opens a session of an existing account.
    ///
    /// # Errors
    /// `bad_credentials`, `too_many_attempts`, `account_closed`.
    pub async fn sign_in(visitor: &Client, name: &str, password: &str) -> Result<Self, Error> {
        Self::open(visitor, "/api/login", name, password).await
    }

    async fn open(visitor: &Client, path: &str, name: &str, password: &str) -> Result<Self, Error> {
        let form = [("name", name.to_owned()), ("password", password.to_owned())];
        let (account, cookie) = visitor.post_for_session(path, &form).await?;
        let client = visitor.with_credentials(Credentials::PasswordSession(cookie));
        Ok(Self { client, account })
    }

    /// Returns the account of the session.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Makes the account a bot account, for good.
    ///
    /// # Errors
    /// `cannot_become_bot` if it has played or is an operator's, `wrong_password`, `too_many_attempts`.
    pub async fn become_bot(&self, password: &str) -> Result<(), Error> {
        let form = [("password", password.to_owned())];
        let path = "/api/become_bot";
        self.client.post(path, &form, Repeat::Always).await
    }

    /// Creates a token, which is shown only once. The call is sent once: a lost answer leaves an unknown token behind.
    ///
    /// # Errors
    /// `wrong_password`, `too_many_tokens`, `too_many_attempts`, `bad_request` for an invalid name.
    pub async fn create_token(
        &self,
        name: &str,
        scopes: &[Scope],
        end: TokenEnd,
        password: &str,
    ) -> Result<NewToken, Error> {
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        let end =
            serde_json::to_value(end).map_err(|error| Error::Unreadable(error.to_string()))?;
        let form = [
            ("name", name.to_owned()),
            ("scopes", scopes.join(",")),
            ("end", end.as_str().unwrap_or_default().to_owned()),
            ("password", password.to_owned()),
        ];
        let path = "/api/create_token";
        self.client.post(path, &form, Repeat::IfNotSent).await
    }

    /// Returns a client of the same server that acts by a token.
    #[must_use]
    pub fn client(&self, token: &NewToken) -> Client {
        self.client.with_token(&token.token)
    }
}
