//! Rendering: the pages, the files of the site, and the page for an unknown address.

use super::file_turns::FileTurns;
use super::in_flight::hold;
use super::site_files::{SiteFiles, head_of};
use super::{islands, openapi, pages, release};
use axum::Router;
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use tochki_pages::context::{self, SessionCell, cookie};
use tochki_pages::ui::{ProgramsContext, UploadedRecord, shell};
use tochki_protocol::{Code, LanguageChoice, Settings};
use tochki_server::accounts::Session;
use tochki_server::{AppState, LogFailure as _, WithSubject as _};

/// The files of the site; the error page for anything else.
pub(super) fn files(options: &LeptosOptions, app: &AppState) -> Router {
    let site = SiteFiles::of(options, &app.settings);
    let turns = FileTurns::default();
    let (options, app) = (options.clone(), app.clone());
    Router::new().fallback(move |request: Request| {
        let (site, options, app) = (site.clone(), options.clone(), app.clone());
        let turns = turns.clone();
        async move {
            let path = request.uri().path().to_owned();
            let turn = turns.next(request.extensions().get().copied()).await;
            match site.find(head_of(&request)).await {
                // Its file is open until the client has taken it.
                Some(found) => hold(cached(found, &path), turn),
                None if is_file_name(&path) => no_such_file(),
                None => missing(request, options, app).await,
            }
        }
    })
}

/// Returns whether an address is that of a file, there or not: no page has a point in its name.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.starts_with("/pkg/") || name.contains('.')
}

fn no_such_file() -> Response {
    let uncached = [(header::CACHE_CONTROL, "no-store")];
    let text = "There is no such file.\n";
    (StatusCode::NOT_FOUND, uncached, text).into_response()
}

/// Files under /pkg carry their hash in their name, so they never change.
fn cached(mut response: Response, path: &str) -> Response {
    if path == "/engine_worker.js" {
        // A worker has the policy of its script.
        response.headers_mut().insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
            ),
        );
    }
    if path == "/event_stream.js" {
        response.headers_mut().insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; connect-src 'self'"),
        );
    }
    if path == "/service_worker.js" {
        response.headers_mut().insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; script-src 'self'; connect-src 'self'"),
        );
    }
    let age = if path.starts_with("/pkg/") {
        "public, max-age=31536000, immutable"
    } else if path == "/service_worker.js" {
        "no-cache"
    } else {
        "public, max-age=3600"
    };
    if response.status().is_success() {
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static(age));
    }
    response
}

/// A page, complete before it is sent.
pub(super) async fn page(request: Request, options: LeptosOptions, app: AppState) -> Response {
    render_page(request, options, app, || ()).await
}

/// The page of an uploaded record.
pub(super) async fn render_record_page(
    uploaded: UploadedRecord,
    request: Request,
    options: LeptosOptions,
    app: AppState,
) -> Response {
    let extra_context = move || provide_context(uploaded.clone());
    render_page(request, options, app, extra_context).await
}

/// A page that finds `extra_context` in its context.
pub(super) async fn render_page(
    mut request: Request,
    options: LeptosOptions,
    app: AppState,
    extra_context: impl Fn() + Clone + Send + Sync + 'static,
) -> Response {
    let session = note_visit(&app, Visit::of(&request)).await;
    let is_signed_in = session.is_some();
    let settings = settings_of(session, request.headers());
    let asked = pages::language_of_address(request.uri());
    let language = asked.unwrap_or_else(|| pages::language(settings, request.headers()));
    let is_chosen = is_signed_in || settings.language != LanguageChoice::Browser;
    let remembered = asked.filter(|_| !is_chosen).and_then(|asked| {
        let language = LanguageChoice::Tag(asked.code().parse().ok()?);
        let settings = Settings {
            language,
            ..settings
        };
        cookie::settings_cookie(settings, app.settings.secure())
    });
    // The service worker keeps this copy for whoever uses the browser, so it shows nobody's name.
    let kept = request.uri().query() == Some("offline=1");
    if kept {
        request.headers_mut().remove(header::COOKIE);
        request.extensions_mut().remove::<SessionCell>();
    }
    let release = release::release(&options);
    let for_programs = ProgramsContext {
        operations: openapi::operations(),
        moves_per_second: app.settings.moves_per_second.get(),
        requests_by_token: app.settings.requests_by_token.get(),
        line_port: app.settings.line_listen.map(|address| address.port()),
    };
    let (headers, rendered_options) = (request.headers().clone(), options.clone());
    let context = move || {
        pages::provide(&app, settings, language);
        provide_context(release.clone());
        provide_context(for_programs);
        extra_context();
    };
    let render =
        leptos_axum::render_app_async_with_context(context, move || shell(options.clone()));
    let response = render(request).await;
    let mut response = islands::repeat(response, &headers, rendered_options).await;
    let headers = response.headers_mut();
    if kept && let Ok(version) = HeaderValue::from_str(&release.version) {
        headers.insert(release::VERSION_HEADER, version);
    }
    pages::set_language(headers, language);
    if let Some(cookie) = remembered {
        headers.append(header::SET_COOKIE, cookie);
    }
    // It shows who is signed in, so the way back after signing out must not show it again.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The frame in a table's page that shows that its player is there. `?seen=` is what the page shows.
pub(super) async fn presence_frame(
    request: Request,
    options: LeptosOptions,
    app: AppState,
) -> Response {
    let session = note_visit(&app, Visit::of(&request)).await;
    let (headers, uri) = (request.headers(), request.uri());
    let settings = settings_of(session, headers);
    let id = uri.path().split('/').nth(2).and_then(|id| id.parse().ok());
    let Some(id) = id else {
        return missing(request, options, app).await;
    };
    let snapshot = match app.matches.snapshot(id).await {
        Ok(snapshot) => Some(snapshot),
        Err(error) if error.code() == Code::NoSuchMatch => {
            return missing(request, options, app).await;
        }
        // The frame reloads itself, and by then the database may be back.
        Err(error) => Err(error).log_failure("rendering the heartbeat frame"),
    };
    let query = uri.query().unwrap_or_default();
    let seen = query.split('&').find_map(|pair| pair.strip_prefix("seen="));
    let language = pages::language(settings, headers);
    pages::presence_frame(
        settings,
        language,
        options,
        snapshot.as_ref(),
        seen.unwrap_or_default(),
    )
}

/// The parts of a request that tell of its visitor.
struct Visit {
    headers: HeaderMap,
    uri: Uri,
    /// The extensions, with the session alone: pages are for people and know no tokens.
    extensions: Extensions,
}

impl Visit {
    fn of(request: &Request) -> Self {
        let mut extensions = Extensions::new();
        if let Some(session) = request.extensions().get::<SessionCell>() {
            extensions.insert(session.clone());
        }
        Self {
            headers: request.headers().clone(),
            uri: request.uri().clone(),
            extensions,
        }
    }
}

/// Returns the display settings of an account, or those of this browser where the player has stored none.
fn settings_of(session: Option<Session>, headers: &HeaderMap) -> Settings {
    let of_account = session.and_then(|session| session.settings);
    of_account.unwrap_or_else(|| cookie::settings(headers))
}

/// Returns the session of the player who loads a page, and writes the presence. When the database is away, the page itself says so.
async fn note_visit(app: &AppState, visit: Visit) -> Option<Session> {
    let Visit {
        headers,
        uri,
        extensions,
    } = visit;
    let session = context::session_of(app, &headers, &extensions).await;
    let session = session
        .log_failure("reading the session of a page")
        .flatten();
    if let Some(session) = &session {
        // A page must not fail because presence could not be written.
        let noted = pages::note(app, session, &headers, &uri).await;
        noted
            .with_subject(session.account.id)
            .log_failure("writing the presence of a page load");
    }
    session
}

/// Renders the page that says that there is nothing here.
async fn missing(request: Request, options: LeptosOptions, app: AppState) -> Response {
    let mut response = page(request, options, app).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
