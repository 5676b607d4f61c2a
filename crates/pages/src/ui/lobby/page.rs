//! The page of the lobby.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::account::RecoveryOffer;
use crate::ui::chat::{ChatBox, NoScriptLinks};
use crate::ui::forms::navigate_to;
use crate::ui::games::GameRow;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::{FormAction, form_error};
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::live::connection_lost::ConnectionLost;
use crate::ui::live::notices::NoticeList;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::live::stream_script::StreamScript;
use crate::ui::lobby::{
    BotForm, ChallengeForm, Challenges, ChoiceForm, CorrespondenceChallenges, CreateTableForm,
    EndedChallenges, FilterPanel, FinishedMatches, GuestEntry, LobbyController, LobbyQuery,
    LobbyState, Players, QuickGameCard, QuickGameForms, RunningMatches, Tables, match_of,
    notify_arrival, notify_challenges, sync_rating_slider,
};
use crate::ui::night::TimeZoneScript;
use crate::ui::operator::Annulments;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin};
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::tournament_links::NextTournament;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;
use tochki_protocol::limits::PAGE_RELOAD_INTERVAL;
use tochki_protocol::{
    Account, AnnulmentNotice, Challenge, ChallengeOutcome, ChatAudience, ChatHistory, ChatPlace,
    Code, Filter, PlayerId, Table, Tournament,
};
use tochki_rules::GameKind;

/// `/play`. A visitor without a session is asked for a name.
#[component]
pub(crate) fn LobbyPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let query = use_query_map().with_untracked(LobbyQuery::from_url);
    let room = {
        let query = query.clone();
        load(move || load_lobby(query.clone()))
    };
    let refused = StoredValue::new(
        form_error::<api::IssueChallenge>()
            .or_else(form_error::<api::StartQuickGame>)
            .or_else(form_error::<api::AnswerChallenge>)
            .or_else(form_error::<api::CancelChallenge>)
            .or_else(form_error::<api::CreateTable>)
            .or_else(form_error::<api::Sit>),
    );
    let name = load(suggest_name);
    let next = {
        let game = query.game().to_owned();
        load(move || api::next_tournament(Some(game.clone())))
    };
    let refused_guest = StoredValue::new(form_error::<api::CreateGuest>());
    view! {
        <PageTitle text=t!(language, waiting.title) description=t!(language, descriptions.lobby) />
        <InfoStylesheet />
        <RecoveryOffer />
        <Suspense>
            {move || {
                let query = query.clone();
                Suspend::new(async move {
                    let name = name.await;
                    // The lobby is shown without it.
                    let next = next.await.ok().flatten();
                    match (session.signed_in().await, room.await) {
                        // A player of a running match is redirected to it, from whatever page they come.
                        (Ok(Some(me)), Ok((room, endings, own, chat, notices, by_correspondence))) => match match_of(me.id, &room.matches) {
                            Some(table) => view! { <Redirect path=format!("/match/{table}") /> }.into_any(),
                            None => {
                                let query = if me.guest { query.unrated() } else { query };
                                let refused = refused.get_value();
                                view! { <LobbyView me room endings own chat notices by_correspondence next query refused /> }.into_any()
                            }
                        },
                        (Ok(None), _) => {
                            let game = query.game().parse().unwrap_or(GameKind::DEFAULT);
                            // Whether games are rated is left open: guests play unrated ones anyway, and whoever signs in from
                            // here has not chosen that.
                            let choice = query.choice_query(game).replace("&rated=yes", "");
                            let here = format!("/play?{choice}{}", query.filter_query());
                            let refused = refused_guest.get_value();
                            view! { <GuestEntry here name=name.ok().flatten().unwrap_or_default() refused /> }.into_any()
                        }
                        (Err(error), _) | (_, Err(error)) if error.code != Code::SignedOut => {
                            view! { <PageError error /> }.into_any()
                        }
                        _ => view! { <RedirectToLogin /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// A name for a visitor without a session.
async fn suggest_name() -> Result<Option<String>, ErrorResponse> {
    if api::whoami().await?.is_some() {
        return Ok(None);
    }
    let language = language().code().to_owned();
    Ok(Some(api::suggest_name(Some(language)).await?))
}

/// Loads the unfiltered lobby (the page filters by itself), recent endings of challenges, the visitor's own table,
/// the chat, and notices. Remembers a new choice of the visitor.
async fn load_lobby(
    query: LobbyQuery,
) -> Result<
    (
        tochki_protocol::WaitingRoom,
        Vec<ChallengeOutcome>,
        Option<Table>,
        ChatHistory,
        Vec<AnnulmentNotice>,
        Vec<Challenge>,
    ),
    ErrorResponse,
> {
    let game = query.game().to_owned();
    // The page of a visitor without a session is no failure.
    if api::whoami().await?.is_none() {
        return Err(Code::SignedOut.into());
    }
    let room = api::waiting_room(game.clone(), None, None, None).await?;
    if let Some(me) = api::whoami().await?
        && match_of(me.id, &room.matches).is_none()
        && let Some(choice) = query.new_choice()
    {
        // If it cannot be stored, the choice is still in the URL.
        let _ = api::remember_choice(choice).await;
    }
    let chat = api::chat_history(ChatPlace::Lobby.to_string()).await?;
    let endings = api::challenge_outcomes(game).await?;
    let notices = api::notices().await?;
    let challenges = api::my_challenges().await?;
    Ok((
        room,
        endings,
        api::my_table().await?,
        chat,
        notices,
        challenges,
    ))
}

/// The lobby as the server renders it.
#[component]
fn LobbyView(
    me: Account,
    room: tochki_protocol::WaitingRoom,
    endings: Vec<ChallengeOutcome>,
    own: Option<Table>,
    chat: ChatHistory,
    notices: Vec<AnnulmentNotice>,
    by_correspondence: Vec<Challenge>,
    /// The tournament of this game that can be entered next.
    next: Option<Tournament>,
    query: LobbyQuery,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    // The API has rejected unknown games before.
    let game = query.game().parse().unwrap_or(GameKind::DEFAULT);
    let choice = query.choice(game);
    let filter = query.filter();
    let invalid_choice = choice.is_err();
    let (choice_query, filter_query) = (query.choice_query(game), query.filter_query());
    let here = format!("/play?{choice_query}{filter_query}");
    let still = format!("{here}&open=choice");
    // An automatic reload would lose what has to be corrected.
    let stands_still = ["choice", "filter", "say"]
        .iter()
        .any(|panel| query.is_open(panel))
        || invalid_choice
        || filter.is_err();
    let links = NoScriptLinks {
        page_url: here.clone(),
        static_url: format!("{here}&open=say"),
        is_static: stands_still,
    };
    let RenderedAt(rendered_at) = use_context().unwrap_or_default();
    let players = room.players.clone();
    let account = me.clone();
    let me = me.id;
    let inside = LobbyData {
        game,
        me,
        guest: account.guest,
        rendered_at,
        room,
        filter: filter.clone().unwrap_or_default(),
        queries: [choice_query, filter_query],
        invalid: invalid_choice,
        refused,
    };
    view! {
        <PreloadIsland island="lobby_island" />
        <script type="module" src="/waiting.js"></script>
        {(!stands_still)
            .then(|| {
                view! {
                    <noscript>
                        <meta http-equiv="refresh" content=format!("{};url={here}", PAGE_RELOAD_INTERVAL.as_secs()) />
                    </noscript>
                }
            })}
        <GameRow label=t!(language(), waiting.games) here=game to=|game| format!("/play?game={game}") />
        <EndedChallenges me endings players />
        // `public/chat.js` fills it when a game is annulled while the page is open.
        <div id="annulments-here" role="status">
            <Annulments notices />
        </div>
        {own.map(|table| view! { <OwnTable table /> })}
        {next.map(|tournament| view! { <NextTournament tournament now=rendered_at /> })}
        <CorrespondenceChallenges me challenges=by_correspondence />
        <TimeZoneScript />
        {LOBBY
            .embed(
                inside,
                move || {
                    view! {
                        <LobbyIsland>
                            <ChoiceForm
                                game
                                values=query.fields().clone()
                                choice=choice.clone()
                                open=query.is_open("choice")
                                still
                            />
                            <ChallengeForm choice=choice.clone() />
                            <QuickGameForms choice=choice.clone() />
                            <BotForm choice=choice.clone() />
                            <CreateTableForm choice />
                            <FilterPanel
                                values=query.filter_fields().clone()
                                unreadable=filter.is_err()
                                open=query.is_open("filter")
                            />
                        </LobbyIsland>
                    }
                },
            )}
        <StreamScript />
        <ChatBox place=ChatPlace::Lobby audience=ChatAudience::Lobby history=chat me=Some(account) links />
    }
}

/// A link to the table where the visitor has a seat.
#[component]
fn OwnTable(table: Table) -> impl IntoView {
    let language = language();
    view! {
        <p class="card own-table">
            {t!(language, tables.yours)}
            <a class="button" href=format!("/t/{}", table.link)>
                {t!(language, tables.to_yours)}
            </a>
        </p>
    }
}

/// Data of the island.
#[derive(Serialize, Deserialize)]
struct LobbyData {
    game: GameKind,
    /// The visitor.
    me: PlayerId,
    /// Whether the visitor is a guest.
    guest: bool,
    rendered_at: Timestamp,
    room: tochki_protocol::WaitingRoom,
    filter: Filter,
    /// The choice and the filter as query strings.
    queries: [String; 2],
    /// Whether the choice is invalid.
    invalid: bool,
    /// The error of a form posted without scripts.
    refused: Option<ErrorResponse>,
}

static LOBBY: IslandData<LobbyData> = IslandData::new("inside");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn LobbyIsland(
    /// Rendered by the server only: the choice and the filter.
    children: Children,
) -> impl IntoView {
    let language = language();
    let data = LOBBY.read();
    let rendered_at = RenderedAt(data.rendered_at);
    let lobby = LobbyState::new(data.me, data.game, data.room, rendered_at, language);
    let form_action = FormAction::new(data.refused);
    let controller = LobbyController::new(
        lobby,
        form_action,
        language,
        data.filter,
        data.queries,
        data.invalid,
    );
    effect(move || {
        // Values that were entered before hydration.
        controller.on_change();
        notify_challenges(lobby, language);
        notify_arrival(lobby, language);
        lobby.subscribe();
    });
    effect(move || {
        if let Some(table) = lobby.my_match() {
            navigate_to(&format!("/match/{table}"));
        }
    });
    let refusal = move || {
        form_action
            .error
            .with(|error| error.as_ref().map(|error| error_text(language, error)))
    };
    let blocked = Signal::derive(move || {
        lobby.has_outgoing_challenge() || form_action.pending.get() || controller.invalid.get()
    });
    view! {
        <ConnectionLost lost=lobby.connection_lost />
        <h1>{t!(language, waiting.title)}</h1>
        <p role="alert" class="refusal">
            {refusal}
        </p>
        <Challenges lobby form_action />
        <div
            class="room"
            on:change=move |_| controller.on_change()
            on:input=|input| sync_rating_slider(&input)
            on:submit=move |submit| controller.on_submit(&submit)
        >
            <QuickGameCard lobby invalid=controller.invalid form_action />
            {children()}
            <Players lobby guest=data.guest filter=controller.filter applied=controller.applied blocked />
            <div class="beside">
                <Tables lobby />
                <RunningMatches lobby />
                <FinishedMatches lobby />
            </div>
        </div>
        <NoticeList notices=lobby.notices />
    }
}
