//! What the pages share: fields of the address, an error instead of a page, redirects to sign-in.

use crate::error::ErrorResponse;
use crate::ui::forms::next;
use crate::ui::shell::session::Session;
use crate::ui::text::errors::refusal;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::{use_location, use_params_map, use_query_map};
use leptos_router::location::Url;
use tochki_protocol::MatchId;

/// The match of an address with `:id`. What is no number is no match either, like the number 0.
pub(crate) fn match_id() -> MatchId {
    let number = use_params_map().with_untracked(|params| params.get("id")?.parse().ok());
    MatchId(number.unwrap_or(0))
}

/// What the address says in a field of this name.
pub(crate) fn asked(field: &str) -> Option<String> {
    let said = use_query_map().with_untracked(|query| query.get(field));
    said.filter(|text| !text.trim().is_empty())
}

/// A page that could not be made, and why.
#[component]
pub(crate) fn Trouble(error: ErrorResponse) -> impl IntoView {
    let language = language();
    view! {
        <Title text=say!(language, trouble.title) />
        <section class="card narrow">
            <h1>{say!(language, trouble.title)}</h1>
            <p>{refusal(language, &error)}</p>
            <p class="ways">
                <a class="button" href="">
                    {say!(language, trouble.again)}
                </a>
                <a href="/">{say!(language, missing.home)}</a>
            </p>
        </section>
    }
}

/// Sends a visitor to the sign-in page, and from there back to where they were going.
#[component]
pub(crate) fn SignInFirst() -> impl IntoView {
    let location = use_location();
    let path = location.pathname.get_untracked();
    let search = location.search.get_untracked();
    let here = if search.is_empty() {
        path
    } else {
        format!("{path}?{search}")
    };
    view! { <Redirect path=format!("/login?next={}", Url::escape(&here)) /> }
}

/// Sends a player who is signed in already to where the form would have sent them. A guest may still sign in as somebody
/// else; whoever wants an account as a guest makes it of what they have played.
#[component]
pub(crate) fn UnlessSignedIn(
    /// Where a guest is sent instead of seeing the form.
    #[prop(optional)]
    guests: Option<&'static str>,
    children: ChildrenFn,
) -> impl IntoView {
    let session = Session::current();
    let next = next();
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

/// The address of another form that leads to the same place in the end.
pub(crate) fn with_next(form: &str, next: &str) -> String {
    format!("{form}?next={}", Url::escape(next))
}
