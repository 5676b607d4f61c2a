//! The chat of the waiting rooms outside of them: as a page of its own, and as a second tab at a match, which
//! `public/lobby_chat.js` fills when it is opened.

use crate::api;
use crate::ui::chat::{ChatBox, NoScriptLinks};
use crate::ui::fingerprint::versioned_url;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_protocol::{ChatAudience, ChatPlace, Code};

/// The script. Its content is part of its URL, so that browsers fetch a new version.
const SCRIPT: &str = include_str!("../../../../../public/lobby_chat.js");

/// `/chat`, for players. Opening it is not waiting for a game.
#[component]
pub(crate) fn LobbyChatPage() -> impl IntoView {
    let session = VisitorSession::current();
    let chat = load(|| api::chat_history(ChatPlace::Lobby.to_string()));
    view! {
        <Title text=t!(language(), chat.lobby) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match (session.signed_in().await, chat.await) {
                    (Ok(Some(me)), Ok(history)) => {
                        let links = NoScriptLinks {
                            page_url: "/chat".to_owned(),
                            static_url: "/chat".to_owned(),
                            is_static: true,
                        };
                        view! {
                            <h1>{t!(language(), chat.lobby)}</h1>
                            <ChatBox place=ChatPlace::Lobby audience=ChatAudience::Lobby history me=Some(me) links />
                        }
                            .into_any()
                    }
                    (Ok(None), _) => view! { <RedirectToLogin /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) if error.code != Code::SignedOut => {
                        view! { <PageError error /> }.into_any()
                    }
                    _ => view! { <RedirectToLogin /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// The tab. Without scripts it is a link to the page.
#[component]
pub(crate) fn LobbyChatTab() -> impl IntoView {
    view! {
        <details id="lobby-chat" class="card lobby-chat" data-script=versioned_url("/lobby_chat.js", SCRIPT)>
            <summary>{t!(language(), chat.lobby)}</summary>
            <a href="/chat">{t!(language(), chat.lobby)}</a>
        </details>
    }
}
