//! The request context of server functions: caller, arguments, response headers.

mod caller;
pub mod cookie;
mod credentials;
mod extract;
pub mod failures;
mod request;
pub mod security;
mod session_cell;
mod status;

pub use caller::{Caller, Operator, PageStatus, Player, RecentPlayer, SessionPlayer, call};
pub use credentials::Credentials;
pub use session_cell::SessionCell;
pub use status::status;

use self::request::Request;

use crate::error::ErrorResponse;
use crate::local_path::is_local_path;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use leptos_axum::ResponseOptions;
use std::future::Future;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::Arc;
use tochki_play::Terms;
use tochki_protocol::{
    Account, ClockText, Code, Settings, SetupText, Snapshot, Table, TableLink, limits,
};
use tochki_rules::GameKind;
use tochki_server::accounts::webauthn::RelyingParty;
use tochki_server::accounts::{Browser, ClientAddress, Session, SignedIn};
use tochki_server::secrets::SessionToken;
use tochki_server::time_zones::AgreedGame;
use tochki_server::{AppState, Error};

/// Answers a request: the one place where an error of the server becomes one of the protocol, and a failure is logged.
pub fn answer<T>(
    work: impl Future<Output = Result<T, Error>> + Send,
) -> impl Future<Output = Result<T, ErrorResponse>> + Send {
    // Boxed, because each layer round a future would otherwise copy it.
    let work = Box::pin(work);
    async { Request::keep(work).await.map_err(report) }
}

/// Logs a failure, and returns the error as far as a client may know it.
pub fn report(error: Error) -> ErrorResponse {
    if let Some(failure) = error.failure() {
        tracing::error!(%failure, "a request failed");
    }
    security::note_refusal(error.code());
    if let (Some(seconds), Ok(options)) = (error.retry_after(), response()) {
        options.insert_header(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    error.into_api_error().into()
}

/// Returns the arena this request came to.
pub fn app() -> Result<AppState, Error> {
    Ok(Request::current()?.app)
}

/// Returns the network address of the client.
pub fn client_address() -> Result<ClientAddress, Error> {
    parts()?
        .extensions
        .get::<ClientAddress>()
        .copied()
        .ok_or_else(|| Code::Internal.into())
}

/// Returns the browser of the request, in short: `Firefox, Linux`. Empty for an unknown browser.
pub fn agent() -> Result<String, Error> {
    let parts = parts()?;
    let said = parts.headers.get(header::USER_AGENT);
    let known = said
        .and_then(|said| said.to_str().ok())
        .and_then(|said| woothee::parser::Parser::new().parse(said));
    Ok(known
        .filter(|known| known.category != "crawler")
        .map(|known| format!("{}, {}", known.name, known.os))
        .unwrap_or_default())
}

/// Returns whether a browser says that it runs on a phone: in the header made for that, or where it has none, in its name.
pub fn is_phone(headers: &HeaderMap) -> bool {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match said("sec-ch-ua-mobile") {
        Some(mobile) => mobile == "?1",
        None => said("user-agent").is_some_and(|agent| agent.contains("Mobi")),
    }
}

/// Returns the browser of the request.
pub fn browser() -> Result<Browser, Error> {
    let secure = app()?.settings.secure();
    let headers = &parts()?.headers;
    Ok(Browser {
        client: client_address()?,
        agent: agent()?,
        device: cookie::device(headers, secure),
        session: cookie::token(headers, secure),
    })
}

/// Sets the cookies of a browser that has been signed in, and returns the player.
pub fn set_signed_in(signed_in: SignedIn) -> Result<Account, Error> {
    set_session(&signed_in.session)?;
    if let Some(cell) = parts()?.extensions.get::<SessionCell>() {
        cell.note_signed_in(&signed_in);
    }
    if let Some(device) = &signed_in.device {
        cookie::set_device(&response()?, device, app()?.settings.secure());
    }
    Ok(signed_in.account)
}

/// Completes the sign-in of a browser to an account that exists: notes the address for the sanctions, redirects a form, and
/// sets the cookies. Returns the player.
pub async fn complete_sign_in(
    browser: &Browser,
    signed_in: SignedIn,
    next: Option<String>,
    default_path: &str,
) -> Result<Account, Error> {
    let (app, id) = (app()?, signed_in.account.id);
    app.sanctions.note(id, browser.client.address).await?;
    redirect_form(next, default_path);
    set_signed_in(signed_in)
}

/// Returns the session token that came with the request.
pub fn token() -> Result<Option<SessionToken>, Error> {
    Ok(cookie::token(&parts()?.headers, app()?.settings.secure()))
}

/// Returns the key by which the pages of a session find each other in a browser; empty without a session cookie.
pub fn page_key(headers: &HeaderMap, secure: bool) -> String {
    cookie::token(headers, secure).map_or_else(String::new, |token| token.page_key())
}

/// Returns the session of a request, by its [`Credentials`]. The session is read once for a request ([`SessionCell`]).
pub async fn session_of(
    app: &AppState,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<Option<Session>, Error> {
    match Credentials::of(headers, extensions, app.settings.secure()) {
        Some(Credentials::Token(token)) => Ok(Some(token.session.clone())),
        Some(Credentials::Session(token)) => match extensions.get::<SessionCell>() {
            Some(cell) => cell.session(app, &token).await,
            None => app.accounts.session(&token).await,
        },
        None => Ok(None),
    }
}

/// Returns the session of the request, if there is one. Using a session renews it and its cookie, once for a request.
pub async fn session() -> Result<Option<Session>, Error> {
    let (app, parts) = (app()?, parts()?);
    let Some(session) = session_of(&app, &parts.headers, &parts.extensions).await? else {
        return Ok(None);
    };
    if session.needs_renewal
        && let Some(token) = token()?
    {
        let renewal = async {
            let (client, agent) = (client_address()?, agent()?);
            app.accounts.renew(&token, &client, &agent).await?;
            app.sanctions
                .note(session.account.id, client.address)
                .await?;
            set_session(&token)
        };
        match parts.extensions.get::<SessionCell>() {
            Some(cell) => cell.renew_once(renewal).await?,
            None => renewal.await?,
        }
    }
    Ok(Some(session))
}

/// Reads the terms of a match. A missing argument has its default; the default is rated.
pub fn terms(
    game: &str,
    setup: SetupText,
    clock: ClockText,
    rated: Option<bool>,
) -> Result<Terms, Error> {
    Ok(Terms {
        setup: setup.read(self::game(game)?)?,
        clock: clock.read()?,
        rated: rated.unwrap_or(true),
    })
}

/// Keeps the time zone of the browser of a player who agrees to a game, if it is by correspondence and none is known. A program has no
/// browser.
pub async fn adopt_time_zone(player: &Account, game: AgreedGame<'_>) -> Result<(), Error> {
    let (app, parts) = (app()?, parts()?);
    let secure = app.settings.secure();
    match Credentials::of(&parts.headers, &parts.extensions, secure) {
        Some(Credentials::Session(_)) => {}
        Some(Credentials::Token(_)) | None => return Ok(()),
    }
    match cookie::zone(&parts.headers) {
        Some(zone) => app.time_zones.adopt(player, &zone, game).await,
        None => Ok(()),
    }
}

/// Returns the display settings of the caller: those of the account, else those of the browser.
pub fn settings(session: Option<&Session>) -> Result<Settings, Error> {
    let of_account = session.and_then(|session| session.settings);
    match of_account {
        Some(settings) => Ok(settings),
        None => Ok(cookie::settings(&parts()?.headers)),
    }
}

/// Stores the settings in the browser.
pub fn remember_settings(settings: Settings) -> Result<(), Error> {
    cookie::set_settings(&response()?, settings, app()?.settings.secure());
    Ok(())
}

/// Returns the signed-in caller.
async fn player() -> Result<Account, Error> {
    let session = session().await?.ok_or(Code::SignedOut)?;
    Ok(session.account)
}

/// Returns the game of that name.
pub fn game(id: &str) -> Result<GameKind, Error> {
    id.parse().map_err(|_| Code::UnknownGame.into())
}

/// Reads the link of a table; other words lead to none.
pub fn table_link(text: &str) -> Result<TableLink, Error> {
    text.parse().map_err(|_| Code::NoSuchTable.into())
}

/// Returns the path of a table's page.
pub fn table_page(table: &Table) -> String {
    format!("/t/{}", table.link)
}

/// Sets the session cookie.
pub fn set_session(token: &SessionToken) -> Result<(), Error> {
    cookie::set_session(&response()?, token, app()?.settings.secure());
    Ok(())
}

/// Deletes the session cookie.
pub fn clear_session() -> Result<(), Error> {
    cookie::clear_session(&response()?, app()?.settings.secure());
    Ok(())
}

/// Stores a choice in the browser, and its game as the last one. A choice that does not fit into a cookie is refused.
pub fn remember_choice(choice: &str) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "=&+_-./~".contains(c);
    if choice.len() > limits::CHOICE_MAX_CHARS || !choice.chars().all(plain) {
        return Err(Code::BadRequest.into());
    }
    let choices = cookie::choices(&parts()?.headers).with(choice);
    cookie::set_choices(
        &response()?,
        &choices.ok_or(Code::UnknownGame)?,
        app()?.settings.secure(),
    );
    Ok(())
}

/// Redirects a form to the local path that it named, else to this one. Programs are not redirected.
pub fn redirect_form(next: Option<String>, default_path: &str) {
    let next = next.filter(|path| is_redirect_target(path));
    leptos_axum::redirect(next.as_deref().unwrap_or(default_path));
}

/// Returns the origin of this site's URLs: the one that the operator has set, else the requested host.
pub fn origin() -> Result<String, Error> {
    let app = app()?;
    Ok(match &app.settings.public_origin {
        Some(origin) => origin.trim_end_matches('/').to_owned(),
        None => format!("http://{}", host()?),
    })
}

/// Returns the host that the client asked for.
fn host() -> Result<String, Error> {
    let parts = parts()?;
    let header = parts.headers.get(header::HOST);
    let host = header.and_then(|host| host.to_str().ok());
    let host = host.or_else(|| parts.uri.authority().map(Authority::as_str));
    Ok(host.ok_or(Code::BadRequest)?.to_owned())
}

/// Returns the site to which passkeys belong: of the origin that the operator has set, else of the requested host.
pub fn relying_party() -> Result<RelyingParty, Error> {
    let party = match &app()?.settings.public_origin {
        Some(origin) => RelyingParty::of_origin(origin),
        None => RelyingParty::of_host(&host()?),
    };
    party.ok_or_else(|| Code::PasskeysUnavailable.into())
}

/// Returns the token of the challenge that this browser was given for signing in with a passkey.
pub fn passkey_challenge() -> Result<Option<SessionToken>, Error> {
    let secure = app()?.settings.secure();
    Ok(cookie::challenge(&parts()?.headers, secure))
}

/// Sets the cookie of such a challenge.
pub fn set_passkey_challenge(token: &SessionToken) -> Result<(), Error> {
    cookie::set_challenge(&response()?, token, app()?.settings.secure());
    Ok(())
}

/// Sets `Retry-After`, in seconds.
pub fn set_retry_after(seconds: u32) -> Result<(), Error> {
    response()?.insert_header(header::RETRY_AFTER, HeaderValue::from(seconds));
    Ok(())
}

/// Sets the `ETag` of a snapshot that a program asks for: the version of the match, and the other parts of the snapshot.
pub fn set_etag(snapshot: &Snapshot) {
    let is_page = parts().is_ok_and(|parts| !parts.uri.path().starts_with("/api/"));
    let (false, Ok(options), Ok(json)) = (is_page, response(), serde_json::to_vec(snapshot)) else {
        return;
    };
    let mut hash = DefaultHasher::new();
    hash.write(&json);
    // Weak, because an answer may be compressed.
    let tag = format!("W/\"{}-{:016x}\"", snapshot.version, hash.finish());
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        options.insert_header(header::ETAG, tag);
    }
}

/// Sets the `ETag` of an answer that is the same as long as this version is.
pub fn set_version_etag(version: i64) {
    let is_page = parts().is_ok_and(|parts| !parts.uri.path().starts_with("/api/"));
    if let (false, Ok(options), Ok(tag)) = (
        is_page,
        response(),
        // Weak, because an answer may be compressed.
        HeaderValue::from_str(&format!("W/\"{version}\"")),
    ) {
        options.insert_header(header::ETAG, tag);
    }
}

/// Sets the status of a page that shows an error.
pub fn set_status(error: &Error) {
    if let Ok(options) = response() {
        options.set_status(status(error.code()));
    }
}

/// Sets the status of a page that only some may see: for others it does not exist. Programs get the real error.
fn hide_page(error: &Error) {
    if parts().is_ok_and(|parts| parts.uri.path().starts_with("/api/")) {
        return;
    }
    match error.code() {
        Code::SignedOut | Code::NotOperator => set_status(&Code::NotFound.into()),
        _ => set_status(error),
    }
}

fn parts() -> Result<Arc<Parts>, Error> {
    Ok(Request::current()?.parts)
}

fn response() -> Result<ResponseOptions, Error> {
    Ok(Request::current()?.response)
}

/// Returns whether a path stays on this site and is a valid header value.
fn is_redirect_target(path: &str) -> bool {
    is_local_path(path) && path.chars().all(|c| c.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::{is_phone, is_redirect_target};
    use axum::http::{HeaderMap, HeaderValue};

    #[test]
    fn a_phone_says_that_it_is_one() {
        let mobile = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";
        let desktop = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
        for (hint, agent, is_one) in [
            (Some("?1"), desktop, true),
            (Some("?0"), mobile, false),
            (None, mobile, true),
            (None, desktop, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("user-agent", HeaderValue::from_static(agent));
            if let Some(hint) = hint {
                headers.insert("sec-ch-ua-mobile", HeaderValue::from_static(hint));
            }
            assert_eq!(is_phone(&headers), is_one, "{hint:?} {agent}");
        }
        assert!(!is_phone(&HeaderMap::new()));
    }

    #[test]
    fn redirect_targets_are_local_paths_in_printable_ascii() {
        assert!(is_redirect_target("/match/7?x=1#y"));
        for path in ["//evil.example", "/a b", "/ё"] {
            assert!(!is_redirect_target(path), "{path:?}");
        }
    }
}
