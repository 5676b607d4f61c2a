//! The own account: password, sessions, data, and the end. Plain forms: nothing here lives in the browser.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::islands::form_action::refused;
use crate::ui::shell::page::{SignInFirst, Trouble};
use crate::ui::shell::session::Session;
use crate::ui::stats::ClubSheet;
use crate::ui::text::errors::refusal;
use crate::ui::text::time::Day;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_protocol::{Account as Me, Code, SessionSummary};

/// `/account`, for players. `?done=` names what has just been done.
#[component]
pub(crate) fn Account() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let sessions = Resource::new_blocking(|| (), |()| api::sessions());
    view! {
        <Title text=say!(language, account.title) />
        <ClubSheet />
        <Suspense>
            {move || Suspend::new(async move {
                match (session.account().await, sessions.await) {
                    (Some(me), Ok(sessions)) => view! { <Standing me sessions /> }.into_any(),
                    (_, Err(error)) if error.code != Code::SignedOut => {
                        view! { <Trouble error /> }.into_any()
                    }
                    _ => view! { <SignInFirst /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Standing(me: Me, sessions: Vec<SessionSummary>) -> impl IntoView {
    let language = language();
    let done = use_query_map().with_untracked(|query| query.get("done"));
    let done = match done.as_deref() {
        Some("password") => Some(say!(language, account.password_changed)),
        Some("session") => Some(say!(language, account.session_ended)),
        _ => None,
    };
    let page = format!("/@{}", me.name);
    let guest = me.guest;
    view! {
        <div class="club account">
            <h1>{say!(language, account.title)}</h1>
            <p class="ways">
                <a href=page>{say!(language, account.profile)}</a>
                <a href="/history">{say!(language, account.history)}</a>
            </p>
            <p role="status" class="done">
                {done}
            </p>
            {if guest {
                view! { <Guest /> }.into_any()
            } else {
                view! { <Password name=me.name /> }.into_any()
            }}
            <Sessions sessions />
            <section class="card" aria-labelledby="data-title">
                <h2 id="data-title">{say!(language, account.data)}</h2>
                <p>{say!(language, account.data_about)}</p>
                <p>
                    <a class="button quiet" href="/api/my_data" download="tochki-my-data.json">
                        {say!(language, account.data_get)}
                    </a>
                </p>
            </section>
            <Farewell guest />
        </div>
    }
}

/// In place of a password: a guest has none.
#[component]
fn Guest() -> impl IntoView {
    let language = language();
    view! {
        <section class="card" aria-labelledby="guest-title">
            <h2 id="guest-title">{say!(language, account.guest)}</h2>
            <p>{say!(language, account.guest_about)}</p>
            <p>
                <a class="button" href="/keep">
                    {say!(language, account.keep)}
                </a>
            </p>
        </section>
    }
}

#[component]
fn Password(name: String) -> impl IntoView {
    let language = language();
    let error = refused::<api::ChangePassword>();
    view! {
        <section class="card" aria-labelledby="password-title">
            <h2 id="password-title">{say!(language, account.password)}</h2>
            <p>{say!(language, account.password_about)}</p>
            <form action=api::ChangePassword::url() method="post">
                <Refusal error />
                // For whatever remembers passwords for the player.
                <input type="text" name="username" autocomplete="username" value=name readonly hidden />
                <Secret id="password" label=say!(language, account.old_password) autocomplete="current-password" />
                <Secret
                    id="new_password"
                    label=say!(language, account.new_password)
                    autocomplete="new-password"
                    hint=say!(language, forms.password_hint)
                />
                <input type="hidden" name="next" value="/account?done=password" />
                <button type="submit">{say!(language, account.change)}</button>
            </form>
        </section>
    }
}

/// A password to type.
#[component]
fn Secret(
    id: &'static str,
    label: &'static str,
    autocomplete: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
) -> impl IntoView {
    // The new one must do; whatever was the old one may be tried.
    let (shortest, longest) = if hint.is_some() { (6, 128) } else { (1, 1000) };
    let note = format!("{id}-note");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                id=id
                name=id.trim_end_matches("-again")
                type="password"
                required
                minlength=shortest
                maxlength=longest
                autocomplete=autocomplete
                aria-describedby=hint.map(|_| note.clone())
            />
            {hint.map(|hint| view! { <p id=note.clone() class="note">{hint}</p> })}
        </div>
    }
}

#[component]
fn Refusal(error: Option<ErrorResponse>) -> impl IntoView {
    let language = language();
    view! {
        <p role="alert" class="refusal">
            {error.map(|error| refusal(language, &error))}
        </p>
    }
}

#[component]
fn Sessions(sessions: Vec<SessionSummary>) -> impl IntoView {
    let language = language();
    let others = sessions.len() > 1;
    let error = refused::<api::EndSession>();
    let rows = sessions
        .into_iter()
        .map(|session| {
            let name = if session.agent.is_empty() {
                say!(language, account.some_browser).to_owned()
            } else {
                session.agent.clone()
            };
            let end = (!session.current).then(|| {
                let end = say!(language, account.end);
                let label = say!(language, account.end_which, browser = &name);
                view! { <EndSession id=session.id.to_string() label say=end /> }
            });
            let current = session.current.then(
                || view! { " " <span class="you">{say!(language, account.this_session)}</span> },
            );
            view! {
                <li>
                    <div>
                        <p class="browser">{name} {current}</p>
                        <p class="note">
                            {say!(language, account.since)} " " <Day at=session.since /> " · "
                            {say!(language, account.seen)} " " <Day at=session.seen_at />
                        </p>
                    </div>
                    {end}
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="card" aria-labelledby="sessions-title">
            <h2 id="sessions-title">{say!(language, account.sessions)}</h2>
            <Refusal error />
            <ul>{rows}</ul>
            {others
                .then(|| {
                    view! {
                        <EndSession
                            id=String::new()
                            label=say!(language, account.end_others).to_owned()
                            say=say!(language, account.end_others)
                        />
                    }
                })}
        </section>
    }
}

/// The button that ends one session, or without an id all others.
#[component]
fn EndSession(id: String, label: String, say: &'static str) -> impl IntoView {
    view! {
        <form action=api::EndSession::url() method="post">
            {(!id.is_empty()).then(|| view! { <input type="hidden" name="id" value=id.clone() /> })}
            <input type="hidden" name="next" value="/account?done=session" />
            <button type="submit" class="quiet" aria-label=label>
                {say}
            </button>
        </form>
    }
}

/// Nobody deletes by accident: what it means is said first, and the password asked for.
#[component]
fn Farewell(guest: bool) -> impl IntoView {
    let language = language();
    let error = refused::<api::DeleteAccount>();
    let open = error.is_some();
    view! {
        <section class="card" aria-labelledby="farewell-title">
            <h2 id="farewell-title">{say!(language, account.farewell)}</h2>
            <details open=open>
                <summary>{say!(language, account.farewell_open)}</summary>
                <p>{say!(language, account.farewell_about)}</p>
                <form action=api::DeleteAccount::url() method="post">
                    <Refusal error />
                    {(!guest)
                        .then(|| {
                            view! {
                                <Secret
                                    id="password-again"
                                    label=say!(language, forms.password)
                                    autocomplete="current-password"
                                />
                            }
                        })}
                    <label class="sure">
                        <input type="checkbox" required />
                        {say!(language, account.farewell_sure)}
                    </label>
                    <button type="submit" class="danger">
                        {say!(language, account.farewell_do)}
                    </button>
                </form>
            </details>
        </section>
    }
}
