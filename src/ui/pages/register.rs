//! Opening an account.

use super::UnlessSignedIn;
use crate::api;
use crate::ui::forms::{Field, awake, focus_on, name_may_do, next, password_complaint};
use crate::ui::session::load;
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::{ApiError, Code};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::location::Url;

/// `/register`, with `?next=`: where to go then.
#[component]
pub(crate) fn Register() -> impl IntoView {
    let language = language();
    view! {
        <Title text=say!(language, register.title) />
        <UnlessSignedIn>
            <RegisterForm />
        </UnlessSignedIn>
    }
}

#[component]
fn RegisterForm() -> impl IntoView {
    let language = language();
    let next = StoredValue::new(next());
    let register = ServerAction::<api::Register>::new();
    let refused = move || match register.value().get() {
        Some(Err(error)) => Some(error),
        _ => None,
    };
    let (name, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    // The server's word on a name counts until another name is typed.
    let refused_name = RwSignal::new(None::<String>);
    let (name_checked, password_checked) = (
        RwSignal::new(untrack(refused).is_some()),
        RwSignal::new(untrack(refused).is_some_and(|error| belongs(&error) == "password")),
    );

    let name_wrong = Signal::derive(move || {
        let still = name.with(|name| {
            refused_name.with(|refused| refused.as_ref().is_none_or(|refused| refused == name))
        });
        match refused().filter(|error| still && belongs(error) == "name") {
            Some(error) => Some(words::error(language, &error)),
            None => (!name.with(|name| name_may_do(name)) && !untouched(name, refused()))
                .then(|| say!(language, forms.name_hint)),
        }
    });
    let password_wrong = Signal::derive(move || password_complaint(password));

    Effect::new(move |_| match register.value().get() {
        Some(Ok(_)) => load(&next.get_value()),
        Some(Err(error)) if belongs(&error) == "name" => focus_on("name"),
        _ => {}
    });
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_checked.set(true);
        password_checked.set(true);
        if !name.with_untracked(|name| name_may_do(name)) {
            focus_on("name");
        } else if password_wrong.get_untracked().is_some() {
            focus_on("password");
        } else {
            let (name, password) = (name.get_untracked(), password.get_untracked());
            refused_name.set(Some(name.clone()));
            register.dispatch(api::Register {
                name,
                password,
                next: Some(next.get_value()),
            });
        }
    };
    let refusal = move || {
        refused()
            .filter(|error| belongs(error) == "form")
            .map(|error| words::error(language, &error))
    };
    let awake = awake();
    view! {
        <section class="card narrow">
            <h1>{say!(language, register.title)}</h1>
            <p>{say!(language, register.promise)}</p>
            <div role="alert">
                {move || refusal().map(|refusal| view! { <p class="refusal">{refusal}</p> })}
            </div>
            <form action=api::Register::url() method="post" novalidate=awake on:submit=submit>
                <Field
                    name="name"
                    autocomplete="username"
                    label=say!(language, forms.name)
                    hint=say!(language, forms.name_hint)
                    shortest=2
                    value=name
                    wrong=name_wrong
                    checked=name_checked
                />
                <Field
                    name="password"
                    kind="password"
                    autocomplete="new-password"
                    label=say!(language, forms.password)
                    hint=say!(language, forms.password_hint)
                    shortest=6
                    value=password
                    wrong=password_wrong
                    checked=password_checked
                />
                <input type="hidden" name="next" value=next.get_value() />
                <button type="submit" disabled=move || register.pending().get()>
                    {say!(language, register.submit)}
                </button>
            </form>
            <p class="other">
                {say!(language, register.have_account)} " "
                <a href=format!(
                    "/login?next={}",
                    Url::escape(&next.get_value()),
                )>{say!(language, header.sign_in)}</a>
            </p>
        </section>
    }
    .into_any()
}

/// Nothing typed yet on a page that came back with the server's refusal of something else.
fn untouched(name: RwSignal<String>, refused: Option<ApiError>) -> bool {
    name.with(String::is_empty) && refused.is_some()
}

/// Where on the form a refusal is said.
fn belongs(error: &ApiError) -> &'static str {
    match error.code {
        Code::NameTaken | Code::InvalidName => "name",
        Code::InvalidPassword => "password",
        _ => "form",
    }
}
