//! The mail address of an account, and the pages of the links in mails. A link shows a button, because programs that check mail
//! follow links.

use crate::api;
use crate::ui::account::form_parts::{CurrentPassword, FormError, NewPassword};
use crate::ui::islands::form_action::form_error;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};
use tochki_protocol::{MailStatus, limits};

/// Whether this site sends mail.
#[derive(Clone, Copy)]
pub struct MailHere(pub bool);

/// The section of the account page. Where this site sends no mail there is none.
#[component]
pub(super) fn MailSection(status: MailStatus) -> impl IntoView {
    let language = language();
    let MailStatus {
        available,
        address,
        pending,
        sign_ins,
    } = status;
    let has_any = address.is_some() || pending.is_some();
    let error = form_error::<api::SetMail>()
        .or_else(form_error::<api::RemoveMail>)
        .or_else(form_error::<api::SetMailNotices>);
    let current = address.as_ref().map(|address| {
        view! { <p class="mail-address">{t!(language, mail.current, address = address)}</p> }
    });
    let waiting = pending.map(|address| {
        view! { <p class="mail-address">{t!(language, mail.pending, address = address)}</p> }
    });
    let notices = address.map(|_| {
        let words = if sign_ins {
            t!(language, mail.notices_off)
        } else {
            t!(language, mail.notices_on)
        };
        view! {
            <form action=api::SetMailNotices::url() method="post">
                <input type="hidden" name="sign_ins" value=(!sign_ins).to_string() />
                <input type="hidden" name="next" value="/account?done=mail-saved" />
                <button type="submit" class="quiet">
                    {words}
                </button>
            </form>
        }
    });
    let remove = has_any.then(|| {
        view! {
            <form action=api::RemoveMail::url() method="post">
                <CurrentPassword id="password-remove-mail" />
                <input type="hidden" name="next" value="/account?done=mail-removed" />
                <button type="submit" class="quiet">
                    {t!(language, mail.remove)}
                </button>
            </form>
        }
    });
    available.then(|| {
        view! {
            <section class="card" id="mail" aria-labelledby="mail-title">
                <h2 id="mail-title">{t!(language, mail.title)}</h2>
                <p>{t!(language, mail.about)}</p>
                {current}
                {waiting}
                <FormError error />
                {notices}
                <form action=api::SetMail::url() method="post">
                    <div class="field">
                        <label for="mail-address">{t!(language, mail.address)}</label>
                        <input
                            id="mail-address"
                            name="address"
                            type="email"
                            required
                            maxlength=limits::MAIL_ADDRESS_MAX_BYTES
                            autocomplete="email"
                        />
                    </div>
                    <CurrentPassword id="password-mail" />
                    <input type="hidden" name="language" value=language.code() />
                    <input type="hidden" name="next" value="/account?done=mail" />
                    <button type="submit">{t!(language, mail.save)}</button>
                </form>
                {remove}
            </section>
        }
    })
}

/// The form that sends a link to who has forgotten a password. Where this site sends no mail there is none.
#[component]
pub(super) fn ForgotPassword() -> impl IntoView {
    let language = language();
    let error = form_error::<api::ForgotPassword>();
    let here = use_context::<MailHere>().is_some_and(|here| here.0);
    let done = use_query_map().with_untracked(|query| query.get("done"));
    let done = (done.as_deref() == Some("mail")).then(|| t!(language, mail.forgot_done));
    here.then(|| {
        view! {
            <form action=api::ForgotPassword::url() method="post" aria-labelledby="forgot-title" id="forgot">
                <h2 id="forgot-title">{t!(language, mail.forgot_title)}</h2>
                <p>{t!(language, mail.forgot_about)}</p>
                <p role="status" class="done">
                    {done}
                </p>
                <FormError error />
                <div class="field">
                    <label for="forgot-name">{t!(language, forms.name)}</label>
                    <input
                        id="forgot-name"
                        name="name"
                        required
                        autocomplete="username"
                        autocapitalize="none"
                        spellcheck="false"
                    />
                </div>
                <input type="hidden" name="next" value="/recover?done=mail" />
                <button type="submit">{t!(language, mail.forgot)}</button>
            </form>
        }
    })
}

/// Returns the token of a link.
fn token() -> String {
    let token = use_query_map().with_untracked(|query| query.get("token"));
    token.unwrap_or_default()
}

/// `/mail/confirm?token=`.
#[component]
pub(crate) fn ConfirmMailPage() -> impl IntoView {
    let language = language();
    let error = form_error::<api::ConfirmMail>();
    let done = use_query_map().with_untracked(|query| query.get("done").is_some());
    let form = (!done).then(|| {
        view! {
            <form action=api::ConfirmMail::url() method="post">
                <FormError error />
                <input type="hidden" name="token" value=token() />
                <input type="hidden" name="next" value="/mail/confirm?done=yes" />
                <button type="submit">{t!(language, mail.confirm)}</button>
            </form>
        }
    });
    let confirmed = done.then(|| {
        view! {
            <p role="status">{t!(language, mail.confirmed)}</p>
            <p>
                <a href="/account">{t!(language, account.title)}</a>
            </p>
        }
    });
    view! {
        <Title text=t!(language, mail.confirm_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, mail.confirm_title)}</h1>
            {form}
            {confirmed}
        </section>
    }
}

/// `/mail/reset?token=`.
#[component]
pub(crate) fn ResetByMailPage() -> impl IntoView {
    let language = language();
    let error = form_error::<api::ResetByMail>();
    view! {
        <Title text=t!(language, mail.reset_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, mail.reset_title)}</h1>
            <form action=api::ResetByMail::url() method="post">
                <FormError error />
                <input type="hidden" name="token" value=token() />
                <NewPassword />
                <input type="hidden" name="next" value="/account?done=password" />
                <button type="submit">{t!(language, mail.reset)}</button>
            </form>
        </section>
    }
}

/// `/mail/unsubscribe/:token`.
#[component]
pub(crate) fn UnsubscribePage() -> impl IntoView {
    let language = language();
    let error = form_error::<api::Unsubscribe>();
    let token = use_params_map().with_untracked(|params| params.get("token"));
    let token = token.unwrap_or_default();
    let done = token == "done";
    let form = (!done).then(|| {
        view! {
            <form action=api::Unsubscribe::url() method="post">
                <FormError error />
                <input type="hidden" name="token" value=token />
                <input type="hidden" name="next" value="/mail/unsubscribe/done" />
                <button type="submit">{t!(language, mail.unsubscribe)}</button>
            </form>
        }
    });
    let told = done.then(|| view! { <p role="status">{t!(language, mail.unsubscribed)}</p> });
    view! {
        <Title text=t!(language, mail.unsubscribe_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, mail.unsubscribe_title)}</h1>
            {form}
            {told}
        </section>
    }
}
