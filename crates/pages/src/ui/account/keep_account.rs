//! A guest creates an account and keeps their games.

use crate::api;
use crate::ui::account::credentials_form::{CredentialsData, CredentialsForm, FORM, Purpose};
use crate::ui::forms::next_path;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;

/// `/keep`, for guests. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn KeepAccountPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let (next, refused) = (next_path(), form_error::<api::KeepAccount>());
    view! {
        <Title text=t!(language, guest.keep_title) />
        <PreloadIsland island="credentials_form" />
        <Suspense>
            {move || {
                let (next, refused) = (next.clone(), refused.clone());
                Suspend::new(async move {
                    match session.signed_in().await {
                        Ok(Some(account)) if account.guest => {
                            let purpose = Purpose::KeepAccount { guest: account.name };
                            let data = CredentialsData { purpose, next, refused };
                            view! {
                                <section class="card narrow">
                                    <h1>{t!(language, guest.keep_title)}</h1>
                                    <p>{t!(language, guest.keep_text)}</p>
                                    {FORM.embed(data, || view! { <CredentialsForm /> })}
                                </section>
                            }
                                .into_any()
                        }
                        Ok(Some(_)) => {
                            view! {
                                <section class="card narrow">
                                    <h1>{t!(language, guest.keep_title)}</h1>
                                    <p>{t!(language, guest.kept)}</p>
                                    <p class="button-row">
                                        <a class="button" href=next>
                                            {t!(language, open_table.others)}
                                        </a>
                                    </p>
                                </section>
                            }
                                .into_any()
                        }
                        Ok(None) => view! { <RedirectToLogin /> }.into_any(),
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}
