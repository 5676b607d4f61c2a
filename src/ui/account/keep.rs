//! A guest makes an account of what they have played.

use crate::api;
use crate::ui::account::register::{Asked, FORM, RegisterForm};
use crate::ui::forms::next;
use crate::ui::islands::form_action::refused;
use crate::ui::islands::preload::CodeAhead;
use crate::ui::shell::page::{SignInFirst, Trouble};
use crate::ui::shell::session::Session;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;

/// `/keep`, for guests, with `?next=`: where to go then.
#[component]
pub(crate) fn Keep() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let (next, refused) = (next(), refused::<api::KeepAccount>());
    view! {
        <Title text=say!(language, guest.keep_title) />
        <CodeAhead of="register_form" />
        <Suspense>
            {move || {
                let (next, refused) = (next.clone(), refused.clone());
                Suspend::new(async move {
                    match session.signed_in().await {
                        Ok(Some(account)) if account.guest => {
                            let asked = Asked { next, refused, guest: Some(account.name) };
                            view! {
                                <section class="card narrow">
                                    <h1>{say!(language, guest.keep_title)}</h1>
                                    <p>{say!(language, guest.keep_text)}</p>
                                    {FORM.to(asked, || view! { <RegisterForm /> })}
                                </section>
                            }
                                .into_any()
                        }
                        Ok(Some(_)) => {
                            view! {
                                <section class="card narrow">
                                    <h1>{say!(language, guest.keep_title)}</h1>
                                    <p>{say!(language, guest.kept)}</p>
                                    <p class="ways">
                                        <a class="button" href=next>
                                            {say!(language, open_table.others)}
                                        </a>
                                    </p>
                                </section>
                            }
                                .into_any()
                        }
                        Ok(None) => view! { <SignInFirst /> }.into_any(),
                        Err(error) => view! { <Trouble error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}
