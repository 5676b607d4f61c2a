//! A message of the chat.

use crate::api;
use crate::ui::text::time::TimeOfDay;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::{GuestMark, PlayerName};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{Account, ChatAudience, ChatMessage, ChatPlace, MessageId, PlayerId};

/// A message, or with `None` the template that `public/chat.js` clones.
#[component]
pub(crate) fn Message(
    message: Option<ChatMessage>,
    /// The audience the reader writes to; messages to another audience are marked.
    audience: ChatAudience,
    /// The reader.
    me: Option<PlayerId>,
    /// Whether the reader is an operator, who can remove the message.
    operator: bool,
) -> impl IntoView {
    let language = language();
    let pattern = message.is_none();
    let message = message.unwrap_or_else(blank);
    let (id, from) = (message.id, message.from.id);
    let apart = (pattern || message.chat != audience).then(|| {
        view! {
            <span class="other-chat" data-unless=pattern.then_some(audience_word(audience))>
                {t!(language, chat.apart)}
            </span>
        }
    });
    let removed = message.removed;
    let remove = operator.then(|| {
        view! {
            <form class="remove" action=api::OperatorRemoveMessage::url() method="post">
                <input type="hidden" name="message" value=id.0 />
                <label>
                    {t!(language, chat.reason)}
                    <input name="why" maxlength=limits::MESSAGE_MAX_CHARS autocomplete="off" />
                </label>
                <button type="submit" class="quiet">
                    {t!(language, chat.remove)}
                </button>
            </form>
        }
    });
    let menu = me.filter(|me| *me != from && !removed).map(|_| {
        view! {
            <details class="chat-menu">
                <summary aria-label=t!(language, chat.menu) title=t!(language, chat.menu)>
                    "⋯"
                </summary>
                <form class="mute" action=api::Mute::url() method="post">
                    <input type="hidden" name="player" value=from.0 />
                    <input type="hidden" name="muted" value="true" />
                    <button type="submit" class="quiet">
                        {t!(language, chat.mute)}
                    </button>
                </form>
                <form class="report" action=api::ReportMessage::url() method="post">
                    <input type="hidden" name="message" value=id.0 />
                    <label>
                        {t!(language, chat.reason)}
                        <input name="reason" maxlength=limits::MESSAGE_MAX_CHARS autocomplete="off" />
                    </label>
                    <button type="submit" class="quiet">
                        {t!(language, chat.report)}
                    </button>
                </form>
                {remove}
            </details>
        }
    });
    view! {
        <li id=format!("said-{id}") class="said" class:mine=me == Some(from) class:removed=removed>
            <span class="who-said">
                <PlayerName name=message.from.name guest=message.from.guest bot=message.from.bot />
                {pattern.then(player_marks)}
                {apart}
                <TimeOfDay at=message.at />
            </span>
            <p class="words" dir="auto">
                {if removed { t!(language, chat.removed).to_owned() } else { message.text }}
            </p>
            {menu}
        </li>
    }
}

/// Renders the marks of a guest and of a bot in a template; the script leaves one of the two at most.
pub(super) fn player_marks() -> impl IntoView {
    view! { <GuestMark guest=true /> <span class="bot"><GuestMark guest=false bot=true /></span> }
}

/// Returns the word for an audience in the JSON of a message.
fn audience_word(chat: ChatAudience) -> &'static str {
    match chat {
        ChatAudience::Lobby => "lobby",
        ChatAudience::Players => "players",
        ChatAudience::Spectators => "spectators",
    }
}

/// Returns an empty message, for the template.
fn blank() -> ChatMessage {
    ChatMessage {
        id: MessageId(0),
        place: ChatPlace::Lobby,
        chat: ChatAudience::Lobby,
        from: nobody(),
        text: String::new(),
        at: Timestamp(0),
        removed: false,
    }
}

/// Returns a player without a name, for templates.
pub(super) fn nobody() -> Account {
    Account {
        id: PlayerId(0),
        name: String::new(),
        guest: false,
        bot: false,
    }
}
