//! Login.

use crate::api;
use crate::ui::account::credentials_form::{CredentialsData, CredentialsForm, FORM, Purpose};
use crate::ui::account::passkeys::PasskeySignIn;
use crate::ui::forms::next_path;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::{SignedOutOnly, with_next};
use crate::ui::text::{language, say};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;

/// `/login`. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let refused = form_error::<api::Login>();
    let register = with_next("/register", &next);
    let recover = with_next("/recover", &next);
    view! {
        <Title text=say!(language, login.title) />
        <PreloadIsland island="credentials_form" />
        <SignedOutOnly>
            <section class="card narrow">
                <h1>{say!(language, login.title)}</h1>
                {FORM.embed(
                    CredentialsData {
                        purpose: Purpose::Login,
                        next: next.clone(),
                        refused: refused.clone(),
                    },
                    || view! { <CredentialsForm /> },
                )}
                <PasskeySignIn next=next.clone() />
                <p class="other">
                    {say!(language, login.no_account)} " "
                    <a href=register.clone()>{say!(language, header.register)}</a>
                </p>
                <p class="other">
                    {say!(language, login.forgotten)} " "
                    <a href=recover.clone()>{say!(language, login.recover)}</a>
                </p>
            </section>
        </SignedOutOnly>
    }
}
