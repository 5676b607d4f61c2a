//! Login.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::{TextField, focus_field, is_hydrated, navigate_to, next_path};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::form_action::{FormAction, form_error};
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::{SignedOutOnly, with_next};
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;

/// `/login`. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn LoginPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let refused = form_error::<api::Login>();
    let register = with_next("/register", &next);
    view! {
        <Title text=say!(language, login.title) />
        <PreloadIsland island="login_form" />
        <SignedOutOnly>
            <section class="card narrow">
                <h1>{say!(language, login.title)}</h1>
                {FORM.embed((next.clone(), refused.clone()), || view! { <LoginForm /> })}
                <p class="other">
                    {say!(language, login.no_account)} " "
                    <a href=register.clone()>{say!(language, header.register)}</a>
                </p>
            </section>
        </SignedOutOnly>
    }
}

/// The path to go to after login, and the refusal of a form posted without scripts.
static FORM: IslandData<(String, Option<ErrorResponse>)> = IslandData::new("login");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn LoginForm() -> impl IntoView {
    let language = language();
    let (next, refused) = FORM.read();
    let form_action = FormAction::new(refused);
    let (name, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (name_touched, password_touched) = (RwSignal::new(false), RwSignal::new(false));
    let missing = move |value: RwSignal<String>| {
        let empty = value.with(String::is_empty);
        empty.then(|| say!(language, forms.required))
    };
    let name_error = Signal::derive(move || missing(name));
    let password_error = Signal::derive(move || missing(password));

    let onward = StoredValue::new(next.clone());
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_touched.set(true);
        password_touched.set(true);
        if name_error.get_untracked().is_some() {
            focus_field("name");
        } else if password_error.get_untracked().is_some() {
            focus_field("password");
        } else {
            let (name, password) = (name.get_untracked(), password.get_untracked());
            form_action.dispatch(api::login(name, password, None), move |_| {
                onward.with_value(|next| navigate_to(next));
            });
        }
    };
    let refusal = move || {
        form_action
            .error
            .with(|error| error.as_ref().map(|error| error_text(language, error)))
    };
    let hydrated = is_hydrated();
    view! {
        <form action=api::Login::url() method="post" novalidate=hydrated on:submit=submit>
            <p role="alert" class="refusal">
                {refusal}
            </p>
            <TextField
                name="name"
                autocomplete="username"
                label=say!(language, forms.name)
                value=name
                error=name_error
                touched=name_touched
            />
            <TextField
                name="password"
                kind="password"
                autocomplete="current-password"
                label=say!(language, forms.password)
                value=password
                error=password_error
                touched=password_touched
            />
            <input type="hidden" name="next" value=next />
            <button type="submit" disabled=form_action.pending>
                {say!(language, login.submit)}
            </button>
        </form>
    }
}
