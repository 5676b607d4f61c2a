//! Opening an account, and the form by which a guest does so, too.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::{Field, awake, focus_on, load, name_may_do, next, password_may_do};
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::{FormAction, refused};
use crate::ui::islands::preload::CodeAhead;
use crate::ui::shell::page::{UnlessSignedIn, with_next};
use crate::ui::text::errors::refusal;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use serde::{Deserialize, Serialize};
use tochki_protocol::Code;

/// `/register`, with `?next=`: where to go then.
#[component]
pub(crate) fn Register() -> impl IntoView {
    let language = language();
    let next = next();
    let refused = refused::<api::Register>();
    let login = with_next("/login", &next);
    view! {
        <Title text=say!(language, register.title) />
        <CodeAhead of="register_form" />
        <UnlessSignedIn guests="/keep">
            <section class="card narrow">
                <h1>{say!(language, register.title)}</h1>
                <p>{say!(language, register.promise)}</p>
                {FORM.to(
                    Asked { next: next.clone(), refused: refused.clone(), guest: None },
                    || view! { <RegisterForm /> },
                )}
                <p class="other">
                    {say!(language, register.have_account)} " "
                    <a href=login.clone()>{say!(language, header.sign_in)}</a>
                </p>
            </section>
        </UnlessSignedIn>
    }
}

/// What the form is for.
#[derive(Serialize, Deserialize)]
pub(crate) struct Asked {
    /// Where to go then.
    pub(crate) next: String,
    /// Why it came back.
    pub(crate) refused: Option<ErrorResponse>,
    /// The name of the guest who makes an account of what they have played; nothing for a new account.
    pub(crate) guest: Option<String>,
}

pub(crate) static FORM: IslandData<Asked> = IslandData::named("register");

#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub(crate) fn RegisterForm() -> impl IntoView {
    let language = language();
    let Asked {
        next,
        refused,
        guest,
    } = FORM.take();
    let keeps = guest.is_some();
    let at_first = guest.unwrap_or_default();
    let name = RwSignal::new(at_first.clone());
    let password = RwSignal::new(String::new());
    let came_back = |place| {
        refused
            .as_ref()
            .is_some_and(|error| belongs(error) == place)
    };
    let name_checked = RwSignal::new(came_back(Place::Name));
    let password_checked = RwSignal::new(came_back(Place::Password));
    let errand = FormAction::new(refused);
    let refused_at = move |place| {
        errand.refused.with(|error| {
            let here = error.as_ref().filter(|error| belongs(error) == place);
            here.map(|error| refusal(language, error))
        })
    };
    // The server's word on a name counts until another name is typed.
    let refused_name = RwSignal::new(String::new());

    let name_wrong = Signal::derive(move || {
        let typed = name.get();
        let refused = refused_at(Place::Name).filter(|_| refused_name.with(|name| *name == typed));
        refused.or_else(|| (!name_may_do(&typed)).then(|| say!(language, forms.name_hint)))
    });
    let password_wrong = Signal::derive(move || {
        let wrong = password.with(|password| !password_may_do(password));
        wrong.then(|| say!(language, forms.password_hint))
    });

    let onward = StoredValue::new(next.clone());
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        name_checked.set(true);
        password_checked.set(true);
        let (name, password) = (name.get_untracked(), password.get_untracked());
        if !name_may_do(&name) {
            focus_on("name");
        } else if !password_may_do(&password) {
            focus_on("password");
        } else {
            refused_name.set(name.clone());
            let go = move |_| onward.with_value(|next| load(next));
            if keeps {
                errand.run(api::keep_account(name, password, None), go);
            } else {
                errand.run(api::register(name, password, None), go);
            }
        }
    };
    effect(move || {
        if refused_at(Place::Name).is_some() {
            focus_on("name");
        }
    });
    let awake = awake();
    let (action, submit_words) = if keeps {
        (api::KeepAccount::url(), say!(language, guest.keep_submit))
    } else {
        (api::Register::url(), say!(language, register.submit))
    };
    view! {
        <form action=action method="post" novalidate=awake on:submit=submit>
            <p role="alert" class="refusal">
                {move || refused_at(Place::Form)}
            </p>
            <Field
                name="name"
                autocomplete="username"
                label=say!(language, forms.name)
                hint=say!(language, forms.name_hint)
                shortest=2
                at_first
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
            <input type="hidden" name="next" value=next />
            <button type="submit" disabled=errand.under_way>
                {submit_words}
            </button>
        </form>
    }
}

/// Where on the form a refusal is said.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Name,
    Password,
    Form,
}

fn belongs(error: &ErrorResponse) -> Place {
    match error.code {
        Code::NameTaken | Code::InvalidName => Place::Name,
        Code::InvalidPassword => Place::Password,
        _ => Place::Form,
    }
}
