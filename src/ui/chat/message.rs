//! One message.

use crate::api;
use crate::ui::text::time::Moment;
use crate::ui::text::{language, say};
use crate::ui::widgets::name::Name;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::Timestamp;
use tochki_protocol::{Account, ChatAudience, ChatMessage, ChatPlace, MessageId, PlayerId};

/// A message, or the pattern by which `public/chat.js` makes one.
#[component]
pub(crate) fn Message(
    said: Option<ChatMessage>,
    /// Which chat the reader writes to; what comes from another one is marked.
    voice: ChatAudience,
    /// Who reads.
    me: Option<PlayerId>,
) -> impl IntoView {
    let language = language();
    let pattern = said.is_none();
    let said = said.unwrap_or_else(blank);
    let (id, from) = (said.id, said.from.id);
    let apart = (pattern || said.chat != voice).then(|| {
        view! {
            <span class="apart" data-unless=pattern.then_some(chat_word(voice))>
                {say!(language, chat.apart)}
            </span>
        }
    });
    let menu = me.filter(|me| *me != from).map(|_| {
        view! {
            <details class="chat-menu">
                <summary aria-label=say!(language, chat.menu) title=say!(language, chat.menu)>
                    "⋯"
                </summary>
                <form class="mute" action=api::Mute::url() method="post">
                    <input type="hidden" name="player" value=from.0 />
                    <input type="hidden" name="muted" value="true" />
                    <button type="submit" class="quiet">
                        {say!(language, chat.mute)}
                    </button>
                </form>
                <form class="report" action=api::ReportMessage::url() method="post">
                    <input type="hidden" name="message" value=id.0 />
                    <label>
                        {say!(language, chat.reason)}
                        <input name="reason" maxlength="300" autocomplete="off" />
                    </label>
                    <button type="submit" class="quiet">
                        {say!(language, chat.report)}
                    </button>
                </form>
            </details>
        }
    });
    view! {
        <li id=format!("said-{id}") class="said" class:mine=me == Some(from)>
            <span class="who-said">
                <Name name=said.from.name guest=pattern || said.from.guest />
                {apart}
                <Moment at=said.at />
            </span>
            <p class="words" dir="auto">
                {said.text}
            </p>
            {menu}
        </li>
    }
}

/// The word of a chat, as a message has it on the wire.
fn chat_word(chat: ChatAudience) -> &'static str {
    match chat {
        ChatAudience::Lobby => "lobby",
        ChatAudience::Players => "players",
        ChatAudience::Spectators => "spectators",
    }
}

/// A message by nobody, in which there is nothing yet.
fn blank() -> ChatMessage {
    ChatMessage {
        id: MessageId(0),
        place: ChatPlace::Lobby,
        chat: ChatAudience::Lobby,
        from: Account {
            id: PlayerId(0),
            name: String::new(),
            guest: false,
        },
        text: String::new(),
        at: Timestamp(0),
    }
}
