//! The account page: sections with an address each, and a list of them. Plain forms, no islands.

use crate::api;
use crate::ui::account::form_parts::{CurrentPassword, EndForm, FormError, NewPassword};
use crate::ui::account::kept::KeptData;
use crate::ui::account::mail::MailSection;
use crate::ui::account::passkeys::PasskeyList;
use crate::ui::account::recovery::RecoveryCodes;
use crate::ui::account::tokens::{BotSection, Tokens};
use crate::ui::islands::form_action::form_error;
use crate::ui::night::NightSection;
use crate::ui::notifications::{PushCard, SwitchForms};
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::settings_form::{GuestChallenges, PREVIEW, SettingsForm};
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin};
use crate::ui::text::time::Date;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_protocol::{
    Account as Me, Code, MailStatus, NotificationSwitches, Passkeys, RecoveryStatus,
    SessionSummary, TimeZoneSetting, TokenSummary,
};

/// `/account`, for players. `?done=` names the action that has just succeeded.
#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let sessions = load(api::sessions);
    let codes = load(api::recovery_status);
    let passkeys = load(api::passkeys);
    let tokens = load(api::tokens);
    let mail = load(api::mail_status);
    let switches = load(api::notification_settings);
    let push = load(|| api::push_key(None));
    let zone = load(api::time_zone);
    view! {
        <Title text=t!(language, account.title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                let parts = (sessions.await, codes.await, passkeys.await);
                let tokens = tokens.await.unwrap_or_default();
                let mail = mail.await.unwrap_or_default();
                let switches = switches.await.unwrap_or_default();
                let push_key = push.await.unwrap_or_default().key;
                let zone = zone.await.unwrap_or_default();
                match (session.account().await, parts) {
                    (Some(me), (Ok(sessions), Ok(codes), Ok(passkeys))) => {
                        view! { <AccountView me sessions codes passkeys tokens switches mail push_key zone /> }.into_any()
                    }
                    (_, (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)))
                        if error.code != Code::SignedOut =>
                    {
                        view! { <PageError error /> }.into_any()
                    }
                    _ => view! { <RedirectToLogin /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn AccountView(
    me: Me,
    sessions: Vec<SessionSummary>,
    codes: RecoveryStatus,
    passkeys: Passkeys,
    tokens: Vec<TokenSummary>,
    mail: MailStatus,
    switches: Vec<NotificationSwitches>,
    push_key: Option<String>,
    zone: TimeZoneSetting,
) -> impl IntoView {
    let language = language();
    let done = use_query_map().with_untracked(|query| query.get("done"));
    let done = match done.as_deref() {
        Some("password") => Some(t!(language, account.password_changed)),
        Some("token") => Some(t!(language, tokens.ended)),
        Some("session") => Some(t!(language, account.session_ended)),
        Some("passkey") => Some(t!(language, passkeys.added_done)),
        Some("mail") => Some(t!(language, mail.sent)),
        Some("mail-removed") => Some(t!(language, mail.removed)),
        Some("mail-saved") => Some(t!(language, mail.saved)),
        Some("passkey-removed") => Some(t!(language, passkeys.removed)),
        _ => None,
    };
    let page = format!("/@{}", me.name);
    let (guest, bot) = (me.guest, me.bot);
    let proven = passkeys.proven;
    let zone_error = form_error::<api::SetTimeZone>();
    view! {
        <div class="info-page account">
            <h1>{t!(language, account.title)}</h1>
            <p role="status" class="done">
                {done}
            </p>
            <Sections guest mail=mail.available />
            <div class="section-cards">
            <section class="card" id="profile" aria-labelledby="profile-title">
                <h2 id="profile-title">{t!(language, account_page.profile)}</h2>
                <p class="button-row">
                    <a href=page>{t!(language, account.profile)}</a>
                    <a href="/games">{t!(language, own_games.title)}</a>
                </p>
                {(!guest).then(|| view! { <GuestChallenges /> })}
            </section>
            <section class="card" id="display" aria-labelledby="display-title">
                <h2 id="display-title">{t!(language, settings.title)}</h2>
                <div class="settings-columns">
                    <SettingsForm />
                    <div inner_html=PREVIEW></div>
                </div>
                <p class="note">{t!(language, settings.followed)}</p>
            </section>
            <section class="card" id="notifications" aria-labelledby="notifications-title">
                <h2 id="notifications-title">{t!(language, notifications.title)}</h2>
                <SwitchForms switches mail=mail.clone() guest />
                {push_key.map(|key| view! { <PushCard key /> })}
            </section>
            <NightSection setting=zone error=zone_error />
            {if guest {
                view! { <GuestNote /> }.into_any()
            } else {
                view! {
                    <PasswordForm name=me.name proven />
                    <PasskeyList passkeys />
                    <RecoveryCodes status=codes />
                    <MailSection status=mail />
                }
                .into_any()
            }}
            <SessionList sessions />
            {(!guest).then(|| view! { <Tokens tokens /> <BotSection bot /> })}
            <section class="card" id="data" aria-labelledby="data-title">
                <h2 id="data-title">{t!(language, account.data)}</h2>
                <p>{t!(language, account.data_about)}</p>
                <p>
                    <a class="button quiet" href="/api/my_data" download="tochki-my-data.json">
                        {t!(language, account.data_get)}
                    </a>
                </p>
                <KeptData />
            </section>
            <DeleteAccountForm guest />
            </div>
        </div>
    }
}

/// The list of sections. A guest has neither a password nor programs nor mail.
#[component]
fn Sections(guest: bool, mail: bool) -> impl IntoView {
    let language = language();
    let sections = [
        ("profile", t!(language, account_page.profile), true),
        ("display", t!(language, settings.title), true),
        ("notifications", t!(language, notifications.title), true),
        ("night", t!(language, night.title), true),
        ("security", t!(language, account_page.security), !guest),
        ("mail", t!(language, mail.title), mail && !guest),
        ("sessions", t!(language, account_page.sessions), true),
        ("tokens", t!(language, account_page.programs), !guest),
        ("data", t!(language, account_page.data), true),
    ];
    let links = sections
        .into_iter()
        .filter(|(.., shown)| *shown)
        .map(|(id, name, _)| {
            view! {
                <li>
                    <a href=format!("#{id}")>{name}</a>
                </li>
            }
        })
        .collect_view();
    view! {
        <nav class="sections" aria-label=t!(language, account_page.sections)>
            <ul>{links}</ul>
        </nav>
    }
}

/// Shown instead of the password form: a guest has no password.
#[component]
fn GuestNote() -> impl IntoView {
    let language = language();
    view! {
        <section class="card" aria-labelledby="guest-title">
            <h2 id="guest-title">{t!(language, account.guest)}</h2>
            <p>{t!(language, account.guest_about)}</p>
            <p>
                <a class="button" href="/keep">
                    {t!(language, account.keep)}
                </a>
            </p>
        </section>
    }
}

/// The form of a new password. A player who has just come with a passkey, and may have forgotten the old password, is not asked
/// for it.
#[component]
fn PasswordForm(name: String, proven: bool) -> impl IntoView {
    let language = language();
    let (error, action, about, set) = if proven {
        (
            form_error::<api::ResetPassword>(),
            api::ResetPassword::url(),
            t!(language, passkeys.proven),
            t!(language, passkeys.set_password),
        )
    } else {
        (
            form_error::<api::ChangePassword>(),
            api::ChangePassword::url(),
            t!(language, account.password_about),
            t!(language, account.change),
        )
    };
    let old = (!proven).then(|| {
        view! { <CurrentPassword id="password" label=t!(language, account.old_password) /> }
    });
    view! {
        <section class="card" id="security" aria-labelledby="password-title">
            <h2 id="password-title">{t!(language, account.password)}</h2>
            <p>{about}</p>
            <form action=action method="post">
                <FormError error />
                // For password managers.
                <input type="text" name="username" autocomplete="username" value=name readonly hidden />
                {old}
                <NewPassword />
                <input type="hidden" name="next" value="/account?done=password" />
                <button type="submit">{set}</button>
            </form>
        </section>
    }
}

#[component]
fn SessionList(sessions: Vec<SessionSummary>) -> impl IntoView {
    let language = language();
    let others = sessions.len() > 1;
    let error = form_error::<api::EndSession>();
    let rows = sessions
        .into_iter()
        .map(|session| {
            let name = if session.agent.is_empty() {
                t!(language, account.some_browser).to_owned()
            } else {
                session.agent.clone()
            };
            let end = (!session.current).then(|| {
                let end = t!(language, account.end);
                let label = t!(language, account.end_which, browser = &name);
                view! {
                    <EndForm
                        action=api::EndSession::url()
                        id=session.id
                        next="/account?done=session"
                        label
                        say=end
                    />
                }
            });
            let current = session.current.then(
                || view! { " " <span class="you">{t!(language, account.this_session)}</span> },
            );
            view! {
                <li>
                    <div>
                        <p class="browser">{name} {current}</p>
                        <p class="note">
                            {t!(language, account.since)} " " <Date at=session.since /> " · "
                            {t!(language, account.seen)} " " <Date at=session.seen_at />
                            {(!session.address.is_empty())
                                .then(|| {
                                    view! {
                                        " · "
                                        {t!(language, account.address)}
                                        " "
                                        <span class="address">{session.address.clone()}</span>
                                    }
                                })}
                        </p>
                    </div>
                    {end}
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="card" id="sessions" aria-labelledby="sessions-title">
            <h2 id="sessions-title">{t!(language, account.sessions)}</h2>
            <FormError error />
            <ul>{rows}</ul>
            {others
                .then(|| {
                    view! {
                        <EndForm
                            action=api::EndSession::url()
                            next="/account?done=session"
                            label=t!(language, account.end_others).to_owned()
                            say=t!(language, account.end_others)
                        />
                    }
                })}
        </section>
    }
}

/// Deleting an account: explains the consequences first, then asks for the password.
#[component]
fn DeleteAccountForm(guest: bool) -> impl IntoView {
    let language = language();
    let error = form_error::<api::DeleteAccount>();
    let open = error.is_some();
    view! {
        <section class="card" aria-labelledby="delete-title">
            <h2 id="delete-title">{t!(language, account.delete_title)}</h2>
            <details open=open>
                <summary>{t!(language, account.delete_open)}</summary>
                <p>{t!(language, account.delete_about)}</p>
                <form action=api::DeleteAccount::url() method="post">
                    <FormError error />
                    {(!guest).then(|| view! { <CurrentPassword id="password-again" /> })}
                    <label class="confirmation">
                        <input type="checkbox" required />
                        {t!(language, account.delete_sure)}
                    </label>
                    <button type="submit" class="danger">
                        {t!(language, account.delete_do)}
                    </button>
                </form>
            </details>
        </section>
    }
}
