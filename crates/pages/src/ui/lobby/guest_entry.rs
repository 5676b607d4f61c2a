//! Entering the lobby without an account: a name, and one press. The page has no script of its own.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::location::Url;
use tochki_protocol::limits::{NAME_MAX_CHARS, NAME_MIN_CHARS};

/// The form, and links to login and registration, which lead to the same lobby.
#[component]
pub(crate) fn GuestEntry(
    /// The path of the lobby.
    here: String,
    /// The suggested name, which nobody has.
    name: String,
    /// The error of the form when it was posted.
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let with_next = |form: &str| format!("{form}?next={}", Url::escape(&here));
    let (login, register) = (with_next("/login"), with_next("/register"));
    let error = refused.map(|error| error_text(language, &error));
    view! {
        <section class="card narrow guest-entry">
            <h1>{t!(language, guest_entry.title)}</h1>
            <form action=api::CreateGuest::url() method="post">
                <p role="alert" class="refusal">
                    {error}
                </p>
                <input type="hidden" name="next" value=here />
                <div class="field">
                    <label for="guest-name">{t!(language, guest_entry.name)}</label>
                    <input
                        id="guest-name"
                        name="name"
                        value=name
                        required
                        minlength=NAME_MIN_CHARS
                        maxlength=NAME_MAX_CHARS
                        autocomplete="nickname"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby="guest-name-note"
                        aria-invalid=error.is_some().then_some("true")
                    />
                    <p id="guest-name-note" class="note">
                        {t!(language, forms.name_hint)}
                    </p>
                </div>
                <button type="submit">{t!(language, guest_entry.play)}</button>
            </form>
            <p class="note">{t!(language, guest_entry.note)}</p>
            <p class="other">
                {t!(language, guest_entry.account)} " " <a href=login>{t!(language, header.sign_in)}</a> " · "
                <a href=register>{t!(language, header.register)}</a>
            </p>
        </section>
    }
}
