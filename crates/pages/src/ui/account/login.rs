//! Login.

use crate::api;
use crate::ui::account::credentials_form::{CredentialsData, CredentialsForm, FORM, Purpose};
use crate::ui::account::passkeys::PasskeySignIn;
use crate::ui::forms::next_path;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::title::PageTitle;
use crate::ui::page::{SignedOutOnly, with_next};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// `/login`. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let refused = form_error::<api::Login>();
    let register = with_next("/register", &next);
    let recover = with_next("/recover", &next);
    view! {
        <PageTitle text=t!(language, login.title) />
        <PreloadIsland island="credentials_form" />
        <SignedOutOnly>
            <section class="card narrow">
                <h1>{t!(language, login.title)}</h1>
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
                    {t!(language, login.no_account)} " "
                    <a href=register.clone()>{t!(language, header.register)}</a>
                </p>
                <p class="other">
                    {t!(language, login.forgotten)} " "
                    <a href=recover.clone()>{t!(language, login.recover)}</a>
                </p>
            </section>
        </SignedOutOnly>
    }
}
