//! The routes.

use super::stream_limits::StreamLimits;
use super::{
    client_address, compressed, downloads, events, games, guard, health, metrics, my_data, openapi,
    origin, pages, records, recovery, release, rendering, request_id, token, tokens,
};
use crate::error::ErrorResponse;
use crate::ui::App;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, Method, header};
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
use tochki_protocol::Code;
use tochki_server::Arena;
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
    let files = rendering::files(&options, &arena);
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
        .layer(from_fn(guard::complete_changes))
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
        .layer(from_fn(guard::complete_changes))
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
        .route("/events", get(events::shared))
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
        move |request: Request| rendering::page(request, options.clone(), arena.clone())
    };
    let framed = {
        let (arena, options) = (arena.clone(), options.clone());
        move |request: Request| rendering::beat(request, options.clone(), arena.clone())
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
