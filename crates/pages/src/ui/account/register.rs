//! Registration.

use crate::api;
use crate::ui::account::credentials_form::{CredentialsData, CredentialsForm, FORM, Purpose};
use crate::ui::forms::next_path;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::title::PageTitle;
use crate::ui::page::{SignedOutOnly, with_next};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// `/register`. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn RegisterPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let refused = form_error::<api::Register>();
    let login = with_next("/login", &next);
    view! {
        <PageTitle text=t!(language, register.title) description=t!(language, register.promise) />
        <PreloadIsland island="credentials_form" />
        <SignedOutOnly guests="/keep">
            <section class="card narrow">
                <h1>{t!(language, register.title)}</h1>
                <p>{t!(language, register.promise)}</p>
                {FORM.embed(
                    CredentialsData {
                        purpose: Purpose::Register,
                        next: next.clone(),
                        refused: refused.clone(),
                    },
                    || view! { <CredentialsForm /> },
                )}
                <p class="other">
                    {t!(language, register.have_account)} " "
                    <a href=login.clone()>{t!(language, header.sign_in)}</a>
                </p>
            </section>
        </SignedOutOnly>
    }
}
