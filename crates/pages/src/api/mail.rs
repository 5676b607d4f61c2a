//! The mail address of an account, and a new password by a link.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{Account, MailStatus};

/// The caller's mail address, which nobody else sees.
#[endpoint(
    name = ReadMail,
    get = "/api/mail",
    answers = "`{available, address, pending, sign_ins}`: whether this site sends mail, the confirmed address, \
               one whose link has not been followed, and whether sign-ins from new browsers are told",
    page,
)]
pub async fn mail_status(
    app: AppState,
    player: SessionPlayer,
) -> Result<MailStatus, ErrorResponse> {
    app.accounts.mail_status(&player).await
}

/// Sends a link to a new mail address. The address is the caller's once the link has been used. `language` is that of the mails.
#[endpoint(
    name = SetMail,
    post = "/api/set_mail",
    answers = "`null`; the address is `pending`",
    errors(MailOff, InvalidMail, WrongPassword, TooManyAttempts),
)]
pub async fn set_mail(
    app: AppState,
    player: SessionPlayer,
    address: String,
    password: String,
    language: Option<String>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    let language = crate::language::Language::SHIPPED
        .into_iter()
        .find(|known| Some(known.code()) == language.as_deref())
        .unwrap_or_default();
    let client = crate::context::client_address()?;
    app.accounts
        .set_mail(
            &player,
            &player.token,
            &client,
            &password,
            &address,
            language.code(),
        )
        .await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Removes the caller's mail address. The address is told.
#[endpoint(
    name = RemoveMail,
    post = "/api/remove_mail",
    answers = "`null`",
    errors(WrongPassword, TooManyAttempts),
)]
pub async fn remove_mail(
    app: AppState,
    player: SessionPlayer,
    password: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.accounts
        .remove_mail(&player, &player.token, &password)
        .await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Sets whether sign-ins from new browsers are told by mail.
#[endpoint(
    name = SetMailNotices,
    post = "/api/mail_notices",
    answers = "`null`",
)]
pub async fn set_mail_notices(
    app: AppState,
    player: SessionPlayer,
    sign_ins: bool,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.accounts.set_mail_notices(&player, sign_ins).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Confirms a mail address by its link, which is used up.
#[endpoint(
    name = ConfirmMail,
    post = "/api/confirm_mail",
    answers = "`null`",
    errors(BadLink),
)]
pub async fn confirm_mail(
    app: AppState,
    token: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.accounts.confirm_mail(&token).await?;
    crate::context::redirect_form(next, "/account");
    Ok(())
}

/// Ends the notices by mail to whoever has the link with this token.
#[endpoint(
    name = Unsubscribe,
    post = "/api/unsubscribe",
    answers = "`null`",
    errors(BadLink),
)]
pub async fn unsubscribe(
    app: AppState,
    token: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.accounts.unsubscribe(&token).await?;
    crate::context::redirect_form(next, "/");
    Ok(())
}

/// Sends a link for a new password to the mail address of the player with this name. The answer is the same if there is none.
#[endpoint(
    name = ForgotPassword,
    post = "/api/forgot_password",
    answers = "`null`, also for a name without an account or an address",
    errors(MailOff, TooManyAttempts),
)]
pub async fn forgot_password(
    app: AppState,
    name: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    let client = crate::context::client_address()?;
    app.accounts.forgot_password(&client, &name).await?;
    crate::context::redirect_form(next, "/recover");
    Ok(())
}

/// Sets a new password by a link, which is used up, ends all other sessions and all tokens, and signs in.
#[endpoint(
    name = ResetByMail,
    post = "/api/reset_by_mail",
    answers = "Account, session cookie; the link is used up, all other sessions and all tokens end",
    errors(BadLink, InvalidPassword, AccountClosed, TooManyAttempts),
)]
pub async fn reset_by_mail(
    app: AppState,
    token: String,
    new_password: String,
    next: Option<String>,
) -> Result<Account, ErrorResponse> {
    let browser = crate::context::browser()?;
    let signed_in = app
        .accounts
        .reset_by_mail(&browser, &token, &new_password)
        .await?;
    crate::context::complete_sign_in(&browser, signed_in, next, "/account").await
}
