//! Display settings, and what else a browser remembers.

// Each setting is a field of the form.
#![allow(clippy::too_many_arguments)]

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;

/// Changes the given settings: for this browser, or for an account in every browser. `switches` names those that are off unless they
/// are given, as a form leaves out a switch that is off. `next` is the path to which a form is redirected.
#[endpoint(
    name = ChangeSettings,
    post = "/api/settings",
    answers = "`null`; settings that are not named stay",
)]
pub async fn change_settings(
    app: AppState,
    theme: Option<String>,
    palette: Option<String>,
    sound: Option<String>,
    confirm: Option<String>,
    confirm_correspondence: Option<String>,
    coordinates: Option<String>,
    marks: Option<String>,
    guests: Option<String>,
    language: Option<String>,
    switches: Option<String>,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    use crate::language::Language;
    use tochki_protocol::Code;

    let session = crate::context::session().await?;
    let mut settings = crate::context::settings(session.as_ref())?;
    let given = [
        ("theme", theme),
        ("palette", palette),
        ("sound", sound),
        ("confirm", confirm),
        ("confirm_correspondence", confirm_correspondence),
        ("coordinates", coordinates),
        ("marks", marks),
        ("guests", guests),
        ("language", language),
    ];
    let switches = switches.unwrap_or_default();
    let is_switch = |name| switches.split(' ').any(|switch| switch == name);
    for (name, word) in given {
        if let Some(word) = word.or_else(|| is_switch(name).then(|| "off".to_owned())) {
            let word = match (name, &*word) {
                ("language", tag) if tag != "browser" => Language::of_tag(tag)
                    .ok_or(Code::BadRequest)?
                    .code()
                    .to_owned(),
                _ => word,
            };
            settings.set(name, &word).ok_or(Code::BadRequest)?;
        }
    }
    if let Some(session) = session {
        let accounts = &app.accounts;
        accounts.save_settings(&session.account, settings).await?;
    }
    crate::context::remember_settings(settings)?;
    crate::context::redirect_form(next, "/");
    Ok(())
}

/// Stores the choice of what to play in the browser: the query string of the lobby's page.
#[endpoint(
    name = RememberChoice,
    post = "/api/remember_choice",
    answers = "`null`, cookie `choice`",
    errors(UnknownGame),
)]
pub async fn remember_choice(player: Player, choice: String) -> Result<(), ErrorResponse> {
    // A guest's games are unrated, which is no choice: an account made of the guest begins with rated games.
    let choice = if player.guest {
        choice.replace("rated=no", "rated=yes")
    } else {
        choice
    };
    crate::context::remember_choice(&choice)
}
