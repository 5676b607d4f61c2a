//! The waiting room: what I want to play, who waits, who asks, what is being played.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::chat::{ChatBox, Ways};
use crate::ui::forms::load;
use crate::ui::games::GameRow;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::{FormAction, refused};
use crate::ui::islands::preload::CodeAhead;
use crate::ui::live::notices::NoticeBoard;
use crate::ui::live::server_time::RenderedAt;
use crate::ui::lobby::{
    AskForm, Asked, Calls, ChoiceForm, Endings, FilterPanel, Games, OpenForm, Players, Room,
    Tables, Wishes, alert, follow_thumbs, table_of,
};
use crate::ui::match_page::LostLine;
use crate::ui::shell::page::{SignInFirst, Trouble};
use crate::ui::shell::session::Session;
use crate::ui::text::errors::refusal;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;
use tochki_protocol::{
    Account, ChallengeOutcome, ChatAudience, ChatHistory, ChatPlace, Code, Filter, PlayerId, Table,
    WaitingRoom as Wire,
};
use tochki_rules::GameKind;

/// `/play`, for players.
#[component]
pub(crate) fn WaitingRoom() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let asked = use_query_map().with_untracked(Asked::in_address);
    let game = asked.game().to_owned();
    let room = Resource::new_blocking(|| (), move |()| look_in(game.clone()));
    let refused = StoredValue::new(
        refused::<api::IssueChallenge>()
            .or_else(refused::<api::AnswerChallenge>)
            .or_else(refused::<api::CancelChallenge>)
            .or_else(refused::<api::LayTable>)
            .or_else(refused::<api::Sit>),
    );
    view! {
        <Title text=say!(language, waiting.title) />
        <CodeAhead of="inside" />
        <script type="module" src="/call.js"></script>
        <Suspense>
            {move || {
                let asked = asked.clone();
                Suspend::new(async move {
                    match (session.signed_in().await, room.await) {
                        // Who plays does not wait: whichever way they come here, they are sent to their table.
                        (Ok(Some(me)), Ok((room, endings, own, talk))) => match table_of(me.id, &room.matches) {
                            Some(table) => view! { <Redirect path=format!("/match/{table}") /> }.into_any(),
                            None => {
                                let asked = if me.guest { asked.unrated() } else { asked };
                                if let Some(choice) = asked.to_remember() {
                                    // What cannot be remembered still stands in the address.
                                    let _ = api::remember_choice(choice).await;
                                }
                                let refused = refused.get_value();
                                view! { <Standing me room endings own talk asked refused /> }.into_any()
                            }
                        },
                        (Ok(None), _) => view! { <SignInFirst /> }.into_any(),
                        (Err(error), _) | (_, Err(error)) if error.code != Code::SignedOut => {
                            view! { <Trouble error /> }.into_any()
                        }
                        _ => view! { <SignInFirst /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// The whole room, because the page sifts it by itself, what has ended in it of late, the open table at which the visitor
/// has a place already, and what is said in all rooms.
async fn look_in(
    game: String,
) -> Result<(Wire, Vec<ChallengeOutcome>, Option<Table>, ChatHistory), ErrorResponse> {
    let room = api::waiting_room(game.clone(), None, None, None).await?;
    let talk = api::talk(ChatPlace::Lobby.to_string()).await?;
    let endings = api::endings(game).await?;
    Ok((room, endings, api::my_table().await?, talk))
}

/// The room as it stands when the server renders it.
#[component]
fn Standing(
    me: Account,
    room: Wire,
    endings: Vec<ChallengeOutcome>,
    own: Option<Table>,
    talk: ChatHistory,
    asked: Asked,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    // What is no game has not come this far.
    let game = asked.game().parse().unwrap_or(GameKind::ALL[0]);
    let choice = asked.choice(game);
    let filter = asked.filter();
    let mistaken = choice.is_err();
    let (chosen, sifted) = (asked.chosen(game), asked.sifted());
    let here = format!("/play?{chosen}{sifted}");
    let still = format!("{here}&open=choice");
    // A page that reloads itself would lose what has to be corrected.
    let stands_still = ["choice", "filter", "say"]
        .iter()
        .any(|panel| asked.opens(panel))
        || mistaken
        || filter.is_err();
    let ways = Ways {
        here: here.clone(),
        still: format!("{here}&open=say"),
        stands_still,
    };
    let RenderedAt(rendered_at) = use_context().unwrap_or_default();
    let players = room.players.clone();
    let account = me.clone();
    let me = me.id;
    let inside = Known {
        game,
        me,
        rendered_at,
        room,
        filter: filter.clone().unwrap_or_default(),
        wishes: [chosen, sifted],
        mistaken,
        refused,
    };
    view! {
        {(!stands_still)
            .then(|| {
                view! {
                    <noscript>
                        <meta http-equiv="refresh" content=format!("5;url={here}") />
                    </noscript>
                }
            })}
        <GameRow label=say!(language(), waiting.games) here=game to=|game| format!("/play?game={game}") />
        <Endings me endings players />
        {own.map(|table| view! { <OwnTable table /> })}
        {INSIDE
            .to(
                inside,
                move || {
                    view! {
                        <Inside>
                            <ChoiceForm
                                game
                                said=asked.fields().clone()
                                choice=choice.clone()
                                open=asked.opens("choice")
                                still
                            />
                            <AskForm choice=choice.clone() />
                            <OpenForm choice />
                            <FilterPanel
                                said=asked.sieve().clone()
                                unreadable=filter.is_err()
                                open=asked.opens("filter")
                            />
                        </Inside>
                    }
                },
            )}
        <ChatBox venue=ChatPlace::Lobby voice=ChatAudience::Lobby talk me=Some(account) ways />
    }
}

/// The way back to the table at which the visitor has a place.
#[component]
fn OwnTable(table: Table) -> impl IntoView {
    let language = language();
    view! {
        <p class="card own-table">
            {say!(language, tables.yours)}
            <a class="button" href=format!("/t/{}", table.link)>
                {say!(language, tables.to_yours)}
            </a>
        </p>
    }
}

/// What the page knows of the room.
#[derive(Serialize, Deserialize)]
struct Known {
    game: GameKind,
    /// Who waits.
    me: PlayerId,
    rendered_at: Timestamp,
    room: Wire,
    filter: Filter,
    /// What is to be played, and the filter, as the address carries them.
    wishes: [String; 2],
    /// Whether there is something to be corrected first.
    mistaken: bool,
    /// Why a form came back.
    refused: Option<ErrorResponse>,
}

static INSIDE: IslandData<Known> = IslandData::named("inside");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn Inside(
    /// What the server has drawn and no script draws again: the choice and the filter.
    children: Children,
) -> impl IntoView {
    let language = language();
    let known = INSIDE.take();
    let rendered_at = RenderedAt(known.rendered_at);
    let room = Room::new(known.me, known.game, known.room, rendered_at, language);
    let errand = FormAction::new(known.refused);
    let wishes = Wishes::new(
        room,
        errand,
        language,
        known.filter,
        known.wishes,
        known.mistaken,
    );
    effect(move || {
        // What was filled in before the page woke up.
        wishes.change();
        alert(room, language);
        room.follow();
    });
    effect(move || {
        if let Some(table) = room.called_to() {
            load(&format!("/match/{table}"));
        }
    });
    let refusal = move || {
        errand
            .refused
            .with(|error| error.as_ref().map(|error| refusal(language, error)))
    };
    let blocked =
        Signal::derive(move || room.calling() || errand.under_way.get() || wishes.mistaken.get());
    view! {
        <LostLine lost=room.lost />
        <h1>{say!(language, waiting.title)}</h1>
        <p role="alert" class="refusal">
            {refusal}
        </p>
        <Calls room errand />
        <div
            class="room"
            on:change=move |_| wishes.change()
            on:input=|input| follow_thumbs(&input)
            on:submit=move |submit| wishes.submit(&submit)
        >
            {children()}
            <Players room filter=wishes.filter applied=wishes.applied blocked />
            <div class="beside">
                <Tables room />
                <Games room />
            </div>
        </div>
        <NoticeBoard notices=room.notices />
    }
}
