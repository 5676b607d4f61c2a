//! Parts of the forms of the account page: the fields of passwords, why a form was refused, the button of a list's entry.

use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::limits;

/// The field of the password that holds. An action that needs it calls it `password`; the part after a `-` in the `id` tells
/// several on a page apart.
#[component]
pub(super) fn CurrentPassword(
    id: &'static str,
    #[prop(optional)] label: Option<&'static str>,
) -> impl IntoView {
    let label = label.unwrap_or(t!(language(), forms.password));
    view! { <PasswordField id label autocomplete="current-password" /> }
}

/// The field of a new password.
#[component]
pub(super) fn NewPassword() -> impl IntoView {
    let language = language();
    view! {
        <PasswordField
            id="new_password"
            label=t!(language, account.new_password)
            autocomplete="new-password"
            hint=t!(language, forms.password_hint)
        />
    }
}

#[component]
fn PasswordField(
    id: &'static str,
    label: &'static str,
    autocomplete: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
) -> impl IntoView {
    // Only a new password has to satisfy the length rules.
    let (shortest, longest) = if hint.is_some() {
        (limits::PASSWORD_MIN_CHARS, limits::PASSWORD_MAX_CHARS)
    } else {
        (1, 1000)
    };
    let note = format!("{id}-note");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                id=id
                name=id.split('-').next()
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

/// Why a form was refused. The address to which the server leads a refused form back ends in `#refused`, so that the page shows this
/// place.
#[component]
pub(super) fn FormError(error: Option<ErrorResponse>) -> impl IntoView {
    let language = language();
    let place = error.is_some().then_some("refused");
    view! {
        <p role="alert" class="refusal" id=place>
            {error.map(|error| error_text(language, &error))}
        </p>
    }
}

/// A button that ends or removes the entry of a list that has this id; without one, all that can be ended.
#[component]
pub(super) fn EndForm(
    action: &'static str,
    #[prop(optional)] id: Option<i64>,
    /// The path to go to afterwards.
    next: &'static str,
    label: String,
    say: &'static str,
) -> impl IntoView {
    view! {
        <form action=action method="post">
            {id.map(|id| view! { <input type="hidden" name="id" value=id /> })}
            <input type="hidden" name="next" value=next />
            <button type="submit" class="quiet" aria-label=label>
                {say}
            </button>
        </form>
    }
}
