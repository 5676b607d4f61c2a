//! An open table: for those who sit there, and for everybody who has its link.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::islands::form_action::refused;
use crate::ui::shell::page::Trouble;
use crate::ui::shell::session::Session;
use crate::ui::table::{Actions, Chairs, GuestForm, Invite};
use crate::ui::text::errors::refusal;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_params_map;
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use tochki_protocol::{Account, Code, Invitation, LobbyEvent, MatchId, PlayerId, Table};

/// `/t/:link`, for everyone who has the link.
#[component]
pub(crate) fn TablePage() -> impl IntoView {
    let session = Session::current();
    let link = use_params_map().with_untracked(|params| params.get("link"));
    let found = Resource::new_blocking(|| (), move |()| look(link.clone().unwrap_or_default()));
    let refused = StoredValue::new(
        refused::<api::Sit>()
            .or_else(refused::<api::StandUp>)
            .or_else(refused::<api::GetReady>)
            .or_else(refused::<api::RemovePlayer>)
            .or_else(refused::<api::BeGuest>),
    );
    view! {
        <Title text=say!(language(), open_table.title) />
        <Suspense>
            {move || Suspend::new(async move {
                match (found.await, session.signed_in().await) {
                    (Ok(Found { table, players, .. }), Ok(me)) if table.closed => {
                        view! { <Over table players me /> }.into_any()
                    }
                    (Ok(found), Ok(me)) => {
                        let refused = refused.get_value();
                        view! { <Open found me refused /> }.into_any()
                    }
                    (Err(error), _) if error.code == Code::NoSuchTable => {
                        let language = language();
                        view! {
                            <NoTable
                                title=say!(language, open_table.missing_title)
                                text=say!(language, open_table.missing)
                            />
                        }
                            .into_any()
                    }
                    (Err(error), _) | (_, Err(error)) => view! { <Trouble error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// What the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Found {
    table: Table,
    invitation: Invitation,
    /// A name for whoever comes without an account.
    made_up: String,
    /// Who plays the match that has begun here.
    players: Vec<PlayerId>,
}

async fn look(link: String) -> Result<Found, ErrorResponse> {
    let table = api::table(link.clone()).await?;
    let players = match table.match_id {
        Some(id) => {
            let snapshot = api::match_snapshot(id, None).await?;
            snapshot.players.map(|player| player.id).to_vec()
        }
        None => Vec::new(),
    };
    Ok(Found {
        invitation: api::invitation(link).await?,
        made_up: if table.has_room() {
            api::made_up_name().await?
        } else {
            String::new()
        },
        table,
        players,
    })
}

/// The table as it stands.
#[component]
fn Open(found: Found, me: Option<Account>, refused: Option<ErrorResponse>) -> impl IntoView {
    let language = language();
    let Found {
        table,
        invitation,
        made_up,
        ..
    } = found;
    let page = format!("/t/{}", table.link);
    let terms = words::terms(language, table.setup, table.clock, table.rated);
    let guests = table.sitters().any(|sitter| sitter.guest);
    // What the stream would say now: with it nothing has to be fetched.
    let known = LobbyEvent::Table(table.clone())
        .encode()
        .map(|event| event.body)
        .inspect_err(|error| leptos::logging::error!("{error}"))
        .ok();
    let asks_in = me.is_none() && table.has_room();
    let sits = me.as_ref().is_some_and(|me| table.sitter(me.id).is_some());
    let refusal = refused.map(|error| refusal(language, &error));
    let id = me.map(|me| me.id);
    // Parts that depend on more than their words are drawn again whenever anything has changed.
    let live = format!(
        "{:x}",
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&known)
    );
    view! {
        <noscript inner_html=without_scripts(language, &page, asks_in)></noscript>
        <script type="module" src="/call.js"></script>
        <script type="module" src="/open_table.js"></script>
        <div role="status" class="line">
            <p id="line-lost" class="lost" hidden>
                {say!(language, site.line_lost)}
            </p>
        </div>
        <div
            class="open-table"
            data-events=format!("/events/table/{}", table.link)
            data-me=id.map(|id| id.0)
            data-known=known
            data-come=sits.then(|| say!(language, open_table.come))
        >
            <header id="terms" data-live=format!("{}-{guests}", table.rated)>
                <h1>
                    <bdi>{table.name.clone()}</bdi>
                </h1>
                <p class="terms">{terms}</p>
                <p class="note">{guests.then(|| say!(language, open_table.unrated_guest))}</p>
            </header>
            <div class="at-table card">
                <p role="alert" class="refusal">
                    {refusal}
                </p>
                <Chairs table=table.clone() me=id live=live.clone() />
                <Actions table=table.clone() me=id live />
            </div>
            <div id="asks-in" data-live=asks_in.to_string()>
                {asks_in
                    .then(|| view! { <GuestForm table=table.id page name=made_up /> })}
            </div>
            <Invite invitation />
        </div>
    }
}

/// A table that is closed, and where to go from there.
#[component]
fn Over(table: Table, players: Vec<PlayerId>, me: Option<Account>) -> impl IntoView {
    let language = language();
    match table.match_id {
        Some(id) if me.is_some_and(|me| players.contains(&me.id)) => {
            view! { <Redirect path=format!("/match/{id}") /> }.into_any()
        }
        Some(id) => view! { <Begun id /> }.into_any(),
        None => view! {
            <NoTable title=say!(language, open_table.closed_title) text=say!(language, open_table.closed) />
        }
        .into_any(),
    }
}

#[component]
fn Begun(id: MatchId) -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{say!(language, open_table.begun)}</h1>
            <p class="ways">
                <a class="button" href=format!("/match/{id}")>
                    {say!(language, open_table.watch)}
                </a>
                <a href="/play">{say!(language, open_table.others)}</a>
            </p>
        </section>
    }
}

#[component]
fn NoTable(title: &'static str, text: &'static str) -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{title}</h1>
            <p>{text}</p>
            <p class="ways">
                <a class="button" href="/play">
                    {say!(language, open_table.others)}
                </a>
                <a href="/">{say!(language, missing.home)}</a>
            </p>
        </section>
    }
}

/// Without scripts the page reloads itself, but for somebody who may be choosing a name.
fn without_scripts(language: Language, page: &str, choosing: bool) -> String {
    if choosing {
        let words = say!(language, open_table.again);
        format!(r#"<p><a href="{page}">{words}</a></p>"#)
    } else {
        format!(r#"<meta http-equiv="refresh" content="5;url={page}">"#)
    }
}
