//! Display settings.

// Each setting is a field of the form.
#![allow(clippy::too_many_arguments)]

use crate::codec::Form;
use crate::error::ErrorResponse;
use leptos::prelude::*;

/// Changes the given settings: for this browser, or for an account in every browser. `next` is the path to which a form is
/// redirected.
#[server(name = ChangeSettings, prefix = "/api", endpoint = "settings", protocol = Form)]
pub async fn change_settings(
    theme: Option<String>,
    palette: Option<String>,
    sound: Option<String>,
    confirm: Option<String>,
    coordinates: Option<String>,
    marks: Option<String>,
    language: Option<String>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::Code;

    crate::context::answer(async move {
        let session = crate::context::session().await?;
        let mut settings = crate::context::settings(session.as_ref())?;
        let given = [
            ("theme", theme),
            ("palette", palette),
            ("sound", sound),
            ("confirm", confirm),
            ("coordinates", coordinates),
            ("marks", marks),
            ("language", language),
        ];
        for (name, word) in given {
            if let Some(word) = word {
                settings.set(name, &word).ok_or(Code::BadRequest)?;
            }
        }
        if let Some(session) = session {
            let arena = crate::context::arena()?;
            let accounts = &arena.accounts;
            accounts.save_settings(&session.account, settings).await?;
        }
        crate::context::remember_settings(settings)?;
        crate::context::redirect_form(next, "/");
        Ok(())
    })
    .await
}
