//! Recovery codes: making them, seeing them once, and coming back with one.

use crate::api;
use crate::ui::account::form_parts::{CurrentPassword, FormError, NewPassword};
use crate::ui::account::mail::ForgotPassword;
use crate::ui::account::passkeys::{PasskeySignIn, PasskeysHere};
use crate::ui::account::secret_list::SecretList;
use crate::ui::forms::next_path;
use crate::ui::islands::form_action::form_error;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::with_next;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_protocol::{Code, RecoveryStatus, limits};

/// The codes that have just been made, as `http::recovery` provides them to the page that shows them.
#[derive(Clone)]
pub struct NewRecoveryCodes {
    /// The name of the owner.
    pub name: String,
    /// The codes.
    pub codes: Vec<String>,
}

/// The section of the account page.
#[component]
pub(super) fn RecoveryCodes(status: RecoveryStatus) -> impl IntoView {
    let language = language();
    let error = form_error::<api::MakeRecoveryCodes>();
    let (left, make) = if status.left == 0 {
        (None, t!(language, account_page.first_codes))
    } else {
        let left = t!(language, recovery.left, count = status.left);
        (Some(view! { <p>{left}</p> }), t!(language, recovery.make))
    };
    view! {
        <section class="card" aria-labelledby="recovery-title" id="recovery">
            <h2 id="recovery-title">{t!(language, recovery.title)}</h2>
            <p>{t!(language, recovery.about)}</p>
            {left}
            // The answer is a page, which shows the codes once.
            <form action="/account/codes" method="post">
                <FormError error />
                <CurrentPassword id="password-codes" />
                <button type="submit">{make}</button>
            </form>
        </section>
    }
}

/// `/account/codes`: the answer to making codes. Loaded again, it leads back to the account page.
#[component]
pub(crate) fn RecoveryCodesPage() -> impl IntoView {
    let language = language();
    let Some(NewRecoveryCodes { name, codes }) = use_context::<NewRecoveryCodes>() else {
        return view! { <Redirect path="/account#recovery" /> }.into_any();
    };
    let title = t!(language, recovery.file_title, name = &name);
    view! {
        <Title text=t!(language, recovery.title) />
        <InfoStylesheet />
        <div class="info-page account">
            <h1>{t!(language, recovery.new_title)}</h1>
            <section class="card">
                <p>{t!(language, recovery.once)}</p>
                <SecretList items=codes title file="tochki-recovery-codes.txt" />
                <p>
                    <a href="/account">{t!(language, recovery.kept)}</a>
                </p>
            </section>
        </div>
    }
    .into_any()
}

/// `/recover`: a new password with a code. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn RecoverPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let error = form_error::<api::Recover>().map(|error| match error.code {
        Code::BadCredentials => t!(language, recovery.wrong),
        _ => error_text(language, &error),
    });
    let login = with_next("/login", &next);
    view! {
        <Title text=t!(language, recovery.recover_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, recovery.recover_title)}</h1>
            <p>{t!(language, recovery.recover_about)}</p>
            <form action=api::Recover::url() method="post">
                <p role="alert" class="refusal">
                    {error}
                </p>
                <div class="field">
                    <label for="name">{t!(language, forms.name)}</label>
                    <input
                        id="name"
                        name="name"
                        required
                        autocomplete="username"
                        autocapitalize="none"
                        spellcheck="false"
                    />
                </div>
                <div class="field">
                    <label for="code">{t!(language, recovery.code)}</label>
                    <input
                        id="code"
                        name="code"
                        required
                        autocomplete="one-time-code"
                        autocapitalize="none"
                        spellcheck="false"
                        maxlength=limits::RECOVERY_CODE_MAX_CHARS
                        aria-describedby="code-note"
                    />
                    <p id="code-note" class="note">
                        {t!(language, recovery.code_hint)}
                    </p>
                </div>
                <NewPassword />
                <input type="hidden" name="next" value=next />
                <button type="submit">{t!(language, recovery.recover)}</button>
            </form>
            <ForgotPassword />
            <RecoverWithPasskey />
            <p class="other">
                <a href=login>{t!(language, recovery.remembered)}</a>
            </p>
        </section>
    }
}

/// A note for players with a passkey, who need no code: having signed in with it, they may set a new password on the account
/// page.
#[component]
fn RecoverWithPasskey() -> impl IntoView {
    let here = use_context::<PasskeysHere>().is_some_and(|here| here.0);
    here.then(|| {
        view! {
            <p>{t!(language(), passkeys.recover)}</p>
            <PasskeySignIn next="/account".to_owned() />
        }
    })
}

/// Offers codes to a player who has played the first rated game and never made any; to others nothing.
#[component]
pub(crate) fn RecoveryOffer() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let status = load(api::recovery_status);
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                let account = session.account().await.filter(|account| !account.guest)?;
                let status = status.await.ok().filter(|status| status.offered)?;
                let _ = (account, status);
                Some(
                    view! {
                        <p class="offer-codes note">
                            {t!(language, recovery.offer)} " "
                            <a href="/account#recovery">{t!(language, recovery.offer_link)}</a>
                        </p>
                    },
                )
            })}
        </Suspense>
    }
}
