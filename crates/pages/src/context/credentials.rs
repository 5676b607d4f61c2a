//! The credentials of a request: the token of a program, or the cookie of a browser.

use super::cookie;
use axum::http::{Extensions, HeaderMap};
use tochki_server::accounts::TokenSession;
use tochki_server::secrets::SessionToken;

/// The credentials by which a request identifies its caller.
pub enum Credentials<'a> {
    /// The token of a program, as `http::token_guard` has checked it.
    Token(&'a TokenSession),
    /// The session cookie, of an open session or not.
    Session(SessionToken),
}

impl<'a> Credentials<'a> {
    /// Returns the token of a request, or else its cookie; `None` for a visitor who is not signed in.
    pub fn of(headers: &HeaderMap, extensions: &'a Extensions, secure: bool) -> Option<Self> {
        let token = extensions.get::<TokenSession>().map(Self::Token);
        token.or_else(|| cookie::token(headers, secure).map(Self::Session))
    }
}
