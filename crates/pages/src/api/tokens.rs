//! Tokens of programs, and accounts of bots. The page that shows a new one is not a server function (`crates/web/src/http/new_token.rs`).

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{NewToken, TokenEnd, TokenSummary};

/// The tokens of the caller that have not ended, the newest first.
#[server(name = ReadTokens, prefix = "/api", endpoint = "tokens", protocol = Query)]
pub async fn tokens() -> Result<Vec<TokenSummary>, ErrorResponse> {
    crate::context::answer_page(async move {
        let (player, _) = crate::context::player_in_session().await?;
        crate::context::arena()?.accounts.tokens_of(&player).await
    })
    .await
}

/// Makes a token. `scopes` are `read`, or `read,play`. 403 `wrong_password` if `password` is not the caller's.
#[server(name = CreateToken, prefix = "/api", endpoint = "create_token", protocol = Form)]
pub async fn create_token(
    name: String,
    scopes: String,
    end: TokenEnd,
    password: String,
) -> Result<NewToken, ErrorResponse> {
    crate::context::in_session(|arena, player, session| async move {
        arena
            .accounts
            .create_token(&player, &session, &password, &name, &scopes, end)
            .await
    })
    .await
}

/// Ends a token with its streams.
#[server(name = EndToken, prefix = "/api", endpoint = "end_token", protocol = Form)]
pub async fn end_token(id: i64, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::in_session(|arena, player, _| async move {
        let accounts = &arena.accounts;
        accounts.end_token(&player, id).await?;
        crate::context::redirect_form(next, "/account");
        Ok(())
    })
    .await
}

/// Makes the account of the caller one of a bot, for good. 403 `wrong_password` if `password` is not the caller's.
#[server(name = BecomeBot, prefix = "/api", endpoint = "become_bot", protocol = Form)]
pub async fn become_bot(password: String, next: Option<String>) -> Result<(), ErrorResponse> {
    crate::context::in_session(|arena, player, session| async move {
        arena.become_bot(&player, &session, &password).await?;
        crate::context::redirect_form(next, "/account");
        Ok(())
    })
    .await
}
