//! The chat of a page: drawn by the server as it stands, and complete without scripts. What comes later is drawn, and what is
//! written is sent, by `public/chat.js`, which finds everything it needs in the page: no island fetches code for it.

mod message;
mod say_form;

use crate::api;
use crate::ui::islands::form_action::refused;
use crate::ui::shell::fingerprint::addressed;
use crate::ui::text::errors::refusal;
use crate::ui::text::{Language, language, say};
use crate::ui::widgets::name::Name;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use message::Message;
use say_form::SayForm;
use tochki_protocol::{Account, ChatAudience, ChatHistory, ChatPlace};

/// The script, by which its address changes whenever it does.
const SCRIPT: &str = include_str!("../../../public/chat.js");

/// How a page goes on without scripts.
pub(crate) struct Ways {
    /// The page itself.
    pub(crate) here: String,
    /// The same page as it stands still, so that what is typed is not lost.
    pub(crate) still: String,
    /// Whether it does.
    pub(crate) stands_still: bool,
}

/// The chat of a place, as the reader sees it.
#[component]
pub(crate) fn ChatBox(
    venue: ChatPlace,
    /// Which chat is written to.
    voice: ChatAudience,
    talk: ChatHistory,
    /// Who reads; without an account they cannot write.
    me: Option<Account>,
    ways: Ways,
) -> impl IntoView {
    let language = language();
    let refused = refused::<api::Say>()
        .or_else(refused::<api::Mute>)
        .or_else(refused::<api::ReportMessage>);
    let refused = refused.map(|error| refusal(language, &error));
    let my_id = me.as_ref().map(|me| me.id);
    let script = addressed("/chat.js", SCRIPT);
    let messages = talk.messages.into_iter();
    let messages = messages
        .map(|said| view! { <Message said=Some(said) voice me=my_id /> })
        .collect_view();
    let write = match &me {
        Some(_) => view! { <SayForm venue ways /> }.into_any(),
        None => view! { <SignInToSay here=ways.here /> }.into_any(),
    };
    view! {
        <section id="chat" class="card chat" aria-labelledby="chat-title" data-me=my_id.map(|id| id.0)>
            <h2 id="chat-title">{say!(language, chat.title)}</h2>
            <button type="button" class="quiet chat-toggle" aria-expanded="false" aria-controls="chat-inside">
                {say!(language, chat.title)}
                " "
                <span class="unread" hidden>
                    <span class="hidden">{say!(language, chat.unread)} " "</span>
                    <b>"0"</b>
                </span>
            </button>
            <div id="chat-inside" class="chat-inside">
                <p class="note chat-who">{who_reads(language, voice)}</p>
                <div class="chat-room">
                    <div
                        class="chat-log"
                        role="log"
                        aria-live="polite"
                        aria-labelledby="chat-title"
                        tabindex="0"
                        data-empty=say!(language, chat.empty)
                    >
                        <ol>{messages}</ol>
                    </div>
                    <button type="button" class="chat-new" hidden>
                        {say!(language, chat.new)}
                    </button>
                </div>
                <p
                    role="alert"
                    class="refusal chat-refusal"
                    data-other=say!(language, errors.unavailable)
                    data-signed_out=say!(language, errors.signed_out)
                    data-empty_message=say!(language, chat.empty_message)
                    data-message_too_long=say!(language, chat.message_too_long)
                    data-muted=say!(language, chat.muted_by_operator)
                    data-too_many_messages=say!(language, chat.too_many_messages)
                    data-no_such_message=say!(language, chat.no_such_message)
                >
                    {refused}
                </p>
                <p role="status" class="note chat-status" data-reported=say!(language, chat.reported)></p>
                {write}
                <MutedList muted=talk.muted />
            </div>
            <template id="chat-message">
                <Message said=None voice me=my_id />
            </template>
        </section>
        // It runs before the code of the islands does, which passes on to it what the stream brings.
        <script src=script></script>
    }
}

fn who_reads(language: Language, voice: ChatAudience) -> &'static str {
    match voice {
        ChatAudience::Lobby => say!(language, chat.in_lobby),
        ChatAudience::Players => say!(language, chat.among_players),
        ChatAudience::Spectators => say!(language, chat.among_spectators),
    }
}

#[component]
fn SignInToSay(here: String) -> impl IntoView {
    view! {
        <p>
            <a href=format!("/login?next={here}")>{say!(language(), chat.sign_in)}</a>
        </p>
    }
}

/// Whom the reader does not want to hear, and the way back.
#[component]
fn MutedList(muted: Vec<Account>) -> impl IntoView {
    let language = language();
    let nobody = muted.is_empty();
    let players = muted.into_iter().map(|player| {
        view! {
            <li>
                <span>
                    <Name name=player.name guest=player.guest />
                </span>
                <form class="mute" action=api::Mute::url() method="post">
                    <input type="hidden" name="player" value=player.id.0 />
                    <input type="hidden" name="muted" value="false" />
                    <button type="submit" class="quiet">
                        {say!(language, chat.unmute)}
                    </button>
                </form>
            </li>
        }
    });
    view! {
        <details class="muted" hidden=nobody>
            <summary>{say!(language, chat.muted)}</summary>
            <ul>{players.collect_view()}</ul>
        </details>
    }
}
