//! The waiting room: what I want to play, who waits, who asks, what is being played.

use super::{Loading, SignInFirst, Trouble};
use crate::api;
use crate::rules::Kind;
use crate::ui::notices::NoticeBoard;
use crate::ui::session::Session;
use crate::ui::table::LostLine;
use crate::ui::texts::{language, say};
use crate::ui::waiting::{Calls, Choice, ChoicePanel, Games, Players, Room};
use crate::ui::words;
use crate::wire::{Code, MatchId, PlayerId, WaitingRoom as Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_query_map};

/// `/play`, for players.
#[component]
pub(crate) fn WaitingRoom() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let room = Resource::new_blocking(
        || (),
        |()| api::waiting_room(Kind::Dots.to_string(), None, None, None),
    );
    view! {
        <Title text=say!(language, waiting.title) />
        <Suspense fallback=Loading>
            {move || Suspend::new(async move {
                let me = session.player().await;
                match (me, room.await) {
                    (Some(me), Ok(room)) => view! { <Inside me room /> }.into_any(),
                    (Some(_), Err(error)) if error.code != Code::SignedOut => {
                        view! { <Trouble error /> }.into_any()
                    }
                    _ => view! { <SignInFirst /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Inside(me: PlayerId, room: Wire) -> impl IntoView {
    let language = language();
    let room = Room::new(me, room);
    let query = use_query_map();
    let choice = Memo::new(move |_| query.with(Choice::read));
    let choosing = query.with_untracked(|query| query.get("choosing").is_some());

    let challenge = ServerAction::<api::IssueChallenge>::new();
    let answer = ServerAction::<api::AnswerChallenge>::new();
    let cancel = ServerAction::<api::CancelChallenge>::new();

    let navigate = use_navigate();
    let go = move |table: MatchId| navigate(&format!("/match/{table}"), NavigateOptions::default());
    let follow = go.clone();
    Effect::new(move |_| room.follow(Kind::Dots, language, follow.clone()));
    Effect::new(move |_| {
        let crossed = challenge
            .value()
            .with(|value| value.as_ref()?.as_ref().ok()?.match_id);
        let accepted = answer
            .value()
            .with(|value| value.as_ref()?.as_ref().ok()?.match_id);
        if let Some(table) = crossed.or(accepted) {
            go(table);
        }
    });

    let refusals = move || {
        let refused = [
            challenge
                .value()
                .with(|value| value.as_ref()?.as_ref().err().cloned()),
            answer
                .value()
                .with(|value| value.as_ref()?.as_ref().err().cloned()),
            cancel
                .value()
                .with(|value| value.as_ref()?.as_ref().err().cloned()),
        ];
        refused
            .into_iter()
            .flatten()
            .map(|error| view! { <p class="refusal">{words::error(language, &error)}</p> })
            .collect_view()
    };
    view! {
        <noscript inner_html=reload(room, choice, choosing)></noscript>
        <LostLine lost=room.lost />
        <h1>{say!(language, waiting.title)}</h1>
        <div role="alert">{refusals}</div>
        {move || {
            room.my_game()
                .map(|table| {
                    view! {
                        <p class="card back">
                            {say!(language, waiting.playing)} " "
                            <a class="button" href=format!("/match/{table}")>
                                {say!(language, waiting.to_table)}
                            </a>
                        </p>
                    }
                })
        }}
        <Calls room answer cancel />
        <ChoicePanel choice choosing />
        <noscript inner_html=choose(choice)></noscript>
        <div class="room">
            <Players room choice challenge />
            <Games room />
        </div>
        <NoticeBoard notices=room.notices />
    }
}

/// Without scripts the page reloads itself, which also keeps its player in the list; when their match has begun it leads
/// to the table instead.
fn reload(room: Room, choice: Memo<Choice>, choosing: bool) -> String {
    match untrack(|| room.my_game()) {
        Some(table) => format!(r#"<meta http-equiv="refresh" content="0;url=/match/{table}">"#),
        None if choosing => String::new(),
        None => {
            let here = choice.get_untracked().address().replace('&', "&amp;");
            format!(r#"<meta http-equiv="refresh" content="5;url={here}">"#)
        }
    }
}

/// Without scripts: the way to a page that stands still while one chooses.
fn choose(choice: Memo<Choice>) -> String {
    let here = choice.get_untracked().address().replace('&', "&amp;");
    format!(
        r#"<p class="choose"><a href="{here}&amp;choosing=1">{}</a></p>"#,
        say!(language(), choice.in_peace)
    )
}
