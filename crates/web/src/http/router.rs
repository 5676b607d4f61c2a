//! The routes.

use super::active_players::ActivePlayers;
use super::download_limits::{DownloadLimits, limit_downloads};
use super::in_flight::InFlight;
use super::record_turns::RecordTurns;
use super::route_list::{ListedRoute, Routes};
use super::stream_limits::StreamLimits;
use super::{
    active_players, bearer, bodies, cards, client_address, compressed, downloads,
    encoded_standings, events, games, guard, health, in_flight, metrics, my_data, new_codes,
    new_token, new_tournament, openapi, origin, pages, provisional, records, release, rendering,
    request_id, token_guard, tournament_calendar, tournament_files, unsubscribe,
};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use leptos::config::LeptosOptions;
use leptos::prelude::provide_context;
use leptos::server_fn::axum::server_fn_paths;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use leptos_axum::{
    AxumRouteListing, LeptosRoutes as _, generate_route_list, handle_server_fns_with_context,
};
use std::sync::{Arc, LazyLock};
use tochki_pages::error::ErrorResponse;
use tochki_pages::ui::App;
use tochki_protocol::{Code, limits};
use tochki_server::AppState;
use tokio::sync::Semaphore;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
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

/// Builds the router of all routes.
pub fn router(app: AppState, options: LeptosOptions) -> Router {
    build(app, options).0
}

/// Lists all routes: of the pages, of the server functions, and of everything else but the files of the site.
pub fn list_routes(app: AppState, options: LeptosOptions) -> Vec<ListedRoute> {
    build(app, options).1
}

fn build(app: AppState, options: LeptosOptions) -> (Router, Vec<ListedRoute>) {
    let files = rendering::files(&options, &app);
    tochki_server::streams::set_release(&release::release(&options).version);
    let (error_options, rendered_options) = (options.clone(), options.clone());
    let rate_limit = client_address::rate_limit(app.settings.requests_by_address);
    let page_limit = client_address::rate_limit(app.settings.pages_by_address);
    for (name, limit) in [("rate limits", &rate_limit), ("page limits", &page_limit)] {
        let (limit, shutdown) = (limit.clone(), app.shutdown.clone());
        app.tasks
            .spawn(name, move || limit.clone().prune(shutdown.clone()));
    }
    let players = ActivePlayers::open(&app);
    let tokens = token_guard::Guard::open(&app, players.clone());
    let downloads_limit = DownloadLimits::open(&app);
    let limit_downloads = || from_fn_with_state(downloads_limit.clone(), limit_downloads);
    let turns = Arc::new(Semaphore::new(limits::PAGES_AT_ONCE));
    let in_flight = InFlight::new(
        app.settings.requests_at_once_by_address.get(),
        players.clone(),
    );

    let call = |State(app): State<AppState>, request: Request| server_function(app, request);
    let api = Routes::default()
        .endpoint(
            &my_data::ENDPOINT,
            get(my_data::download).layer(limit_downloads()),
        )
        .endpoint(
            &games::ENDPOINT,
            get(games::download).layer(limit_downloads()),
        )
        .endpoint(&openapi::ENDPOINT, get(openapi::serve))
        .server_functions("/api/{*name}", any(call))
        .with(|router| {
            router
                .layer(from_fn(guard::complete_changes))
                .layer(from_fn(guard::set_status))
                .layer(from_fn(guard::check_etag))
                .layer(from_fn_with_state(tokens.clone(), token_guard::check_token))
                .layer(from_fn_with_state(
                    rate_limit.clone(),
                    client_address::check_rate_limit,
                ))
        });
    let records = Routes::default()
        .endpoint(&new_codes::ENDPOINT, post(new_codes::make))
        .endpoint(&unsubscribe::ENDPOINT, post(unsubscribe::end))
        .endpoint(&new_token::ENDPOINT, post(new_token::make))
        .endpoint(&new_tournament::ENDPOINT, post(new_tournament::make))
        .endpoint(&pages::EMBED, get(pages::embed))
        .endpoint(&records::DOWNLOAD, get(records::download))
        .endpoint(&tournament_files::TRF, get(tournament_files::trf))
        .endpoint(&tournament_files::CSV, get(tournament_files::csv))
        .endpoint(
            &tournament_files::JSON,
            get(tournament_files::json).layer(limit_downloads()),
        )
        .endpoint(
            &tournament_calendar::ENDPOINT,
            get(tournament_calendar::serve),
        )
        .endpoint(
            &downloads::SGF,
            get(downloads::as_sgf).layer(limit_downloads()),
        )
        .endpoint(
            &downloads::JSONL,
            get(downloads::as_jsonl).layer(limit_downloads()),
        )
        // Cards, which anybody's programs fetch, have turns of their own.
        .endpoint(
            &records::OPEN,
            post(records::open).layer(Extension(RecordTurns::default())),
        )
        .endpoint(&cards::MATCH, get(cards::of_match))
        .endpoint(&cards::GAME, get(cards::of_game))
        .with(|router| {
            router
                .layer(Extension(RecordTurns::default()))
                .layer(Extension(cards::CardCache::default()))
                .layer(from_fn(guard::complete_changes))
                .layer(Extension(rendered_options.clone()))
                .layer(from_fn_with_state(tokens.clone(), token_guard::check_token))
                .layer(from_fn_with_state(
                    rate_limit.clone(),
                    client_address::check_rate_limit,
                ))
        });
    let streams = Routes::default()
        .endpoint(&events::SHARED, get(events::shared))
        .endpoint(&events::LOBBY, get(events::lobby))
        .endpoint(&events::PERSONAL, get(events::personal))
        .endpoint(&events::MATCH, get(events::match_))
        .endpoint(&events::TABLE, get(events::table))
        .endpoint(&events::TOURNAMENT, get(events::tournament))
        .with(|router| {
            router
                .layer(from_fn_with_state(tokens, token_guard::check_token))
                .layer(from_fn_with_state(
                    rate_limit,
                    client_address::check_rate_limit,
                ))
                .layer(Extension(StreamLimits::of(&app.settings, players.clone())))
        });
    let render = {
        let (app, options) = (app.clone(), options.clone());
        move |request: Request| rendering::page(request, options.clone(), app.clone())
    };
    let framed = {
        let (app, options) = (app.clone(), options.clone());
        move |request: Request| rendering::presence_frame(request, options.clone(), app.clone())
    };
    // With a handler of our own, because Leptos would otherwise claim the addresses of the server functions, too.
    let rendered = Router::new()
        .leptos_routes_with_handler(ROUTES.clone(), render.clone())
        .layer(from_fn_with_state(turns.clone(), in_flight::take_turns))
        .with_state(options);

    let release_options = rendered_options.clone();
    let pages = Routes::default()
        .pages(rendered, &ROUTES)
        .get(
            "/@{name}",
            get(render).layer(from_fn_with_state(turns, in_flight::take_turns)),
        )
        .get("/match/{id}/beat", get(framed))
        .get("/texts/{file}", get(compressed::texts_of_islands))
        .get("/info_pages.css", get(compressed::stylesheet))
        .get(
            "/release.js",
            get(move || async move { release::script(&release_options) }),
        )
        .get("/healthz", get(health::alive))
        .get("/readyz", get(health::ready))
        .with(|router| {
            router.fallback_service(files).layer(from_fn_with_state(
                (page_limit, rendered_options),
                client_address::check_page_rate_limit,
            ))
        });

    let body_timeout = app.settings.body_timeout;
    let (router, listed) = api.merge(streams).merge(records).merge(pages).into_parts();
    let router = router
        .layer(guard::limit_response_time())
        .layer(from_fn_with_state(app.clone(), origin::check_origin))
        // Of every route. A request refused before its body was read is answered all the same: the connection lingers.
        .layer(from_fn_with_state(body_timeout, bodies::read_body))
        .layer(from_fn_with_state(in_flight, in_flight::limit_in_flight))
        .layer(from_fn_with_state(
            players.clone(),
            active_players::keep_session,
        ))
        .layer(from_fn_with_state(players.clone(), provisional::admit))
        .layer(Extension(players))
        .layer(from_fn(bearer::take_bearer))
        .layer(from_fn_with_state(
            app.clone(),
            client_address::set_client_address,
        ))
        .layer(from_fn(guard::require_host))
        .layer(CatchPanicLayer::custom(guard::answer_panic))
        .layer(from_fn_with_state(error_options, guard::show_errors))
        // A compressed stream would be held back.
        .layer(CompressionLayer::new().quality(COMPRESSION).compress_when(
            DefaultPredicate::new().and(NotForContentType::const_new(events::JSON_LINES)),
        ))
        .layer(from_fn_with_state(app.clone(), guard::set_headers))
        .layer(from_fn(metrics::observe_request))
        .layer(from_fn(request_id::run_in_span))
        .layer(request_id::set_request_id())
        .layer(map_request(request_id::remove_invalid_id))
        .with_state(app);
    (router, listed)
}

/// Answers a call of a server function, by a page, a form or a program.
async fn server_function(app: AppState, mut request: Request) -> Response {
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
    let (method, uri) = (request.method().clone(), request.uri().clone());
    if let Some(answer) = encoded_standings::answer(&app, &method, &uri).await {
        return answer;
    }
    // Leptos redirects a form to the page that it names as its `Referer`, with the error of the function in the address. No
    // other site is to be told of it, and what only reads is no form.
    let is_form = request.method() == Method::POST;
    let comes_from_us = origin::comes_from_us(&request, app.settings.public_origin.as_deref());
    if !is_form || !comes_from_us {
        request.headers_mut().remove(header::REFERER);
    }
    let shows_pages = pages::accepts_html(request.headers());
    if !is_form && shows_pages {
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::ACCEPT, json);
    }
    let context = move || provide_context(app.clone());
    let response = handle_server_fns_with_context(context, request).await;
    let mut response = response.into_response();
    if is_form && shows_pages && !comes_from_us {
        // Without a page to lead back to, the error would be lost.
        response = show_error(response).await;
    }
    lead_to_error(&mut response);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Lets the redirect of a refused form lead to where its page tells the error, if that has such a place.
fn lead_to_error(response: &mut Response) {
    let headers = response.headers_mut();
    if !headers.contains_key(SERVER_FN_ERROR_HEADER) {
        return;
    }
    let back = headers.get(header::LOCATION).map(HeaderValue::as_bytes);
    let back = back.filter(|back| !back.contains(&b'#'));
    let place = back.and_then(|back| HeaderValue::from_bytes(&[back, b"#refused"].concat()).ok());
    if let Some(place) = place {
        headers.insert(header::LOCATION, place);
    }
}

/// Answers with the error of a server function in the place of its redirect; passes on other answers.
async fn show_error(response: Response) -> Response {
    if !response.headers().contains_key(SERVER_FN_ERROR_HEADER) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.status = StatusCode::INTERNAL_SERVER_ERROR;
    parts.headers.remove(header::LOCATION);
    guard::with_status(parts, body).await
}
