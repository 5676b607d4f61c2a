//! The table: a match, running or finished, for its players and for everyone who watches.

use super::{Loading, Missing, Trouble};
use crate::api;
use crate::rules::Seat;
use crate::ui::board::{Board, Hand};
use crate::ui::session::Session;
use crate::ui::table::{
    Follow, Hint, LostLine, MoveEntry, Moves, ResignButton, ResultCard, Side, Speech, Turn,
};
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::{Code, MatchId, PlayerId, Snapshot};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

/// `/match/:id`, for everyone.
#[component]
pub(crate) fn Table() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let params = use_params_map();
    // What is no number is no match either, like the number 0.
    let number = move || {
        params.with(|params| {
            params
                .get_str("id")
                .and_then(|id| id.parse().ok())
                .unwrap_or(0)
        })
    };
    let id = Memo::new(move |_| MatchId(number()));
    let snapshot = Resource::new_blocking(move || id.get(), api::match_snapshot);
    view! {
        <Title text=say!(language, table.title) />
        <Suspense fallback=Loading>
            {move || Suspend::new(async move {
                let me = session.player().await;
                match snapshot.await {
                    Ok(snapshot) => view! { <At snapshot me /> }.into_any(),
                    Err(error) if error.code == Code::NoSuchMatch => view! { <Missing /> }.into_any(),
                    Err(error) => view! { <Trouble error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn At(snapshot: Snapshot, me: Option<PlayerId>) -> impl IntoView {
    let language = language();
    let me = Seat::BOTH
        .into_iter()
        .find(|seat| Some(snapshot.players[seat.index()].id) == me);
    let follow = Follow::new(&snapshot, language);
    let mirror = follow.mirror;
    let running = Memo::new(move |_| mirror.with(|mirror| mirror.result().is_none()));

    // Of a move that was posted without scripts, and refused.
    let posted = ServerAction::<api::MakeMove>::new();
    if let Some(Err(error)) = posted.value().get_untracked() {
        follow
            .refusal
            .set(Some(words::error(language, &error).to_owned()));
    }
    let hint = RwSignal::new(None);
    let aloud = RwSignal::new(String::new());
    let hand = me.map(|seat| Hand {
        seat: Signal::derive(move || {
            mirror.with(|mirror| mirror.to_move().filter(|to_move| *to_move == seat))
        }),
        play: Callback::new(move |mv| follow.place(seat, mv)),
        hint,
        say: aloud,
    });
    let board = match hand {
        Some(hand) => view! { <Board shown=follow.shown() hand /> }.into_any(),
        None => view! { <Board shown=follow.shown() /> }.into_any(),
    };
    // On a phone one's own bar is below the board and the opponent's above it.
    let own_first = me == Some(Seat::First);
    let terms = untrack(|| {
        mirror.with(|mirror| words::terms(language, mirror.terms().setup, mirror.terms().rated))
    });
    let [red, blue] = &snapshot.players;
    let title = format!("{} – {}", red.name, blue.name);
    view! {
        <noscript inner_html=reload(&snapshot, me)></noscript>
        <LostLine lost=follow.lost />
        <div class="table" class:own-first=own_first>
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            <Side follow seat=Seat::First mine=me == Some(Seat::First) />
            <div class="middle">
                <div class="status">
                    <Turn follow me />
                    {me.map(|_| view! { <Hint follow hint /> })}
                </div>
                {board}
                <p id="board-help" class="hidden">{say!(language, board.help)}</p>
                <Speech follow say=aloud />
            </div>
            <Side follow seat=Seat::Second mine=me == Some(Seat::Second) />
            <div class="below">
                <ResultCard follow me />
                {move || {
                    me.filter(|_| running.get())
                        .map(|seat| {
                            view! {
                                <div class="card actions">
                                    <MoveEntry follow seat />
                                    <ResignButton follow />
                                </div>
                            }
                        })
                }}
                <Moves follow />
            </div>
        </div>
    }
    .into_any()
}

/// Without scripts the page reloads itself, except while its player types a move and when there is nothing to wait for.
fn reload(snapshot: &Snapshot, me: Option<Seat>) -> String {
    if snapshot.to_move.is_none() || snapshot.to_move == me {
        String::new()
    } else {
        format!(
            r#"<meta http-equiv="refresh" content="5;url=/match/{}">"#,
            snapshot.id
        )
    }
}
