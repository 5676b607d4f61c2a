//! The table: a match, running or finished, for its players and for everyone who watches.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::board::{Board, BoardTools, Hand};
use crate::ui::chat::{ChatBox, Ways};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::form_action::{FormAction, refused};
use crate::ui::live::heartbeat as beat;
use crate::ui::live::notices::NoticeBoard;
use crate::ui::match_page::{
    Away, Hint, LostLine, MatchController, MoveEntry, Offers, ResignButton, ResultCard, Side,
    Speech, Turn, clocks_aloud, standing,
};
use crate::ui::shell::not_found::Missing;
use crate::ui::shell::page::{Trouble, match_id};
use crate::ui::shell::session::Session;
use crate::ui::steps::{Moves, PastMark, asked};
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use serde::{Deserialize, Serialize};
use tochki_protocol::{
    Account, ChatAudience, ChatHistory, ChatPlace, Code, MatchId, PlayerId, Snapshot,
};
use tochki_rules::Seat;

/// `/match/:id`, for everyone.
#[component]
pub(crate) fn MatchPage() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let id = match_id();
    let snapshot = Resource::new_blocking(|| (), move |()| api::match_snapshot(id, Some(true)));
    let talk = Resource::new_blocking(|| (), move |()| api::talk(id.to_string()));
    let refused = StoredValue::new(
        refused::<api::MakeMove>()
            .or_else(refused::<api::Resign>)
            .or_else(refused::<api::MakeOffer>)
            .or_else(refused::<api::AnswerOffer>)
            .or_else(refused::<api::CancelOffer>)
            .or_else(refused::<api::Rematch>),
    );
    view! {
        <Title text=say!(language, table.title) />
        <Suspense>
            {move || Suspend::new(async move {
                match (snapshot.await, session.signed_in().await) {
                    (Ok(snapshot), Ok(account)) => {
                        let me = seat_of(&snapshot, account.as_ref().map(|account| account.id));
                        let ply = asked(snapshot.moves.len());
                        let reloads = reloads(&snapshot, me, ply);
                        let words = without_scripts(language, &snapshot, me, reloads);
                        // A table is worth showing without what is said at it.
                        let talk = talk.await.unwrap_or_default();
                        let id = snapshot.id;
                        let known = Known { snapshot, me, ply, form_id: form_client_id(), refused: refused.get_value() };
                        view! {
                            <BoardTools />
                            <noscript inner_html=words></noscript>
                            {AT.to(known, || view! { <At><TableTalk id talk me=account plays=me.is_some() reloads /></At> })}
                        }
                            .into_any()
                    }
                    (Err(error), _) if error.code == Code::NoSuchMatch => view! { <Missing /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) => view! { <Trouble error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// What the page knows of the match.
#[derive(Serialize, Deserialize)]
struct Known {
    snapshot: Snapshot,
    /// The visitor's seat; those who watch have none.
    me: Option<Seat>,
    /// The move that is to be shown, if it is not the last.
    ply: Option<usize>,
    /// The name of a move that is sent without scripts.
    form_id: String,
    /// Why a form came back.
    refused: Option<ErrorResponse>,
}

static AT: IslandData<Known> = IslandData::named("at");

#[island]
fn At(
    /// The chat, which no island draws again.
    children: Children,
) -> impl IntoView {
    let language = language();
    let Known {
        snapshot,
        me,
        ply,
        form_id,
        refused,
    } = AT.take();
    let follow = MatchController::new(&snapshot, me, language);
    if let Some(ply) = ply {
        follow.steps.go(ply);
    }
    if let Some(error) = refused {
        follow.refuse(&error);
    }
    let hint = RwSignal::new(None);
    let aloud = RwSignal::new(String::new());
    let hand = me.map(|seat| Hand {
        seat: Signal::derive(move || follow.may_move(seat).then_some(seat)),
        play: Callback::new(move |mv| follow.place(seat, mv)),
        hint,
        say: aloud,
        score: Callback::new(move |()| standing(language, follow, seat)),
        clocks: Callback::new(move |()| clocks_aloud(language, follow)),
    });
    let offering = FormAction::new(None);
    // The field for coordinates stays the same one from move to move.
    let running = Memo::new(move |_| follow.running());
    let actions = move || {
        me.filter(|_| running.get()).map(|seat| {
            view! {
                <div class="card actions">
                    <MoveEntry follow seat form_id=form_id.clone() />
                    <Offers follow me=seat errand=offering />
                    <p role="alert" class="refusal">
                        {move || offering.refused.with(|error| Some(words::error(language, error.as_ref()?)))}
                    </p>
                    <ResignButton follow />
                </div>
            }
        })
    };
    let terms = words::terms(
        language,
        snapshot.setup,
        snapshot.time_control,
        snapshot.rated,
    );
    let watching = move || {
        let count = follow.around.with(|around| around.watching);
        (count > 0).then(|| say!(language, watching.count, count = count))
    };
    let names = Seat::BOTH.map(|seat| follow.name(seat));
    let title = names.join(" – ");
    view! {
        <LostLine lost=follow.lost />
        // On a phone one's own bar is below the board and the opponent's above it.
        <div
            class="table"
            class:own-first=me == Some(Seat::First)
            class:in-past=move || follow.steps.in_past()
        >
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            <Side follow seat=Seat::First mine=me == Some(Seat::First) aloud />
            <div class="middle">
                <div class="status">
                    <Turn follow me />
                    <p class="watching">{watching}</p>
                    <Away follow me />
                    {me.map(|_| view! { <Hint follow hint /> })}
                </div>
                <PastMark steps=follow.steps />
                <Board shown=follow.shown() hand names />
                <p id="board-help" class="hidden">
                    {say!(language, board.help)}
                </p>
                <Speech follow me say=aloud />
            </div>
            <Side follow seat=Seat::Second mine=me == Some(Seat::Second) aloud />
            <div class="below">
                <ResultCard follow me />
                {actions}
                <Moves steps=follow.steps sending=follow.sending() />
                {children()}
            </div>
        </div>
        <NoticeBoard notices=follow.notices />
    }
}

fn seat_of(snapshot: &Snapshot, player: Option<PlayerId>) -> Option<Seat> {
    let sits = |seat: &Seat| Some(snapshot.players[seat.index()].id) == player;
    Seat::BOTH.into_iter().find(sits)
}

/// What is said at the table.
#[component]
fn TableTalk(
    id: MatchId,
    talk: ChatHistory,
    me: Option<Account>,
    plays: bool,
    reloads: bool,
) -> impl IntoView {
    let voice = if plays {
        ChatAudience::Players
    } else {
        ChatAudience::Spectators
    };
    let here = format!("/match/{id}");
    let ways = Ways {
        still: format!("{here}?open=say"),
        here,
        stands_still: !reloads,
    };
    view! { <ChatBox venue=ChatPlace::Match(id) voice talk me ways /> }
}

/// Whether the page reloads itself without scripts: while there is nothing to do but wait. While its player types a move or
/// anybody a message, while somebody looks at the past, and after the end it does not.
fn reloads(snapshot: &Snapshot, me: Option<Seat>, ply: Option<usize>) -> bool {
    let says = use_query_map().with_untracked(|query| query.get_str("open") == Some("say"));
    snapshot.to_move.is_some() && snapshot.to_move != me && ply.is_none() && !says
}

/// What the page has without scripts: it reloads itself, or only the frame does by which a player is known to be there.
fn without_scripts(
    language: Language,
    snapshot: &Snapshot,
    me: Option<Seat>,
    reloads: bool,
) -> String {
    if reloads {
        format!(
            r#"<meta http-equiv="refresh" content="5;url=/match/{}">"#,
            snapshot.id
        )
    } else if me.is_some() {
        beat::frame(language, snapshot)
    } else {
        String::new()
    }
}

/// A name for the move of this rendering of the page, so that a form that is sent twice without scripts moves once.
///
/// The hasher's keys are the one source of chance that needs no crate.
fn form_client_id() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("f{:x}", RandomState::new().hash_one(0))
}
