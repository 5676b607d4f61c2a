//! Passkeys: the section of the account page, the button to sign in, and a new password after that.
//!
//! `public/passkeys.js` speaks with the authenticator. Without scripts passkeys can be seen and removed, and a note says why the
//! rest cannot be used.

use crate::api;
use crate::ui::account::form_parts::{CurrentPassword, EndForm, FormError};
use crate::ui::fingerprint::versioned_url;
use crate::ui::islands::form_action::form_error;
use crate::ui::text::time::Date;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Passkey, Passkeys, limits};

/// The script. Its content is part of its URL, so that browsers fetch a new version.
const SCRIPT: &str = include_str!("../../../../../public/passkeys.js");

/// Whether browsers can use passkeys at the address of this request, as a context of every page.
#[derive(Clone, Copy)]
pub struct PasskeysHere(pub bool);

/// The section of the account page.
#[component]
pub(super) fn PasskeyList(passkeys: Passkeys) -> impl IntoView {
    let language = language();
    let error = form_error::<api::RemovePasskey>();
    let Passkeys {
        passkeys,
        available,
        ..
    } = passkeys;
    let full = passkeys.len() >= limits::PASSKEYS_MAX as usize;
    let rows = passkeys
        .into_iter()
        .map(|passkey| view! { <PasskeyRow passkey /> })
        .collect_view();
    let add = if !available {
        let text = t!(language, passkeys.unavailable);
        view! { <p class="note">{text}</p> }.into_any()
    } else if full {
        let text = t!(language, errors.too_many_passkeys);
        view! { <p class="note">{text}</p> }.into_any()
    } else {
        view! { <AddPasskeyForm /> }.into_any()
    };
    view! {
        <section class="card" aria-labelledby="passkeys-title" id="passkeys">
            <h2 id="passkeys-title">{t!(language, passkeys.title)}</h2>
            <p>{t!(language, passkeys.about)}</p>
            <FormError error />
            <ul>{rows}</ul>
            {add}
        </section>
    }
}

#[component]
fn PasskeyRow(passkey: Passkey) -> impl IntoView {
    let language = language();
    let name = if passkey.name.is_empty() {
        t!(language, passkeys.unnamed).to_owned()
    } else {
        passkey.name
    };
    let label = t!(language, passkeys.remove_which, name = &name);
    let used = match passkey.used_at {
        Some(at) => view! { {t!(language, account.seen)} " " <Date at /> }.into_any(),
        None => t!(language, passkeys.never_used).into_any(),
    };
    view! {
        <li>
            <div>
                <p class="browser">{name}</p>
                <p class="note">
                    {t!(language, passkeys.added)} " " <Date at=passkey.created_at /> " · " {used}
                </p>
            </div>
            <EndForm
                action=api::RemovePasskey::url()
                id=passkey.id
                next="/account?done=passkey-removed"
                label
                say=t!(language, passkeys.remove)
            />
        </li>
    }
}

/// The form that the script sends. Its button is disabled until then, so that it is never sent without.
#[component]
fn AddPasskeyForm() -> impl IntoView {
    let language = language();
    view! {
        <form id="add-passkey" action=api::BeginPasskey::url() method="post">
            <div class="field">
                <label for="passkey_name">{t!(language, passkeys.name)}</label>
                <input
                    id="passkey_name"
                    name="name"
                    maxlength=limits::PASSKEY_NAME_MAX_CHARS
                    autocomplete="off"
                    aria-describedby="passkey_name-note"
                />
                <p id="passkey_name-note" class="note">
                    {t!(language, passkeys.name_hint)}
                </p>
            </div>
            <CurrentPassword id="password-passkey" />
            <button type="submit" disabled>
                {t!(language, passkeys.add)}
            </button>
            <PasskeyStatus />
        </form>
    }
}

/// Signing in with a passkey. `next` is the path to go to afterwards. Nothing, where browsers can use no passkeys.
#[component]
pub(super) fn PasskeySignIn(next: String) -> impl IntoView {
    let language = language();
    let here = use_context::<PasskeysHere>().is_some_and(|here| here.0);
    here.then(|| {
        view! {
            <form id="passkey-sign-in" class="passkey" action=api::BeginPasskeySignIn::url() method="post" data-next=next>
                <button type="submit" class="quiet" disabled>
                    {t!(language, passkeys.sign_in)}
                </button>
                <PasskeyStatus />
            </form>
        }
    })
}

/// The place where the script shows the outcome, in these words.
#[component]
fn PasskeyStatus() -> impl IntoView {
    let language = language();
    view! {
        <p
            role="alert"
            class="refusal"
            data-cancelled=t!(language, passkeys.cancelled)
            data-exists=t!(language, passkeys.exists)
            data-unsupported=t!(language, passkeys.unsupported)
            data-passkey_refused=t!(language, errors.passkey_refused)
            data-unknown_passkey=t!(language, errors.unknown_passkey)
            data-too_many_passkeys=t!(language, errors.too_many_passkeys)
            data-passkeys_unavailable=t!(language, errors.passkeys_unavailable)
            data-wrong_password=t!(language, errors.wrong_password)
            data-account_closed=t!(language, errors.account_closed)
            data-too_many_attempts=t!(language, errors.too_many_attempts)
            data-signed_out=t!(language, errors.signed_out)
            data-other=t!(language, errors.unavailable)
        ></p>
        <p class="note without-scripts">{t!(language, passkeys.scripts)}</p>
        <script type="module" src=versioned_url("/passkeys.js", SCRIPT)></script>
    }
}
