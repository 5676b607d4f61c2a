//! The pages, one an address. The server renders them; what lives in a browser are the islands in them.

mod account;
mod front;
mod history;
mod keep;
mod login;
mod missing;
mod open_table;
mod operator;
mod profile;
mod register;
mod replay;
mod rules;
mod sgf;
mod standings;
mod table;
mod waiting_room;

pub(super) use account::Account;
pub(super) use front::Front;
pub(super) use history::History;
pub(super) use keep::Keep;
pub(super) use login::Login;
pub(super) use missing::Missing;
pub(super) use open_table::TablePage;
pub(super) use operator::Operator;
pub(super) use profile::Profile;
pub(super) use register::Register;
pub(super) use replay::Replay;
pub(super) use rules::{Rules, RulesOfAll};
pub(super) use sgf::Sgf;
pub use sgf::{Brought, Complaint};
pub(super) use standings::{Standings, StandingsOf};
pub(super) use table::MatchPage;
pub(super) use waiting_room::WaitingRoom;

use super::forms::next;
use super::refusals::refusal;
use super::session::Session;
use super::texts::{language, say};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::{use_location, use_params_map, use_query_map};
use leptos_router::location::Url;
use tochki_protocol::MatchId;

/// The match of an address with `:id`. What is no number is no match either, like the number 0.
fn match_id() -> MatchId {
    let number = use_params_map().with_untracked(|params| params.get("id")?.parse().ok());
    MatchId(number.unwrap_or(0))
}

/// What the address says in a field of this name.
fn asked(field: &str) -> Option<String> {
    let said = use_query_map().with_untracked(|query| query.get(field));
    said.filter(|text| !text.trim().is_empty())
}

/// A page that could not be made, and why.
#[component]
fn Trouble(error: ErrorResponse) -> impl IntoView {
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
fn SignInFirst() -> impl IntoView {
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
fn UnlessSignedIn(
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
fn with_next(form: &str, next: &str) -> String {
    format!("{form}?next={}", Url::escape(next))
}
