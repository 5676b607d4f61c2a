//! Sitting down as a guest: with a suggested name, by one press.

use crate::api;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::location::Url;
use tochki_protocol::TableId;
use tochki_protocol::limits;

/// The form, and links to login and registration, which lead back here.
#[component]
pub(crate) fn GuestForm(
    table: TableId,
    /// The last part of its address.
    link: String,
    /// The path of the table.
    page: String,
    /// The suggested name.
    name: String,
) -> impl IntoView {
    let language = language();
    let with_next = |form: &str| format!("{form}?next={}", Url::escape(&page));
    view! {
        <section id="guest" class="card" aria-labelledby="guest-title">
            <h2 id="guest-title">{t!(language, guest.title)}</h2>
            <form action=api::CreateGuest::url() method="post">
                <input type="hidden" name="table" value=table.0 />
                <input type="hidden" name="link" value=link />
                <input type="hidden" name="ready" value="true" />
                <div class="field">
                    <label for="guest-name">{t!(language, guest.name)}</label>
                    <input
                        id="guest-name"
                        name="name"
                        value=name
                        required
                        minlength="2"
                        maxlength=limits::NAME_MAX_CHARS
                        autocomplete="nickname"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby="guest-note"
                    />
                    <p id="guest-note" class="note">
                        {t!(language, forms.name_hint)}
                    </p>
                </div>
                <button type="submit">{t!(language, guest.sit)}</button>
            </form>
            <p class="note">{t!(language, guest.text)}</p>
            <p class="other">
                {t!(language, guest.or)} " " <a href=with_next("/login")>{t!(language, header.sign_in)}</a> " · "
                <a href=with_next("/register")>{t!(language, header.register)}</a>
            </p>
        </section>
    }
}
