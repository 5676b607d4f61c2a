//! The waiting room: what I want to play, who waits, who asks, what is being played.

use super::{Loading, SignInFirst, Trouble};
use crate::api;
use crate::rules::Kind;
use crate::ui::notices::NoticeBoard;
use crate::ui::session::Session;
use crate::ui::table::LostLine;
use crate::ui::texts::{language, say};
use crate::ui::waiting::{Calls, Choice, ChoicePanel, Games, Players, Room, table_of};
use crate::ui::words;
use crate::wire::{Code, MatchId, PlayerId, WaitingRoom as Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::NavigateOptions;
use leptos_router::components::Redirect;
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
                    // Who plays does not wait: whichever way they come here, they are sent to their table.
                    (Some(me), Ok(room)) => match table_of(me, &room.matches) {
                        Some(table) => view! { <Redirect path=format!("/match/{table}") /> }.into_any(),
                        None => view! { <Inside me room /> }.into_any(),
                    },
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
    Effect::new(move |_| room.follow(Kind::Dots, language));
    let called_to = Memo::new(move |_| room.called_to());
    Effect::new(move |gone: Option<Option<MatchId>>| {
        let crossed = challenge
            .value()
            .with(|value| value.as_ref()?.as_ref().ok()?.match_id);
        let accepted = answer
            .value()
            .with(|value| value.as_ref()?.as_ref().ok()?.match_id);
        // The answer and the stream bring the same call, in whichever order.
        let table = called_to.get().or(crossed).or(accepted);
        if let Some(table) = table.filter(|_| gone.flatten() != table) {
            go(table);
        }
        table
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
        <noscript inner_html=reload(choice, choosing)></noscript>
        <LostLine lost=room.lost />
        <h1>{say!(language, waiting.title)}</h1>
        <div role="alert">{refusals}</div>
        <Calls room answer cancel />
        <ChoicePanel choice choosing />
        <noscript inner_html=choose(choice)></noscript>
        <div class="room">
            <Players room choice challenge />
            <Games room />
        </div>
        <NoticeBoard notices=room.notices />
    }
    .into_any()
}

/// Without scripts the page reloads itself, which also keeps its player in the list.
fn reload(choice: Memo<Choice>, choosing: bool) -> String {
    if choosing {
        return String::new();
    }
    let here = choice.get_untracked().address().replace('&', "&amp;");
    format!(r#"<meta http-equiv="refresh" content="5;url={here}">"#)
}

/// Without scripts: the way to a page that stands still while one chooses.
fn choose(choice: Memo<Choice>) -> String {
    let here = choice.get_untracked().address().replace('&', "&amp;");
    format!(
        r#"<p class="choose"><a href="{here}&amp;choosing=1">{}</a></p>"#,
        say!(language(), choice.in_peace)
    )
}
