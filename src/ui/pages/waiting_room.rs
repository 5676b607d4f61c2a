//! The waiting room: what I want to play, who waits, who asks, what is being played.

use super::{SignInFirst, Trouble};
use crate::api;
use crate::rules::Kind;
use crate::ui::ahead::CodeAhead;
use crate::ui::errand::{Errand, refused};
use crate::ui::forms::load;
use crate::ui::handed::Handed;
use crate::ui::notices::NoticeBoard;
use crate::ui::session::Session;
use crate::ui::table::LostLine;
use crate::ui::texts::{Language, language, say, speak};
use crate::ui::waiting::{Calls, Choice, ChoicePanel, Games, Players, Room, table_of};
use crate::ui::words;
use crate::wire::{ApiError, Code, PlayerId, WaitingRoom as Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::use_query_map;

/// `/play`, for players.
#[component]
pub(crate) fn WaitingRoom() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let room = Resource::new_blocking(
        || (),
        |()| api::waiting_room(Kind::Dots.to_string(), None, None, None),
    );
    let query = use_query_map().get_untracked();
    let choice = Choice::read(|name| query.get(name));
    let choosing = query.get("choosing").is_some();
    let refused = StoredValue::new(
        refused::<api::IssueChallenge>()
            .or_else(refused::<api::AnswerChallenge>)
            .or_else(refused::<api::CancelChallenge>),
    );
    view! {
        <Title text=say!(language, waiting.title) />
        <CodeAhead of="inside" />
        <noscript inner_html=reload(choice, choosing)></noscript>
        <Suspense>
            {move || Suspend::new(async move {
                match (session.player().await, room.await) {
                    // Who plays does not wait: whichever way they come here, they are sent to their table.
                    (Ok(Some(me)), Ok(room)) => match table_of(me, &room.matches) {
                        Some(table) => view! { <Redirect path=format!("/match/{table}") /> }.into_any(),
                        None => {
                            let (room, choice) = (Handed::new(&room), Handed::new(&choice));
                            let refused = Handed::new(&refused.get_value());
                            view! { <Inside language me=me.0 room choice choosing refused /> }.into_any()
                        }
                    },
                    (Ok(None), _) => view! { <SignInFirst /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) if error.code != Code::SignedOut => {
                        view! { <Trouble error /> }.into_any()
                    }
                    _ => view! { <SignInFirst /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn Inside(
    language: Language,
    me: i64,
    room: Handed<Wire>,
    choice: Handed<Choice>,
    /// Whether the choice is open.
    choosing: bool,
    /// Why a form came back.
    refused: Handed<Option<ApiError>>,
) -> impl IntoView {
    speak(language);
    let room = Room::new(PlayerId(me), room.open());
    let errand = Errand::new(refused.open());
    let choice = choice.open();
    let in_peace = choose(language, choice);
    let choice = RwSignal::new(choice);
    Effect::new(move |_| room.follow(Kind::Dots, language));
    Effect::new(move |_| {
        if let Some(table) = room.called_to() {
            load(&format!("/match/{table}"));
        }
    });
    let refusal = move || {
        errand
            .refused
            .with(|error| error.as_ref().map(|error| words::error(language, error)))
    };
    view! {
        <LostLine lost=room.lost />
        <h1>{say!(language, waiting.title)}</h1>
        <p role="alert" class="refusal">
            {refusal}
        </p>
        <Calls room errand />
        <ChoicePanel choice choosing />
        <noscript inner_html=in_peace></noscript>
        <div class="room">
            <Players room choice errand />
            <Games room />
        </div>
        <NoticeBoard notices=room.notices />
    }
}

/// Without scripts the page reloads itself, which also keeps its player in the list.
fn reload(choice: Choice, choosing: bool) -> String {
    if choosing {
        return String::new();
    }
    let here = choice.address().replace('&', "&amp;");
    format!(r#"<meta http-equiv="refresh" content="5;url={here}">"#)
}

/// Without scripts: the way to a page that stands still while one chooses.
fn choose(language: Language, choice: Choice) -> String {
    let here = choice.address().replace('&', "&amp;");
    let words = say!(language, choice.in_peace);
    format!(r#"<p class="choose"><a href="{here}&amp;choosing=1">{words}</a></p>"#)
}
