//! A router that lists its routes. Tests go through the list, so that no route can be added without them
//! (`clippy.toml` forbids `Router::route`).

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use leptos::server_fn::axum::server_fn_paths;
use leptos_axum::AxumRouteListing;
use tochki_pages::endpoint::{self, Endpoint};
use tochki_server::AppState;

/// The method and the pattern of the address of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRoute {
    /// The method.
    pub method: Method,
    /// The address, with its parameters in braces.
    pub path: String,
}

/// Routes, and the list of them.
#[derive(Default)]
pub(super) struct Routes {
    router: Router<AppState>,
    listed: Vec<ListedRoute>,
}

impl Routes {
    /// Adds a route for `GET`.
    pub(super) fn get(self, path: &str, handler: MethodRouter<AppState>) -> Self {
        self.add(Method::GET, path, handler)
    }

    /// Adds the route of an endpoint.
    pub(super) fn endpoint(self, endpoint: &Endpoint, handler: MethodRouter<AppState>) -> Self {
        let method = match endpoint.method {
            endpoint::Method::Get => Method::GET,
            endpoint::Method::Post => Method::POST,
        };
        self.add(method, endpoint.path, handler)
    }

    #[expect(clippy::disallowed_methods, reason = "here the route is listed")]
    fn add(mut self, method: Method, path: &str, handler: MethodRouter<AppState>) -> Self {
        self.listed.push(ListedRoute {
            method,
            path: path.to_owned(),
        });
        self.router = self.router.route(path, handler);
        self
    }

    /// Adds the route of all server functions, and lists each.
    #[expect(clippy::disallowed_methods, reason = "here the routes are listed")]
    pub(super) fn server_functions(mut self, path: &str, handler: MethodRouter<AppState>) -> Self {
        let functions = server_fn_paths().map(|(path, method)| ListedRoute {
            method,
            path: path.to_owned(),
        });
        self.listed.extend(functions);
        self.router = self.router.route(path, handler);
        self
    }

    /// Adds a router of pages, and lists them.
    pub(super) fn pages(mut self, pages: Router<AppState>, listing: &[AxumRouteListing]) -> Self {
        self.listed.extend(listing.iter().map(|page| ListedRoute {
            method: Method::GET,
            path: page.path().to_owned(),
        }));
        self.router = self.router.merge(pages);
        self
    }

    /// Changes the router, as by a layer, without adding routes.
    pub(super) fn with(
        mut self,
        change: impl FnOnce(Router<AppState>) -> Router<AppState>,
    ) -> Self {
        self.router = change(self.router);
        self
    }

    /// Adds other routes.
    pub(super) fn merge(mut self, other: Self) -> Self {
        self.listed.extend(other.listed);
        self.router = self.router.merge(other.router);
        self
    }

    /// The router, and the list of its routes.
    pub(super) fn into_parts(self) -> (Router<AppState>, Vec<ListedRoute>) {
        (self.router, self.listed)
    }
}
