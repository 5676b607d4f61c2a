//! Signing in.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::{Field, awake, focus_on, load, next};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::form_action::{FormAction, refused};
use crate::ui::islands::preload::CodeAhead;
use crate::ui::shell::page::{UnlessSignedIn, with_next};
use crate::ui::text::errors::refusal;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;

/// `/login`, with `?next=`: where to go then.
#[component]
pub(crate) fn Login() -> impl IntoView {
    let language = language();
    let next = next();
    let refused = refused::<api::Login>();
    let register = with_next("/register", &next);
    view! {
        <Title text=say!(language, login.title) />
        <CodeAhead of="login_form" />
        <UnlessSignedIn>
            <section class="card narrow">
                <h1>{say!(language, login.title)}</h1>
                {FORM.to((next.clone(), refused.clone()), || view! { <LoginForm /> })}
                <p class="other">
                    {say!(language, login.no_account)} " "
                    <a href=register.clone()>{say!(language, header.register)}</a>
                </p>
            </section>
        </UnlessSignedIn>
    }
}

/// Where to go after signing in, and why the form came back.
static FORM: IslandData<(String, Option<ErrorResponse>)> = IslandData::named("login");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn LoginForm() -> impl IntoView {
    let language = language();
    let (next, refused) = FORM.take();
    let errand = FormAction::new(refused);
    let (name, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (name_checked, password_checked) = (RwSignal::new(false), RwSignal::new(false));
    let missing = move |value: RwSignal<String>| {
        let empty = value.with(String::is_empty);
        empty.then(|| say!(language, forms.required))
    };
    let name_wrong = Signal::derive(move || missing(name));
    let password_wrong = Signal::derive(move || missing(password));

    let onward = StoredValue::new(next.clone());
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
            errand.run(api::login(name, password, None), move |_| {
                onward.with_value(|next| load(next));
            });
        }
    };
    let refusal = move || {
        errand
            .refused
            .with(|error| error.as_ref().map(|error| refusal(language, error)))
    };
    let awake = awake();
    view! {
        <form action=api::Login::url() method="post" novalidate=awake on:submit=submit>
            <p role="alert" class="refusal">
                {refusal}
            </p>
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
            <input type="hidden" name="next" value=next />
            <button type="submit" disabled=errand.under_way>
                {say!(language, login.submit)}
            </button>
        </form>
    }
}
