//! The common parts of pages: titles, loading, session, settings, query parameters, error pages, redirects to login.

pub(crate) mod games_on_turn;
pub(crate) mod info_stylesheet;
pub(crate) mod load;
pub(crate) mod not_found;
pub(crate) mod page_address;
pub(crate) mod release;
pub(crate) mod settings_form;
pub(crate) mod title;
pub(crate) mod visitor_session;

use crate::error::ErrorResponse;
use crate::ui::forms::next_path;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::{use_location, use_params_map, use_query_map};
use leptos_router::location::Url;
use tochki_protocol::{MatchId, Settings};

/// Whether the page is for a phone, as a context of every page. In a browser nothing asks for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnPhone(pub bool);

/// Returns the settings of this visit. In a browser they are attributes of `<html>`, and read from there when needed.
pub(crate) fn current_settings() -> Settings {
    use_context().unwrap_or_default()
}

/// Returns the match of a path with `:id`. Anything but a number becomes 0, which is no match: looking for it sets the status of
/// the page.
pub(crate) fn match_id() -> MatchId {
    MatchId(number_in_path().unwrap_or(0))
}

/// Returns the `id` of the path, if it is a number.
pub(crate) fn number_in_path() -> Option<i64> {
    use_params_map().with_untracked(|params| params.get("id")?.parse().ok())
}

/// Returns a parameter of the query string, unless it is blank.
pub(crate) fn query_param(field: &str) -> Option<String> {
    let value = use_query_map().with_untracked(|query| query.get(field));
    value.filter(|text| !text.trim().is_empty())
}

/// Returns the path and query of this page.
pub(crate) fn current_url() -> String {
    let location = use_location();
    let path = location.pathname.get_untracked();
    let query = location.search.get_untracked();
    if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    }
}

/// Shown instead of a page that could not be loaded.
#[component]
pub(crate) fn PageError(error: ErrorResponse) -> impl IntoView {
    let language = language();
    view! {
        <Title text=t!(language, trouble.title) />
        <ErrorCard text=error_text(language, &error) />
    }
}

/// The error message, with links to reload and to the front page.
#[component]
pub(crate) fn ErrorCard(text: &'static str) -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{t!(language, trouble.title)}</h1>
            <p>{text}</p>
            <p class="button-row">
                <a class="button" href="">
                    {t!(language, trouble.again)}
                </a>
                <a href="/">{t!(language, missing.home)}</a>
            </p>
        </section>
    }
}

/// Redirects to login, and from there back to this page.
#[component]
pub(crate) fn RedirectToLogin() -> impl IntoView {
    let here = current_url();
    view! { <Redirect path=format!("/login?next={}", Url::escape(&here)) /> }
}

/// Redirects a signed-in player to `?next=`. A guest may still log in as somebody else; to register, a guest is sent to
/// `guests`.
#[component]
pub(crate) fn SignedOutOnly(
    /// The page to which a guest is redirected instead of seeing the form.
    #[prop(optional)]
    guests: Option<&'static str>,
    children: ChildrenFn,
) -> impl IntoView {
    let session = VisitorSession::current();
    let next = next_path();
    view! {
        <Suspense>
            {move || {
                let (children, next) = (children.clone(), next.clone());
                Suspend::new(async move {
                    match session.account().await {
                        Some(account) if !account.guest => view! { <Redirect path=next /> }.into_any(),
                        Some(_) if guests.is_some() => {
                            let path = with_next(guests.unwrap_or_default(), &next);
                            view! { <Redirect path /> }.into_any()
                        }
                        _ => children(),
                    }
                })
            }}
        </Suspense>
    }
}

/// Returns the path of a form with `?next=`.
pub(crate) fn with_next(form: &str, next: &str) -> String {
    format!("{form}?next={}", Url::escape(next))
}
