//! Signing in.

use super::UnlessSignedIn;
use crate::api;
use crate::ui::forms::{Field, awake, focus_on, next};
use crate::ui::session::load;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::location::Url;

/// `/login`, with `?next=`: where to go then.
#[component]
pub(crate) fn Login() -> impl IntoView {
    let language = language();
    view! {
        <Title text=say!(language, login.title) />
        <UnlessSignedIn>
            <LoginForm />
        </UnlessSignedIn>
    }
}

#[component]
fn LoginForm() -> impl IntoView {
    let language = language();
    let next = StoredValue::new(next());
    let sign_in = ServerAction::<api::Login>::new();
    let (name, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (name_checked, password_checked) = (RwSignal::new(false), RwSignal::new(false));
    let missing = move |value: RwSignal<String>| {
        value
            .with(String::is_empty)
            .then(|| say!(language, forms.required))
    };
    let name_wrong = Signal::derive(move || missing(name));
    let password_wrong = Signal::derive(move || missing(password));

    Effect::new(move |_| {
        if let Some(Ok(_)) = sign_in.value().get() {
            load(&next.get_value());
        }
    });
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_checked.set(true);
        password_checked.set(true);
        if name_wrong.get_untracked().is_some() {
            focus_on("name");
        } else if password_wrong.get_untracked().is_some() {
            focus_on("password");
        } else {
            let (name, password) = (name.get_untracked(), password.get_untracked());
            sign_in.dispatch(api::Login {
                name,
                password,
                next: Some(next.get_value()),
            });
        }
    };
    let refusal = move || match sign_in.value().get() {
        Some(Err(error)) => Some(words::error(language, &error)),
        _ => None,
    };
    let awake = awake();
    view! {
        <section class="card narrow">
            <h1>{say!(language, login.title)}</h1>
            <div role="alert">
                {move || refusal().map(|refusal| view! { <p class="refusal">{refusal}</p> })}
            </div>
            <form action=api::Login::url() method="post" novalidate=awake on:submit=submit>
                <Field
                    name="name"
                    autocomplete="username"
                    label=say!(language, forms.name)
                    value=name
                    wrong=name_wrong
                    checked=name_checked
                />
                <Field
                    name="password"
                    kind="password"
                    autocomplete="current-password"
                    label=say!(language, forms.password)
                    value=password
                    wrong=password_wrong
                    checked=password_checked
                />
                <input type="hidden" name="next" value=next.get_value() />
                <button type="submit" disabled=move || sign_in.pending().get()>
                    {say!(language, login.submit)}
                </button>
            </form>
            <p class="other">
                {say!(language, login.no_account)} " "
                <a href=format!(
                    "/register?next={}",
                    Url::escape(&next.get_value()),
                )>{say!(language, header.register)}</a>
            </p>
        </section>
    }
    .into_any()
}
