//! The chat box of a page. The server renders it, and it works without scripts. `public/chat.js` appends new messages
//! and sends the forms; it finds all it needs in the page, so no island loads code for the chat.

mod lobby;
mod message;
mod message_form;
mod no_script_links;

pub(crate) use lobby::{LobbyChatPage, LobbyChatTab};
pub(crate) use no_script_links::NoScriptLinks;

use crate::api;
use crate::ui::fingerprint::versioned_url;
use crate::ui::islands::form_action::form_error;
use crate::ui::text::errors::error_text;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use message::Message;
use message_form::MessageForm;
use tochki_protocol::{Account, ChatAudience, ChatHistory, ChatPlace, Code};

/// The script. Its content is part of its URL, so that browsers fetch a new version.
const SCRIPT: &str = include_str!("../../../../../public/chat.js");

/// The chat of a place, as the reader sees it.
#[component]
pub(crate) fn ChatBox(
    place: ChatPlace,
    /// The audience the reader writes to.
    audience: ChatAudience,
    history: ChatHistory,
    /// The reader; without an account they cannot write.
    me: Option<Account>,
    links: NoScriptLinks,
) -> impl IntoView {
    let language = language();
    let at_table = matches!(place, ChatPlace::Table(_));
    let refused = form_error::<api::Say>()
        .or_else(form_error::<api::Mute>)
        .or_else(form_error::<api::ReportMessage>)
        .or_else(form_error::<api::OperatorRemoveMessage>);
    let operator = history.operator;
    let refused = refused.map(|error| match error.code {
        Code::OpponentLeft if at_table => t!(language, chat.alone),
        _ => error_text(language, &error),
    });
    let my_id = me.as_ref().map(|me| me.id);
    let script = versioned_url("/chat.js", SCRIPT);
    let messages = history.messages.into_iter();
    let messages = messages
        .map(|message| view! { <Message message=Some(message) audience me=my_id operator /> })
        .collect_view();
    let write = match &me {
        Some(_) => view! { <MessageForm place links /> }.into_any(),
        None => view! { <SignInToChat page_url=links.page_url /> }.into_any(),
    };
    view! {
        <section
            id="chat"
            class="card chat"
            aria-labelledby="chat-title"
            data-me=my_id.map(|id| id.0)
            data-place=place.to_string()
        >
            <h2 id="chat-title">{t!(language, chat.title)}</h2>
            <button type="button" class="quiet chat-toggle" aria-expanded="false" aria-controls="chat-inside">
                {t!(language, chat.title)}
                " "
                <span class="unread" hidden>
                    <span class="hidden">{t!(language, chat.unread)} " "</span>
                    <b>"0"</b>
                </span>
            </button>
            <div id="chat-inside" class="chat-inside">
                <p class="note chat-who">{who_reads(language, audience)}</p>
                <div class="chat-room">
                    <div
                        class="chat-log"
                        role="log"
                        aria-live="polite"
                        aria-labelledby="chat-title"
                        tabindex="0"
                        data-empty=t!(language, chat.empty)
                        data-removed=t!(language, chat.removed)
                    >
                        <ol>{messages}</ol>
                    </div>
                    <button type="button" class="chat-new" hidden>
                        {t!(language, chat.new)}
                    </button>
                </div>
                <p
                    role="alert"
                    class="refusal chat-refusal"
                    data-other=t!(language, errors.unavailable)
                    data-signed_out=t!(language, errors.signed_out)
                    data-empty_message=t!(language, chat.empty_message)
                    data-message_too_long=t!(language, chat.message_too_long)
                    data-muted=t!(language, chat.muted_by_operator)
                    data-too_many_messages=t!(language, chat.too_many_messages)
                    data-opponent_left=at_table.then(|| t!(language, chat.alone))
                    data-no_such_message=t!(language, chat.no_such_message)
                >
                    {refused}
                </p>
                <p role="status" class="note chat-status" data-reported=t!(language, chat.reported)></p>
                {write}
                <MutedList muted=history.muted />
            </div>
            <template id="chat-message">
                <Message message=None audience me=my_id operator />
            </template>
        </section>
        // It runs before the islands do, which pass chat events of the stream on to it.
        <script src=script></script>
    }
}

fn who_reads(language: Language, audience: ChatAudience) -> &'static str {
    match audience {
        ChatAudience::Lobby => t!(language, chat.in_lobby),
        ChatAudience::Players => t!(language, chat.among_players),
        ChatAudience::Spectators => t!(language, chat.among_spectators),
    }
}

#[component]
fn SignInToChat(page_url: String) -> impl IntoView {
    view! {
        <p>
            <a href=format!("/login?next={page_url}")>{t!(language(), chat.sign_in)}</a>
        </p>
    }
}

/// The players muted by the reader, with buttons to unmute them.
#[component]
fn MutedList(muted: Vec<Account>) -> impl IntoView {
    let language = language();
    let nobody = muted.is_empty();
    let players = muted
        .into_iter()
        .map(|player| view! { <MutedPlayer player=Some(player) /> });
    view! {
        <details class="muted" hidden=nobody>
            <summary>{t!(language, chat.muted)}</summary>
            <ul>{players.collect_view()}</ul>
        </details>
        <template id="muted-player">
            <MutedPlayer player=None />
        </template>
    }
}

/// An entry of the list, or with `None` the template that `public/chat.js` clones.
#[component]
fn MutedPlayer(player: Option<Account>) -> impl IntoView {
    let language = language();
    let pattern = player.is_none();
    let player = player.unwrap_or_else(message::nobody);
    view! {
        <li>
            <span>
                <PlayerName name=player.name guest=player.guest bot=player.bot />
                {pattern.then(message::player_marks)}
            </span>
            <form class="mute" action=api::Mute::url() method="post">
                <input type="hidden" name="player" value=player.id.0 />
                <input type="hidden" name="muted" value="false" />
                <button type="submit" class="quiet">
                    {t!(language, chat.unmute)}
                </button>
            </form>
        </li>
    }
}
