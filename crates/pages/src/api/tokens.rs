//! Tokens of programs, and accounts of bots. The page that shows a new one is not a server function (`crates/web/src/http/new_token.rs`).

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{NewToken, TokenEnd, TokenSummary};

/// The tokens of the caller that have not ended, the newest first.
#[endpoint(
    name = ReadTokens,
    get = "/api/tokens",
    answers = "`[{id, name, scopes, since, expires_at, used_at}, …]`, the newest first; times may be `null`",
    page,
)]
pub async fn tokens(
    app: AppState,
    player: SessionPlayer,
) -> Result<Vec<TokenSummary>, ErrorResponse> {
    app.accounts.tokens_of(&player).await
}

/// Makes a token. `scopes` are `read`, or `read,play`. 403 `wrong_password` if `password` is not the caller's.
#[endpoint(
    name = CreateToken,
    post = "/api/create_token",
    answers = "`{id, token}`: the token, this once",
    errors(WrongPassword, TooManyTokens, TooManyAttempts),
)]
pub async fn create_token(
    app: AppState,
    player: SessionPlayer,
    name: String,
    scopes: String,
    end: TokenEnd,
    password: String,
) -> Result<NewToken, ErrorResponse> {
    app.accounts
        .create_token(&player, &player.token, &password, &name, &scopes, end)
        .await
}

/// Ends a token with its streams.
#[endpoint(
    name = EndToken,
    post = "/api/end_token",
    answers = "`null`; its streams end",
    errors(NoSuchToken),
)]
pub async fn end_token(
    app: AppState,
    player: SessionPlayer,
    id: i64,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    let accounts = &app.accounts;
    accounts.end_token(&player, id).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Makes the account of the caller one of a bot, for good. 403 `wrong_password` if `password` is not the caller's.
#[endpoint(
    name = BecomeBot,
    post = "/api/become_bot",
    answers = "`null`; the account is one of a bot, for good",
    errors(WrongPassword, CannotBecomeBot, TooManyAttempts),
)]
pub async fn become_bot(
    app: AppState,
    player: SessionPlayer,
    password: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.become_bot(&player, &player.token, &password).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}
