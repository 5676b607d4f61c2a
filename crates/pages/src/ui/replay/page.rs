//! The replay of a finished match, and the view that it shares with an uploaded record.

use crate::api;
use crate::ui::board::{BoardTools, StonesStylesheet};
use crate::ui::chat::{ChatBox, NoScriptLinks};
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::operator::{AnnulmentForm, can_be_annulled};
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::MatchLink;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, match_id};
use crate::ui::replay::{MoveSequence, REPLAY, ReplayIsland};
use crate::ui::steps::requested_ply;
use crate::ui::terms::describe_terms;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, t, versus};
use crate::ui::text::{side, words};
use crate::ui::view::view;
use crate::ui::widgets::other_dialects::OtherDialects;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_protocol::{Account, ChatAudience, ChatHistory, ChatPlace, Code, Snapshot, Status};
use tochki_rules::Seat;
use tochki_rules::record::Record;

/// `/match/:id/replay`, for everyone; `?ply=12` selects a move. A running match redirects to its page.
#[component]
pub(crate) fn ReplayPage() -> impl IntoView {
    let language = language();
    let id = match_id();
    let session = VisitorSession::current();
    let snapshot = load(move || api::match_snapshot(id, None));
    let chat = load(move || api::chat_history(id.to_string()));
    view! {
        <Title text=t!(language, replay.title) />
        <Suspense>
            {move || Suspend::new(async move {
                match snapshot.await {
                    Ok(Snapshot { status: Status::Running, .. }) => {
                        view! { <Redirect path=format!("/match/{id}") /> }.into_any()
                    }
                    Ok(snapshot) => {
                        // The match is shown even if the chat cannot be loaded.
                        let chat = chat.await.unwrap_or_default();
                        let me = session.account().await;
                        view! {
                            <MatchLink snapshot=snapshot.clone() />
                            <FinishedMatch snapshot chat me />
                        }
                            .into_any()
                    }
                    Err(error) if error.code == Code::NoSuchMatch => view! { <NotFound /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn FinishedMatch(snapshot: Snapshot, chat: ChatHistory, me: Option<Account>) -> impl IntoView {
    let language = language();
    let terms = describe_terms(
        language,
        snapshot.setup,
        snapshot.time_control,
        snapshot.rated,
    );
    let name = |seat: Seat| display_name(language, &snapshot.players[seat.index()].name);
    let title = versus(&Seat::BOTH.map(name));
    let result = snapshot.result.clone();
    let changes = result.as_ref().and_then(|result| result.ratings);
    let sides = Seat::BOTH.map(|seat| {
        let player = &snapshot.players[seat.index()];
        let rating = match changes.map(|changes| changes[seat.index()]) {
            Some(change) => {
                let after = words::marked_rating(change.after.0, change.provisional);
                let rating = format!("{after} {}", words::rating_change(change));
                words::with_mark(language, player, rating)
            }
            None => words::rating_of(language, player),
        };
        (name(seat), rating)
    });
    let ending = result.map(|result| {
        let headline = words::headline(language, &result, None, name);
        let reason = words::reason(language, &result, name);
        let told = words::after_score(snapshot.setup.kind(), snapshot.score, reason);
        view! {
            <h2>{headline}</h2>
            <p>{told}</p>
        }
    });
    let table = format!("/match/{}", snapshot.id);
    let plays = |me: &Account| snapshot.players.iter().any(|player| player.id == me.id);
    let audience = if me.as_ref().is_some_and(plays) {
        ChatAudience::Players
    } else {
        ChatAudience::Spectators
    };
    let here = format!("{table}/replay");
    let links = NoScriptLinks {
        static_url: here.clone(),
        page_url: here,
        is_static: true,
    };
    let (id, rated, annulled) = (snapshot.id, snapshot.rated, snapshot.annulled);
    let offered = chat.operator && can_be_annulled(&snapshot);
    let place = ChatPlace::Match(snapshot.id);
    let file = Record::is_supported(&snapshot.setup).then(|| format!("{table}/sgf"));
    let other_dialects = file
        .clone()
        .map(|address| view! { <OtherDialects address /> });
    let sequence = MoveSequence::of_match(&snapshot);
    let ply = requested_ply(sequence.len);
    view! {
        <ReplayView title terms sequence ply sides versioned_url=true>
            {ending}
            <AnnulmentForm id rated annulled offered />
            <p class="button-row">
                {file
                    .map(|file| {
                        view! {
                            <a class="button quiet" href=file download>
                                {t!(language, replay.download)}
                            </a>
                        }
                    })}
                <a href=format!("{table}/analysis")>{t!(language, analysis.link)}</a>
                <a href=table>{t!(language, replay.table)}</a>
                <a href="/play">{t!(language, table.back)}</a>
            </p>
            {other_dialects}
        </ReplayView>
        <ChatBox place audience history=chat me links />
    }
}

/// A game to step through, with its result beside it.
#[component]
pub(crate) fn ReplayView(
    /// The names of the players.
    title: String,
    /// The terms, in one line.
    terms: String,
    sequence: MoveSequence,
    ply: Option<usize>,
    sides: [(String, String); 2],
    versioned_url: bool,
    children: Children,
) -> impl IntoView {
    let MoveSequence {
        setup,
        moves,
        setup_plies,
        ..
    } = sequence;
    view! {
        <PreloadIsland island="replay_island" />
        <BoardTools />
        <StonesStylesheet game=setup.kind() />
        <div class=format!("table replay {}", side::stones_class(setup.kind()))>
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            {REPLAY.embed((setup, moves, setup_plies, ply, sides, versioned_url), || view! { <ReplayIsland /> })}
            <section class="card result result-room">{children()}</section>
        </div>
    }
}
