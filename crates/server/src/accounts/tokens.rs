//! API tokens: programs send one in place of a session cookie.
//!
//! A token is made with the password and ends with it: like sessions, all tokens end when the password is changed or
//! recovered, when the account is closed and when it is deleted. Triggers in the database see to that; their streams end
//! when the sessions are polled next.

use super::{Accounts, StreamCaller};
use crate::Error;
use crate::accounts::db;
use crate::accounts::db::tokens::TokenSession;
use crate::bus::topic::Credential;
use crate::secrets::{ApiToken, SessionToken};
use tochki_protocol::{Account, ApiError, Code, NewToken, Scope, TokenEnd, TokenSummary, limits};

impl TokenSession {
    /// Returns whether the token has this scope.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

impl Accounts {
    /// Makes a token, which is never shown again.
    ///
    /// # Errors
    /// `bad_request` for a name or scopes that cannot be read, `wrong_password`, also for a guest, `too_many_attempts`, or
    /// `too_many_tokens`.
    pub async fn create_token(
        &self,
        player: &Account,
        session: &SessionToken,
        password: &str,
        name: &str,
        scopes: &str,
        end: TokenEnd,
    ) -> Result<NewToken, Error> {
        let name = read_name(name)?;
        let scopes = Scope::parse_list(scopes).ok_or(Code::BadRequest)?;
        self.verify_password_of(player, session, password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        if db::tokens::count_locked(&mut tx, player.id).await? >= limits::TOKENS_PER_PLAYER {
            return Err(Code::TooManyTokens.into());
        }
        let token = ApiToken::generate();
        let lifetime = match end {
            TokenEnd::Month => Some(limits::TOKEN_MONTH),
            TokenEnd::Year => Some(limits::TOKEN_YEAR),
            TokenEnd::Never => None,
        };
        let digest = token.digest();
        let id = db::tokens::insert(&mut tx, player.id, &digest, &name, &scopes, lifetime).await?;
        tx.commit().await?;
        Ok(NewToken {
            id,
            token: token.expose().to_owned(),
        })
    }

    /// The tokens of this player.
    pub async fn tokens_of(&self, player: &Account) -> Result<Vec<TokenSummary>, Error> {
        db::tokens::list(&self.db, player.id).await
    }

    /// Ends a token of this player with its streams.
    ///
    /// # Errors
    /// `no_such_token`.
    pub async fn end_token(&self, player: &Account, id: i64) -> Result<(), Error> {
        if !db::tokens::end(&self.db, player.id, id).await? {
            return Err(Code::NoSuchToken.into());
        }
        self.sessions.end(Credential::Token(id));
        Ok(())
    }

    /// The player and the scope of this token. Its use is recorded.
    ///
    /// # Errors
    /// `bad_token`.
    pub async fn token_session(&self, token: &ApiToken) -> Result<TokenSession, Error> {
        let found = db::tokens::by_digest(&self.db, &token.digest()).await?;
        let found = found.ok_or(Code::BadToken)?;
        if found.needs_note {
            db::tokens::note_use(&self.db, found.id).await?;
        }
        Ok(found)
    }

    /// The player of this token, with the guard that ends a stream when the token ends.
    pub fn token_stream_caller(&self, token: &TokenSession) -> StreamCaller {
        StreamCaller {
            account: token.session.account.clone(),
            session: self.sessions.register_stream(token.session.id),
            may_play: token.allows(Scope::Play),
        }
    }
}

/// The name of a token, without surrounding whitespace.
fn read_name(text: &str) -> Result<String, Error> {
    let text = text.trim();
    let valid_length = (1..=limits::TOKEN_NAME_MAX_CHARS).contains(&text.chars().count());
    if !valid_length || text.chars().any(char::is_control) {
        let about = format!(
            "A token's name has 1 to {} characters.",
            limits::TOKEN_NAME_MAX_CHARS
        );
        return Err(ApiError::from(Code::BadRequest).with_message(about).into());
    }
    Ok(text.to_owned())
}
