//! How a visitor wants the pages.

// Each setting is a field of the form.
#![allow(clippy::too_many_arguments)]

use super::answer::Answer;
use crate::wire::ApiError;
use leptos::prelude::*;

/// Changes the settings that are named and leaves the others: for this browser, and for an account in every browser.
/// `next` is where a form goes then.
#[server(name = ChangeSettings, prefix = "/api", endpoint = "settings", output = Answer)]
pub async fn change_settings(
    theme: Option<String>,
    palette: Option<String>,
    sound: Option<String>,
    confirm: Option<String>,
    coordinates: Option<String>,
    marks: Option<String>,
    language: Option<String>,
    next: Option<String>,
) -> Result<(), ApiError> {
    use crate::door;
    use crate::wire::Code;

    let session = door::session().await?;
    let mut settings = door::settings(session.as_ref())?;
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
        let accounts = door::arena().accounts;
        accounts.keep_settings(&session.account, settings).await?;
    }
    door::keep_settings(settings);
    door::go_on(next, "/");
    Ok(())
}
