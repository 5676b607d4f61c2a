//! The mail address of an account, and the pages of the links in mails. A link shows a button, because programs that check mail
//! follow links.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::account::form_parts::{CurrentPassword, FormError, NewPassword};
use crate::ui::islands::form_action::form_error;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};
use tochki_protocol::{Code, MailStatus, limits};

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
    let refused = form_error::<api::SetMail>();
    let not_removed = form_error::<api::RemoveMail>();
    let (is_refused, is_kept) = (refused.is_some(), not_removed.is_some());
    let error = refused
        .or(not_removed)
        .or_else(form_error::<api::SetMailNotices>);
    let has_any = address.is_some() || pending.is_some();
    let current = address.as_ref().map(|address| {
        view! { <p class="mail-address">{t!(language, mail.current, address = address)}</p> }
    });
    let waiting = pending.as_ref().map(|address| {
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
    let forms = if has_any {
        // Each has a field of the password, which are told apart when one is open.
        view! {
            <details open=is_refused>
                <summary>{t!(language, mail.change)}</summary>
                <AddressForm address=pending />
            </details>
            <details open=is_kept>
                <summary>{t!(language, mail.remove)}</summary>
                <form action=api::RemoveMail::url() method="post">
                    <CurrentPassword id="password-remove-mail" />
                    <input type="hidden" name="next" value="/account?done=mail-removed" />
                    <button type="submit">{t!(language, mail.remove)}</button>
                </form>
            </details>
        }
        .into_any()
    } else {
        view! { <AddressForm address=None /> }.into_any()
    };
    available.then(|| {
        view! {
            <section class="card" id="mail" aria-labelledby="mail-title">
                <h2 id="mail-title">{t!(language, mail.title)}</h2>
                <p>{t!(language, mail.about)}</p>
                {current}
                {waiting}
                <FormError error />
                {notices}
                {forms}
            </section>
        }
    })
}

/// The form that sets an address. One that waits for its link is filled in, to be sent another one.
#[component]
fn AddressForm(address: Option<String>) -> impl IntoView {
    let language = language();
    view! {
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
                    value=address
                />
            </div>
            <CurrentPassword id="password-mail" />
            <input type="hidden" name="language" value=language.code() />
            <input type="hidden" name="next" value="/account?done=mail" />
            <button type="submit">{t!(language, mail.save)}</button>
        </form>
    }
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
            <h2 id="forgot">{t!(language, mail.forgot_title)}</h2>
            <p>{t!(language, mail.forgot_about)}</p>
            {done.map(|done| view! { <p role="status">{done}</p> })}
            <form action=api::ForgotPassword::url() method="post" aria-labelledby="forgot">
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
                <input type="hidden" name="next" value="/recover?done=mail#forgot" />
                <button type="submit">{t!(language, mail.forgot)}</button>
            </form>
        }
    })
}

/// Instead of a form whose link cannot be used: the way to another one.
#[component]
fn BadLink(error: Option<ErrorResponse>, path: &'static str, words: &'static str) -> impl IntoView {
    view! {
        <FormError error />
        <p>
            <a href=path>{words}</a>
        </p>
    }
}

/// Returns the error of a form whose link is used up, too old or none: another attempt would end the same.
fn is_final(error: Option<&ErrorResponse>) -> bool {
    error.is_some_and(|error| error.code == Code::BadLink)
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
    let is_bad = is_final(error.as_ref());
    let bad = is_bad.then(|| {
        let error = error.clone();
        view! { <BadLink error path="/account#mail" words=t!(language, account.title) /> }
    });
    let form = (!done && !is_bad).then(|| {
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
                <a href="/account#mail">{t!(language, account.title)}</a>
            </p>
        }
    });
    view! {
        <Title text=t!(language, mail.confirm_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, mail.confirm_title)}</h1>
            {bad}
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
    let is_bad = is_final(error.as_ref());
    let bad = is_bad.then(|| {
        let error = error.clone();
        view! { <BadLink error path="/recover#forgot" words=t!(language, mail.forgot_title) /> }
    });
    let form = (!is_bad).then(|| {
        view! {
            <form action=api::ResetByMail::url() method="post">
                <FormError error />
                <input type="hidden" name="token" value=token() />
                <NewPassword />
                <input type="hidden" name="next" value="/account?done=password" />
                <button type="submit">{t!(language, mail.reset)}</button>
            </form>
        }
    });
    view! {
        <Title text=t!(language, mail.reset_title) />
        <InfoStylesheet />
        <section class="card narrow">
            <h1>{t!(language, mail.reset_title)}</h1>
            {bad}
            {form}
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
    let is_bad = is_final(error.as_ref());
    let bad = is_bad.then(|| {
        let (error, words) = (error.clone(), t!(language, notifications.settings));
        view! { <BadLink error path="/account#notifications" words /> }
    });
    let form = (!done && !is_bad).then(|| {
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
            {bad}
            {form}
            {told}
        </section>
    }
}
