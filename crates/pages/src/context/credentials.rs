//! Who asks, as a request says it: a program with its token, or a browser with its cookie.

use super::cookie;
use axum::http::{Extensions, HeaderMap};
use tochki_server::accounts::TokenSession;
use tochki_server::secrets::SessionToken;

/// What a request brings along to say who asks.
pub enum Credentials<'a> {
    /// The token of a program, as `http::token_guard` has checked it.
    Token(&'a TokenSession),
    /// The session cookie, of an open session or not.
    Session(SessionToken),
}

impl<'a> Credentials<'a> {
    /// The token of a request, or else its cookie; nothing of somebody who is not signed in.
    pub fn of(headers: &HeaderMap, extensions: &'a Extensions, secure: bool) -> Option<Self> {
        let token = extensions.get::<TokenSession>().map(Self::Token);
        token.or_else(|| cookie::token(headers, secure).map(Self::Session))
    }
}
