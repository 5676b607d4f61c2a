//! Serving of pages: their security policies, and the presence that loading one counts as.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{Html, IntoResponse as _, Response};
use leptos::config::LeptosOptions;
use leptos::nonce::use_nonce;
use leptos::prelude::{Owner, RenderHtml, expect_context, provide_context, use_context};
use leptos_axum::ResponseOptions;
use tochki_pages::context::{self, cookie};
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::error::ErrorResponse;
use tochki_pages::language::Language;
use tochki_pages::ui::{
    self, FirstVisit, MailHere, OnPhone, PageAddress, PageKey, PasskeysHere, RenderedAt,
};
use tochki_protocol::{Code, LastChoices, MatchId, Scope, Settings, Snapshot, limits};
use tochki_rules::GameKind;
use tochki_server::AppState;
use tochki_server::Error;
use tochki_server::accounts::Session;
use tochki_server::presence::place::Place;

/// `GET /embed/match/{id}`.
pub(super) const EMBED: Endpoint = Endpoint::handler(
    Method::Get,
    "/embed/match/{id}",
    caller_of(&embed),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { EMBED }

/// Provides the context of pages and server functions.
pub(super) fn provide(app: &AppState, settings: Settings, language: Language) {
    provide_context(app.clone());
    provide_context(settings);
    provide_context(language);
    provide_context(RenderedAt(tochki_server::now()));
    provide_context(PasskeysHere(context::relying_party().is_ok()));
    provide_context(MailHere(app.mails.are_sent()));
    provide_context(last_choices());
    provide_context(on_phone());
    provide_context(first_visit());
    provide_context(page_key(app));
    if let Some(address) = page_address() {
        provide_context(address);
    }
    let Some(nonce) = use_nonce() else { return };
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        expect_context::<ResponseOptions>().insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Reads the visitor's choices on the last visits from the cookies.
fn last_choices() -> LastChoices {
    let parts = use_context::<Parts>();
    parts
        .map(|parts| cookie::choices(&parts.headers))
        .unwrap_or_default()
}

/// Returns the address of the page; `None` for a request that names no host.
fn page_address() -> Option<PageAddress> {
    let Parts { uri, .. } = use_context()?;
    Some(PageAddress {
        origin: context::origin().ok()?,
        path: uri.path().to_owned(),
        query: uri.query().unwrap_or_default().to_owned(),
    })
}

/// Returns whether the browser has brought no cookie.
fn first_visit() -> FirstVisit {
    let parts = use_context::<Parts>();
    FirstVisit(parts.is_some_and(|parts| !parts.headers.contains_key(header::COOKIE)))
}

/// Returns whether the page is for a phone.
fn on_phone() -> OnPhone {
    let parts = use_context::<Parts>();
    OnPhone(parts.is_some_and(|parts| context::is_phone(&parts.headers)))
}

/// Returns the key by which the page shares its stream with others of its session.
fn page_key(app: &AppState) -> PageKey {
    let parts = use_context::<Parts>();
    let key = parts.map(|parts| context::page_key(&parts.headers, app.settings.secure()));
    PageKey(key.unwrap_or_default())
}

/// Returns the language of a page for a request with these headers.
pub(super) fn language(settings: Settings, headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|accepted| accepted.to_str().ok());
    Language::select(settings.language, accepted.unwrap_or_default())
}

/// Returns the language that the address of a page names, as in `/rules?lang=cs`: whoever follows such a link, a search engine
/// among them, reads the page in that language, whatever else was chosen.
///
/// The link chooses nothing for the pages that follow, except in a browser where nothing was chosen: that remembers the language, or
/// the next page would be in another one. An account has its language by the player's own choice alone, because a link is somebody
/// else's.
pub(super) fn language_of_address(uri: &Uri) -> Option<Language> {
    let mut pairs = uri.query()?.split('&');
    Language::of_tag(pairs.find_map(|pair| pair.strip_prefix("lang="))?)
}

/// Adds the headers of a page in a language. The page depends on what is asked for and on what was chosen, which says so to caches
/// that keep a page although they must not.
pub(super) fn set_language(headers: &mut HeaderMap, language: Language) {
    headers.insert(
        header::CONTENT_LANGUAGE,
        HeaderValue::from_static(language.code()),
    );
    headers.append(
        header::VARY,
        HeaderValue::from_static("accept-language, cookie"),
    );
}

/// Renders the one page that is shown in a frame of ours. The page has no scripts, so it is rendered without hydration.
pub(super) fn presence_frame(
    settings: Settings,
    language: Language,
    options: LeptosOptions,
    snapshot: Option<&Snapshot>,
    seen: &str,
) -> Response {
    let document = Owner::new().with(|| {
        provide_context(settings);
        provide_context(language);
        ui::presence_frame(options, snapshot, seen).to_html()
    });
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'self'",
        ),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Html(document)).into_response()
}

/// Renders a match in a frame of other sites. No cookie of the request is read, so the page is the same for everybody.
pub(super) async fn embed(
    State(app): State<AppState>,
    Extension(options): Extension<LeptosOptions>,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    let snapshot = app.matches.snapshot(id).await?;
    let settings = Settings::default();
    let asked = language_of_address(&uri);
    let language = asked.unwrap_or_else(|| language(settings, &headers));
    let document = Owner::new().with(|| {
        provide_context(settings);
        provide_context(language);
        ui::embed(options, &snapshot).map(RenderHtml::to_html)
    })?;
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    // Without scripts a frame cannot follow the match otherwise.
    let reload = snapshot.result.is_none();
    let seconds = limits::PAGE_RELOAD_INTERVAL.as_secs();
    let reload = reload.then(|| [(header::REFRESH, HeaderValue::from(seconds))]);
    Ok((Extension(Embeddable), headers, reload, Html(document)).into_response())
}

/// The mark of a response that other sites may show in a frame.
#[derive(Clone, Copy)]
pub(super) struct Embeddable;

/// Renders the error page. It may be shown in a frame of ours, as the page in whose place it is.
pub(super) fn error(
    headers: &HeaderMap,
    options: LeptosOptions,
    error: &ErrorResponse,
) -> Response {
    let language = language(cookie::settings(headers), headers);
    let document = Owner::new().with(|| {
        provide_context(language);
        ui::error_document(options, error).to_html()
    });
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'self'",
        ),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (context::status(error.code), headers, Html(document)).into_response()
}

/// Returns whether the client shows pages.
pub(super) fn accepts_html(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accepted| accepted.to_str().ok())
        .is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns the error page, or a line of text if the client does not accept HTML.
pub(super) fn error_as_accepted(
    headers: &HeaderMap,
    options: LeptosOptions,
    code: Code,
) -> Response {
    if accepts_html(headers) {
        return error(headers, options, &code.into());
    }
    let uncached = [(header::CACHE_CONTROL, "no-store")];
    let text = format!("{}\n", code.message());
    (context::status(code), uncached, text).into_response()
}

/// Returns the place where loading this page counts as presence.
fn place_of(uri: &Uri, last: &LastChoices) -> Option<Place> {
    let path = uri.path().trim_end_matches('/');
    if path == "/play" {
        let mut asked = uri.query().unwrap_or_default().split('&');
        return match asked.find_map(|pair| pair.strip_prefix("game=")) {
            Some(game) => game.parse().ok(),
            None => last.game().or(Some(GameKind::DEFAULT)),
        }
        .map(Place::Lobby);
    }
    if let Some(id) = path.strip_prefix("/tournament/") {
        return id.parse().ok().map(Place::Tournament);
    }
    let table = path.strip_prefix("/match/");
    table
        .map(|id| id.strip_suffix("/beat").unwrap_or(id))
        .and_then(|id| id.parse().ok())
        .map(Place::Match)
}

/// Counts a page load as a sign of life, for players whose browser runs no scripts; at a table, in a
/// match and in a tournament, only its players count.
pub(super) async fn note(
    app: &AppState,
    session: &Session,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(), Error> {
    let account = &session.account;
    if let Some(link) = uri.path().strip_prefix("/t/") {
        let Ok(link) = link.trim_end_matches('/').parse() else {
            return Ok(());
        };
        return match app.tables.place_of(account, &link).await? {
            Some(place) => app.presence.page_load(account.id, place).await,
            None => Ok(()),
        };
    }
    let Some(place) = place_of(uri, &cookie::choices(headers)) else {
        return Ok(());
    };
    if let Place::Match(id) = place
        && app.matches.get(id).await?.seat_of(account.id).is_none()
    {
        return Ok(());
    }
    if let Place::Tournament(id) = place
        && !app.tournaments.asks_presence(id, account.id).await?
    {
        return Ok(());
    }
    if let Place::Match(id) = place {
        app.notifications.mark_match_read(account.id, id).await?;
    }
    app.presence.page_load(account.id, place).await
}
