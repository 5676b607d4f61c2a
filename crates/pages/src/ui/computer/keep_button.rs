//! Keeping a finished game in the history of the account.

use crate::codec;
use crate::ui::computer::{ComputerTexts, SavedGame};
use crate::ui::games::setup_fields;
use crate::ui::islands::form_action::FormAction;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::location::Url;
use tochki_protocol::Code;

/// The button, and its outcome. A visitor who is not signed in is led there and back: the page is the same for everybody.
#[component]
pub(crate) fn KeepButton(saved: SavedGame, texts: StoredValue<ComputerTexts>) -> impl IntoView {
    let action = FormAction::new(None);
    let kept = RwSignal::new(false);
    let sign_in = format!("/login?next={}", Url::escape(&saved.address()));
    let form = form(&saved);
    let keep = move |_| {
        let call = codec::post("/api/keep_computer_game", form.clone());
        action.dispatch(call, move |()| kept.set(true));
    };
    let text = move |of: fn(&ComputerTexts) -> &str| texts.with_value(|texts| of(texts).to_owned());
    let answer = move || {
        if kept.get() {
            return Some(
                view! {
                    {text(|texts| &texts.kept)}
                    " "
                    <a href="/history/computer">{text(|texts| &texts.kept_games)}</a>
                }
                .into_any(),
            );
        }
        Some(match action.error.get()?.code {
            Code::SignedOut => view! {
                {text(|texts| &texts.keep_needs_account)}
                " "
                <a href=sign_in.clone()>{text(|texts| &texts.sign_in)}</a>
            }
            .into_any(),
            Code::TooManyGames => text(|texts| &texts.too_many_kept).into_any(),
            _ => text(|texts| &texts.keep_failed).into_any(),
        })
    };
    view! {
        <p class="button-row">
            <button
                type="button"
                class="quiet"
                disabled=move || kept.get() || action.pending.get()
                on:click=keep
            >
                {text(|texts| &texts.keep)}
            </button>
        </p>
        <p role="status" class="keep-answer">
            {answer}
        </p>
    }
}

/// The game as the arguments of the endpoint.
fn form(saved: &SavedGame) -> String {
    let reason = saved.result.as_ref().map(|result| result.reason.as_str());
    let fields = [
        ("key", saved.id.clone()),
        ("game", saved.setup.kind().to_string()),
        ("setup", setup_fields(&saved.setup).json()),
        ("level", saved.level.to_string()),
        ("seat", saved.seat.number().to_string()),
        ("moves", saved.moves.clone()),
        ("reason", reason.unwrap_or_default().to_owned()),
        ("started_at", saved.started_at.0.to_string()),
        ("finished_at", saved.updated_at.0.to_string()),
    ];
    let fields = fields.map(|(name, value)| format!("{name}={}", Url::escape(&value)));
    fields.join("&")
}
