//! The page of a table, for everybody who has its link.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::chat::{ChatBox, LobbyChatTab, NoScriptLinks};
use crate::ui::fingerprint::versioned_url;
use crate::ui::games;
use crate::ui::islands::form_action::form_error;
use crate::ui::live::stream_script::StreamScript;
use crate::ui::night::TimeZoneScript;
use crate::ui::operator::Annulments;
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::{EscapedTitle, GameLink};
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::table::{GuestForm, Invite, Seats, TableActions};
use crate::ui::terms::describe_terms;
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::{use_params_map, use_query_map};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use tochki_protocol::limits::PAGE_RELOAD_INTERVAL;
use tochki_protocol::{
    Account, AnnulmentNotice, ChatAudience, ChatHistory, ChatPlace, Code, Invitation, LobbyEvent,
    MatchId, PlayerId, Table,
};

/// The script. Its content is part of its URL, so that browsers fetch a new version.
const SCRIPT: &str = include_str!("../../../../../public/open_table.js");

/// `/t/:link`, for everyone who has the link.
#[component]
pub(crate) fn TablePage() -> impl IntoView {
    let session = VisitorSession::current();
    let link = use_params_map().with_untracked(|params| params.get("link"));
    let data = load(move || load_table(link.clone().unwrap_or_default()));
    let refused = StoredValue::new(
        form_error::<api::Sit>()
            .or_else(form_error::<api::StandUp>)
            .or_else(form_error::<api::SetReady>)
            .or_else(form_error::<api::RemovePlayer>)
            .or_else(form_error::<api::CreateGuest>),
    );
    view! {
        <EscapedTitle text=t!(language(), open_table.title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match (data.await, session.signed_in().await) {
                    (Ok(TableData { table, players, .. }), Ok(me)) if table.closed => {
                        view! { <ClosedTable table players me /> }.into_any()
                    }
                    (Ok(data), Ok(me)) => {
                        let refused = refused.get_value();
                        view! { <TableView data me refused /> }.into_any()
                    }
                    (Err(error), _) if error.code == Code::NoSuchTable => {
                        let language = language();
                        view! {
                            <TableMessage
                                title=t!(language, open_table.missing_title)
                                text=t!(language, open_table.missing)
                            />
                        }
                            .into_any()
                    }
                    (Err(error), _) | (_, Err(error)) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// Data of the page.
#[derive(Clone, Serialize, Deserialize)]
struct TableData {
    table: Table,
    invitation: Invitation,
    /// A suggested name for a guest.
    suggested_name: String,
    /// The players of the match that started here.
    players: Vec<PlayerId>,
    /// The notices of annulled matches; none for a visitor who is not signed in.
    notices: Vec<AnnulmentNotice>,
    /// The chat of a visitor who sits here with the other player.
    chat: Option<ChatHistory>,
}

async fn load_table(link: String) -> Result<TableData, ErrorResponse> {
    let table = api::table(link.clone()).await?;
    let players = match table.match_id {
        Some(id) => {
            let snapshot = api::match_snapshot(id, None).await?;
            snapshot.players.map(|player| player.id).to_vec()
        }
        None => Vec::new(),
    };
    let me = api::whoami().await?;
    let sits = me.is_some_and(|me| table.seated_player(me.id).is_some());
    let place = ChatPlace::Table(table.id).to_string();
    // The table is shown even if the chat cannot be loaded.
    let chat = if sits {
        api::chat_history(place).await.ok()
    } else {
        None
    };
    Ok(TableData {
        chat,
        invitation: api::invitation(link).await?,
        suggested_name: if table.has_free_seat() {
            api::suggest_name(Some(language().code().to_owned())).await?
        } else {
            String::new()
        },
        table,
        players,
        // The table is shown even if they cannot be read.
        notices: api::notices().await.unwrap_or_default(),
    })
}

/// An open table.
#[component]
fn TableView(
    data: TableData,
    me: Option<Account>,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let TableData {
        table,
        invitation,
        suggested_name,
        notices,
        chat,
        ..
    } = data;
    let page = format!("/t/{}", table.link);
    let terms = describe_terms(language, table.setup, table.clock, table.rated);
    let guests = table.seated_players().any(|sitter| sitter.guest);
    // The event that the stream would send now: if it is the same, nothing is fetched.
    let known = LobbyEvent::Table(table.clone())
        .encode()
        .map(|event| event.body)
        .inspect_err(|error| leptos::logging::error!("{error}"))
        .ok();
    let asks_in = me.is_none() && table.has_free_seat();
    let sits = me
        .as_ref()
        .is_some_and(|me| table.seated_player(me.id).is_some());
    let refusal = refused.map(|error| error_text(language, &error));
    let writes = use_query_map().with_untracked(|query| query.get_str("open") == Some("say"));
    let links = NoScriptLinks {
        static_url: format!("{page}?open=say"),
        page_url: page.clone(),
        is_static: writes,
    };
    let place = ChatPlace::Table(table.id);
    let chat = chat.map(|history| {
        let me = me.clone();
        view! {
            <ChatBox place audience=ChatAudience::Players history me links />
            <LobbyChatTab />
        }
    });
    let id = me.map(|me| me.id);
    let hosts = id == Some(table.creator.id);
    // An invitation says who invites, and to which game.
    let invited = !sits && !hosts && table.has_free_seat();
    let kind = table.setup.kind();
    let host = display_name(language, &table.creator.name);
    let invitation_title = t!(
        language,
        invited.title,
        name = host,
        game = games::title(language, kind)
    );
    // Never the name of the table, which anybody may write.
    let link_title = invitation_title.clone();
    let title = if invited {
        invitation_title.into_any()
    } else {
        view! { <bdi>{table.name.clone()}</bdi> }.into_any()
    };
    let told = notices.len().to_string();
    // Two tabs of a browser are one player. The board of the analysis is for one who plays alone.
    let both_sides = format!(
        "/analysis?game={}{}",
        table.setup.kind(),
        games::setup_fields(&table.setup).query()
    );
    // Changes with the table; parts that depend on more than their text use it as `data-live`.
    let live = format!(
        "{:x}",
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&known)
    );
    view! {
        <GameLink title=link_title description=terms.clone() game=kind />
        <noscript inner_html=noscript_markup(language, &page, asks_in || writes)></noscript>
        <script type="module" src="/waiting.js"></script>
        <StreamScript />
        <script type="module" src=versioned_url("/open_table.js", SCRIPT)></script>
        <TimeZoneScript />
        <div role="status" class="line">
            <p id="connection-lost" class="lost" hidden>
                {t!(language, site.line_lost)}
            </p>
        </div>
        <div id="annulments-here" role="status" data-live=told>
            <Annulments notices />
        </div>
        <div
            class="open-table"
            data-events=format!("table:{}", table.link)
            data-me=id.map(|id| id.0)
            data-known=known
            data-joined-title=sits.then(|| t!(language, open_table.come))
        >
            <header id="terms" data-live=format!("{}-{guests}-{}-{invited}", table.agreement, table.terms_changed)>
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
                <p class="note">{guests.then(|| t!(language, open_table.unrated_guest))}</p>
                <p id="terms-changed" class="note" role="status">
                    {table.terms_changed.then(|| t!(language, open_table.terms_changed))}
                </p>
            </header>
            <div class="at-table card">
                <p role="alert" class="refusal">
                    {refusal}
                </p>
                <Seats table=table.clone() me=id live=live.clone() />
                <TableActions table=table.clone() me=id live />
            </div>
            <div id="asks-in" data-live=asks_in.to_string()>
                {asks_in
                    .then(|| view! { <GuestForm table=table.id link=table.link.to_string() page name=suggested_name /> })}
            </div>
            // `public/open_table.js` fills it when the visitor sits down.
            <div id="table-chat" class="table-chat">
                {chat}
            </div>
            {hosts.then(|| view! { <Invite invitation /> })}
            {hosts
                .then(|| {
                    view! {
                        <p id="both-sides" class="note">
                            {t!(language, open_table.tabs)} " "
                            <a href=both_sides>{t!(language, open_table.both_sides)}</a>
                        </p>
                    }
                })}
        </div>
    }
}

/// A closed table: its match, or the reason why it was closed.
#[component]
fn ClosedTable(table: Table, players: Vec<PlayerId>, me: Option<Account>) -> impl IntoView {
    let language = language();
    match table.match_id {
        Some(id) if me.is_some_and(|me| players.contains(&me.id)) => {
            view! { <Redirect path=format!("/match/{id}") /> }.into_any()
        }
        Some(id) => view! { <MatchStarted id /> }.into_any(),
        None => view! {
            <TableMessage title=t!(language, open_table.closed_title) text=t!(language, open_table.closed) />
        }
        .into_any(),
    }
}

#[component]
fn MatchStarted(id: MatchId) -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{t!(language, open_table.begun)}</h1>
            <p class="button-row">
                <a class="button" href=format!("/match/{id}")>
                    {t!(language, open_table.watch)}
                </a>
                <a href="/play">{t!(language, open_table.others)}</a>
            </p>
        </section>
    }
}

#[component]
fn TableMessage(title: &'static str, text: &'static str) -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{title}</h1>
            <p>{text}</p>
            <p class="button-row">
                <a class="button" href="/play">
                    {t!(language, open_table.others)}
                </a>
                <a href="/">{t!(language, missing.home)}</a>
            </p>
        </section>
    }
}

/// Returns the `<noscript>` content. Without scripts the page reloads itself, except for a visitor who may be typing a name or a
/// message.
fn noscript_markup(language: Language, page: &str, choosing: bool) -> String {
    if choosing {
        let words = t!(language, open_table.again);
        format!(r#"<p><a href="{page}">{words}</a></p>"#)
    } else {
        let seconds = PAGE_RELOAD_INTERVAL.as_secs();
        format!(r#"<meta http-equiv="refresh" content="{seconds};url={page}">"#)
    }
}
