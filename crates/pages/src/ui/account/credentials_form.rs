//! The form for name and password: of login, of registration, and of a guest who creates an account.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::{
    TextField, focus_field, is_hydrated, is_plausible_name, is_plausible_password, navigate_to,
};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::text::errors::error_text;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use serde::{Deserialize, Serialize};
use tochki_protocol::{Code, limits};

/// The purpose of the form.
#[derive(Serialize, Deserialize)]
pub(crate) enum Purpose {
    Login,
    Register,
    /// A guest creates an account; the field of the name contains their name.
    KeepAccount {
        guest: String,
    },
}

/// Data of the form.
#[derive(Serialize, Deserialize)]
pub(crate) struct CredentialsData {
    pub(crate) purpose: Purpose,
    /// The path to go to after success.
    pub(crate) next: String,
    /// The reason why the server refused the form, if it was posted without scripts.
    pub(crate) refused: Option<ErrorResponse>,
}

pub(crate) static FORM: IslandData<CredentialsData> = IslandData::new("credentials");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub(crate) fn CredentialsForm() -> impl IntoView {
    let language = language();
    let CredentialsData {
        purpose,
        next,
        refused,
    } = FORM.read();
    let login = matches!(purpose, Purpose::Login);
    let (action, submit_label) = endpoint(language, &purpose);
    let initial = match &purpose {
        Purpose::KeepAccount { guest } => guest.clone(),
        Purpose::Login | Purpose::Register => String::new(),
    };
    // A login only has to be complete; a new account has to be valid.
    let valid_name = move |name: &str| {
        if login {
            !name.is_empty()
        } else {
            is_plausible_name(name)
        }
    };
    let valid_password = move |password: &str| {
        if login {
            !password.is_empty()
        } else {
            is_plausible_password(password)
        }
    };
    let name_hint = (!login).then(|| t!(language, forms.name_hint));
    let password_hint = (!login).then(|| t!(language, forms.password_hint));
    let required = login.then(|| t!(language, forms.required));

    let name = RwSignal::new(initial.clone());
    let password = RwSignal::new(String::new());
    let was_refused = |field| {
        refused
            .as_ref()
            .is_some_and(|error| error_field(error) == field)
    };
    let name_touched = RwSignal::new(was_refused(ErrorField::Name));
    let password_touched = RwSignal::new(was_refused(ErrorField::Password));
    let form_action = FormAction::new(refused);
    let refusal_at = move |field| {
        form_action.error.with(|error| {
            let here = error.as_ref().filter(|error| error_field(error) == field);
            here.map(|error| error_text(language, error))
        })
    };
    // The server's refusal of a name is shown until another name is typed.
    let refused_name = RwSignal::new(String::new());
    let refused_password = RwSignal::new(String::new());

    let name_error = Signal::derive(move || {
        let typed = name.get();
        let refused =
            refusal_at(ErrorField::Name).filter(|_| refused_name.with(|name| *name == typed));
        refused.or_else(|| required.or(name_hint).filter(|_| !valid_name(&typed)))
    });
    let password_error = Signal::derive(move || {
        let typed = password.get();
        let refused = refusal_at(ErrorField::Password)
            .filter(|_| refused_password.with(|password| *password == typed));
        refused.or_else(|| {
            required
                .or(password_hint)
                .filter(|_| !valid_password(&typed))
        })
    });

    let next_path = StoredValue::new(next.clone());
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_touched.set(true);
        password_touched.set(true);
        let (name, password) = (name.get_untracked(), password.get_untracked());
        if !valid_name(&name) {
            focus_field("name");
        } else if !valid_password(&password) {
            focus_field("password");
        } else {
            refused_name.set(name.clone());
            refused_password.set(password.clone());
            let go = move |_| next_path.with_value(|next| navigate_to(next));
            match &purpose {
                Purpose::Login => form_action.dispatch(api::login(name, password, None), go),
                Purpose::Register => form_action.dispatch(api::register(name, password, None), go),
                Purpose::KeepAccount { .. } => {
                    form_action.dispatch(api::keep_account(name, password, None), go);
                }
            }
        }
    };
    effect(move || {
        if refusal_at(ErrorField::Name).is_some() {
            focus_field("name");
        } else if refusal_at(ErrorField::Password).is_some() {
            focus_field("password");
        }
    });
    let hydrated = is_hydrated();
    view! {
        <form action=action method="post" novalidate=hydrated on:submit=submit>
            <p role="alert" class="refusal">
                {move || refusal_at(ErrorField::Form)}
            </p>
            <TextField
                name="name"
                autocomplete=if login { "username webauthn" } else { "username" }
                label=t!(language, forms.name)
                hint=name_hint
                min_length=if login { 1 } else { limits::NAME_MIN_CHARS }
                initial
                value=name
                error=name_error
                touched=name_touched
            />
            <TextField
                name="password"
                kind="password"
                autocomplete=if login { "current-password" } else { "new-password" }
                label=t!(language, forms.password)
                hint=password_hint
                min_length=if login { 1 } else { limits::PASSWORD_MIN_CHARS }
                value=password
                error=password_error
                touched=password_touched
            />
            <input type="hidden" name="next" value=next />
            <button type="submit" disabled=form_action.pending>
                {submit_label}
            </button>
        </form>
    }
}

/// Returns the URL of the server function, for browsers without scripts, and the label of the button.
fn endpoint(language: Language, purpose: &Purpose) -> (&'static str, &'static str) {
    match purpose {
        Purpose::Login => (api::Login::url(), t!(language, login.submit)),
        Purpose::Register => (api::Register::url(), t!(language, register.submit)),
        Purpose::KeepAccount { .. } => (api::KeepAccount::url(), t!(language, guest.keep_submit)),
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
