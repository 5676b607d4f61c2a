//! Registration. The same form turns a guest into an account.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::{
    TextField, focus_field, is_hydrated, is_plausible_name, is_plausible_password, navigate_to,
    next_path,
};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::{FormAction, form_error};
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::{SignedOutOnly, with_next};
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use serde::{Deserialize, Serialize};
use tochki_protocol::Code;

/// `/register`. `?next=` is the path to go to afterwards.
#[component]
pub(crate) fn RegisterPage() -> impl IntoView {
    let language = language();
    let next = next_path();
    let refused = form_error::<api::Register>();
    let login = with_next("/login", &next);
    view! {
        <Title text=say!(language, register.title) />
        <PreloadIsland island="register_form" />
        <SignedOutOnly guests="/keep">
            <section class="card narrow">
                <h1>{say!(language, register.title)}</h1>
                <p>{say!(language, register.promise)}</p>
                {FORM.embed(
                    RegisterData { next: next.clone(), refused: refused.clone(), guest: None },
                    || view! { <RegisterForm /> },
                )}
                <p class="other">
                    {say!(language, register.have_account)} " "
                    <a href=login.clone()>{say!(language, header.sign_in)}</a>
                </p>
            </section>
        </SignedOutOnly>
    }
}

/// Data of the form.
#[derive(Serialize, Deserialize)]
pub(crate) struct RegisterData {
    /// The path to go to after success.
    pub(crate) next: String,
    /// Why the server refused the form, if it was posted without scripts.
    pub(crate) refused: Option<ErrorResponse>,
    /// The name of the guest who creates an account; `None` for a new account.
    pub(crate) guest: Option<String>,
}

pub(crate) static FORM: IslandData<RegisterData> = IslandData::new("register");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub(crate) fn RegisterForm() -> impl IntoView {
    let language = language();
    let RegisterData {
        next,
        refused,
        guest,
    } = FORM.read();
    let keeps = guest.is_some();
    let initial = guest.unwrap_or_default();
    let name = RwSignal::new(initial.clone());
    let password = RwSignal::new(String::new());
    let came_back = |place| {
        refused
            .as_ref()
            .is_some_and(|error| error_field(error) == place)
    };
    let name_touched = RwSignal::new(came_back(ErrorField::Name));
    let password_touched = RwSignal::new(came_back(ErrorField::Password));
    let form_action = FormAction::new(refused);
    let refused_at = move |place| {
        form_action.error.with(|error| {
            let here = error.as_ref().filter(|error| error_field(error) == place);
            here.map(|error| error_text(language, error))
        })
    };
    // The server's refusal of a name is shown until another name is typed.
    let refused_name = RwSignal::new(String::new());

    let name_error = Signal::derive(move || {
        let typed = name.get();
        let refused =
            refused_at(ErrorField::Name).filter(|_| refused_name.with(|name| *name == typed));
        refused.or_else(|| (!is_plausible_name(&typed)).then(|| say!(language, forms.name_hint)))
    });
    let password_error = Signal::derive(move || {
        let wrong = password.with(|password| !is_plausible_password(password));
        wrong.then(|| say!(language, forms.password_hint))
    });

    let onward = StoredValue::new(next.clone());
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_touched.set(true);
        password_touched.set(true);
        let (name, password) = (name.get_untracked(), password.get_untracked());
        if !is_plausible_name(&name) {
            focus_field("name");
        } else if !is_plausible_password(&password) {
            focus_field("password");
        } else {
            refused_name.set(name.clone());
            let go = move |_| onward.with_value(|next| navigate_to(next));
            if keeps {
                form_action.dispatch(api::keep_account(name, password, None), go);
            } else {
                form_action.dispatch(api::register(name, password, None), go);
            }
        }
    };
    effect(move || {
        if refused_at(ErrorField::Name).is_some() {
            focus_field("name");
        }
    });
    let hydrated = is_hydrated();
    let (action, submit_words) = if keeps {
        (api::KeepAccount::url(), say!(language, guest.keep_submit))
    } else {
        (api::Register::url(), say!(language, register.submit))
    };
    view! {
        <form action=action method="post" novalidate=hydrated on:submit=submit>
            <p role="alert" class="refusal">
                {move || refused_at(ErrorField::Form)}
            </p>
            <TextField
                name="name"
                autocomplete="username"
                label=say!(language, forms.name)
                hint=say!(language, forms.name_hint)
                min_length=2
                initial
                value=name
                error=name_error
                touched=name_touched
            />
            <TextField
                name="password"
                kind="password"
                autocomplete="new-password"
                label=say!(language, forms.password)
                hint=say!(language, forms.password_hint)
                min_length=6
                value=password
                error=password_error
                touched=password_touched
            />
            <input type="hidden" name="next" value=next />
            <button type="submit" disabled=form_action.pending>
                {submit_words}
            </button>
        </form>
    }
}

/// The part of the form where a refusal is shown.
#[derive(Clone, Copy, PartialEq)]
enum ErrorField {
    Name,
    Password,
    Form,
}

fn error_field(error: &ErrorResponse) -> ErrorField {
    match error.code {
        Code::NameTaken | Code::InvalidName => ErrorField::Name,
        Code::InvalidPassword => ErrorField::Password,
        _ => ErrorField::Form,
    }
}
