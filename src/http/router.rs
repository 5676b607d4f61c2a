//! The routes.

use super::site_files::{SiteFiles, head_of};
use super::stream_limits::StreamLimits;
use super::{
    client_address, compressed, downloads, events, games, guard, health, metrics, my_data, openapi,
    origin, pages, records, recovery, release, request_id, token, tokens,
};
use crate::context::{self, cookie};
use crate::error::ErrorResponse;
use crate::ui::{App, ProgramsContext, UploadedRecord, shell};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use leptos::server_fn::axum::server_fn_paths;
use leptos_axum::{
    AxumRouteListing, LeptosRoutes as _, generate_route_list, handle_server_fns_with_context,
};
use std::sync::LazyLock;
use tochki_protocol::{Code, MatchId, Settings};
use tochki_server::{Arena, LogFailure as _, WithSubject as _};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};

/// The routes of the pages, listed once per process and before the first request: while Leptos lists them, it loads no
/// resources for any page of this process.
///
/// `/{at}` is left out, because the files of the site have addresses of the same form; the fallback serves both.
static ROUTES: LazyLock<Vec<AxumRouteListing>> = LazyLock::new(|| {
    let mut routes = generate_route_list(App);
    routes.retain(|route| route.path() != "/{at}");
    routes
});

/// The level at which brotli and gzip compress what is made for a request; tower-http's own is 4 for brotli.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(6);

/// All routes.
pub fn router(arena: Arena, options: LeptosOptions) -> Router {
    let files = files(&options, &arena);
    tochki_server::streams::set_release(&release::release(&options).version);
    let (at_worst, rendered_options) = (options.clone(), options.clone());
    let rate_limit = client_address::rate_limit(arena.settings.requests_by_address);
    let page_limit = client_address::rate_limit(arena.settings.pages_by_address);
    for (name, limit) in [("rate limits", &rate_limit), ("page limits", &page_limit)] {
        let (limit, shutdown) = (limit.clone(), arena.shutdown.clone());
        arena
            .tasks
            .spawn(name, move || limit.clone().prune(shutdown.clone()));
    }
    let tokens = token::Guard::open(&arena);

    let api = Router::new()
        .route("/api/my_data", get(my_data::download))
        .route("/api/games", get(games::download))
        .route("/api/openapi.json", get(openapi::serve))
        .route("/api/{*name}", any(server_function))
        .layer(from_fn(guard::set_status))
        .layer(from_fn(guard::check_etag))
        .layer(from_fn(guard::check_size))
        .layer(from_fn_with_state(tokens.clone(), token::check_token))
        .layer(from_fn_with_state(
            rate_limit.clone(),
            client_address::check_rate_limit,
        ))
        .layer(from_fn(guard::limit_response_time));
    let open_record = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| records::open(request, options.clone(), arena.clone())
    };
    let make_codes = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| recovery::make(request, options.clone(), arena.clone())
    };
    let make_token = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| tokens::make(request, options.clone(), arena.clone())
    };
    let records = Router::new()
        .route("/account/codes", post(make_codes))
        .route("/account/token", post(make_token))
        .route("/embed/match/{id}", get(pages::embed))
        .route("/match/{id}/sgf", get(records::download))
        .route("/history/sgf", get(downloads::as_sgf))
        .route("/history/jsonl", get(downloads::as_jsonl))
        .route("/sgf", post(open_record))
        .layer(Extension(rendered_options.clone()))
        // It counts for itself how much it reads.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(tokens.clone(), token::check_token))
        .layer(from_fn_with_state(
            rate_limit.clone(),
            client_address::check_rate_limit,
        ))
        .layer(from_fn(guard::limit_response_time));
    let streams = Router::new()
        .route("/events/lobby", get(events::lobby))
        .route("/events/me", get(events::personal))
        .route("/events/match/{id}", get(events::match_))
        .route("/events/table/{link}", get(events::table))
        .layer(from_fn_with_state(tokens, token::check_token))
        .layer(from_fn_with_state(
            rate_limit,
            client_address::check_rate_limit,
        ))
        .layer(Extension(StreamLimits::of(&arena.settings)))
        // A stream has begun with the head of its response.
        .layer(from_fn(guard::limit_response_time));
    let render = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| page(request, options.clone(), arena.clone())
    };
    let framed = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| beat(request, options.clone(), arena.clone())
    };
    // With a handler of our own, because Leptos would otherwise claim the addresses of the server functions, too.
    let rendered = Router::new()
        .leptos_routes_with_handler(ROUTES.clone(), render.clone())
        .route("/@{name}", get(render))
        .route("/match/{id}/beat", get(framed))
        .with_state(options);

    let release_options = rendered_options.clone();
    let pages = Router::new()
        .merge(rendered)
        .route("/texts/{file}", get(compressed::texts_of_islands))
        .route("/info_pages.css", get(compressed::stylesheet))
        .route(
            "/release.js",
            get(move || async move { release::script(&release_options) }),
        )
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback_service(files)
        .layer(from_fn_with_state(
            (page_limit, rendered_options.clone()),
            client_address::check_page_rate_limit,
        ))
        .layer(from_fn_with_state(rendered_options, guard::limit_page_time));

    Router::new()
        .merge(api)
        .merge(streams)
        .merge(records)
        .merge(pages)
        .layer(from_fn_with_state(arena.clone(), origin::check_origin))
        .layer(from_fn(token::take_bearer))
        .layer(from_fn_with_state(
            arena.clone(),
            client_address::set_client_address,
        ))
        .layer(from_fn_with_state(at_worst, guard::catch_panic))
        // A compressed stream would be held back.
        .layer(CompressionLayer::new().quality(COMPRESSION).compress_when(
            DefaultPredicate::new().and(NotForContentType::const_new(events::JSON_LINES)),
        ))
        .layer(from_fn_with_state(arena.clone(), guard::set_headers))
        .layer(from_fn(metrics::observe_request))
        .layer(from_fn(request_id::set_request_id))
        .with_state(arena)
}

/// A server function, whether a page, a form or a program calls it.
async fn server_function(State(arena): State<Arena>, request: Request) -> Response {
    let methods: Vec<Method> = server_fn_paths()
        .filter(|(path, _)| *path == request.uri().path())
        .map(|(_, method)| method)
        .collect();
    if methods.is_empty() {
        return ErrorResponse::from(Code::NotFound).into_response();
    }
    if !methods.contains(request.method()) {
        return ErrorResponse::from(Code::MethodNotAllowed).into_response();
    }
    let context = move || provide_context(arena.clone());
    let mut response = handle_server_fns_with_context(context, request)
        .await
        .into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The files of the site; the error page for anything else.
fn files(options: &LeptosOptions, arena: &Arena) -> Router {
    let site = SiteFiles::of(options, &arena.settings);
    let (options, arena) = (options.clone(), arena.clone());
    Router::new().fallback(move |request: Request| {
        let (site, options, arena) = (site.clone(), options.clone(), arena.clone());
        async move {
            let path = request.uri().path().to_owned();
            match site.find(head_of(&request)).await {
                Some(found) => cached(found, &path),
                None if is_file_name(&path) => no_such_file(),
                None => missing(request, options, arena).await,
            }
        }
    })
}

/// Whether an address is that of a file, there or not: no page has a point in its name.
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
async fn page(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    page_with(request, options, arena, || ()).await
}

/// The page of an uploaded record.
pub(super) async fn page_about(
    uploaded: UploadedRecord,
    request: Request,
    options: LeptosOptions,
    arena: Arena,
) -> Response {
    let more = move || provide_context(uploaded.clone());
    page_with(request, options, arena, more).await
}

pub(super) async fn page_with(
    mut request: Request,
    options: LeptosOptions,
    arena: Arena,
    more: impl Fn() + Clone + Send + Sync + 'static,
) -> Response {
    let settings = settings_of_visitor(&arena, request.headers(), request.uri()).await;
    let language = pages::language(settings, request.headers());
    // The service worker keeps this copy for whoever uses the browser, so it shows nobody's name.
    let kept = request.uri().query() == Some("offline=1");
    if kept {
        request.headers_mut().remove(header::COOKIE);
    }
    let release = release::release(&options);
    let for_programs = ProgramsContext {
        operations: openapi::operations(),
        moves_per_second: arena.settings.moves_per_second.get(),
        requests_by_token: arena.settings.requests_by_token.get(),
        line_port: arena.settings.line_listen.map(|address| address.port()),
    };
    let context = move || {
        pages::provide(&arena, settings, language);
        provide_context(release.clone());
        provide_context(for_programs);
        more();
    };
    let render =
        leptos_axum::render_app_async_with_context(context, move || shell(options.clone()));
    let mut response = render(request).await;
    let headers = response.headers_mut();
    if kept && let Ok(version) = HeaderValue::from_str(&release.version) {
        headers.insert(release::VERSION_HEADER, version);
    }
    // It shows who is signed in, so the way back after signing out must not show it again.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The frame in a table's page that shows that its player is there. `?seen=` is what the page shows.
async fn beat(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    let (headers, uri) = (request.headers(), request.uri());
    let settings = settings_of_visitor(&arena, headers, uri).await;
    let id = uri.path().split('/').nth(2).and_then(|id| id.parse().ok());
    let snapshot = match arena.matches.snapshot(id.unwrap_or(MatchId(0))).await {
        Ok(snapshot) => Some(snapshot),
        Err(error) if error.code() == Code::NoSuchMatch => {
            return missing(request, options, arena).await;
        }
        // The frame reloads itself, and by then the database may be back.
        Err(error) => Err(error).log_failure("rendering the heartbeat frame"),
    };
    let query = uri.query().unwrap_or_default();
    let seen = query.split('&').find_map(|pair| pair.strip_prefix("seen="));
    let language = pages::language(settings, headers);
    pages::beat(
        settings,
        language,
        options,
        snapshot.as_ref(),
        seen.unwrap_or_default(),
    )
}

/// The display settings of whoever loads a page; of a signed-in player the presence is written, too. When the database is
/// away, the page itself says so.
async fn settings_of_visitor(arena: &Arena, headers: &HeaderMap, uri: &Uri) -> Settings {
    // Pages are for people: they know no tokens.
    let session = context::session_of(arena, headers, &Extensions::new()).await;
    let session = session
        .log_failure("reading the session of a page")
        .flatten();
    if let Some(session) = &session {
        // A page must not fail because presence could not be written.
        let noted = pages::note(arena, session, headers, uri).await;
        noted
            .with_subject(session.account.id)
            .log_failure("writing the presence of a page load");
    }
    let of_account = session.and_then(|session| session.settings);
    of_account.unwrap_or_else(|| cookie::settings(headers))
}

/// The page that says that there is nothing here.
async fn missing(request: Request, options: LeptosOptions, arena: Arena) -> Response {
    let mut response = page(request, options, arena).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
